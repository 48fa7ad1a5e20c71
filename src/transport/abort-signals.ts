/**
 * Returns a signal that aborts with the first of several signals and with its reason. Undefined sources are ignored. Without
 * `AbortSignal.any` (Safari before 17.4, Firefox before 124) the sources reference the returned signal until one of them aborts.
 */
export function combineSignals(...sources: readonly (AbortSignal | undefined)[]): AbortSignal {
  const signals = sources.filter((source) => source !== undefined);
  const { any } = AbortSignal as Partial<typeof AbortSignal>;
  if (any) return any.call(AbortSignal, signals);
  const combined = new AbortController();
  for (const source of signals) {
    const abort = (): void => {
      combined.abort(source.reason);
    };
    if (source.aborted) abort();
    else source.addEventListener('abort', abort, { signal: combined.signal });
  }
  return combined.signal;
}

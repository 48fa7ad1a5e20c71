/**
 * A signal that aborts with the first of several, for the same reason. Sources that are missing count for nothing. Where the platform
 * has no `AbortSignal.any` (Safari before 17.4, Firefox before 124) the sources keep it alive until one of them aborts.
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

/** A promise with its `resolve` and `reject`. */
export interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Creates a {@link Deferred}. A rejection without a handler is not reported as unhandled. */
export function createDeferred(): Deferred {
  const callbacks: Partial<Deferred> = {};
  const promise = new Promise<void>((resolve, reject) =>
    Object.assign(callbacks, { resolve, reject }),
  );
  promise.catch(() => undefined);
  return { ...(callbacks as Deferred), promise };
}

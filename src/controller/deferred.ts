/** A promise that is settled from outside. */
export interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Makes a {@link Deferred}. That nobody waits for it is no error. */
export function createDeferred(): Deferred {
  const settle: Partial<Deferred> = {};
  const promise = new Promise<void>((resolve, reject) =>
    Object.assign(settle, { resolve, reject }),
  );
  promise.catch(() => undefined);
  return { ...(settle as Deferred), promise };
}

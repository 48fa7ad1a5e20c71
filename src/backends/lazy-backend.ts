import { isUbikError, UbikError } from '../errors.js';
import type { Batch } from '../model/change.js';
import type { Backend } from './backend.js';

/** What is known of a service before its code is there. */
export type BackendOutline = Pick<Backend, 'name' | 'capabilities' | 'idleLimit'>;

/** Methods that promise something. */
type Call = {
  [Name in keyof Backend]-?: NonNullable<Backend[Name]> extends (
    ...args: never[]
  ) => Promise<unknown>
    ? Name
    : never;
}[keyof Backend];

/** Methods that tell of a run. */
const STREAMS = [
  'send',
  'rejoin',
  'provideInput',
  'edit',
  'regenerate',
  'restoreCheckpoint',
] as const satisfies readonly (keyof Backend)[];

type AnyMethod = (...args: unknown[]) => unknown;

/**
 * A backend whose code is fetched when it is first called: `load` makes it. It has the methods of runs, and of the others the named
 * ones. When the code cannot be fetched, the call rejects with `load-failed`, and the next call tries again.
 */
export function deferBackend(
  outline: BackendOutline,
  calls: readonly Call[],
  load: () => Promise<Backend>,
): Backend {
  let loaded: Backend | undefined;
  let loading: Promise<Backend> | undefined;
  let onForeignChange: Backend['onForeignChange'];
  const fetchCode = async (): Promise<Backend> => {
    try {
      loaded = await load();
    } catch (cause) {
      loading = undefined;
      throw isUbikError(cause) ? cause : new UbikError('load-failed', { cause });
    }
    loaded.onDiagnostic = (error) => deferred.onDiagnostic?.(error);
    loaded.onForeignChange = onForeignChange;
    return loaded;
  };
  const run = async (name: keyof Backend, args: unknown[]): Promise<unknown> => {
    const backend = loaded ?? (await (loading ??= fetchCode()));
    return (backend[name] as AnyMethod)(...args);
  };
  // The tables say of each method what it returns.
  const deferred = {
    ...outline,
    ...deferMethods(calls, run),
    // Whether anybody listens matters to the backend.
    get onForeignChange() {
      return onForeignChange;
    },
    set onForeignChange(listener) {
      onForeignChange = listener;
      if (loaded) loaded.onForeignChange = listener;
    },
    // A result to look into has come from the code of the service.
    findFiles: (result) => loaded?.findFiles?.(result) ?? [],
    incompleteText: (thread, run) => loaded?.incompleteText?.(thread, run) ?? null,
    forget: (thread, run) => loaded?.forget?.(thread, run),
  } as Backend;
  return deferred;
}

/** Methods that fetch the code before they run. */
function deferMethods(
  calls: readonly Call[],
  run: (name: keyof Backend, args: unknown[]) => Promise<unknown>,
): Partial<Record<keyof Backend, AnyMethod>> {
  const methods: Partial<Record<keyof Backend, AnyMethod>> = {};
  for (const name of calls) methods[name] = (...args) => run(name, args);
  for (const name of STREAMS) {
    methods[name] = async function* (...args): AsyncGenerator<Batch> {
      yield* (await run(name, args)) as AsyncIterable<Batch>;
    };
  }
  return methods;
}

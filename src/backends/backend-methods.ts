import type { Backend, Capability, RunStream } from './backend.js';

/** Names of all methods of a {@link Backend}, required and optional. Its listeners (`onDiagnostic`, `onExternalChange`) are not methods. */
export type BackendMethodName = Exclude<
  {
    [N in keyof Backend]-?: Method<N> extends (...args: never[]) => unknown ? N : never;
  }[keyof Backend],
  'onDiagnostic' | 'onExternalChange'
>;

type Method<N extends keyof Backend> = NonNullable<Backend[N]>;
type AnyFunction = (...args: never[]) => unknown;

/**
 * The kind of a method: its result, and whether other tabs are notified of a call:
 *
 * - `stream`: returns a run, as batches of changes.
 * - `call`: returns a promise. Other tabs are not notified.
 * - `change`: returns a promise. The call changes a thread that other tabs may show, so they are notified.
 * - `sync`: returns a value, synchronously and without a request.
 */
export type BackendMethodKind = 'stream' | 'call' | 'change' | 'sync';

/** Describes one method of the contract. */
export interface BackendMethod {
  readonly kind: BackendMethodKind;
  /** The capability that a backend needs to have the method; null for methods without one. */
  readonly capability: Capability | null;
  /** Whether a method without a capability is optional. `sync` methods always are. */
  readonly isOptional?: boolean;
  /** Whether it starts a run. Its last arguments are then the keys of the run and a signal, and its tab needs the lock of the thread. */
  readonly startsRun?: boolean;
  /** The value that a `sync` method returns before the code of the backend is loaded, and when the loaded backend lacks the method. */
  readonly fallback?: unknown;
}

/** Constrains a row by the type of the method, so that a wrong or missing row does not compile. */
type MethodRow<N extends BackendMethodName> =
  Method<N> extends AnyFunction
    ? {
        readonly kind: KindOf<ReturnType<Method<N>>>;
      } & (KindOf<ReturnType<Method<N>>> extends 'sync'
        ? { readonly capability: null }
        : undefined extends Backend[N]
          ?
              | { readonly capability: Capability }
              | { readonly capability: null; readonly isOptional: true }
          : { readonly capability: null }) &
        (KindOf<ReturnType<Method<N>>> extends 'stream'
          ? { readonly startsRun: boolean }
          : unknown) &
        (KindOf<ReturnType<Method<N>>> extends 'sync'
          ? { readonly fallback: ReturnType<Method<N>> }
          : unknown)
    : never;

type KindOf<R> = R extends RunStream
  ? 'stream'
  : R extends Promise<unknown>
    ? 'call' | 'change'
    : 'sync';

/**
 * The methods of the contract. Lazy loading, tab sharing, the types of the controller's run methods and the conformance suite are derived
 * from this table.
 */
export const BACKEND_METHODS = {
  prepare: { kind: 'call', capability: null, isOptional: true },
  forgetToken: { kind: 'sync', capability: null, fallback: undefined },
  loadOnboarding: { kind: 'call', capability: 'onboarding' },
  listThreads: { kind: 'call', capability: 'threads' },
  createThread: { kind: 'call', capability: null },
  loadThread: { kind: 'call', capability: null },
  loadMessage: { kind: 'call', capability: 'branches' },
  renameThread: { kind: 'change', capability: 'rename' },
  deleteThread: { kind: 'change', capability: 'delete' },
  markThreadRead: { kind: 'call', capability: 'mark-read' },
  switchBranch: { kind: 'change', capability: 'branches' },

  send: { kind: 'stream', capability: null, startsRun: true },
  edit: { kind: 'stream', capability: 'edit', startsRun: true },
  regenerate: { kind: 'stream', capability: 'regenerate', startsRun: true },
  provideInput: { kind: 'stream', capability: 'input', startsRun: true },
  restoreCheckpoint: { kind: 'stream', capability: 'checkpoints', startsRun: true },
  rejoin: { kind: 'stream', capability: 'rejoin', startsRun: false },
  stop: { kind: 'call', capability: 'stop' },
  getIncompleteText: { kind: 'sync', capability: null, fallback: null },
  releaseRun: { kind: 'sync', capability: null, fallback: undefined },

  listCheckpoints: { kind: 'call', capability: 'checkpoints' },
  listDocuments: { kind: 'call', capability: 'documents' },
  loadDocument: { kind: 'call', capability: 'documents' },
  uploadDocument: { kind: 'call', capability: 'upload' },
  linkDocuments: { kind: 'call', capability: 'link' },
  unlinkDocument: { kind: 'call', capability: 'link' },
  starDocument: { kind: 'call', capability: 'star' },
  loadPassage: { kind: 'call', capability: 'citations' },
  findToolFiles: { kind: 'sync', capability: null, fallback: [] },
  isInternalField: { kind: 'sync', capability: null, fallback: false },
  loadToolFile: { kind: 'call', capability: 'tool-files' },
} as const satisfies { readonly [N in BackendMethodName]: MethodRow<N> };

/** Names of the methods that start a run. */
export type RunMethodName = {
  [N in BackendMethodName]: (typeof BACKEND_METHODS)[N] extends { readonly startsRun: true }
    ? N
    : never;
}[BackendMethodName];

/** Returns the rows of {@link BACKEND_METHODS} with their names. */
export function listBackendMethods(): readonly (readonly [BackendMethodName, BackendMethod])[] {
  return Object.entries(BACKEND_METHODS) as [BackendMethodName, BackendMethod][];
}

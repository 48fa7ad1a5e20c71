import type { Batch } from '../model/change.js';
import type { Environment } from '../transport/environment.js';
import type { GetToken } from '../transport/http.js';
import type { Backend } from './backend.js';
import { listBackendMethods, type BackendMethodName } from './backend-methods.js';
import { loadCode } from './load-code.js';

/** The data of a service that the controller needs before the code of the service is loaded. */
export type BackendInfo = Pick<Backend, 'name' | 'capabilities' | 'idleTimeout'>;

/** A service whose code is loaded with the first call. */
export interface LazyService {
  readonly info: BackendInfo;
  readonly getToken?: GetToken | null | undefined;
  /** Loads the code and creates the backend, whose tokens come from the given function. Called again after it has rejected. */
  load(getToken: GetToken | undefined): Promise<Backend>;
}

/** Identifies the tabs that share their runs: those of one user at one service. */
export interface TabScope {
  /** Identifies the service: equal for tabs that may share. */
  readonly service: string;
  /** Identifies the user. Nothing is shared without it. */
  readonly userKey?: string | null | undefined;
  readonly environment?: Environment | undefined;
}

type AnyMethod = (...args: unknown[]) => unknown;
type Methods = Partial<Record<BackendMethodName, AnyMethod>>;

/**
 * Creates a backend whose code is loaded with the first call. It has the methods of the service's capabilities. When the code cannot be
 * loaded, the call rejects with `load-failed`, and the next call tries again.
 *
 * @param tabs identifies the tabs to share runs with; without a `userKey`, runs are not shared
 */
export function createLazyBackend(service: LazyService, tabs?: TabScope): Backend {
  let loaded: Backend | undefined;
  let loading: Promise<Backend> | undefined;
  let onExternalChange: Backend['onExternalChange'];
  let early: EarlyToken | null = null;
  let prepared: Promise<void> | undefined;
  const load = async (): Promise<Backend> => {
    early = service.getToken ? new EarlyToken(service.getToken) : null;
    try {
      loaded = await loadCode(() => loadBackend(service, early?.get, tabs));
    } catch (error) {
      loading = undefined;
      throw error;
    }
    void loaded.prepare?.();
    loaded.onDiagnostic = (error) => backend.onDiagnostic?.(error);
    loaded.onExternalChange = onExternalChange;
    return loaded;
  };
  const call = async (name: BackendMethodName, args: unknown[]): Promise<unknown> => {
    const target = loaded ?? (await (loading ??= load()));
    return (target[name] as AnyMethod)(...args);
  };
  // The type of each method follows from the table.
  const backend = {
    ...service.info,
    ...createMethods(service.info, call, () => loaded),
    prepare: async () => {
      const ignore = (): void => undefined;
      if (loaded) await loaded.prepare?.();
      // The first request tries again, and reports a failure.
      else await (prepared ??= (loading ??= load()).then(ignore, ignore));
    },
    forgetToken: () => {
      early?.forget();
      loaded?.forgetToken?.();
    },
    // A setter, because a backend that shares its runs observes other tabs only while there is a listener.
    get onExternalChange() {
      return onExternalChange;
    },
    set onExternalChange(listener) {
      onExternalChange = listener;
      if (loaded) loaded.onExternalChange = listener;
    },
  } as Backend;
  return backend;
}

/** The first token, which is requested while the code is loading, so that the first request does not wait for the code and then the token. */
class EarlyToken {
  readonly #getToken: GetToken;
  #first: Promise<string> | undefined;

  constructor(getToken: GetToken) {
    this.#getToken = getToken;
    this.#first = (async () => getToken({ reason: 'connect' }))();
    // The first request reports the failure.
    this.#first.catch(() => undefined);
  }

  /** Returns the early token if the first call has the reason `connect`; otherwise a new token of the host page. */
  readonly get: GetToken = (request) => {
    const first = request.reason === 'connect' ? this.#first : undefined;
    this.#first = undefined;
    return first ?? this.#getToken(request);
  };

  forget(): void {
    this.#first = undefined;
  }
}

/**
 * Loads the code of the service, then the code that shares runs. The second file is imported dynamically, not by the first one, because a
 * browser never retries a failed static import.
 */
async function loadBackend(
  service: LazyService,
  getToken: GetToken | undefined,
  tabs: TabScope | undefined,
): Promise<Backend> {
  const backend = await service.load(getToken);
  if (tabs?.userKey == null) return backend;
  const { createTabLink, shareAcrossTabs } = await import('./multi-tab/index.js');
  return shareAcrossTabs(backend, createTabLink(tabs.service, tabs.userKey), tabs.environment);
}

function createMethods(
  { capabilities }: BackendInfo,
  call: (name: BackendMethodName, args: unknown[]) => Promise<unknown>,
  getLoaded: () => Backend | undefined,
): Methods {
  const methods: Methods = {};
  for (const [name, { kind, capability, fallback }] of listBackendMethods()) {
    if (capability !== null && !capabilities.has(capability)) continue;
    if (kind === 'sync') {
      methods[name] = (...args) => {
        const loaded = getLoaded();
        return (loaded?.[name] as AnyMethod | undefined)?.call(loaded, ...args) ?? fallback;
      };
    } else if (kind === 'stream') {
      const loadAndOpen = async function* (args: unknown[]): AsyncGenerator<Batch> {
        yield* (await call(name, args)) as AsyncIterable<Batch>;
      };
      // Once the code is loaded, the stream is returned directly: each generator between a stream and its reader delays each batch.
      methods[name] = (...args) =>
        (getLoaded()?.[name] as AnyMethod | undefined)?.(...args) ?? loadAndOpen(args);
    } else methods[name] = (...args) => call(name, args);
  }
  return methods;
}

import type { KeyValueStorage } from '../../../src/transport/environment.js';
import type { Backend } from '../../../src/backends/backend.js';
import { shareAcrossTabs } from '../../../src/backends/multi-tab/index.js';
import { createUbikBackend } from '../../../src/backends/ubik/index.js';
import { createStreamController } from '../../../src/controller/controller.js';
import type {
  ControllerNotice,
  StreamController,
} from '../../../src/controller/controller-types.js';
import type { Key } from '../../../src/model/json.js';
import type { RunState } from '../../../src/model/thread.js';
import { ScriptedPage } from '../../controller/setup-controller.js';
import type { MemoryTab } from '../../helpers/memory-tabs.js';
import { createTestEnvironment, type TestEnvironment } from '../../helpers/test-environment.js';
import { TabNetwork } from './tab-network.js';
import type { Service } from './service.js';

/** Storages that outlive a page. */
export interface Stores {
  /** Shared by all tabs. */
  readonly storage: Map<string, string>;
  /** Storage of the tab. */
  readonly tabStorage: Map<string, string>;
}

/** Creates the backend of a tab. */
export type CreateBackend = (
  service: Service,
  token: string,
  environment: TestEnvironment,
) => Backend;

/** Creates backends for UBIK in a dialect of the service. */
export const createUbik =
  (dialect: string): CreateBackend =>
  ({ baseUrl }, token, environment) =>
    createUbikBackend({
      baseUrl,
      environment,
      getToken: () => token,
      headers: { 'x-demo-dialect': dialect },
    });

/** Options of a tab. */
export interface TabOptions extends Stores {
  readonly service: Service;
  readonly name: string;
  readonly token: string;
  readonly createBackend: CreateBackend;
  /** Null: the tab reads no data of earlier visits. */
  readonly userKey: string | null;
  readonly seed: number;
  /** The connection to the other tabs; a tab without one shares nothing. */
  readonly link?: MemoryTab | null;
}

/** The state of a thread's run according to the emitted changes. */
interface RunStatus {
  id: string | null;
  state: RunState;
}

/** A page with the real controller and the real backend. */
export class Tab {
  readonly name: string;
  readonly environment: TestEnvironment;
  readonly network: TabNetwork;
  readonly page = new ScriptedPage();
  readonly controller: StreamController;
  readonly notices: ControllerNotice[] = [];
  /** Whether a run was detached in this tab. */
  wasDetached = false;
  /** The states of runs, by the keys of their threads. */
  readonly runStatuses = new Map<Key, RunStatus>();
  #uuidCount = 0;
  #isClosed = false;
  #hasCrashed = false;
  readonly #link: MemoryTab | null;

  constructor(options: TabOptions) {
    const { service, name, token, userKey, createBackend, seed } = options;
    this.name = name;
    this.network = new TabNetwork(service, name);
    const base = createTestEnvironment({ respond: this.network.respond, seed });
    this.environment = Object.create(base, {
      storage: { value: this.#createStorage(options.storage) },
      tabStorage: { value: this.#createStorage(options.tabStorage) },
      // Unique among all tabs.
      uuid: { value: () => `${name}-${(this.#uuidCount += 1)}` },
      // The tabs of one browser share the wall clock.
      ...(options.link && { now: { value: () => Date.now() } }),
    }) as TestEnvironment;
    const { link = null } = options;
    this.#link = link;
    const { environment, page } = this;
    const unshared = createBackend(service, token, environment);
    const backend = shareAcrossTabs(unshared, link, environment);
    this.controller = createStreamController({ backend, environment, page, userKey });
    this.controller.onNotice((notice) => {
      this.notices.push(notice);
      service.activity.notify();
    });
    this.#observe(service);
  }

  /** Whether the page was closed or has crashed. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The connection to the other tabs. */
  get link(): MemoryTab {
    if (!this.#link) throw new Error('This tab shares nothing.');
    return this.#link;
  }

  /** Whether the page has crashed. */
  get hasCrashed(): boolean {
    return this.#hasCrashed;
  }

  /** Closes the page. A delayed response is delivered after that. */
  close(): void {
    this.#isClosed = true;
    this.controller.close();
    this.network.close();
  }

  /** Crashes the page: it stops without closing anything. */
  crash(): void {
    this.#isClosed = true;
    this.#hasCrashed = true;
    this.network.crash();
    this.#link?.crash();
  }

  /** A storage that a crashed page can no longer change. */
  #createStorage(values: Map<string, string>): KeyValueStorage {
    return {
      get: (key) => Promise.resolve(values.get(key) ?? null),
      set: (key, value) => Promise.resolve(void (this.#hasCrashed || values.set(key, value))),
      update: (key, next) => {
        const value = this.#hasCrashed ? null : next(values.get(key) ?? null);
        if (value !== null) values.set(key, value);
        else if (!this.#hasCrashed) values.delete(key);
        return Promise.resolve();
      },
      remove: (key) => Promise.resolve(void (this.#hasCrashed || values.delete(key))),
    };
  }

  /** Tracks the states of runs by the emitted changes, also of threads that are not shown. */
  #observe(service: Service): void {
    this.controller.onBatch(({ thread, changes }) => {
      for (const change of changes) {
        if (change.type === 'thread') {
          const status = this.runStatuses.get(thread) ?? { id: null, state: 'idle' };
          const { id = status.id, run } = change.set;
          this.runStatuses.set(thread, { id, state: run?.state ?? status.state });
        } else if (change.type === 'item' && change.list === 'threads' && !change.value) {
          for (const [key, { id }] of this.runStatuses) {
            if (id === change.key) this.runStatuses.delete(key);
          }
        }
      }
      service.activity.notify();
    });
  }
}

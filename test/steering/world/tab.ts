import type { KeyValueStorage } from '../../../src/transport/environment.js';
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
import { Cable } from './cable.js';
import type { Service } from './service.js';

/** What outlives a page. */
export interface Stores {
  /** Shared by all tabs. */
  readonly storage: Map<string, string>;
  /** The tab's own. */
  readonly tabStorage: Map<string, string>;
}

/** Who opens a tab, and how the service speaks to it. */
export interface TabOptions extends Stores {
  readonly service: Service;
  readonly name: string;
  readonly token: string;
  /** Null: nothing is known of earlier visits. */
  readonly userKey: string | null;
  readonly dialect: string;
  readonly seed: number;
  /** Joins it with the other tabs; without it each tab is alone. */
  readonly link?: MemoryTab | null;
}

/** How a thread's run stands, as its changes told. */
interface Standing {
  id: string | null;
  state: RunState;
}

/** A page with a conversation: the real controller over the real backend. */
export class Tab {
  readonly name: string;
  readonly environment: TestEnvironment;
  readonly cable: Cable;
  readonly page = new ScriptedPage();
  readonly controller: StreamController;
  readonly notices: ControllerNotice[] = [];
  wasDetached = false;
  readonly standings = new Map<Key, Standing>();
  #names = 0;
  #isGone = false;
  #isDead = false;
  readonly #link: MemoryTab | null;

  constructor(options: TabOptions) {
    const { service, name, token, userKey, dialect, seed } = options;
    this.name = name;
    this.cable = new Cable(service, name);
    const base = createTestEnvironment({ answer: this.cable.answer, seed });
    this.environment = Object.create(base, {
      storage: { value: this.#keep(options.storage) },
      tabStorage: { value: this.#keep(options.tabStorage) },
      // No other tab has it.
      uuid: { value: () => `${name}-${(this.#names += 1)}` },
      // The tabs of one browser have one clock on the wall.
      ...(options.link && { now: { value: () => Date.now() } }),
    }) as TestEnvironment;
    const { link = null } = options;
    this.#link = link;
    const alone = createUbikBackend({
      baseUrl: service.baseUrl,
      environment: this.environment,
      getToken: () => token,
      headers: { 'x-demo-dialect': dialect },
    });
    const { environment, page } = this;
    const backend = shareAcrossTabs(alone, link, environment);
    this.controller = createStreamController({ backend, environment, page, userKey });
    this.controller.onNotice((notice) => {
      this.notices.push(notice);
      service.bell.ring();
    });
    this.#observe(service);
  }

  /** Whether the page is left or has died. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** What joins it with the others. */
  get link(): MemoryTab {
    if (!this.#link) throw new Error('This tab is alone.');
    return this.#link;
  }

  /** Whether it ended without a word. */
  get isDead(): boolean {
    return this.#isDead;
  }

  /** The tab is closed in good order. What is late arrives after that. */
  close(): void {
    this.#isGone = true;
    this.controller.close();
    this.cable.leave();
  }

  /** The page is gone in the middle of whatever it was doing. */
  die(): void {
    this.#isGone = true;
    this.#isDead = true;
    this.cable.die();
    this.#link?.crash();
  }

  #keep(values: Map<string, string>): KeyValueStorage {
    return {
      get: (key) => Promise.resolve(values.get(key) ?? null),
      set: (key, value) => Promise.resolve(void (this.#isDead || values.set(key, value))),
      update: (key, next) => {
        const value = this.#isDead ? null : next(values.get(key) ?? null);
        if (value !== null) values.set(key, value);
        else if (!this.#isDead) values.delete(key);
        return Promise.resolve();
      },
      remove: (key) => Promise.resolve(void (this.#isDead || values.delete(key))),
    };
  }

  #observe(service: Service): void {
    this.controller.onBatch(({ thread, changes }) => {
      for (const change of changes) {
        if (change.type === 'thread') {
          const standing = this.standings.get(thread) ?? { id: null, state: 'idle' };
          const { id = standing.id, run } = change.set;
          this.standings.set(thread, { id, state: run?.state ?? standing.state });
        } else if (change.type === 'item' && change.list === 'threads' && !change.value) {
          for (const [key, { id }] of this.standings) {
            if (id === change.key) this.standings.delete(key);
          }
        }
      }
      service.bell.ring();
    });
  }
}

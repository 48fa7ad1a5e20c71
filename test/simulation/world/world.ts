import { pathTo } from '../../../src/model/thread.js';
import type { Message } from '../../../src/model/message.js';
import { isUbikError } from '../../../src/errors.js';
import { MemoryTabs } from '../../helpers/memory-tabs.js';
import { IDLE_STATES, recordActiveTabs, type ActionRecord } from './action-record.js';
import type { Service } from './service.js';
import { Tab, type CreateBackend } from './tab.js';

/** Consecutive idle turns of the event loop after which everything counts as settled. */
const TURNS = 6;

/** How far the clock is advanced at once, in ms: less than the idle timeout and the timeout of a request. */
const LONGEST_WAIT = 29_000;

/** One user with their tabs and actions. */
export class World {
  readonly service: Service;
  readonly user: string;
  readonly token: string;
  readonly actions: ActionRecord[] = [];
  /** All tabs so far, including closed ones. */
  readonly allTabs: Tab[] = [];
  /** Ids of the user's threads, oldest first. */
  readonly threads: string[] = [];
  /** Ids of deleted threads, whose streams may stay silent. */
  readonly deleted = new Set<string | null>();
  /** Queued texts that were edited or removed. */
  readonly withdrawn = new Set<string>();
  /** The connection of the tabs; null when they share nothing. */
  readonly tabLinks: MemoryTabs | null;
  readonly #tabs = new Map<string, Tab>();
  readonly #freshTabs = new Set<Tab>();
  readonly #createBackend: CreateBackend;
  readonly #storage = new Map<string, string>();
  readonly #tabStorages = new Map<string, Map<string, string>>();
  #count = 0;
  #turn = 0;

  /** @param isShared whether the tabs share their runs */
  constructor(service: Service, user: string, createBackend: CreateBackend, isShared = false) {
    this.service = service;
    this.tabLinks = isShared ? new MemoryTabs(() => service.activity.notify()) : null;
    this.user = user;
    this.token = service.mint(user);
    this.#createBackend = createBackend;
  }

  /** Tabs that are open. */
  get tabs(): Tab[] {
    return [...this.#tabs.values()];
  }

  get #open(): Tab[] {
    return [...this.tabs, ...this.#freshTabs];
  }

  /** The storage of the user's pages. */
  get storage(): ReadonlyMap<string, string> {
    return this.#storage;
  }

  /** Returns the open tab of a name, or opens it with its former storage and the last thread. */
  async tab(name: string): Promise<Tab> {
    const known = this.#tabs.get(name);
    if (known) return known;
    const tabStorage = this.#tabStorages.get(name) ?? new Map<string, string>();
    this.#tabStorages.set(name, tabStorage);
    const tab = this.#make(name, { storage: this.#storage, tabStorage }, 'user');
    this.#tabs.set(name, tab);
    await this.#perform(tab, 'start', null, () => tab.controller.openLastThread());
    return tab;
  }

  /** Opens a tab with an empty storage. */
  openFresh(): Tab {
    const tab = this.#make('fresh', { storage: new Map(), tabStorage: new Map() }, null);
    this.#freshTabs.add(tab);
    return tab;
  }

  /** Whether a tab is the open one of a name. */
  has(name: string, tab: Tab): boolean {
    return this.#tabs.get(name) === tab;
  }

  /** Removes a closed tab. */
  removeTab(name: string): void {
    this.#tabs.delete(name);
  }

  /** Closes a tab of {@link openFresh}. */
  closeFresh(tab: Tab): void {
    tab.close();
    this.#freshTabs.delete(tab);
  }

  /** Waits until the requests of closed tabs are aborted. */
  async settleClosedTabs(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
  }

  /** Creates a unique word. */
  createWord(): string {
    this.#count += 1;
    return `q${this.#count}`;
  }

  /** Starts an action and records its outcome. */
  start(
    tab: Tab,
    action: string,
    text: string | null,
    work: () => Promise<unknown>,
    target?: string,
  ): void {
    void this.#perform(tab, action, text, work, target);
  }

  /**
   * Waits until all responses are received, only held runs are active, and no run waits for a timer. Advances the clock of tabs
   * whose runs wait for a timer.
   */
  async settle(): Promise<void> {
    for (let idleTurns = 0; idleTurns < TURNS;) {
      const waiting = this.#open.filter((tab) => !this.#isSettled(tab));
      const areLinksIdle = this.tabLinks?.isIdle ?? true;
      if (!areLinksIdle || !this.#open.every(({ network }) => network.isIdle)) {
        idleTurns = 0;
        await this.service.activity.next();
      } else if (waiting.length === 0 || idleTurns < TURNS - 1) {
        idleTurns += 1;
        await new Promise<void>((resolve) => void setImmediate(resolve));
      } else {
        idleTurns = 0;
        const [tab] = waiting.filter((each) => isWaitingForTimer(each));
        if (tab) await tab.environment.advance(LONGEST_WAIT);
        else await this.service.activity.next();
      }
    }
  }

  /** Whether nothing in this tab continues without an action or the release of a run. */
  #isSettled(tab: Tab): boolean {
    // Tabs that share runs wait for the same response.
    const sharing = this.tabLinks ? this.#open : [tab];
    if (sharing.some(({ network }) => network.isDelaying)) return true;
    if (this.service.pauses.isHolding(this.user)) return !isWaitingForTimer(tab);
    return [...tab.runStatuses.values()].every(
      ({ id, state }) => IDLE_STATES.includes(state) || this.deleted.has(id),
    );
  }

  #make(
    name: string,
    stores: { readonly storage: Map<string, string>; readonly tabStorage: Map<string, string> },
    userKey: string | null,
  ): Tab {
    const { service, token } = this;
    const number = this.allTabs.length;
    const tab = new Tab({
      ...stores,
      service,
      token,
      userKey,
      name: `${this.user}-${name}${number}`,
      createBackend: this.#createBackend,
      seed: number,
      // A tab without a user key stands for another browser, which shares no runs.
      link: userKey === null ? null : (this.tabLinks?.open() ?? null),
    });
    this.allTabs.push(tab);
    tab.controller.onNotice((notice) => {
      if (notice.type !== 'thread-created') return;
      const id = tab.controller.thread?.id ?? tab.runStatuses.get(notice.thread)?.id;
      if (id != null && !this.threads.includes(id)) this.threads.push(id);
    });
    return tab;
  }

  /** Executes an action and records its outcome. Throws any error that is not a `UbikError`. */
  async #perform(
    tab: Tab,
    action: string,
    text: string | null,
    work: () => Promise<unknown>,
    target?: string,
  ): Promise<void> {
    const { thread } = tab.controller;
    const record: ActionRecord = {
      action,
      tab,
      text,
      get threadId() {
        return target ?? thread?.id ?? null;
      },
      openTabs: this.tabs.filter(({ controller }) => !thread || controller.thread?.id === thread.id)
        .length,
      state: thread?.run.state ?? 'idle',
      pendingActions: this.actions.filter(({ outcome }) => outcome === 'open'),
      failureCount: tab.network.failureCount,
      requestCount: tab.network.sent.length,
      startTurn: (this.#turn += 1),
      endTurn: Infinity,
      activeTabs: new Set(),
      outcome: 'open',
    };
    this.actions.push(record);
    recordActiveTabs(record, this.tabs);
    try {
      await work();
      record.outcome = 'done';
    } catch (error) {
      if (!isUbikError(error)) throw error;
      record.outcome = { code: error.code, message: error.message };
    }
    record.endTurn = this.#turn += 1;
    recordActiveTabs(record, this.tabs);
    this.service.activity.notify();
  }
}

/** Whether a run waits for the timer of its next attempt to rejoin. */
function isWaitingForTimer({ runStatuses, network, environment }: Tab): boolean {
  const isBroken = [...runStatuses.values()].some(({ state }) =>
    ['broken', 'rejoining', 'stalled'].includes(state),
  );
  return isBroken && network.open.length === 0 && environment.timers > 0;
}

/** The shown messages of a tab, oldest first. */
export function listShown({ controller }: Tab): Message[] {
  return controller.thread ? pathTo(controller.thread) : [];
}

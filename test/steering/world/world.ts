import { pathTo } from '../../../src/model/thread.js';
import type { Message } from '../../../src/model/message.js';
import { isUbikError } from '../../../src/errors.js';
import { MemoryTabs } from '../../helpers/memory-tabs.js';
import { AT_REST, noteWork, type Deed } from './deed.js';
import type { Service } from './service.js';
import { Tab } from './tab.js';

/** Turns of the event loop in which nothing happens, after which nothing will. */
const TURNS = 6;

/** As far as clocks are put forward while something is waited for: less than a silence, and than a request may take. */
const LONGEST_WAIT = 29_000;

/** One person, their tabs, and what they have done. */
export class World {
  readonly service: Service;
  readonly person: string;
  readonly token: string;
  readonly deeds: Deed[] = [];
  /** Every tab that there was. */
  readonly allTabs: Tab[] = [];
  /** Ids of the person's threads, oldest first. */
  readonly threads: string[] = [];
  /** Those of them that were deleted: a stream of one may stay silent. */
  readonly deleted = new Set<string | null>();
  /** Texts of the queue that were written anew or taken out. */
  readonly withdrawn = new Set<string>();
  /** What joins the tabs. */
  readonly joined: MemoryTabs | null;
  readonly #tabs = new Map<string, Tab>();
  readonly #looking = new Set<Tab>();
  readonly #dialect: string;
  readonly #storage = new Map<string, string>();
  readonly #tabStorages = new Map<string, Map<string, string>>();
  #count = 0;
  #turn = 0;

  /** @param isShared whether the tabs share their runs */
  constructor(service: Service, person: string, dialect: string, isShared = false) {
    this.service = service;
    this.joined = isShared ? new MemoryTabs(() => service.bell.ring()) : null;
    this.person = person;
    this.token = service.mint(person);
    this.#dialect = dialect;
  }

  /** Tabs that are open. */
  get tabs(): Tab[] {
    return [...this.#tabs.values()];
  }

  get #open(): Tab[] {
    return [...this.tabs, ...this.#looking];
  }

  /** What the pages of this person have stored. */
  get storage(): ReadonlyMap<string, string> {
    return this.#storage;
  }

  /** A tab of this name; opened where it is not, as a page that comes up again. */
  async tab(name: string): Promise<Tab> {
    const known = this.#tabs.get(name);
    if (known) return known;
    const tabStorage = this.#tabStorages.get(name) ?? new Map<string, string>();
    this.#tabStorages.set(name, tabStorage);
    const tab = this.#make(name, { storage: this.#storage, tabStorage }, 'person');
    this.#tabs.set(name, tab);
    await this.#begin(tab, 'start', null, () => tab.controller.openLastThread());
    return tab;
  }

  /** A tab that knows nothing but what the service says. */
  openFresh(): Tab {
    const tab = this.#make('fresh', { storage: new Map(), tabStorage: new Map() }, null);
    this.#looking.add(tab);
    return tab;
  }

  /** Whether a tab is the one that is open under a name. */
  has(name: string, tab: Tab): boolean {
    return this.#tabs.get(name) === tab;
  }

  /** The tab is not there any more. */
  forget(name: string): void {
    this.#tabs.delete(name);
  }

  /** Closes a tab that was opened to look. */
  drop(tab: Tab): void {
    tab.close();
    this.#looking.delete(tab);
  }

  /** Waits until every closed tab has given its requests back. */
  async rest(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
  }

  /** Something that nobody has said yet. */
  word(): string {
    this.#count += 1;
    return `q${this.#count}`;
  }

  /** Begins an act and notes what becomes of it. */
  begin(
    tab: Tab,
    act: string,
    text: string | null,
    work: () => Promise<unknown>,
    target?: string,
  ): void {
    void this.#begin(tab, act, text, work, target);
  }

  /**
   * Comes to rest: everything has arrived, nothing runs but what is held, and no timer is waited for. Clocks go forward where
   * somebody waits for one.
   */
  async settle(): Promise<void> {
    for (let still = 0; still < TURNS;) {
      const waiting = this.#open.filter((tab) => !this.#isCalm(tab));
      const isJoinedIdle = this.joined?.isIdle ?? true;
      if (!isJoinedIdle || !this.#open.every(({ cable }) => cable.isStill)) {
        still = 0;
        await this.service.bell.next();
      } else if (waiting.length === 0 || still < TURNS - 1) {
        still += 1;
        await new Promise<void>((resolve) => void setImmediate(resolve));
      } else {
        still = 0;
        const [tab] = waiting.filter((each) => isWaitingForTimer(each));
        if (tab) await tab.environment.advance(LONGEST_WAIT);
        else await this.service.bell.next();
      }
    }
  }

  /** Nothing is at work in this tab that will go on by itself. */
  #isCalm(tab: Tab): boolean {
    // What one of the tabs that share a run waits for, the others wait for too.
    const those = this.joined ? this.#open : [tab];
    if (those.some(({ cable }) => cable.isLate)) return true;
    if (this.service.gates.isHolding(this.person)) return !isWaitingForTimer(tab);
    return [...tab.standings.values()].every(
      ({ id, state }) => AT_REST.includes(state) || this.deleted.has(id),
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
      name: `${this.person}-${name}${number}`,
      dialect: this.#dialect,
      seed: number,
      // Whoever knows nothing of earlier visits is somebody else's browser.
      link: userKey === null ? null : (this.joined?.open() ?? null),
    });
    this.allTabs.push(tab);
    tab.controller.onNotice((notice) => {
      if (notice.type !== 'thread-created') return;
      const id = tab.controller.thread?.id ?? tab.standings.get(notice.thread)?.id;
      if (id != null && !this.threads.includes(id)) this.threads.push(id);
    });
    return tab;
  }

  async #begin(
    tab: Tab,
    act: string,
    text: string | null,
    work: () => Promise<unknown>,
    target?: string,
  ): Promise<void> {
    const { thread } = tab.controller;
    const deed: Deed = {
      act,
      tab,
      text,
      get threadId() {
        return target ?? thread?.id ?? null;
      },
      watchers: this.tabs.filter(({ controller }) => !thread || controller.thread?.id === thread.id)
        .length,
      state: thread?.run.state ?? 'idle',
      others: this.deeds.filter(({ outcome }) => outcome === 'open'),
      breaks: tab.cable.breaks,
      sent: tab.cable.sent.length,
      began: (this.#turn += 1),
      ended: Infinity,
      atWork: new Set(),
      outcome: 'open',
    };
    this.deeds.push(deed);
    noteWork(deed, this.tabs);
    try {
      await work();
      deed.outcome = 'done';
    } catch (error) {
      if (!isUbikError(error)) throw error;
      deed.outcome = { code: error.code, message: error.message };
    }
    deed.ended = this.#turn += 1;
    noteWork(deed, this.tabs);
    this.service.bell.ring();
  }
}

/** A try to join again is due at some time. */
function isWaitingForTimer({ standings, cable, environment }: Tab): boolean {
  const isBroken = [...standings.values()].some(({ state }) =>
    ['broken', 'rejoining', 'stalled'].includes(state),
  );
  return isBroken && cable.open.length === 0 && environment.timers > 0;
}

/** The messages that a tab shows, oldest first. */
export function shownIn({ controller }: Tab): Message[] {
  return controller.thread ? pathTo(controller.thread) : [];
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend } from '../../src/backends/backend.js';
import { createDataAgentBackend } from '../../src/backends/data-agent/index.js';
import { canonicalize } from '../../src/model/canonicalize.js';
import type { Message } from '../../src/model/message.js';
import { ACTIVITY } from '../../src/model/part.js';
import { createEnvironment } from '../../src/transport/environment.js';
import { seedsUpTo } from '../helpers/sample.js';
import { createRandom, pickIndex, pickOne, type Random } from '../helpers/seeded-random.js';
import { LONGEST_LAG } from './oracle/oracle.js';
import { startService, type Service } from './world/service.js';
import type { CreateBackend, Tab } from './world/tab.js';
import { listShown, World } from './world/world.js';

const QUESTIONS = [
  'Hello',
  'Which countries does the Danube flow through?',
  'Draw a pie chart of the rivers',
  'Export the table of countries',
  'Ask the expert about discharge',
  'Give a verdict as json',
];

const POINTS = ['start', 'step', 'tool', 'text'] as const;

const createDataAgent: CreateBackend = ({ origin }, token, environment) =>
  createDataAgentBackend({
    baseUrl: origin,
    agentId: 'river-analyst',
    getToken: () => token,
    environment,
  });

/** Who acts: one page, two tabs of one browser that share their runs, or two browsers of one user. */
type Setting = 'one page' | 'two tabs that share runs' | 'two devices';

/** One user of a Data Agent, with random actions. */
class Visit {
  readonly world: World;
  readonly log: string[] = [];
  readonly #random: Random;
  readonly #setting: Setting;
  readonly #observer: Backend;
  /** The tab of the second browser. */
  #device: Tab | null = null;

  constructor(service: Service, seed: number, setting: Setting) {
    this.#random = createRandom(seed);
    this.#setting = setting;
    const user = `visitor-${setting}-${String(seed)}`.replaceAll(' ', '-');
    this.world = new World(service, user, createDataAgent, setting === 'two tabs that share runs');
    this.#observer = createDataAgentBackend({
      baseUrl: service.origin,
      agentId: 'river-analyst',
      getToken: () => this.world.token,
      environment: createEnvironment(),
    });
  }

  /** Runs 2 to 5 turns and checks after each one that the tabs show what is stored. */
  async run(): Promise<void> {
    await this.world.tab('A');
    for (let turns = 2 + pickIndex(this.#random, 4); turns > 0; turns -= 1) {
      await this.#runTurn(await this.#chooseTab());
    }
    const { outcomes } = this;
    assert.deepEqual(
      outcomes.filter((outcome) => outcome === 'open' || outcome === 'misuse'),
      [],
      'every action settles, and none is a misuse',
    );
  }

  /** The outcomes of all actions in pages that have not crashed: `done`, `open`, or the code of the error. */
  get outcomes(): string[] {
    const settling = this.world.actions.filter(({ tab }) => !tab.hasCrashed);
    return settling.map(({ outcome }) => (typeof outcome === 'string' ? outcome : outcome.code));
  }

  close(): void {
    this.world.service.pauses.release(this.world.user);
    for (const tab of this.world.allTabs) tab.close();
  }

  async #chooseTab(): Promise<Tab> {
    const { world } = this;
    const isSecond = this.#setting !== 'one page' && this.#random() < 0.5;
    if (!isSecond) return world.tab('A');
    if (this.#setting === 'two tabs that share runs') {
      const tab = await world.tab('B');
      await world.settle();
      return tab;
    }
    this.#device ??= world.openFresh();
    const [id] = world.threads;
    if (id !== undefined) await this.#reload(this.#device, id);
    return this.#device;
  }

  async #reload(tab: Tab, id: string): Promise<void> {
    this.#start(tab, 'open', () => tab.controller.openThread(id));
    await this.world.settle();
  }

  async #runTurn(tab: Tab): Promise<void> {
    const { world } = this;
    const { pauses } = world.service;
    const random = this.#random;
    if (random() < 0.4) this.#breakNetwork(tab);
    const isHeld = random() < 0.6;
    if (isHeld) pauses.hold(world.user, pickOne(random, POINTS), pickIndex(random, 20));
    this.#act(tab);
    await world.settle();
    let acting = tab;
    if (isHeld && pauses.isHolding(world.user)) {
      acting = await this.#interfere(tab);
      if (random() < 0.5) await world.settle();
    }
    pauses.release(world.user);
    await world.settle();
    acting.network.resetFaults();
    if (acting.controller.thread?.run.state === 'interrupted') {
      this.#start(acting, 'rejoin', () => acting.controller.rejoin());
      await world.settle();
    }
    await this.#check(acting);
  }

  /** Injects a fault into the next POST request. */
  #breakNetwork({ network }: Tab): void {
    const random = this.#random;
    const fault = pickIndex(random, 10);
    this.log.push(`fault ${String(fault)}`);
    if (fault === 0) network.lose('request');
    else if (fault === 1) network.lose('response');
    else if (fault === 2) network.refuse(401);
    else if (fault === 3) network.refuse(503);
    else network.cutAfter(pickIndex(random, 12));
  }

  /**
   * While the run is held: stops it, breaks its connection, reloads the page, opens a second tab or does nothing. Returns the tab that
   * shows the run afterwards.
   */
  async #interfere(tab: Tab): Promise<Tab> {
    const { controller, network } = tab;
    const kind = pickIndex(this.#random, 6);
    if (kind === 1 || kind === 4) this.#start(tab, 'stop', () => controller.stop());
    if (kind === 2) {
      this.log.push('cut');
      network.cut();
    }
    const isReloaded = kind === 3 || kind === 4;
    if (isReloaded && this.world.has('A', tab)) return this.#reopen(tab);
    if (kind === 5 && this.#setting === 'two tabs that share runs') await this.world.tab('B');
    return tab;
  }

  /** Closes the page, or lets it crash, and opens it again. */
  async #reopen(tab: Tab): Promise<Tab> {
    const isCrash = this.#random() < 0.3;
    this.log.push(isCrash ? 'crash' : 'reload');
    if (isCrash) tab.crash();
    else {
      tab.page.hide();
      tab.close();
    }
    this.world.removeTab('A');
    return this.world.tab('A');
  }

  /** One action of the user, chosen by what is shown. */
  #act(tab: Tab): void {
    const { controller } = tab;
    const path = listShown(tab);
    const last = path.at(-1);
    const request = findRequest(last);
    const draft = { text: pickOne(this.#random, QUESTIONS), attachments: [] };
    const kind = pickIndex(this.#random, 10);
    if (last && request !== null && kind < 7) {
      const answer =
        kind < 4
          ? ({ type: 'json', value: { table: 'rivers', max_rows: 2 } } as const)
          : ({ type: 'declined', text: 'No.' } as const);
      if (kind === 6) this.#start(tab, 'stop', () => controller.stop());
      else this.#start(tab, 'answer', () => controller.provideInput(last.key, request, answer));
    } else if (last?.role === 'assistant' && kind === 7) {
      this.#start(tab, 'regenerate', () => controller.regenerate(last.key));
    } else if (path.length > 1 && kind === 8) {
      const question = path.findLast(({ role }) => role === 'user');
      this.#start(tab, 'edit', () => controller.edit(question?.key ?? '', draft));
    } else this.#start(tab, 'send', () => controller.send(draft));
  }

  #start(tab: Tab, action: string, work: () => Promise<unknown>): void {
    this.log.push(`${tab.name.at(-1) ?? ''} ${action}`);
    this.world.start(tab, action, null, work);
  }

  /**
   * Checks that each tab shows what is stored: the acting tab of a single browser without reloading, all others after they have
   * opened the thread again.
   */
  async #check(acting: Tab): Promise<void> {
    const tabs = this.#device ? [...this.world.tabs, this.#device] : this.world.tabs;
    for (const tab of tabs) {
      const id = tab.controller.thread?.id;
      if (id == null) continue;
      if (tab !== acting || this.#device) await this.#reload(tab, id);
      if (tab !== acting) await tab.environment.advance(LONGEST_LAG);
      await this.world.settle();
      const stored = (await this.#observer.loadThread(id)).messages;
      const shown = listShown(tab);
      assert.deepEqual(
        shown.map((message) => [message.role, canonicalize(message)]),
        stored.map(({ fields, parts }) => [fields.role, canonicalize(parts)]),
        tab.name,
      );
      assert.deepEqual(
        shown.map((message) => message.id),
        stored.map((message) => message.id),
      );
      assert.equal(shown.at(-1)?.status, stored.at(-1)?.fields.status);
    }
  }
}

function findRequest(message: Message | undefined): string | null {
  const keys = message?.parts.children(ACTIVITY) ?? [];
  const isPending = (key: string) => {
    const part = message?.parts.get(key);
    return part?.kind === 'request-activity' && part.state === 'pending';
  };
  return keys.find(isPending) ?? null;
}

/** The number of visits that run concurrently. */
const CONCURRENCY = 8;

for (const [setting, seeds] of [
  ['one page', seedsUpTo(300, 1, 20)],
  ['two tabs that share runs', seedsUpTo(100, 1001, 20)],
  ['two devices', seedsUpTo(100, 2001, 20)],
] as const) {
  test(`chat with a Data Agent shows what is stored after random actions (${setting})`, async (context) => {
    const service = await startService(context);
    const failures: string[] = [];
    const left = [...seeds];
    const worker = async () => {
      for (let seed; (seed = left.shift()) !== undefined;) {
        const visit = new Visit(service, seed, setting);
        try {
          await visit.run();
        } catch (error) {
          failures.push(`seed ${String(seed)}: ${visit.log.join(', ')}: ${String(error)}`);
        }
        visit.close();
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    assert.deepEqual(failures, []);
  });
}

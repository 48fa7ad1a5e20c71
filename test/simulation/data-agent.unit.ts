import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunningServer } from '../../demo/server.js';
import type { Backend } from '../../src/backends/backend.js';
import { createDataAgentBackend } from '../../src/backends/data-agent/index.js';
import { createStreamController } from '../../src/controller/controller.js';
import type { StreamController } from '../../src/controller/controller-types.js';
import { isUbikError } from '../../src/errors.js';
import { canonicalize } from '../../src/model/canonicalize.js';
import type { Message } from '../../src/model/message.js';
import { ACTIVITY } from '../../src/model/part.js';
import { pathTo } from '../../src/model/thread.js';
import { createEnvironment } from '../../src/transport/environment.js';
import { ScriptedPage } from '../controller/setup-controller.js';
import { startTestServer } from '../demo/test-server.js';
import { seedsUpTo } from '../helpers/sample.js';
import { createRandom, pickIndex, pickOne, type Random } from '../helpers/seeded-random.js';
import { createTestEnvironment, type TestEnvironment } from '../helpers/test-environment.js';
import { IDLE_STATES } from './world/action-record.js';

const QUESTIONS = [
  'Hello',
  'Which countries does the Danube flow through?',
  'Draw a pie chart of the rivers',
  'Export the table of countries',
  'Ask the expert about discharge',
  'Give a verdict as json',
];

/** What happens to a request on its way. */
type Fault =
  | { readonly kind: 'cut'; readonly chunks: number }
  | { readonly kind: 'lose-request' | 'lose-answer' | 'expired' | 'unavailable' };

/** The network of one page. The next POST that starts or resumes a run meets the planned fault. */
class Network {
  fault: Fault | null = null;
  /** Requests whose responses have not been read to their ends. */
  open = 0;
  readonly #lines = new Set<AbortController>();

  /** Breaks every connection. */
  cut(): void {
    for (const line of this.#lines) line.abort(new TypeError('The network broke.'));
  }

  readonly answer = async (request: Request): Promise<Response> => {
    this.open += 1;
    try {
      return await this.#send(request);
    } catch (error) {
      this.open -= 1;
      throw error;
    }
  };

  async #send(request: Request): Promise<Response> {
    const fault = request.url.includes('/chat/') ? this.fault : null;
    if (fault) this.fault = null;
    if (fault?.kind === 'lose-request') throw new TypeError('The request was lost.');
    if (fault?.kind === 'expired' || fault?.kind === 'unavailable') {
      this.open -= 1;
      return new Response('{}', { status: fault.kind === 'expired' ? 401 : 503 });
    }
    const line = new AbortController();
    this.#lines.add(line);
    const signal = AbortSignal.any([request.signal, line.signal]);
    const response = await fetch(request, { signal });
    if (fault?.kind === 'lose-answer') {
      line.abort();
      throw new TypeError('The response was lost.');
    }
    const chunks = fault?.kind === 'cut' ? fault.chunks : Infinity;
    const body = response.body && this.#count(response.body, chunks, line);
    if (!body) this.open -= 1;
    const { status, headers } = response;
    return new Response(body, { status, headers });
  }

  #count(body: ReadableStream<Uint8Array>, limit: number, line: AbortController) {
    const reader = body.getReader();
    let isOpen = true;
    let left = limit;
    const end = (): void => {
      if (isOpen) this.open -= 1;
      isOpen = false;
      this.#lines.delete(line);
    };
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            if (left <= 0) throw new TypeError('The network broke.');
            left -= 1;
            const { done, value } = await reader.read();
            if (!done) return controller.enqueue(value);
            end();
            controller.close();
          } catch (error) {
            end();
            line.abort();
            throw error;
          }
        },
        cancel: async (reason) => {
          end();
          await reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }
}

/** ms after which what does not settle counts as hanging. */
const SETTLE_LIMIT = 60_000;

/** One user with one page. */
class Visit {
  readonly network = new Network();
  readonly observer: Backend;
  readonly log: string[] = [];
  readonly #seed: number;
  readonly #server: RunningServer;
  readonly #token: string;
  readonly #storage = new Map<string, string>();
  #environment!: TestEnvironment;
  controller!: StreamController;

  constructor(server: RunningServer, seed: number) {
    const { agent, url } = server;
    if (!agent) throw new Error('The test server has no agent.');
    this.#server = server;
    this.#seed = seed;
    this.#token = agent.mint(`visitor-${String(seed)}`, 60);
    this.observer = createDataAgentBackend({
      baseUrl: url,
      agentId: 'river-analyst',
      getToken: () => this.#token,
      environment: createEnvironment(),
    });
    this.open();
  }

  /** Opens a page, in place of the one before. */
  open(): void {
    const base = createTestEnvironment({ answer: this.network.answer, seed: this.#seed });
    const values = this.#storage;
    const storage = {
      get: (key: string) => Promise.resolve(values.get(key) ?? null),
      set: (key: string, value: string) => Promise.resolve(void values.set(key, value)),
      remove: (key: string) => Promise.resolve(void values.delete(key)),
    };
    this.#environment = Object.create(base, {
      storage: { value: storage },
      tabStorage: { value: storage },
    }) as TestEnvironment;
    const backend = createDataAgentBackend({
      baseUrl: this.#server.url,
      agentId: 'river-analyst',
      getToken: () => this.#token,
      environment: this.#environment,
    });
    this.controller = createStreamController({
      backend,
      environment: this.#environment,
      page: new ScriptedPage(),
      userKey: 'user',
    });
  }

  /** Replaces the page, and opens the thread that it has shown. */
  async reload(): Promise<void> {
    this.controller.close();
    this.network.cut();
    this.open();
    await this.controller.openLastThread();
  }

  get isAtRest(): boolean {
    const { thread } = this.controller;
    return !thread || IDLE_STATES.includes(thread.run.state);
  }

  /** Starts an action. Refusals by the service or by a fault are legitimate. */
  act(name: string, action: () => Promise<unknown>): void {
    this.log.push(name);
    void action().catch((error: unknown) => {
      if (!isUbikError(error) || error.code === 'misuse') this.log.push(`threw ${String(error)}`);
    });
  }

  /** Resolves when nothing is on its way. Time passes only while nothing else happens. */
  async settle(): Promise<void> {
    const end = performance.now() + SETTLE_LIMIT;
    for (let quiet = 0; performance.now() < end;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.network.open > 0) quiet = 0;
      else if (this.isAtRest && (quiet += 1) > 20) return;
      else if (!this.isAtRest) await this.#environment.advance(500);
    }
    throw new Error(`It does not settle: ${this.controller.thread?.run.state ?? 'no thread'}`);
  }

  /** What is shown equals what is stored. */
  async check(): Promise<void> {
    const { thread } = this.controller;
    if (thread?.id == null) return;
    const stored = (await this.observer.loadThread(thread.id)).messages;
    const shown = pathTo(thread);
    assert.deepEqual(
      shown.map((message) => [message.role, canonicalize(message)]),
      stored.map(({ fields, parts }) => [fields.role, canonicalize(parts)]),
    );
    assert.deepEqual(
      shown.map(({ id }) => id),
      stored.map(({ id }) => id),
    );
    const [last, newest] = [shown.at(-1), stored.at(-1)];
    assert.equal(last?.status, newest?.fields.status);
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

/** One act of the user, chosen by what is shown. */
function actAtRandom(visit: Visit, random: Random): void {
  const { controller } = visit;
  const { thread } = controller;
  const path = thread ? pathTo(thread) : [];
  const last = path.at(-1);
  const request = findRequest(last);
  const draft = { text: pickOne(random, QUESTIONS), attachments: [] };
  const kind = pickIndex(random, 10);
  if (last && request !== null && kind < 7) {
    const answer =
      kind < 4
        ? ({ type: 'json', value: { table: 'rivers', max_rows: 2 } } as const)
        : ({ type: 'declined', text: 'No.' } as const);
    if (kind === 6) visit.act('stop waiting', () => controller.stop());
    else visit.act(answer.type, () => controller.provideInput(last.key, request, answer));
  } else if (last?.role === 'assistant' && kind === 7) {
    visit.act('regenerate', () => controller.regenerate(last.key));
  } else if (path.length > 1 && kind === 8) {
    const question = path.findLast(({ role }) => role === 'user');
    visit.act(`edit: ${draft.text}`, () => controller.edit(question?.key ?? '', draft));
  } else visit.act(`send: ${draft.text}`, () => controller.send(draft));
}

const POINTS = ['start', 'step', 'tool', 'text'] as const;
const FAULTS: readonly Fault['kind'][] = ['lose-request', 'lose-answer', 'expired', 'unavailable'];

async function runTurn(server: RunningServer, visit: Visit, random: Random): Promise<void> {
  const { controls } = server;
  if (random() < 0.4) {
    const kind = pickOne(random, FAULTS);
    visit.network.fault =
      random() < 0.6 ? { kind: 'cut', chunks: pickIndex(random, 12) } : ({ kind } as Fault);
    visit.log.push(JSON.stringify(visit.network.fault));
  }
  const isHeld = random() < 0.6;
  if (isHeld) controls?.hold({ point: pickOne(random, POINTS), skip: pickIndex(random, 20) });
  actAtRandom(visit, random);
  if (isHeld) {
    const quiet = visit.settle().catch(() => undefined);
    await Promise.race([controls?.held(), quiet]);
    const middle = pickIndex(random, 5);
    if (middle === 1) visit.act('stop', () => visit.controller.stop());
    if (middle === 2) visit.log.push('cut');
    if (middle === 2) visit.network.cut();
    if (middle === 3) visit.act('reload', () => visit.reload());
    if (middle === 4) visit.act('stop and reload', () => visit.controller.stop());
    if (middle === 4) visit.act('reload', () => visit.reload());
    for (let turn = 0; turn < 10; turn += 1) await new Promise((next) => setImmediate(next));
    controls?.release();
  }
  await visit.settle();
  visit.network.fault = null;
  if (visit.controller.thread?.run.state === 'interrupted') {
    visit.act('rejoin', () => visit.controller.rejoin());
    await visit.settle();
  }
  await visit.check();
}

test('whatever is done, what is shown of a Data Agent is what it has stored', async (context) => {
  const server = await startTestServer(context);
  const failures: string[] = [];
  for (const seed of seedsUpTo(300)) {
    const random = createRandom(seed);
    const visit = new Visit(server, seed);
    try {
      for (let turns = 2 + pickIndex(random, 4); turns > 0; turns -= 1) {
        await runTurn(server, visit, random);
      }
      const thrown = visit.log.filter((line) => line.startsWith('threw'));
      assert.deepEqual(thrown, []);
    } catch (error) {
      failures.push(`seed ${String(seed)}: ${visit.log.join(', ')}: ${(error as Error).message}`);
    }
    server.controls?.reset();
    visit.controller.close();
  }
  assert.deepEqual(failures, []);
});

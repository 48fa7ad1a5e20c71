import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Backend, InputAnswer, RunKeys, RunStream } from '../../src/backends/backend.js';
import { isUbikError, type UbikError } from '../../src/errors.js';
import { apply } from '../../src/model/apply.js';
import type { Batch, Change } from '../../src/model/change.js';
import type { Key } from '../../src/model/json.js';
import type { Message } from '../../src/model/message.js';
import { ACTIVITY, type PartOf } from '../../src/model/part.js';
import { canonicalize } from '../../src/model/canonicalize.js';
import { createStore } from '../../src/model/store.js';
import type { Thread } from '../../src/model/thread.js';
import { ANSWER } from '../helpers/model-message.js';

/** A service to try a backend on. */
export interface Subject {
  readonly backend: Backend;
  /** A question that is answered without asking back. */
  readonly question: string;
  /** One that takes a while, at a service that waits for `release`. */
  readonly longQuestion: string;
  /** One that makes the agent ask. Null when the service cannot. */
  readonly askingQuestion: string | null;
  /** One that makes a tool ask. Null when the service cannot. */
  readonly toolQuestion: string | null;
  /** The answer to what it asks. */
  readonly answer: InputAnswer;
  /** Holds runs in their middle until `release`. */
  readonly hold: () => void;
  readonly held: () => Promise<void>;
  readonly release: () => void;
}

/** What a person would see of one thread, taken from a backend's batches. */
export class Reader {
  readonly backend: Backend;
  readonly refused: Change[] = [];
  readonly #store = createStore();
  #count = 0;
  #session = '';

  constructor(backend: Backend) {
    this.backend = backend;
  }

  get thread(): Thread {
    const thread = this.#store.threads.get('t');
    if (!thread) throw new Error('The thread is gone.');
    return thread;
  }

  get session(): string {
    return this.#session;
  }

  /** Makes a thread at the service. */
  async open(): Promise<void> {
    this.#session = (await this.backend.createThread()).id;
    this.#apply([{ type: 'thread', set: { id: this.#session } }]);
  }

  /** A question and its empty answer. */
  makeKeys(withUser = true): RunKeys {
    this.#count += 1;
    const user = withUser ? `u${this.#count}` : null;
    const answer = `a${this.#count}`;
    if (user !== null) {
      this.#apply([{ type: 'message', message: user, value: { ...ANSWER, role: 'user' } }]);
    }
    this.#apply([{ type: 'message', message: answer, value: { ...ANSWER, parent: user } }]);
    return { thread: 't', user, answer };
  }

  message(key: Key): Message {
    const message = this.thread.messages.get(key);
    if (!message) throw new Error(`There is no message ${key}.`);
    return message;
  }

  /** Takes a run to its end; gives the error that it broke with. */
  async take(stream: RunStream, until?: (batch: Batch) => boolean): Promise<UbikError | null> {
    try {
      for await (const batch of stream) {
        assert.equal(batch.thread, 't');
        this.#apply(batch.changes);
        if (until?.(batch)) break;
      }
      return null;
    } catch (error) {
      assert.ok(isUbikError(error), `a run breaks with a UbikError, not ${String(error)}`);
      return error;
    }
  }

  /**
   * Sends a question and takes the run; by default to where it waits for the person at the latest, for its stream may stay open then.
   * `toEnd`: to the end of the stream, as where the order of events is not theirs.
   */
  async ask(text: string, toEnd = false): Promise<RunKeys> {
    const keys = this.makeKeys();
    const { signal } = new AbortController();
    const draft = { text, attachments: [] };
    const isWaiting = (): boolean => this.message(keys.answer).status === 'waiting';
    const stream = this.backend.send(this.#session, draft, keys, signal);
    const error = await this.take(stream, toEnd ? undefined : isWaiting);
    assert.equal(error, null, `the run broke: ${error?.message ?? ''}`);
    return keys;
  }

  #apply(changes: readonly Change[]): void {
    this.refused.push(...apply(this.#store, { thread: 't', time: 0, changes }).rejected);
  }
}

/** What is stored of a thread's newest message says what was shown of it. */
export async function assertStored(reader: Reader, key: Key): Promise<void> {
  const { messages } = await reader.backend.loadThread(reader.session);
  const newest = messages.at(-1);
  assert.deepEqual(canonicalize(reader.message(key)), canonicalize(newest?.parts ?? []));
}

/** An armed request of a message. */
export function armedRequest(message: Message): PartOf<'request-activity'> {
  for (const key of message.parts.children(ACTIVITY)) {
    const part = message.parts.get(key);
    if (part?.kind === 'request-activity' && part.state === 'pending') return part;
  }
  throw new Error('Nothing is asked.');
}

/** Tries whatever a backend offers of the contract. */
export function describeBackend(
  name: string,
  setup: (context: TestContext) => Promise<Subject>,
): void {
  const check = (title: string, run: (subject: Subject, reader: Reader) => Promise<void>): void => {
    test(`${name}: ${title}`, async (context) => {
      const subject = await setup(context);
      const reader = new Reader(subject.backend);
      await reader.open();
      await run(subject, reader);
      assert.deepEqual(reader.refused, [], 'every change fits the model');
    });
  };

  check('a run ends complete, and what was live is what is stored', async (subject, reader) => {
    const { answer } = await reader.ask(subject.question);
    assert.equal(reader.thread.run.state, 'complete');
    assert.notEqual(reader.thread.run.id, null);
    assert.equal(reader.message(answer).status, 'complete');
    await assertStored(reader, answer);
  });

  check('two runs of one thread do not touch each other', async (subject, reader) => {
    const first = await reader.ask(subject.question);
    const before = canonicalize(reader.message(first.answer));
    const second = await reader.ask(subject.question);
    assert.deepEqual(canonicalize(reader.message(first.answer)), before);
    await assertStored(reader, second.answer);
  });

  check('an aborted run breaks with `aborted` and stops nothing', async (subject, reader) => {
    subject.hold();
    const keys = reader.makeKeys();
    const abort = new AbortController();
    const draft = { text: subject.longQuestion, attachments: [] };
    const taking = reader.take(subject.backend.send(reader.session, draft, keys, abort.signal));
    await subject.held();
    abort.abort();
    assert.equal((await taking)?.code, 'aborted');
    await rejoinToEnd(subject, reader, keys);
  });

  check(
    'a run that was left is joined again, and nothing is lost or doubled',
    async (subject, reader) => {
      subject.hold();
      const keys = reader.makeKeys();
      const { signal } = new AbortController();
      const draft = { text: subject.longQuestion, attachments: [] };
      const stream = subject.backend.send(reader.session, draft, keys, signal);
      await reader.take(stream, (batch) => batch.changes.some((change) => change.type === 'text'));
      await rejoinToEnd(subject, reader, keys);
    },
  );

  check('a run is stopped by the service', async (subject, reader) => {
    if (!subject.backend.stop) return;
    subject.hold();
    const keys = reader.makeKeys();
    const { signal } = new AbortController();
    const draft = { text: subject.longQuestion, attachments: [] };
    const taking = reader.take(subject.backend.send(reader.session, draft, keys, signal));
    await subject.held();
    const run = { id: reader.thread.run.id, keys, finishedRuns: [] };
    const stopping = subject.backend.stop(reader.session, run);
    subject.release();
    await stopping;
    assert.equal(await taking, null);
    assert.equal(reader.message(keys.answer).status, 'stopped');
  });

  check('a question of the agent is answered, and its history arms it', async (subject, reader) => {
    if (subject.askingQuestion === null || !subject.backend.provideInput) return;
    const asked = await reader.ask(subject.askingQuestion);
    assert.equal(reader.thread.run.state, 'waiting');
    const message = reader.message(asked.answer);
    assert.equal(message.status, 'waiting');
    const { part: _part, parent: _parent, text: _text, ...request } = armedRequest(message);
    const stored = (await subject.backend.loadThread(reader.session)).messages.at(-1);
    assert.deepEqual(
      stored?.requests.map(({ prompt }) => prompt),
      [request.prompt],
    );
    assert.equal(stored?.fields.status, 'waiting');
    await assertStored(reader, asked.answer);
    const keys = reader.makeKeys(false);
    const { signal } = new AbortController();
    const question = { ...request, message: asked.answer };
    const stream = subject.backend.provideInput(
      reader.session,
      question,
      subject.answer,
      keys,
      signal,
    );
    assert.equal(await reader.take(stream), null);
    assert.equal(reader.thread.run.state, 'complete');
    await assertStored(reader, keys.answer);
  });

  check('a question of a tool is answered, and its run goes on', async (subject, reader) => {
    if (subject.toolQuestion === null || !subject.backend.provideInput) return;
    const keys = await reader.ask(subject.toolQuestion);
    const { signal } = new AbortController();
    const {
      part: _part,
      parent: _parent,
      text: _text,
      ...request
    } = armedRequest(reader.message(keys.answer));
    const question = { ...request, message: keys.answer };
    const stream = subject.backend.provideInput(
      reader.session,
      question,
      subject.answer,
      keys,
      signal,
    );
    assert.equal(await reader.take(stream), null);
    assert.equal(reader.message(keys.answer).status, 'complete');
    await assertStored(reader, keys.answer);
  });

  check('an answer and a question get other versions', async (subject, reader) => {
    const { regenerate, edit, switchBranch: navigate, loadMessage } = subject.backend;
    if (!regenerate || !edit || !navigate || !loadMessage) return;
    const first = await reader.ask(subject.question);
    const answerId = reader.message(first.answer).id ?? '';
    const questionId = reader.message(first.user ?? '').id ?? '';
    assert.ok(answerId !== '' && questionId !== '', 'the run names its messages');
    const { signal } = new AbortController();
    const again = reader.makeKeys(false);
    await reader.take(regenerate(reader.session, answerId, again, signal));
    await assertStored(reader, again.answer);
    assert.ok(reader.message(again.answer).siblingIds.includes(answerId));
    const edited = reader.makeKeys();
    const draft = { text: subject.question, attachments: [] };
    await reader.take(edit(reader.session, questionId, draft, edited, signal));
    await assertStored(reader, edited.answer);
    const shown = await navigate(reader.session, answerId);
    assert.ok(shown.messages.some(({ id }) => id === answerId));
    assert.equal((await loadMessage(reader.session, answerId)).id, answerId);
  });

  check('a checkpoint can be gone back to', async (subject, reader) => {
    const { listCheckpoints, restoreCheckpoint } = subject.backend;
    if (!listCheckpoints || !restoreCheckpoint) return;
    await reader.ask(subject.question);
    const checkpoint = (await listCheckpoints(reader.session)).find(({ restorable }) => restorable);
    if (!checkpoint) return;
    const keys = reader.makeKeys(false);
    const { signal } = new AbortController();
    const error = await reader.take(
      restoreCheckpoint(reader.session, checkpoint, 'Be brief.', keys, signal),
    );
    assert.equal(error, null);
    await assertStored(reader, keys.answer);
  });

  check('threads are listed, named and deleted', async (subject, reader) => {
    const { listThreads, renameThread, deleteThread } = subject.backend;
    if (!listThreads || !renameThread || !deleteThread) return;
    await renameThread(reader.session, 'A name');
    const { items } = await listThreads({ page: 1, limit: 10 });
    assert.equal(items.find(({ id }) => id === reader.session)?.title, 'A name');
    await deleteThread(reader.session);
    await assert.rejects(subject.backend.loadThread(reader.session), isUbikError);
  });

  check('a thread that is not there is said not to be', async (subject) => {
    const missing = '00000000-0000-4000-8000-000000000000';
    const error: unknown = await subject.backend
      .loadThread(missing)
      .catch((thrown: unknown) => thrown);
    assert.ok(isUbikError(error) && error.code === 'not-found');
  });
}

async function rejoinToEnd(subject: Subject, reader: Reader, keys: RunKeys): Promise<void> {
  const { rejoin } = subject.backend;
  if (!rejoin) return;
  const run = { id: reader.thread.run.id, keys, finishedRuns: [] };
  const joining = reader.take(rejoin(reader.session, run, new AbortController().signal));
  subject.release();
  assert.equal(await joining, null);
  assert.equal(reader.message(keys.answer).status, 'complete');
  await assertStored(reader, keys.answer);
}

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  BACKEND_METHODS,
  listBackendMethods,
  type BackendMethodName,
} from '../../src/backends/backend-methods.js';
import type { Backend, InputAnswer, RunKeys, RunStream } from '../../src/backends/backend.js';
import { isUbikError, type UbikError } from '../../src/errors.js';
import { apply } from '../../src/model/apply.js';
import type { Batch, Change } from '../../src/model/change.js';
import type { Key } from '../../src/model/json.js';
import { USER_TEXT, type Message } from '../../src/model/message.js';
import { ACTIVITY, type PartOf } from '../../src/model/part.js';
import { canonicalize } from '../../src/model/canonicalize.js';
import { createStore } from '../../src/model/store.js';
import type { Thread } from '../../src/model/thread.js';
import { ANSWER } from '../helpers/model-message.js';

/** A service that a backend is tested with. */
export interface Subject {
  readonly backend: Backend;
  /** Whether the service stores threads. If not, `loadThread` returns no messages, and what depends on them is not tested. */
  readonly stores: boolean;
  /** A message that is answered without a request for input. */
  readonly question: string;
  /** A message whose run the service pauses after `pauseRuns`. */
  readonly longQuestion: string;
  /** A message that makes the agent request input; null when the service cannot. */
  readonly askingQuestion: string | null;
  /** A message that makes a tool request input; null when the service cannot. */
  readonly toolQuestion: string | null;
  /** The answer to such a request. */
  readonly answer: InputAnswer;
  /** Makes the service pause runs in their middle until `resumeRuns`. */
  readonly pauseRuns: () => void;
  /** Resolves when the service has paused a run. */
  readonly whenPaused: () => Promise<void>;
  readonly resumeRuns: () => void;
}

/** One thread as a user would see it, built from a backend's batches. */
export class Reader {
  readonly backend: Backend;
  /** Changes that the model has rejected. */
  readonly rejected: Change[] = [];
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

  /** The service's id of the thread. */
  get session(): string {
    return this.#session;
  }

  /** Creates a thread at the service. */
  async open(): Promise<void> {
    this.#session = (await this.backend.createThread()).id;
    this.#apply([{ type: 'thread', set: { id: this.#session } }]);
  }

  /** Adds a user's message, unless `withUser` is false, and an empty answer. Returns their keys. */
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

  /** Reads a run to its end, or until `until` returns true. Returns the error that it rejects with; null when it does not. */
  async read(stream: RunStream, until?: (batch: Batch) => boolean): Promise<UbikError | null> {
    try {
      for await (const batch of stream) {
        assert.equal(batch.thread, 't');
        this.#apply(batch.changes);
        if (until?.(batch)) break;
      }
      return null;
    } catch (error) {
      assert.ok(isUbikError(error), `a run rejects with a UbikError, not ${String(error)}`);
      return error;
    }
  }

  /**
   * Sends a message and reads the run. Stops when the run waits for input, because its stream may stay open then. With `toEnd`, reads to
   * the end of the stream, for a service that sends events out of order.
   */
  async ask(text: string, toEnd = false): Promise<RunKeys> {
    const keys = this.makeKeys();
    const { signal } = new AbortController();
    const draft = { text, attachments: [] };
    const isWaiting = (): boolean => this.message(keys.answer).status === 'waiting';
    const stream = this.backend.send(this.#session, draft, keys, signal);
    const error = await this.read(stream, toEnd ? undefined : isWaiting);
    assert.equal(error, null, `the run rejects: ${error?.message ?? ''}`);
    return keys;
  }

  /** Answers the pending request of a message and reads the run. Returns the error that it rejects with; null when it does not. */
  async answer(message: Key, answer: InputAnswer, keys: RunKeys): Promise<UbikError | null> {
    const { provideInput } = this.backend;
    if (!provideInput) throw new Error('The backend takes no input.');
    const question = { ...getPendingQuestion(this.message(message)), message };
    const { signal } = new AbortController();
    return this.read(
      provideInput.call(this.backend, this.#session, question, answer, keys, signal),
    );
  }

  #apply(changes: readonly Change[]): void {
    this.rejected.push(...apply(this.#store, { thread: 't', time: 0, changes }).rejected);
  }
}

/** Asserts that the newest stored message of the thread has the same content as the shown one. */
export async function assertStored(reader: Reader, key: Key): Promise<void> {
  const { messages } = await reader.backend.loadThread(reader.session);
  const newest = messages.at(-1);
  assert.deepEqual(canonicalize(reader.message(key)), canonicalize(newest?.parts ?? []));
}

/** The pending request of a message. */
export function getPendingRequest(message: Message): PartOf<'request-activity'> {
  for (const key of message.parts.children(ACTIVITY)) {
    const part = message.parts.get(key);
    if (part?.kind === 'request-activity' && part.state === 'pending') return part;
  }
  throw new Error('No request is pending.');
}

/** The fields of the pending request of a message, without those of its part. */
export function getPendingQuestion(message: Message) {
  const { part: _part, parent: _parent, text: _text, ...question } = getPendingRequest(message);
  return question;
}

type Method<N extends BackendMethodName> = NonNullable<Backend[N]>;

/** Methods whose last argument is a signal. */
type AbortableMethodName = {
  [N in BackendMethodName]: Required<Parameters<Method<N>>> extends [...unknown[], AbortSignal]
    ? N
    : never;
}[BackendMethodName];

/** Arguments for each method with a signal, without the signal. A method that is added to the contract has to be added here. */
type AbortableArguments = {
  readonly [N in AbortableMethodName]: Required<Parameters<Method<N>>> extends [
    ...infer A,
    AbortSignal,
  ]
    ? Readonly<A>
    : never;
};

function createArguments(thread: string, message: string, keys: RunKeys): AbortableArguments {
  const draft = { text: 'A question', attachments: [] };
  const request = {
    key: '@request:c',
    message: keys.answer,
    level: 'agent' as const,
    checkpointName: 'c',
    executionId: null,
    toolName: null,
    prompt: 'Which one?',
    inputTypes: ['text'],
    options: null,
    schema: null,
    deadline: null,
  };
  const checkpoint = {
    name: 'c',
    runId: null,
    createdAt: null,
    id: null,
    metadata: null,
    restorable: true,
  };
  return {
    loadOnboarding: [],
    listThreads: [{ page: 1, limit: 10 }],
    createThread: [{}],
    loadThread: [thread],
    loadMessage: [thread, message],
    switchBranch: [thread, message],
    send: [thread, draft, keys],
    edit: [thread, message, draft, keys],
    regenerate: [thread, message, {}, keys],
    provideInput: [thread, request, { type: 'text', text: 'This one' }, keys],
    restoreCheckpoint: [thread, checkpoint, null, keys],
    rejoin: [thread, { id: null, keys, otherRunIds: [] }],
    listCheckpoints: [thread],
    listDocuments: [thread, { page: 1, limit: 10 }],
    loadDocument: ['d'],
    uploadDocument: [thread, new File(['x'], 'x.txt'), () => undefined],
    loadPassage: ['p'],
    loadToolFile: ['/assets/tools/t/e/f.png'],
  };
}

/** Registers the tests of the contract for a backend. A test of methods that the backend does not have passes without effect. */
export function describeBackend(
  name: string,
  setup: (context: TestContext) => Subject | Promise<Subject>,
): void {
  const check = (
    title: string,
    run: (subject: Subject, reader: Reader) => Promise<void> | void,
  ): void => {
    test(`${name}: ${title}`, async (context) => {
      const subject = await setup(context);
      const reader = new Reader(subject.backend);
      await reader.open();
      await run(subject, reader);
      assert.deepEqual(reader.rejected, [], 'no change is rejected by the model');
    });
  };

  check('a backend has the methods that its capabilities name, and no others', ({ backend }) => {
    for (const [method, { kind, capability, isOptional }] of listBackendMethods()) {
      const isImplemented = typeof backend[method] === 'function';
      const { name: service, capabilities } = backend;
      if (capability !== null) assert.equal(isImplemented, capabilities.has(capability), method);
      else if (kind !== 'sync' && !isOptional)
        assert.ok(isImplemented, `${service} has no ${method}`);
    }
  });

  check('each method that takes a signal rejects with `aborted`', async (subject, reader) => {
    const { backend, question } = subject;
    const { answer } = await reader.ask(question);
    const message = reader.message(answer).id ?? '';
    const given = createArguments(reader.session, message, reader.makeKeys(false));
    const signal = AbortSignal.abort();
    for (const [method, args] of Object.entries(given) as [
      AbortableMethodName,
      readonly unknown[],
    ][]) {
      const call = backend[method] as ((...args: unknown[]) => unknown) | undefined;
      if (!call) continue;
      const result = call.call(backend, ...args, signal);
      const error =
        BACKEND_METHODS[method].kind === 'stream'
          ? await reader.read(result as RunStream)
          : await (result as Promise<unknown>).then(
              () => null,
              (thrown: unknown) => thrown,
            );
      assert.ok(isUbikError(error), `${method} rejects with a UbikError`);
      // The address of a file is validated first, and this one may be foreign to the service.
      const expected = method === 'loadToolFile' ? ['aborted', 'foreign-origin'] : ['aborted'];
      assert.ok(expected.includes(error.code), `${method} rejects with ${error.code}`);
    }
  });

  check(
    'a run ends as complete, and the stored message equals the streamed one',
    async (subject, reader) => {
      const { answer } = await reader.ask(subject.question);
      assert.equal(reader.thread.run.state, 'complete');
      assert.notEqual(reader.thread.run.id, null);
      assert.equal(reader.message(answer).status, 'complete');
      if (subject.stores) await assertStored(reader, answer);
    },
  );

  check('the text of a user is stored as one part under USER_TEXT', async (subject, reader) => {
    if (!subject.stores) return;
    await reader.ask(subject.question);
    const { messages } = await subject.backend.loadThread(reader.session);
    const question = messages.find(({ fields }) => fields.role === 'user');
    assert.deepEqual(question?.parts, [{ kind: 'text', key: USER_TEXT, text: subject.question }]);
  });

  check(
    'two runs of one thread do not change the messages of each other',
    async (subject, reader) => {
      const first = await reader.ask(subject.question);
      const before = canonicalize(reader.message(first.answer));
      const second = await reader.ask(subject.question);
      assert.deepEqual(canonicalize(reader.message(first.answer)), before);
      if (subject.stores) await assertStored(reader, second.answer);
    },
  );

  check(
    'an aborted run rejects with `aborted` and continues on the service',
    async (subject, reader) => {
      subject.pauseRuns();
      const keys = reader.makeKeys();
      const abort = new AbortController();
      const draft = { text: subject.longQuestion, attachments: [] };
      const reading = reader.read(subject.backend.send(reader.session, draft, keys, abort.signal));
      await subject.whenPaused();
      abort.abort();
      assert.equal((await reading)?.code, 'aborted');
      await rejoinToEnd(subject, reader, keys);
    },
  );

  check(
    'a run whose reader has stopped is rejoined without loss or repetition',
    async (subject, reader) => {
      subject.pauseRuns();
      const keys = reader.makeKeys();
      const { signal } = new AbortController();
      const draft = { text: subject.longQuestion, attachments: [] };
      const stream = subject.backend.send(reader.session, draft, keys, signal);
      await reader.read(stream, (batch) => batch.changes.some((change) => change.type === 'text'));
      await rejoinToEnd(subject, reader, keys);
    },
  );

  check('`stop` ends a run as stopped', async (subject, reader) => {
    if (!subject.backend.stop) return;
    subject.pauseRuns();
    const keys = reader.makeKeys();
    const { signal } = new AbortController();
    const draft = { text: subject.longQuestion, attachments: [] };
    const reading = reader.read(subject.backend.send(reader.session, draft, keys, signal));
    await subject.whenPaused();
    const run = { id: reader.thread.run.id, keys, otherRunIds: [] };
    const stopping = subject.backend.stop(reader.session, run);
    subject.resumeRuns();
    await stopping;
    assert.equal(await reading, null);
    assert.equal(reader.message(keys.answer).status, 'stopped');
  });

  check(
    'a request of the agent is pending after a reload, and can be answered',
    async (subject, reader) => {
      if (subject.askingQuestion === null || !subject.backend.provideInput) return;
      const asked = await reader.ask(subject.askingQuestion);
      assert.equal(reader.thread.run.state, 'waiting');
      const message = reader.message(asked.answer);
      assert.equal(message.status, 'waiting');
      const request = getPendingQuestion(message);
      const stored = (await subject.backend.loadThread(reader.session)).messages.at(-1);
      assert.deepEqual(
        stored?.requests.map(({ prompt }) => prompt),
        [request.prompt],
      );
      assert.equal(stored?.fields.status, 'waiting');
      await assertStored(reader, asked.answer);
      // Without a key for the user's message, the backend creates none; only the answer is compared.
      const keys = reader.makeKeys(false);
      assert.equal(await reader.answer(asked.answer, subject.answer, keys), null);
      assert.equal(reader.thread.run.state, 'complete');
      await assertStored(reader, keys.answer);
    },
  );

  check('the answer to a request of a tool continues its run', async (subject, reader) => {
    if (subject.toolQuestion === null || !subject.backend.provideInput) return;
    const keys = await reader.ask(subject.toolQuestion);
    assert.equal(await reader.answer(keys.answer, subject.answer, keys), null);
    assert.equal(reader.message(keys.answer).status, 'complete');
    await assertStored(reader, keys.answer);
  });

  check(
    '`regenerate` and `edit` add versions, and `switchBranch` shows them',
    async (subject, reader) => {
      const { backend } = subject;
      if (!backend.regenerate || !backend.edit || !backend.switchBranch || !backend.loadMessage)
        return;
      const first = await reader.ask(subject.question);
      const answerId = reader.message(first.answer).id ?? '';
      const questionId = reader.message(first.user ?? '').id ?? '';
      assert.ok(answerId !== '' && questionId !== '', 'the run emits the ids of its messages');
      const { signal } = new AbortController();
      const regenerated = reader.makeKeys(false);
      await reader.read(backend.regenerate(reader.session, answerId, {}, regenerated, signal));
      await assertStored(reader, regenerated.answer);
      assert.ok(reader.message(regenerated.answer).siblingIds.includes(answerId));
      const edited = reader.makeKeys();
      const draft = { text: subject.question, attachments: [] };
      await reader.read(backend.edit(reader.session, questionId, draft, edited, signal));
      await assertStored(reader, edited.answer);
      const shown = await backend.switchBranch(reader.session, answerId);
      assert.ok(shown.messages.some(({ id }) => id === answerId));
      assert.equal((await backend.loadMessage(reader.session, answerId)).id, answerId);
    },
  );

  check(
    '`regenerate` and `edit` replace what is stored when the service stores no versions',
    async (subject, reader) => {
      const { backend } = subject;
      if (!backend.regenerate || !backend.edit || backend.capabilities.has('branches')) return;
      const first = await reader.ask(subject.question);
      const answerId = reader.message(first.answer).id ?? '';
      const questionId = reader.message(first.user ?? '').id ?? '';
      assert.ok(answerId !== '' && questionId !== '', 'the run emits the ids of its messages');
      const { signal } = new AbortController();
      const regenerated = reader.makeKeys(false);
      assert.equal(
        await reader.read(backend.regenerate(reader.session, answerId, {}, regenerated, signal)),
        null,
      );
      await assertStored(reader, regenerated.answer);
      const edited = reader.makeKeys();
      const draft = { text: `${subject.question} Please.`, attachments: [] };
      assert.equal(
        await reader.read(backend.edit(reader.session, questionId, draft, edited, signal)),
        null,
      );
      await assertStored(reader, edited.answer);
      const { messages } = await backend.loadThread(reader.session);
      assert.equal(messages.length, 2);
      assert.equal(messages[0]?.parts[0]?.text, draft.text);
    },
  );

  check('a checkpoint can be restored', async (subject, reader) => {
    const { backend } = subject;
    if (!backend.listCheckpoints || !backend.restoreCheckpoint) return;
    await reader.ask(subject.question);
    const checkpoint = (await backend.listCheckpoints(reader.session)).find(
      ({ restorable }) => restorable,
    );
    assert.ok(checkpoint, 'the run has a checkpoint that can be restored');
    const keys = reader.makeKeys(false);
    const { signal } = new AbortController();
    const error = await reader.read(
      backend.restoreCheckpoint(reader.session, checkpoint, 'Be brief.', keys, signal),
    );
    assert.equal(error, null);
    await assertStored(reader, keys.answer);
  });

  check('a thread can be renamed, listed and deleted', async (subject, reader) => {
    const { backend } = subject;
    if (!backend.listThreads || !backend.renameThread || !backend.deleteThread) return;
    await backend.renameThread(reader.session, 'A name');
    const { items } = await backend.listThreads({ page: 1, limit: 10 });
    assert.equal(items.find(({ id }) => id === reader.session)?.title, 'A name');
    await backend.deleteThread(reader.session);
    await assert.rejects(backend.loadThread(reader.session), isUbikError);
  });

  check('`loadThread` rejects with `not-found` for an unknown thread', async (subject) => {
    if (!subject.stores) return;
    const missing = '00000000-0000-4000-8000-000000000000';
    const error: unknown = await subject.backend
      .loadThread(missing)
      .catch((thrown: unknown) => thrown);
    assert.ok(isUbikError(error) && error.code === 'not-found');
  });
}

async function rejoinToEnd(subject: Subject, reader: Reader, keys: RunKeys): Promise<void> {
  const { backend } = subject;
  if (!backend.rejoin) return;
  const run = { id: reader.thread.run.id, keys, otherRunIds: [] };
  const reading = reader.read(backend.rejoin(reader.session, run, new AbortController().signal));
  subject.resumeRuns();
  assert.equal(await reading, null);
  assert.equal(reader.message(keys.answer).status, 'complete');
  await assertStored(reader, keys.answer);
}

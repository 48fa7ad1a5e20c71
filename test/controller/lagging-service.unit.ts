import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend, StoredMessage, ThreadContent } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import type { Message } from '../../src/model/message.js';
import { pathTo } from '../../src/model/thread.js';
import { contentOf, emptyContent, stored } from './scripted-backend.js';
import {
  codeOf,
  draftOf,
  setupController,
  textOf,
  type ControllerFixture,
} from './setup-controller.js';

const QUESTION = 'What changed?';
const ANSWER = 'Two things, and one more';
/** Delays between the reloads after a run, in ms. */
const RELOAD_DELAYS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

/** What the stored thread contains of a run while it lags behind. */
const LAGS: Readonly<Record<string, (run: readonly StoredMessage[]) => readonly StoredMessage[]>> =
  {
    'nothing of it': () => [],
    'the question alone': (run) => run.slice(0, -1),
    'an empty answer': (run) => [...run.slice(0, -1), withText(run.at(-1), '')],
    'half of the answer': (run) => [...run.slice(0, -1), withText(run.at(-1), ANSWER.slice(0, 9))],
  };

function withText(message: StoredMessage | undefined, text: string): StoredMessage {
  assert.ok(message);
  const { id, fields } = message;
  return stored(id, 'assistant', text, { runId: fields.runId });
}

const user = (id: string, text: string) => stored(id, 'user', text);
const answer = (id: string, text: string, runId: string) =>
  stored(id, 'assistant', text, { runId });

/** An action that starts a run in the thread `old`. `storedBefore` and `run`: the messages before the run and those of the run, as finally stored. */
interface RunCase {
  begin(fixture: ControllerFixture): Promise<void>;
  readonly storedBefore: readonly StoredMessage[];
  readonly run: readonly StoredMessage[];
}

const OLD = [user('m1', 'First'), answer('m2', 'Old answer', 'task-0')];
const find = ({ controller }: ControllerFixture, id: string): Message => {
  const { messages } = controller.thread ?? assert.fail();
  return [...messages.values()].find((message) => message.id === id) ?? assert.fail();
};
const RUN_CASES: Readonly<Record<string, RunCase>> = {
  send: {
    begin: ({ controller }) => controller.send(draftOf(QUESTION)),
    storedBefore: OLD,
    run: [user('m3', QUESTION), answer('m4', ANSWER, 'task-1')],
  },
  edit: {
    begin: (fixture) => fixture.controller.edit(find(fixture, 'm1').key, draftOf(QUESTION)),
    storedBefore: [],
    run: [user('m3', QUESTION), answer('m4', ANSWER, 'task-1')],
  },
  regenerate: {
    begin: (fixture) => fixture.controller.regenerate(find(fixture, 'm2').key),
    storedBefore: OLD.slice(0, 1),
    run: [answer('m4', ANSWER, 'task-1')],
  },
  restoreCheckpoint: {
    begin: (fixture) => {
      fixture.backend.checkpoints = [
        { name: 'c', runId: 'task-0', createdAt: 1, id: null, metadata: null, restorable: true },
      ];
      return fixture.controller.restoreCheckpoint('c', null);
    },
    storedBefore: OLD.slice(0, 1),
    run: [answer('m4', ANSWER, 'task-1')],
  },
};

/** Executes a run in the thread `old`. `record`: the stored thread at the end of the run; null: the service returns nothing. */
async function run(runCase: RunCase, record: ThreadContent | null): Promise<ControllerFixture> {
  const fixture = setupController();
  const { backend, controller, environment } = fixture;
  backend.threads.set('old', contentOf('old', OLD));
  await controller.openThread('old');
  const begun = runCase.begin(fixture);
  await environment.settle();
  backend.stream.begin();
  await begun;
  backend.stream.append(0, ANSWER);
  if (record) backend.threads.set('old', record);
  else backend.responses.set('loadThread', () => undefined);
  backend.stream.finish('complete');
  await environment.settle();
  return fixture;
}

const shown = ({ controller }: ControllerFixture) =>
  controller.thread ? pathTo(controller.thread).map((one) => [one.role, textOf(one)]) : [];
const idsOf = ({ controller }: ControllerFixture) =>
  controller.thread ? pathTo(controller.thread).map(({ id }) => id) : [];
const textsOf = (messages: readonly StoredMessage[]) =>
  messages.map(({ fields, parts }) => [fields.role, parts.map(({ text }) => text).join('')]);
const codesOf = ({ notices }: ControllerFixture) =>
  notices.flatMap((notice) => (notice.type === 'diagnostic' ? [notice.error.code] : []));

for (const [act, runCase] of Object.entries(RUN_CASES)) {
  const all = [...runCase.storedBefore, ...runCase.run];
  for (const [what, lag] of Object.entries(LAGS)) {
    // `regenerate` and `restoreCheckpoint` add no question.
    if (what === 'the question alone' && runCase.run.length === 1) continue;
    test(`${act} does not change shown messages while the stored thread contains ${what}, and adds the ids later`, async () => {
      const part = lag(runCase.run);
      const record = part.length === 0 ? OLD : [...runCase.storedBefore, ...part];
      const fixture = await run(runCase, contentOf('old', record));
      const { backend, controller, environment } = fixture;
      assert.deepEqual(shown(fixture), textsOf(all));
      assert.equal(controller.thread?.run.state, 'complete');
      assert.equal(controller.getDraft().text, '');
      const loads = backend.count('loadThread');
      // The first two of the delays.
      await environment.advance(3_000);
      assert.equal(backend.count('loadThread'), loads + 2);
      assert.deepEqual(shown(fixture), textsOf(all));
      backend.threads.set('old', contentOf('old', all));
      await environment.advance(4_000);
      assert.deepEqual(shown(fixture), textsOf(all));
      assert.deepEqual(
        idsOf(fixture),
        all.map(({ id }) => id),
      );
      await environment.advance(120_000);
      assert.equal(backend.count('loadThread'), loads + 3, 'the thread is not loaded again');
      assert.deepEqual(codesOf(fixture), []);
    });

    test(`${act} reloads six times and reports a diagnostic when the stored thread contains ${what}`, async () => {
      const part = lag(runCase.run);
      const record = part.length === 0 ? OLD : [...runCase.storedBefore, ...part];
      const fixture = await run(runCase, contentOf('old', record));
      const { backend, environment } = fixture;
      const loads = backend.count('loadThread');
      for (const [at, wait] of RELOAD_DELAYS.entries()) {
        await environment.advance(wait - 1);
        assert.equal(backend.count('loadThread'), loads + at);
        await environment.advance(1);
        assert.equal(backend.count('loadThread'), loads + at + 1);
      }
      assert.deepEqual(codesOf(fixture), ['not-recorded']);
      assert.equal(environment.timers, 0);
      assert.deepEqual(shown(fixture), textsOf(all));
    });

    test(`${act} does not change shown messages when the thread is opened again and the stored one contains ${what}`, async () => {
      const part = lag(runCase.run);
      const record = part.length === 0 ? OLD : [...runCase.storedBefore, ...part];
      const content = contentOf('old', record, part.length === 1 ? 'task-1' : null);
      const fixture = await run(runCase, content);
      const { backend, controller, environment } = fixture;
      await controller.openThread('old');
      await environment.settle();
      (backend as Backend).onExternalChange?.('old');
      await environment.settle();
      assert.deepEqual(shown(fixture), textsOf(all));
      assert.equal(backend.count('rejoin'), 0, 'a run whose end was seen is not joined');
    });
  }
}

for (const [what, record] of [
  ['no messages', emptyContent('old')],
  ['nothing at all', null],
] as const) {
  test(`edit keeps the shown thread when the service returns ${what}`, async () => {
    const runCase = RUN_CASES['edit'] ?? assert.fail();
    const fixture = await run(runCase, record);
    await fixture.environment.advance(120_000);
    assert.deepEqual(shown(fixture), textsOf([...runCase.storedBefore, ...runCase.run]));
    assert.equal(fixture.controller.thread?.title, 'Title of old');
  });
}

for (const [what, bare] of [
  ['the result', { result: null }],
  ['the input and the result', { input: null, result: null }],
] as const) {
  test(`a tool keeps its result while the stored thread lacks ${what}`, async () => {
    const tool = {
      kind: 'tool',
      name: 'search',
      toolId: 'x1',
      state: 'done',
      input: '{"query": "rivers"}',
      result: '{"found": 2}',
    } as const;
    const recordOf = (fields: object) => {
      const storedAnswer = answer('m4', ANSWER, 'task-1');
      const part = { ...tool, ...fields, key: '/1:tool' };
      return contentOf('old', [
        ...OLD,
        user('m3', QUESTION),
        { ...storedAnswer, parts: [...storedAnswer.parts, part] },
      ]);
    };
    const fixture = setupController();
    const { backend, controller, environment, last } = fixture;
    backend.threads.set('old', contentOf('old', OLD));
    await controller.openThread('old');
    await fixture.start(QUESTION);
    const { stream } = backend;
    stream.append(0, ANSWER);
    const position = { message: stream.keys.answer, part: '/1:tool', parent: null, before: null };
    stream.push({ type: 'part', ...position, value: tool });
    backend.threads.set('old', recordOf(bare));
    stream.finish('complete');
    await environment.settle();
    const resultOf = () => {
      const part = last().parts.get('/1:tool');
      return part?.kind === 'tool' ? part.result : undefined;
    };
    assert.equal(resultOf(), tool.result);
    const loads = backend.count('loadThread');
    backend.threads.set('old', recordOf({ input: '{"query":"rivers"}', result: '{"found":2}' }));
    await environment.advance(120_000);
    assert.equal(resultOf(), '{"found":2}');
    assert.equal(backend.count('loadThread'), loads + 1);
  });
}

test('a thread without a title keeps its shown messages, and gets a title when the service has stored one', async () => {
  const fixture = setupController();
  const { backend, controller, environment } = fixture;
  backend.responses.set('createThread', () => ({
    id: 'new',
    title: '',
    createdAt: 1,
    updatedAt: 1,
  }));
  backend.threads.set('new', emptyContent('new'));
  const sent = controller.send(draftOf(QUESTION));
  await environment.settle();
  backend.stream.begin();
  await sent;
  backend.stream.append(0, ANSWER);
  backend.stream.finish('complete');
  await environment.settle();
  const all = [user('m1', QUESTION), answer('m2', ANSWER, 'task-1')];
  assert.deepEqual(shown(fixture), textsOf(all));
  backend.threads.set('new', contentOf('new', all));
  await environment.advance(1_000);
  assert.deepEqual([shown(fixture), controller.thread?.title], [textsOf(all), 'Title of new']);
});

test('two runs in a row stay while the stored thread lacks both', async () => {
  const runCase = RUN_CASES['send'] ?? assert.fail();
  const fixture = await run(runCase, contentOf('old', OLD));
  const { backend, controller, environment } = fixture;
  const sent = controller.send(draftOf('And now?'));
  await environment.settle();
  backend.stream.begin('task-2');
  await sent;
  backend.stream.append(0, 'Nothing');
  backend.stream.finish('complete');
  await environment.settle();
  const all = [...OLD, ...runCase.run, user('m5', 'And now?'), answer('m6', 'Nothing', 'task-2')];
  assert.deepEqual(shown(fixture), textsOf(all));
  backend.threads.set('old', contentOf('old', all.slice(0, 4)));
  await environment.advance(1_000);
  assert.deepEqual(shown(fixture), textsOf(all));
  assert.deepEqual(idsOf(fixture), ['m1', 'm2', 'm3', 'm4', null, null]);
  backend.threads.set('old', contentOf('old', all));
  await environment.advance(2_000);
  assert.deepEqual(idsOf(fixture), ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']);
});

/**
 * Sends a message whose request fails, to a service that cannot rejoin runs, and then another one, which is answered. `record`: what the
 * service has stored of the thread at that time.
 */
async function sendAfterFailure(
  fixture: ControllerFixture,
  record: ThreadContent,
  lost = 'Lost',
): Promise<void> {
  const { backend, controller, environment } = fixture;
  Object.assign(backend, { rejoin: undefined });
  const failed = codeOf(controller.send(draftOf(lost)));
  await environment.settle();
  backend.stream.fail(new UbikError('server'));
  assert.equal(await failed, 'server');
  await fixture.start(QUESTION);
  backend.stream.append(0, ANSWER);
  backend.threads.set(record.thread.id ?? '', record);
  backend.stream.finish('complete');
  await environment.settle();
}

for (const earlier of [[], ['First']]) {
  test(`an answer after a failed message stays when the service has stored nothing${earlier.length > 0 ? ', also of an earlier answer' : ''}`, async () => {
    const fixture = setupController();
    const { backend, controller, environment, texts } = fixture;
    for (const text of earlier) {
      await fixture.start(text);
      backend.stream.append(0, 'One');
      backend.stream.finish('complete');
      await environment.settle();
    }
    await sendAfterFailure(fixture, emptyContent('thread-id-1'));
    assert.deepEqual(texts(), [...earlier.flatMap((text) => [text, 'One']), QUESTION, ANSWER]);
    assert.equal(controller.getDraft().text, 'Lost');
  });
}

for (const [what, lost] of [
  ['a different', 'Lost'],
  ['an equal', QUESTION],
]) {
  test(`a message after ${what} one that has failed, and its answer, stay below the stored messages and get their ids later`, async () => {
    const fixture = setupController();
    const { backend, controller, environment } = fixture;
    backend.threads.set('old', contentOf('old', OLD));
    await controller.openThread('old');
    await sendAfterFailure(fixture, contentOf('old', OLD), lost);
    const all = [...OLD, user('m3', QUESTION), answer('m4', ANSWER, 'task-1')];
    assert.deepEqual(shown(fixture), textsOf(all));
    backend.threads.set('old', contentOf('old', all));
    await environment.advance(1_000);
    assert.deepEqual(shown(fixture), textsOf(all));
    assert.deepEqual(idsOf(fixture), ['m1', 'm2', 'm3', 'm4']);
    assert.equal(controller.thread?.messages.size, 4);
  });

  test(`a message after ${what} one that has failed, and its answer, get their ids with the first reload`, async () => {
    const fixture = setupController();
    const { backend, controller } = fixture;
    backend.threads.set('old', contentOf('old', OLD));
    await controller.openThread('old');
    const all = [...OLD, user('m3', QUESTION), answer('m4', ANSWER, 'task-1')];
    await sendAfterFailure(fixture, contentOf('old', all), lost);
    assert.deepEqual(shown(fixture), textsOf(all));
    assert.deepEqual(idsOf(fixture), ['m1', 'm2', 'm3', 'm4']);
    assert.equal(controller.thread?.messages.size, 4);
    const question = controller.thread.messages.get(backend.stream.keys.user ?? '');
    assert.equal(question?.id, 'm3', 'the shown message is the one that was answered');
  });
}

test('switchBranch shows another branch although the stored thread lacks what was shown', async () => {
  const runCase = RUN_CASES['edit'] ?? assert.fail();
  const fixture = await run(runCase, contentOf('old', OLD));
  const { backend, controller } = fixture;
  backend.responses.set('switchBranch', () => contentOf('old', OLD));
  await controller.switchBranch('m1');
  assert.deepEqual(shown(fixture), textsOf(OLD));
});

test('regenerate rejects with not-recorded while the answer has no id', async () => {
  const runCase = RUN_CASES['send'] ?? assert.fail();
  const fixture = await run(runCase, contentOf('old', OLD));
  const { controller, last } = fixture;
  await assert.rejects(controller.regenerate(last().key), { code: 'not-recorded' });
});

test('close prevents further reloads of the stored thread', async () => {
  const runCase = RUN_CASES['edit'] ?? assert.fail();
  const fixture = await run(runCase, contentOf('old', OLD));
  const { backend, controller, environment } = fixture;
  const loads = backend.count('loadThread');
  controller.close();
  assert.equal(environment.timers, 0);
  await environment.advance(120_000);
  assert.equal(backend.count('loadThread'), loads);
});

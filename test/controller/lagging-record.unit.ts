import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend, StoredMessage, ThreadContent } from '../../src/backends/backend.js';
import type { Message } from '../../src/model/message.js';
import { pathTo } from '../../src/model/thread.js';
import { contentOf, emptyContent, stored } from './scripted-backend.js';
import { draftOf, setupConversation, textOf, type Conversation } from './setup-conversation.js';

const QUESTION = 'What changed?';
const ANSWER = 'Two things, and one more';
const LOOKS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

/** What the record of the service holds of a run while it is behind. */
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
  return stored(id, 'assistant', text, { taskId: fields.taskId });
}

const user = (id: string, text: string) => stored(id, 'user', text);
const answer = (id: string, text: string, taskId: string) =>
  stored(id, 'assistant', text, { taskId });

/** A way to a run in the thread `old`, and what the record holds of it in the end. */
interface Way {
  begin(conversation: Conversation): Promise<void>;
  readonly kept: readonly StoredMessage[];
  readonly run: readonly StoredMessage[];
}

const OLD = [user('m1', 'First'), answer('m2', 'Old answer', 'task-0')];
const find = ({ controller }: Conversation, id: string): Message => {
  const { messages } = controller.thread ?? assert.fail();
  return [...messages.values()].find((message) => message.id === id) ?? assert.fail();
};
const WAYS: Readonly<Record<string, Way>> = {
  send: {
    begin: ({ controller }) => controller.send(draftOf(QUESTION)),
    kept: OLD,
    run: [user('m3', QUESTION), answer('m4', ANSWER, 'task-1')],
  },
  edit: {
    begin: (conversation) =>
      conversation.controller.edit(find(conversation, 'm1').key, draftOf(QUESTION)),
    kept: [],
    run: [user('m3', QUESTION), answer('m4', ANSWER, 'task-1')],
  },
  regenerate: {
    begin: (conversation) => conversation.controller.regenerate(find(conversation, 'm2').key),
    kept: OLD.slice(0, 1),
    run: [answer('m4', ANSWER, 'task-1')],
  },
  restore: {
    begin: (conversation) => {
      conversation.backend.checkpoints = [
        { name: 'c', taskId: 'task-0', createdAt: 1, id: null, metadata: null, restorable: true },
      ];
      return conversation.controller.restoreCheckpoint('c', null);
    },
    kept: OLD.slice(0, 1),
    run: [answer('m4', ANSWER, 'task-1')],
  },
};

/** Does a run in the thread `old`, to its end. The service's record is set by the test before the end. */
async function run(way: Way, record: ThreadContent | null): Promise<Conversation> {
  const conversation = setupConversation();
  const { backend, controller, environment } = conversation;
  backend.threads.set('old', contentOf('old', OLD));
  await controller.openThread('old');
  const begun = way.begin(conversation);
  await environment.settle();
  backend.stream.begin();
  await begun;
  backend.stream.say(0, ANSWER);
  if (record) backend.threads.set('old', record);
  else backend.answers.set('loadThread', () => undefined);
  backend.stream.finish('complete');
  await environment.settle();
  return conversation;
}

const shown = ({ controller }: Conversation) =>
  controller.thread ? pathTo(controller.thread).map((one) => [one.role, textOf(one)]) : [];
const idsOf = ({ controller }: Conversation) =>
  controller.thread ? pathTo(controller.thread).map(({ id }) => id) : [];
const textsOf = (messages: readonly StoredMessage[]) =>
  messages.map(({ fields, parts }) => [fields.role, parts.map(({ text }) => text).join('')]);
const codesOf = ({ notices }: Conversation) =>
  notices.flatMap((notice) => (notice.type === 'diagnostic' ? [notice.error.code] : []));

for (const [act, way] of Object.entries(WAYS)) {
  const all = [...way.kept, ...way.run];
  for (const [what, lag] of Object.entries(LAGS)) {
    if (act !== 'send' && what === 'the question alone' && way.run.length === 1) continue;
    test(`${act}: what is shown stays while the record holds ${what}, and is named later`, async () => {
      const part = lag(way.run);
      const record = part.length === 0 ? OLD : [...way.kept, ...part];
      const conversation = await run(way, contentOf('old', record));
      const { backend, controller, environment } = conversation;
      assert.deepEqual(shown(conversation), textsOf(all));
      assert.equal(controller.thread?.run.state, 'complete');
      assert.equal(controller.getDraft().text, '');
      const looks = backend.count('loadThread');
      await environment.advance(3_000);
      assert.equal(backend.count('loadThread'), looks + 2);
      assert.deepEqual(shown(conversation), textsOf(all));
      backend.threads.set('old', contentOf('old', all));
      await environment.advance(4_000);
      assert.deepEqual(shown(conversation), textsOf(all));
      assert.deepEqual(
        idsOf(conversation),
        all.map(({ id }) => id),
      );
      await environment.advance(120_000);
      assert.equal(backend.count('loadThread'), looks + 3, 'it is not read any more');
      assert.deepEqual(codesOf(conversation), []);
    });

    test(`${act}: the record is read six times more, then left with a diagnostic (${what})`, async () => {
      const part = lag(way.run);
      const record = part.length === 0 ? OLD : [...way.kept, ...part];
      const conversation = await run(way, contentOf('old', record));
      const { backend, environment } = conversation;
      const looks = backend.count('loadThread');
      for (const [at, wait] of LOOKS.entries()) {
        await environment.advance(wait - 1);
        assert.equal(backend.count('loadThread'), looks + at);
        await environment.advance(1);
        assert.equal(backend.count('loadThread'), looks + at + 1);
      }
      assert.deepEqual(codesOf(conversation), ['not-recorded']);
      assert.equal(environment.timers, 0);
      assert.deepEqual(shown(conversation), textsOf(all));
    });

    test(`${act}: opening the thread again keeps what is shown (${what})`, async () => {
      const part = lag(way.run);
      const record = part.length === 0 ? OLD : [...way.kept, ...part];
      const content = contentOf('old', record, part.length === 1 ? 'task-1' : null);
      const conversation = await run(way, content);
      const { backend, controller, environment } = conversation;
      await controller.openThread('old');
      await environment.settle();
      (backend as Backend).onForeignChange?.('old');
      await environment.settle();
      assert.deepEqual(shown(conversation), textsOf(all));
      assert.equal(backend.count('rejoin'), 0, 'a run whose end was seen is not joined');
    });
  }
}

for (const [what, record] of [
  ['no messages', emptyContent('old')],
  ['nothing at all', null],
] as const) {
  test(`the conversation stays on screen with a service that returns ${what}`, async () => {
    const way = WAYS['edit'] ?? assert.fail();
    const conversation = await run(way, record);
    await conversation.environment.advance(120_000);
    assert.deepEqual(shown(conversation), textsOf([...way.kept, ...way.run]));
    assert.equal(conversation.controller.thread?.title, 'Title of old');
  });
}

for (const [what, bare] of [
  ['the result', { result: null }],
  ['the input and the result', { input: null, result: null }],
] as const) {
  test(`a tool keeps what it returned while the record lacks ${what}`, async () => {
    const tool = {
      kind: 'tool',
      name: 'search',
      toolId: 'x1',
      state: 'done',
      input: '{"query": "rivers"}',
      result: '{"found": 2}',
    } as const;
    const recordOf = (fields: object) => {
      const asked = answer('m4', ANSWER, 'task-1');
      const part = { ...tool, ...fields, key: '/1:tool' };
      return contentOf('old', [
        ...OLD,
        user('m3', QUESTION),
        { ...asked, parts: [...asked.parts, part] },
      ]);
    };
    const conversation = setupConversation();
    const { backend, controller, environment, last } = conversation;
    backend.threads.set('old', contentOf('old', OLD));
    await controller.openThread('old');
    await conversation.start(QUESTION);
    const { stream } = backend;
    stream.say(0, ANSWER);
    const place = { message: stream.keys.answer, part: '/1:tool', parent: null, before: null };
    stream.push({ type: 'part', ...place, value: tool });
    backend.threads.set('old', recordOf(bare));
    stream.finish('complete');
    await environment.settle();
    const resultOf = () => {
      const part = last().parts.get('/1:tool');
      return part?.kind === 'tool' ? part.result : undefined;
    };
    assert.equal(resultOf(), tool.result);
    const looks = backend.count('loadThread');
    backend.threads.set('old', recordOf({ input: '{"query":"rivers"}', result: '{"found":2}' }));
    await environment.advance(120_000);
    assert.equal(resultOf(), '{"found":2}');
    assert.equal(backend.count('loadThread'), looks + 1);
  });
}

test('a thread without a title keeps what is shown, and gets its title when the record has it', async () => {
  const conversation = setupConversation();
  const { backend, controller, environment } = conversation;
  backend.answers.set('createThread', () => ({ id: 'new', title: '', createdAt: 1, updatedAt: 1 }));
  backend.threads.set('new', emptyContent('new'));
  const sent = controller.send(draftOf(QUESTION));
  await environment.settle();
  backend.stream.begin();
  await sent;
  backend.stream.say(0, ANSWER);
  backend.stream.finish('complete');
  await environment.settle();
  const all = [user('m1', QUESTION), answer('m2', ANSWER, 'task-1')];
  assert.deepEqual(shown(conversation), textsOf(all));
  backend.threads.set('new', contentOf('new', all));
  await environment.advance(1_000);
  assert.deepEqual([shown(conversation), controller.thread?.title], [textsOf(all), 'Title of new']);
});

test('two runs in a row stay while the record lacks both', async () => {
  const way = WAYS['send'] ?? assert.fail();
  const conversation = await run(way, contentOf('old', OLD));
  const { backend, controller, environment } = conversation;
  const sent = controller.send(draftOf('And now?'));
  await environment.settle();
  backend.stream.begin('task-2');
  await sent;
  backend.stream.say(0, 'Nothing');
  backend.stream.finish('complete');
  await environment.settle();
  const all = [...OLD, ...way.run, user('m5', 'And now?'), answer('m6', 'Nothing', 'task-2')];
  assert.deepEqual(shown(conversation), textsOf(all));
  backend.threads.set('old', contentOf('old', all.slice(0, 4)));
  await environment.advance(1_000);
  assert.deepEqual(shown(conversation), textsOf(all));
  assert.deepEqual(idsOf(conversation), ['m1', 'm2', 'm3', 'm4', null, null]);
  backend.threads.set('old', contentOf('old', all));
  await environment.advance(2_000);
  assert.deepEqual(idsOf(conversation), ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']);
});

test('another branch is shown when the person asks for it, though the record lacks what was shown', async () => {
  const way = WAYS['edit'] ?? assert.fail();
  const conversation = await run(way, contentOf('old', OLD));
  const { backend, controller } = conversation;
  backend.answers.set('switchBranch', () => contentOf('old', OLD));
  await controller.switchBranch('m1');
  assert.deepEqual(shown(conversation), textsOf(OLD));
});

test('an answer without a name yet cannot be asked for again, and says why', async () => {
  const way = WAYS['send'] ?? assert.fail();
  const conversation = await run(way, contentOf('old', OLD));
  const { controller, last } = conversation;
  await assert.rejects(controller.regenerate(last().key), { code: 'not-recorded' });
});

test('a record is not read again after the controller was closed', async () => {
  const way = WAYS['edit'] ?? assert.fail();
  const conversation = await run(way, contentOf('old', OLD));
  const { backend, controller, environment } = conversation;
  const looks = backend.count('loadThread');
  controller.close();
  assert.equal(environment.timers, 0);
  await environment.advance(120_000);
  assert.equal(backend.count('loadThread'), looks);
});

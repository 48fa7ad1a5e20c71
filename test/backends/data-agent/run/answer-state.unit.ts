import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerProjection } from '../../../../src/backends/data-agent/projection/answer-projection.js';
import { AnswerState } from '../../../../src/backends/data-agent/run/answer-state.js';
import { UbikError } from '../../../../src/errors.js';
import type { Change } from '../../../../src/model/change.js';
import type { Json } from '../../../../src/model/json.js';

/** Changes as `message.field=value`, `message/part.field=value` or `run state id`; others as their types. */
function print(changes: readonly Change[]): string[] {
  return changes.map((change) => {
    if (change.type === 'thread') {
      const { state, id } = change.set.run ?? {};
      return `run ${String(state)} ${String(id)}`;
    }
    if (change.type !== 'set') return change.type;
    const { message, part, path, value } = change;
    const owner = part === null ? message : `${message}/${part}`;
    return `${owner}.${path.join('.')}=${JSON.stringify(value)}`;
  });
}

/** The state of the answer `a` to the question `q`, with a connection. */
function setup(question: string | null = 'q') {
  const diagnostics: string[] = [];
  const answer = new AnswerState({
    message: 'a',
    question,
    projection: new AnswerProjection({ message: 'a' }),
    approvals: new Map(),
    onDiagnostic: ({ code }) => diagnostics.push(code),
  });
  answer.connect({ buildsOffScreen: false });
  const upsert = (value: Json, ...path: readonly (string | number)[]) =>
    answer.apply({ type: 'patch', patch: { path, action: 'upsert', value } });
  const remove = (...path: readonly string[]) =>
    answer.apply({ type: 'patch', patch: { path, action: 'remove', value: undefined } });
  const end = () =>
    answer.apply({ type: 'patch', patch: { path: [], action: 'end', value: undefined } });
  const drain = () => print(answer.drainChanges());
  return { answer, upsert, remove, end, drain, diagnostics };
}

const contentOf = (text: string) => ({ final_answer: { answer: { text } } });
const messageOf = (text: string) => ({ id: 'M', content: contentOf(text) });
const interrupt = (token: string) => ({
  interrupt_info: { handle: { resume_token: token }, data: { tool_name: 'send_mail' } },
});

test('answer state emits ids and the state of the run once, and the state again when the id of the run is known', () => {
  const { upsert, drain } = setup();
  assert.deepEqual(drain(), []);
  upsert('C', 'conversation_id');
  assert.deepEqual(drain(), ['run streaming null']);
  upsert({ id: 'M', reply_id: 'U' }, 'message');
  assert.deepEqual(drain(), ['a.id="M"', 'q.id="U"']);
  upsert('R', 'agent_run_id');
  assert.deepEqual(drain(), ['a.runId="R"', 'run streaming R']);
  upsert('C', 'conversation_id');
  assert.deepEqual(drain(), []);
});

test('answer state emits totals and follow-ups again only when they change', () => {
  const { upsert, drain } = setup();
  upsert({ id: 'M', ext: { total_time: 2, related_queries: ['Why?'] } }, 'message');
  const usage = '{"seconds":2,"tokens":null,"firstTokenMs":null}';
  assert.deepEqual(drain().slice(1, 3), [`a.usage=${usage}`, 'a.followUps=["Why?"]']);
  upsert(7, 'message', 'ext', 'other');
  assert.deepEqual(drain(), []);
  upsert(5, 'message', 'ext', 'total_tokens');
  assert.deepEqual(drain(), [`a.usage=${usage.replace('null', '5')}`]);
});

test('answer state of an answer without a question sets no id of a question', () => {
  const { upsert, drain } = setup(null);
  upsert({ id: 'M', reply_id: 'U' }, 'message');
  assert.deepEqual(drain(), ['a.id="M"', 'run streaming null']);
});

test('answer state keeps what a reply has contained before it is emptied in the same chunk', () => {
  for (const clear of [
    ({ upsert }: ReturnType<typeof setup>) => upsert(null, 'message'),
    ({ upsert }: ReturnType<typeof setup>) => upsert('', 'message', 'content'),
    ({ remove }: ReturnType<typeof setup>) => remove('message'),
    ({ upsert }: ReturnType<typeof setup>) => upsert({ message: null }),
    ({ answer }: ReturnType<typeof setup>) =>
      answer.apply({ type: 'snapshot', root: { conversation_id: 'C', message: null } }),
  ]) {
    const state = setup();
    state.upsert(messageOf('Hello'), 'message');
    clear(state);
    const changes = JSON.stringify(state.answer.drainChanges());
    assert.match(changes, /Hello/u);
    assert.doesNotMatch(changes, /"remove"/u);
    assert.equal(state.answer.reply.messageId, 'M');
  }
});

test('answer state shows a resumed reply when its first snapshot is complete, and the run as streaming at once', () => {
  const { answer, upsert, drain } = setup();
  upsert(messageOf('Hello'), 'message');
  drain();
  answer.connect({ buildsOffScreen: true });
  assert.deepEqual(drain(), [], 'an open connection does not show that the run is in progress');
  upsert('C', 'conversation_id');
  assert.deepEqual(drain(), ['run streaming null']);
  upsert('M', 'assistant_message_id');
  upsert({ ...messageOf('Hello, you'), ext: { agent_run_id: 'R' } }, 'message');
  assert.deepEqual([drain(), answer.reply.runId], [[], null]);
  upsert(null, 'error');
  const shown = answer.drainChanges();
  assert.match(JSON.stringify(shown), /, you/u);
  assert.deepEqual(print(shown).slice(-2), ['a.runId="R"', 'run streaming R']);
});

test('answer state shows a resumed reply when its second snapshot begins, or when a patch sets the whole reply', () => {
  const { answer, upsert } = setup();
  upsert(messageOf('Hello'), 'message');
  answer.drainChanges();
  answer.connect({ buildsOffScreen: true });
  upsert(messageOf('Hello 1'), 'message');
  upsert('C', 'conversation_id');
  upsert(' 2', 'message', 'content', 'final_answer', 'answer', 'more');
  assert.doesNotMatch(JSON.stringify(answer.drainChanges()), /1/u);
  upsert(messageOf('Hello 12'), 'message');
  assert.match(JSON.stringify(answer.drainChanges()), /12/u);
  answer.connect({ buildsOffScreen: true });
  upsert({ message: messageOf('Hello 12, all') });
  assert.match(JSON.stringify(answer.drainChanges()), /, all/u);
});

test('answer state keeps the first snapshot of a resumed reply when the second one is emptied in the same chunk', () => {
  const { answer, upsert } = setup();
  upsert(messageOf('Hello'), 'message');
  answer.drainChanges();
  answer.connect({ buildsOffScreen: true });
  upsert('C', 'conversation_id');
  upsert(messageOf('Hello, you'), 'message');
  upsert(null, 'message');
  assert.match(JSON.stringify(answer.drainChanges()), /, you/u);
});

test('answer state builds the reply of another connection off screen once a reply is shown', () => {
  const { answer, upsert, drain } = setup();
  answer.connect({ buildsOffScreen: false });
  upsert('C', 'conversation_id');
  assert.deepEqual(drain(), ['run streaming null'], 'nothing was shown before');
  answer.connect({ buildsOffScreen: false });
  upsert(messageOf('Hello'), 'message');
  assert.deepEqual(drain(), ['run streaming null']);
});

test('answer state checks the run before it shows a resumed reply, and keeps the shown one when the check fails', () => {
  const { answer, upsert, drain } = setup();
  upsert(messageOf('Hello'), 'message');
  drain();
  const checked: (string | null)[] = [];
  const checkRun = (run: string | null) => {
    checked.push(run);
    throw new UbikError('not-sent');
  };
  answer.connect({ buildsOffScreen: true, checkRun });
  upsert({ ...messageOf('Other'), ext: { agent_run_id: 'R2' } }, 'message');
  upsert('C', 'conversation_id');
  assert.throws(() => upsert('C', 'conversation_id'), { code: 'not-sent' });
  assert.deepEqual(checked, ['R2']);
  assert.equal(answer.reply.runId, null);
});

test('answer state shows a resumed reply that ends early, unless it has no message', () => {
  const { answer, upsert, end, drain } = setup();
  upsert(messageOf('Hello'), 'message');
  drain();
  answer.connect({ buildsOffScreen: true });
  upsert('C', 'conversation_id');
  end();
  assert.equal(answer.isEnded, true);
  assert.deepEqual(drain(), [], 'the shown reply stays');
  answer.connect({ buildsOffScreen: true });
  assert.equal(answer.isEnded, false);
  upsert(messageOf('Hello, you'), 'message');
  end();
  assert.match(JSON.stringify(answer.drainChanges()), /, you/u);
});

test('answer state reports unsafe patches and applies the others', () => {
  const { upsert, drain, diagnostics, answer } = setup();
  upsert(1, '__proto__', 'polluted');
  upsert(messageOf('Hello'), 'message');
  assert.deepEqual(diagnostics, ['malformed-event']);
  assert.ok(drain().includes('a.id="M"'));
  assert.equal(answer.reply.messageId, 'M');
});

test('answer state ends a failed run with the error of the reply, else with the given reason', () => {
  const endOf = (error: Json, ...end: Parameters<AnswerState['finish']>) => {
    const { answer } = setup();
    answer.apply({ type: 'error', error });
    answer.drainChanges();
    const changes = answer.finish(...end);
    const run = changes.flatMap((change) => (change.type === 'thread' ? change.set.run : []));
    return [...print(changes).filter((each) => each.startsWith('a.')), run[0]?.error];
  };
  const failure = (message: string) => ({ code: 'run-failed', message });
  assert.deepEqual(endOf('Broken.', 'failed', 'Given.'), [
    'a.status="failed"',
    `a.failure=${JSON.stringify(failure('Broken.'))}`,
    failure('Broken.'),
  ]);
  assert.deepEqual(endOf(null, 'failed', 'Given.').at(-1), failure('Given.'));
  assert.deepEqual(endOf(null, 'failed'), ['a.status="failed"', null]);
  assert.deepEqual(endOf('Broken.', 'stopped', 'Given.'), ['a.status="stopped"', null]);
});

test('answer state removes an error that a resumed reply does not contain', () => {
  const { answer, upsert, drain } = setup();
  answer.apply({ type: 'error', error: 'Broken.' });
  drain();
  assert.equal(answer.reply.error, 'Broken.');
  answer.connect({ buildsOffScreen: true });
  answer.apply({ type: 'snapshot', root: { message: messageOf('Hello') } });
  drain();
  assert.equal(answer.reply.error, null);
  upsert('Again.', 'error');
  drain();
  assert.equal(answer.reply.error, 'Again.');
});

test('answer state shows one pending request, and the one before it as answered', () => {
  const { answer, upsert, drain } = setup();
  upsert({ id: 'M', ext: interrupt('t1') }, 'message');
  const first = answer.drainChanges().find((change) => change.type === 'part');
  assert.deepEqual([first?.part, first?.parent], ['@request:t1', '@activity']);
  const { value } = first ?? {};
  assert.ok(value?.kind === 'request-activity');
  assert.deepEqual([value.state, value.toolName, value.part], ['pending', 'send_mail', null]);
  upsert(1, 'message', 'ext', 'other');
  assert.deepEqual(drain(), []);
  upsert(interrupt('t2'), 'message', 'ext');
  assert.deepEqual(drain(), ['a/@request:t1.state="answered"', 'part']);
  assert.equal(answer.pendingApproval?.token, 't2');
  answer.answeredToken = 't2';
  assert.equal(answer.pendingApproval, null);
  upsert(2, 'message', 'ext', 'other');
  assert.deepEqual(drain(), ['a/@request:t2.state="answered"']);
});

test('answer state sets only ids that the stream has not sent', () => {
  const { answer, upsert } = setup();
  upsert({ id: 'M', ext: { agent_run_id: 'R' } }, 'message');
  answer.drainChanges();
  assert.deepEqual(print(answer.setIds('M', 'U')), ['q.id="U"']);
  assert.deepEqual(print(answer.setIds('M2', null)), []);
  const { messageId, questionId, runId } = answer.reply;
  assert.deepEqual([messageId, questionId, runId], ['M', 'U', 'R']);
});

test('answer state repeats the state of the run, unless the stream has ended it', () => {
  const { answer, upsert, end, drain } = setup();
  upsert('R', 'agent_run_id');
  drain();
  answer.repeatStatus();
  assert.deepEqual(drain(), ['run streaming R']);
  answer.repeatStatus();
  end();
  assert.deepEqual(drain(), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputAnswer } from '../../../../src/backends/backend.js';
import {
  createApprovalRequest,
  readApproval,
  type Approval,
} from '../../../../src/backends/data-agent/run/approval.js';
import { createDecision } from '../../../../src/backends/data-agent/run/provide-input.js';

/** An approval with this description of its tool. */
function createApproval(data: Readonly<Record<string, unknown>> = {}): Approval {
  const info = { handle: { resume_token: 'T' }, data };
  const approval = readApproval({ interrupt_info: info });
  if (!approval) throw new Error('The reply waits for no approval.');
  return approval;
}

const TO = { key: 'to', value: 'ops@plant.example', type: 'string' };
const COUNT = { name: 'count', value: 2, type: 'int' };

test('approval is read with the first of its tokens, and does not exist without a handle or data', () => {
  const tokenOf = (handle: unknown, data: unknown = {}) =>
    readApproval({ interrupt_info: { handle, data } })?.token;
  assert.equal(tokenOf({ resume_token: 'a', snapshot_id: 'b', frame_id: 'c' }), 'a');
  assert.equal(tokenOf({ snapshot_id: 'b', frame_id: 'c' }), 'b');
  assert.equal(tokenOf({ frame_id: 'c' }), 'c');
  assert.equal(tokenOf({}), '');
  assert.equal(tokenOf(null), undefined);
  assert.equal(tokenOf({ frame_id: 'c' }, 'text'), undefined);
  assert.equal(readApproval(null), null);
  assert.equal(readApproval({}), null);
});

test('approval asks with its message, with the description of the tool, else with the name of the tool', () => {
  const promptOf = (data: Readonly<Record<string, unknown>>) =>
    createApprovalRequest(createApproval(data), 'm').prompt;
  const tool = { tool_description: 'Sends a mail.', tool_name: 'send_mail' };
  assert.equal(promptOf({ ...tool, interrupt_config: { confirmation_message: 'Send?' } }), 'Send?');
  assert.equal(
    promptOf({ ...tool, interrupt_config: { confirmation_message: '' } }),
    'Sends a mail.',
  );
  assert.equal(promptOf({ ...tool, tool_description: '' }), 'send_mail');
  assert.equal(promptOf({}), '');
});

test('approval of a tool asks for a confirmation without arguments, and shows a form with arguments', () => {
  const plain = createApprovalRequest(createApproval({ tool_args: [{ value: 1 }, 'x'] }), 'm');
  assert.deepEqual([plain.inputTypes, plain.schema], [['confirmation'], null]);
  const form = createApprovalRequest(createApproval({ tool_args: [TO] }), 'm');
  assert.deepEqual(form.inputTypes, ['json']);
  assert.deepEqual(
    [form.key, form.message, form.level, form.executionId, form.deadline],
    ['@request:T', 'm', 'tool', 'T', null],
  );
});

test('approval names the tool that waits', () => {
  const nameOf = (data: Readonly<Record<string, unknown>>) =>
    createApprovalRequest(createApproval(data), 'm').toolName;
  assert.equal(nameOf({ tool_name: 'send_mail' }), 'send_mail');
  assert.equal(nameOf({ tool_name: '' }), null);
  assert.equal(nameOf({}), null);
});

test('approval requires the arguments that have a value, because they can be changed but not removed', () => {
  const args = [TO, COUNT, { key: 'cc', value: '' }, { key: 'at', value: null }];
  const { schema } = createApprovalRequest(createApproval({ tool_args: args }), 'm');
  assert.deepEqual((schema as { required: unknown }).required, ['to', 'count']);
});

test('approval describes an argument by its value, and by its declared type where both fit', () => {
  const schemaOf = (value: unknown, type?: string) => {
    const data = { tool_args: [{ name: 'a', value, ...(type !== undefined && { type }) }] };
    const { schema } = createApprovalRequest(createApproval(data), 'm');
    return (schema as { properties: { a: object } }).properties.a;
  };
  assert.deepEqual(schemaOf(2, 'int'), { type: 'integer' });
  assert.deepEqual(schemaOf(1.5, 'int'), { type: 'number' });
  assert.deepEqual(schemaOf(2, 'float'), { type: 'number' });
  assert.deepEqual(schemaOf(2), { type: 'number' });
  assert.deepEqual(schemaOf('2', 'int'), { type: 'string' });
  assert.deepEqual(schemaOf(true, 'str'), { type: 'boolean' });
  for (const [type, ...names] of [
    ['string', 'string', 'str'],
    ['integer', 'integer', 'int'],
    ['number', 'number', 'float'],
    ['boolean', 'boolean', 'bool'],
  ] as const) {
    for (const name of names) assert.deepEqual(schemaOf(null, name), { type }, name);
  }
  assert.deepEqual(schemaOf(null, 'secret'), {});
  assert.deepEqual(schemaOf([1], 'string'), {});
});

/** The action and the arguments of the decision with this answer. */
function decide(args: readonly object[], answer: InputAnswer): unknown {
  const { action, modified_args: changed } = createDecision(
    createApproval({ tool_args: args }),
    answer,
  ) as Record<string, unknown>;
  return [action, changed];
}

test('approval describes the fields of arguments that are objects, up to two levels', () => {
  const schemaOf = (value: unknown) => {
    const approval = createApproval({ tool_args: [{ key: 'a', value, type: 'object' }] });
    const { schema } = createApprovalRequest(approval, 'm');
    return (schema as { properties: { a: unknown } }).properties.a;
  };
  const recordOf = (properties: object) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
  });
  assert.deepEqual(
    schemaOf({ table: 'rivers', range: { from: 1, deep: { x: 1 } }, list: [1] }),
    recordOf({
      table: { type: 'string' },
      range: recordOf({ from: { type: 'number' }, deep: {} }),
      list: {},
    }),
  );
  // A form with a field for each member would lose these empty members.
  for (const value of [{}, { x: null }, { x: '' }, [{ x: 1 }]]) {
    assert.deepEqual(schemaOf(value), {}, JSON.stringify(value));
  }
});

test('approval uses a text as the value of its only argument', () => {
  const answer = { type: 'text', text: 'night@plant.example' } as const;
  const changed = [{ key: 'to', value: 'night@plant.example' }];
  assert.deepEqual(decide([TO], answer), ['confirm', changed]);
  assert.deepEqual(decide([TO, COUNT], answer), ['confirm', []]);
  assert.deepEqual(decide([], answer), ['confirm', []]);
});

test('approval sends only arguments whose values were changed', () => {
  const value = { to: 'ops@plant.example', count: 3, unknown: 1 };
  assert.deepEqual(decide([TO, COUNT], { type: 'json', value }), [
    'confirm',
    [{ key: 'count', value: 3 }],
  ]);
  assert.deepEqual(decide([TO], { type: 'json', value: { to: null } }), [
    'confirm',
    [{ key: 'to', value: null }],
  ]);
});

test('approval sends its handle and its data back unchanged, also when it is refused', () => {
  const approval = createApproval({ tool_args: [TO], extra: { a: [1] } });
  assert.deepEqual(createDecision(approval, { type: 'json', value: false }), {
    resume_handle: { resume_token: 'T' },
    data: { tool_args: [TO], extra: { a: [1] } },
    action: 'skip',
    modified_args: [],
  });
});

test('approval rejects a file', () => {
  const answer = { type: 'file', file: new File(['x'], 'a.txt') } as const;
  assert.throws(() => createDecision(createApproval(), answer), { code: 'misuse' });
});

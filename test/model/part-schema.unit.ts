import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANSWER_KEY, isChangeList } from '../../src/backends/multi-tab/validate-changes.js';
import type { PartFields, PartKind } from '../../src/model/part.js';
import { PART_FIELDS, type FieldType } from '../../src/model/part-schema.js';

/** The fields of one kind. */
type FieldsOf<Kind extends PartKind> = Extract<PartFields, { kind: Kind }>;

/** Fields of a part of each kind. */
const PARTS: { readonly [Kind in PartKind]: FieldsOf<Kind> } = {
  text: { kind: 'text' },
  thinking: { kind: 'thinking', state: 'open' },
  step: { kind: 'step', number: null, title: '', single: true, state: 'running' },
  tool: {
    kind: 'tool',
    name: '',
    toolId: '',
    state: 'running',
    input: null,
    result: '{}',
  },
  checkpoint: { kind: 'checkpoint', name: '' },
  'input-request': {
    kind: 'input-request',
    prompt: '',
    inputTypes: ['text'],
    checkpointName: null,
    answer: null,
  },
  error: { kind: 'error', message: '', details: null },
  unknown: { kind: 'unknown', name: '' },
  table: {
    kind: 'table',
    title: '',
    description: '',
    total: null,
    source: '',
    columns: [{ name: 'a', type: 'text' }],
    rows: [['x'], [1], [true], [null], []],
  },
  'web-search': {
    kind: 'web-search',
    query: '',
    state: 'running',
    results: [{ title: '', url: '', snippet: '', site: '', icon: '' }],
  },
  passages: {
    kind: 'passages',
    title: '',
    passages: [{ title: '', text: '', source: '', score: null, url: '' }],
  },
  page: { kind: 'page', title: '', url: '' },
  chart: {
    kind: 'chart',
    title: '',
    chartType: 'line',
    dimension: '',
    measures: ['a'],
    groupBy: null,
    columns: [],
    rows: [[1]],
  },
  code: { kind: 'code', language: 'sql', code: '', output: '', error: '' },
  metric: { kind: 'metric', title: '', unit: 'm', query: '', columns: [], rows: [] },
  'run-activity': {
    kind: 'run-activity',
    step: 1,
    totalSteps: null,
    progress: 0,
    description: '',
    result: null,
  },
  'step-activity': {
    kind: 'step-activity',
    number: 1,
    title: '',
    progress: null,
    status: '',
    results: {},
    state: 'running',
    startedAt: 0,
    endedAt: null,
  },
  'tool-activity': {
    kind: 'tool-activity',
    toolId: '',
    name: '',
    part: null,
    phase: '',
    status: '',
    message: '',
    data: [],
    state: 'running',
    reason: '',
    startedAt: null,
    endedAt: 1,
    subSession: null,
  },
  'phase-activity': {
    kind: 'phase-activity',
    phase: '',
    message: '',
    data: null,
    state: 'done',
    startedAt: null,
    endedAt: null,
  },
  'output-activity': { kind: 'output-activity', outputKey: '' },
  'incomplete-activity': { kind: 'incomplete-activity', tool: null, payload: 'input' },
  'request-activity': {
    kind: 'request-activity',
    level: 'agent',
    prompt: '',
    inputTypes: [],
    state: 'pending',
    checkpointName: null,
    executionId: null,
    options: null,
    schema: null,
    deadline: null,
    toolName: null,
    part: null,
  },
};

/** Whether another tab may send a part with these fields. */
function isAccepted(value: Readonly<Record<string, unknown>> | PartFields): boolean {
  const position = { part: 'p', parent: null, before: null };
  return isChangeList([{ type: 'part', message: ANSWER_KEY, ...position, value }]);
}

/** Values of all types that a field may have. */
const VALUES = { s: 'text', n: 1, b: true, t: ['text'] } as const;

for (const [kind, fields] of Object.entries(PARTS)) {
  const types = Object.entries<FieldType>(PART_FIELDS[kind as PartKind]);

  test(`part schema accepts a ${kind} part`, () => {
    assert.equal(isAccepted(fields), true);
  });

  test(`part schema requires each field of a ${kind} part`, () => {
    for (const [name] of types) {
      const { [name]: _removed, ...others } = fields as unknown as Record<string, unknown>;
      assert.equal(isAccepted(others), false, name);
    }
  });

  test(`part schema checks the types of a ${kind} part`, () => {
    for (const [name, type] of types) {
      const code = typeof type === 'string' ? type : '';
      assert.equal(isAccepted({ ...fields, [name]: null }), /[?j]$/.test(code), `${name}: null`);
      for (const [other, value] of Object.entries(VALUES)) {
        const isRight = code.startsWith(other) || code === 'j';
        assert.equal(isAccepted({ ...fields, [name]: value }), isRight, `${name}: ${other}`);
      }
    }
  });
}

test('part schema rejects unknown kinds and names of a prototype', () => {
  for (const kind of ['poem', 'constructor', 'toString', '__proto__']) {
    assert.equal(isAccepted({ kind }), false, kind);
  }
});

test('part schema checks each column and each cell of a table', () => {
  const { table } = PARTS;
  for (const columns of [[null], ['a'], [{ name: 'a' }], [{ name: 1, type: 'text' }], {}]) {
    assert.equal(isAccepted({ ...table, columns }), false, JSON.stringify(columns));
  }
  for (const rows of [[null], ['a'], [[{}]], [[['a']]], [[], [[]]], {}]) {
    assert.equal(isAccepted({ ...table, rows }), false, JSON.stringify(rows));
  }
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { toDataset } from '../../../../src/backends/data-agent/view/datasets.js';
import {
  presentAnswer,
  removeEnvelope,
  type SkillResult,
} from '../../../../src/backends/data-agent/view/skills.js';

/** Presents the answer of a tool. */
function present(
  name: string,
  answer: unknown,
  args: Readonly<Record<string, unknown>> = {},
  isRunning = false,
): SkillResult {
  const call = { name, args: new Map(Object.entries(args)), isAgent: false, isRunning };
  return presentAnswer(answer, call);
}

const ROWS = [
  { depot: 'North', qty: 120 },
  { depot: 'South', qty: 80 },
];
const DATASET = {
  columns: [
    { name: 'depot', type: 'text' },
    { name: 'qty', type: 'number' },
  ],
  rows: [
    ['North', 120],
    ['South', 80],
  ],
};

suite('envelope of a result', () => {
  const cases: readonly (readonly [name: string, answer: unknown, result: unknown])[] = [
    [
      'a complete result wins over a sample',
      { result: { a: 1, b: 2 }, full_result: { a: 3 } },
      { a: 3, b: 2 },
    ],
    ['an empty complete result does not count', { result: { a: 1 }, full_result: {} }, { a: 1 }],
    ['members beside it are kept', { title: 't', result: { a: 1 } }, { title: 't', a: 1 }],
    ['a list is the result', { result: [1] }, [1]],
    [
      'a list beside other members stays a member',
      { key: 'k', result: [1] },
      { key: 'k', result: [1] },
    ],
    ['an answer without an envelope stays', { a: 1 }, { a: 1 }],
    ['a text stays', 'x', 'x'],
  ];
  for (const [name, answer, result] of cases) {
    test(`${name}`, () => {
      assert.deepEqual(removeEnvelope(answer), result);
    });
  }

  test('a member named as the prototype becomes no prototype', () => {
    const answer = JSON.parse('{"result": {"__proto__": {"polluted": true}}}') as unknown;
    const result = removeEnvelope(answer) as Record<string, unknown>;
    assert.equal(Object.getPrototypeOf(result), Object.prototype);
    assert.equal(result['polluted'], undefined);
  });
});

suite('rows as a dataset', () => {
  test('a list of objects is rows, with the columns of all of them', () => {
    assert.deepEqual(toDataset([{ a: 1 }, { b: 'x', a: null }]), {
      columns: [
        { name: 'a', type: 'number' },
        { name: 'b', type: 'text' },
      ],
      rows: [
        [1, null],
        [null, 'x'],
      ],
    });
  });

  test('an object of lists is columns', () => {
    assert.deepEqual(toDataset({ 'v.name': ['x', 'y'], n: [1] })?.rows, [
      ['x', 1],
      ['y', null],
    ]);
  });

  test('the type of a column is that of all its values', () => {
    const row = {
      day: '2026-08-01',
      at: '2026-08-01T10:00:00Z',
      price: '12.50',
      id: '0042',
      open: true,
    };
    const types = toDataset([row, { ...row, price: 3, day: null }])?.columns.map(
      ({ type }) => type,
    );
    assert.deepEqual(types, ['date', 'date', 'number', 'text', 'boolean']);
  });

  test('a value that is no cell is JSON', () => {
    assert.deepEqual(toDataset([{ a: { b: [1] } }])?.rows, [['{"b":[1]}']]);
  });

  for (const data of [null, 'x', 5, [], {}, [{}], [1], [[1]], { a: 1 }]) {
    test(`${JSON.stringify(data)} is no dataset`, () => {
      assert.equal(toDataset(data), null);
    });
  }
});

suite('results of skills', () => {
  test('a query is a table in the tool', () => {
    const answer = {
      result: {
        sql: 'SELECT 1',
        data: ROWS.slice(1),
        data_desc: { real_records_num: 5 },
        cites: [{ id: 'v' }],
      },
      full_result: { sql: 'SELECT 1', data: ROWS, title: 'Stock', message: 'By depot' },
    };
    const table = {
      kind: 'table',
      title: 'Stock',
      description: 'By depot',
      ...DATASET,
      total: 5,
      source: 'SELECT 1',
    };
    const { inside, below, rest } = present('Text2SQL', answer);
    assert.deepEqual([inside, below, rest], [[table], [], { cites: [{ id: 'v' }] }]);
  });

  test('a query that has failed is shown as it is', () => {
    assert.deepEqual(present('text2sql', { error: 'no table' }).rest, { error: 'no table' });
  });

  test('a graph query may have columns in place of rows', () => {
    const { inside } = present('text2ngql', {
      sql: 'MATCH',
      data: { depot: ['North'], qty: [120] },
    });
    assert.deepEqual((inside[0] as { rows?: unknown }).rows, [['North', 120]]);
  });

  test('an answer that is JSON in a text is read', () => {
    const { inside } = present('text2sql', JSON.stringify({ sql: 'SELECT 1', data: ROWS }));
    assert.equal(inside[0]?.kind, 'table');
    assert.equal(present('text2sql', 'no JSON').rest, 'no JSON');
    assert.equal(present('other', '{"sql":"x"}').rest, '{"sql":"x"}');
  });

  test('entries of a catalog are a table, whatever is around them', () => {
    for (const answer of [
      ROWS,
      { result: ROWS },
      { result: { result: ROWS, result_cache_key: 'k' } },
    ]) {
      const { inside, rest } = present('datasource_rerank', answer);
      assert.deepEqual((inside[0] as { rows?: unknown }).rows, DATASET.rows);
      assert.equal(rest, null);
    }
    const { inside, rest } = present('af_sailor', { result: { text: ['found'], cites: ROWS } });
    assert.deepEqual([inside[0]?.kind, rest], ['table', { text: ['found'] }]);
  });

  test('nodes of a knowledge network are a table of their properties', () => {
    const nodes = [{ object_type_id: 'pump', data_properties: { hall: 3 }, final_score: 0.5 }];
    const { inside, rest } = present('kn_search', { result: { nodes, object_types: ['pump'] } });
    assert.deepEqual((inside[0] as { rows?: unknown }).rows, [['pump', 0.5, 3]]);
    assert.deepEqual(rest, { object_types: ['pump'] });
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  findTitle,
  presentAnswer,
  removeEnvelope,
  type SkillResult,
} from '../../../../src/backends/data-agent/projection/skills.js';
import { createReply, showReply, skillStep } from './shown-answer.js';

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

  test('a member named __proto__ does not become the prototype', () => {
    const answer = JSON.parse('{"result": {"__proto__": {"polluted": true}}}') as unknown;
    const result = removeEnvelope(answer) as Record<string, unknown>;
    assert.equal(Object.getPrototypeOf(result), Object.prototype);
    assert.equal(result['polluted'], undefined);
  });
});

suite('title of a call', () => {
  const titleOf = (answer: unknown, args: Readonly<Record<string, unknown>> = {}): string =>
    findTitle(answer, { args: new Map(Object.entries(args)) });

  test('is the title of the result, else an argument, else the message of the result', () => {
    const answer = { result: { title: 'Stock', message: 'ok' } };
    const args = { title: 'Depots', input: 'stock?', query: 'q', filename: 'a.py' };
    assert.equal(titleOf(answer, args), 'Stock');
    const { title: _title, ...untitled } = args;
    assert.equal(titleOf({ message: 'ok' }, args), 'Depots');
    assert.equal(titleOf({ message: 'ok' }, untitled), 'stock?');
    assert.equal(titleOf({ message: 'ok' }, { query: 'q', filename: 'a.py' }), 'q');
    assert.equal(titleOf({ message: 'ok' }, { filename: 'a.py' }), 'a.py');
    assert.equal(titleOf({ message: 'ok' }, { other: 'x' }), 'ok');
    assert.equal(titleOf({ title: ' ', message: '' }, { query: 3 }), '');
  });

  test('is read from the complete result, and from a result that is JSON in a text', () => {
    const sample = { result: { title: 'Sample' }, full_result: { title: 'All' } };
    assert.equal(titleOf(sample), 'All');
    assert.equal(titleOf(JSON.stringify(sample)), 'All');
    assert.equal(titleOf('no JSON'), '');
    assert.equal(titleOf(null, { input: 'stock?' }), 'stock?');
  });

  test('has at most 200 characters', () => {
    assert.equal(titleOf(null, { input: 'x'.repeat(1000) }).length, 200);
  });
});

suite('results of skills', () => {
  test('a query is shown as a table in the tool', () => {
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

  test('a query without rows is shown as SQL', () => {
    const { inside, rest } = present('sql_helper', { sql: 'SELECT 1', data: [], message: 'none' });
    const code = { kind: 'code', language: 'sql', code: 'SELECT 1', output: '', error: '' };
    assert.deepEqual([inside, rest], [[code], { message: 'none' }]);
  });

  test('a failed query is shown as data', () => {
    assert.deepEqual(present('text2sql', { error: 'no table' }).rest, { error: 'no table' });
  });

  test('a graph query may have columns instead of rows', () => {
    const { inside } = present('text2ngql', {
      sql: 'MATCH',
      data: { depot: ['North'], qty: [120] },
    });
    assert.deepEqual((inside[0] as { rows?: unknown }).rows, [['North', 120]]);
  });

  test('an answer that is JSON in a text is parsed', () => {
    const { inside } = present('text2sql', JSON.stringify({ sql: 'SELECT 1', data: ROWS }));
    assert.equal(inside[0]?.kind, 'table');
    assert.equal(present('text2sql', 'no JSON').rest, 'no JSON');
    assert.equal(present('other', '{"sql":"x"}').rest, '{"sql":"x"}');
  });

  test('a metric is shown below the tool, with its unit and question', () => {
    const answer = { result: { title: 'Stock', unit: 'pcs', data: ROWS, reason: 'because' } };
    const { below, rest } = present('text2metric', answer, { input: 'stock?' });
    assert.deepEqual(below, [
      { kind: 'metric', title: 'Stock', unit: 'pcs', query: 'stock?', ...DATASET },
    ]);
    assert.deepEqual(rest, { reason: 'because' });
  });

  const CHARTS: readonly (readonly [config: object, chart: object])[] = [
    [
      { xField: 'depot', yField: 'qty', seriesField: '', chart_type: 'Line' },
      { chartType: 'line', dimension: 'depot', measures: ['qty'], groupBy: null },
    ],
    [
      { xField: 'depot', yField: 'qty', seriesField: 's', groupField: 'g', chart_type: 'Column' },
      { chartType: 'column', dimension: 'depot', measures: ['qty'], groupBy: 's' },
    ],
    [
      { colorField: 'depot', angleField: 'qty', chart_type: 'Pie' },
      { chartType: 'pie', dimension: 'depot', measures: ['qty'], groupBy: null },
    ],
    [
      { chart_type: 'Circle' },
      { chartType: 'ring', dimension: 'depot', measures: ['qty'], groupBy: null },
    ],
    [
      { chart_type: 'Radar' },
      { chartType: 'column', dimension: 'depot', measures: ['qty'], groupBy: null },
    ],
  ];
  for (const [config, chart] of CHARTS) {
    test(`a result with ${JSON.stringify(config)} is shown as a chart`, () => {
      const { below, rest } = present('json2plot', {
        result: { title: 'Stock', data_sample: ROWS.slice(1), chart_config: config, text: '' },
        full_result: { title: 'Stock', data: ROWS, chart_config: config, result_cache_key: 'k' },
      });
      assert.deepEqual(below, [{ kind: 'chart', title: 'Stock', ...DATASET, ...chart }]);
      assert.equal(rest, null);
    });
  }

  test('a chart without complete data shows the sample', () => {
    const { below } = present('json2plot', {
      data_sample: ROWS,
      chart_config: { chart_type: 'Pie' },
    });
    assert.deepEqual((below[0] as { rows?: unknown }).rows, DATASET.rows);
  });

  const search = (id: string, ...titles: readonly string[]): object[] => [
    { id, type: 'search_intent', search_intent: [{ query: `about ${id}` }] },
    {
      id,
      type: 'search_result',
      search_result: titles.map((title) => ({
        title,
        link: 'https://a.example/',
        media: 'A',
        content: 'text',
      })),
    },
  ];
  const reply = (...calls: readonly object[]): object => ({
    choices: [{ message: { tool_calls: calls } }],
  });

  test('a web search replaces the tool, with one part for each pair of intent and results', () => {
    const [intent, results] = search('1', 'One');
    const answer = reply(...search('2', 'Two', 'Three'), results ?? {}, intent ?? {});
    const { below, hidesTool } = present('zhipu_search_tool', answer, {
      query: 'asked',
    });
    assert.ok(hidesTool);
    const item = { url: 'https://a.example/', snippet: 'text', site: 'A', icon: '' };
    assert.deepEqual(below, [
      {
        kind: 'web-search',
        query: 'about 2',
        state: 'done',
        results: [
          { title: 'Two', ...item },
          { title: 'Three', ...item },
        ],
      },
      { kind: 'web-search', query: 'about 1', state: 'done', results: [{ title: 'One', ...item }] },
    ]);
  });

  test('a web search in progress shows its question', () => {
    const { below, hidesTool } = present('zhipu_search_tool', null, { query: 'asked' }, true);
    assert.deepEqual(below, [
      { kind: 'web-search', query: 'asked', results: [], state: 'running' },
    ]);
    assert.ok(hidesTool);
    assert.deepEqual(present('zhipu_search_tool', null, { query: 'asked' }).below, []);
  });

  test('a web search that has failed is shown as a tool', () => {
    const { below, rest } = present('zhipu_search_tool', { error: 'quota', details: '' });
    assert.deepEqual([below, rest], [[], { error: 'quota', details: '' }]);
  });

  test('URLs other than http and https are omitted', () => {
    const answer = reply({
      id: '1',
      search_result: [{ title: 'X', link: 'javascript:alert(1)', icon: 'data:,' }],
    });
    const [part] = present('zhipu_search_tool', answer).below;
    assert.deepEqual(part?.kind === 'web-search' && part.results, [
      { title: 'X', url: '', snippet: '', site: '', icon: '' },
    ]);
  });

  test('a search with citations shows its text in the tool and its sources below', () => {
    const answer = {
      answer: 'Open',
      references: [{ index: 0, title: 'News', link: 'https://n.example/', content: 'c' }],
    };
    const { text, below, rest, references } = present('online_search_cite_tool', answer);
    assert.equal(text?.source, 'Open');
    assert.deepEqual([below[0]?.kind, rest], ['web-search', null]);
    assert.equal(references.byIndex[0]?.url, 'https://n.example/');
  });

  test('documents are shown as passages: their slices, or their content', () => {
    const cites = [
      { doc_name: 'a.pdf', content: 'all', slices: [{ content: 'one' }, { content: 'two' }] },
      { doc_name: 'b.pdf', content: 'whole' },
    ];
    const { text, inside, rest } = present('doc_qa', {
      full_result: { text: 'See', cites, references: [] },
    });
    assert.equal(text?.source, 'See');
    assert.equal(rest, null);
    assert.deepEqual(
      inside[0]?.kind === 'passages' && inside[0].passages.map((each) => [each.source, each.text]),
      [
        ['a.pdf', 'one'],
        ['a.pdf', 'two'],
        ['b.pdf', 'whole'],
      ],
    );
  });

  test('code is shown with its output', () => {
    const answer = {
      result: { action: 'run', message: 'ok', result: { stdout: '1\n', stderr: 'warn', code: 0 } },
    };
    const { inside, rest } = present('execute_code', answer, {
      filename: 'a.py',
      content: 'print(1)',
    });
    const code = {
      kind: 'code',
      language: 'python',
      code: 'print(1)',
      output: '1\n',
      error: 'warn',
    };
    assert.deepEqual(inside, [code]);
    assert.deepEqual(rest, { action: 'run', message: 'ok', result: { code: 0 } });
  });

  test('a command is shown as shell code', () => {
    const { inside } = present('execute_command', { stdout: 'x' }, { command: 'ls' });
    assert.deepEqual(inside[0]?.kind === 'code' && [inside[0].language, inside[0].code], [
      'shell',
      'ls',
    ]);
  });

  test('a page is shown below the tool when its URL is http or https', () => {
    const answer = (url: string): object => ({
      stdout: '',
      result: { url, title: 'Map', size: [8, 6] },
    });
    const page = { kind: 'page', title: 'Map', url: 'https://map.example/' };
    assert.deepEqual(present('web_processor', answer('https://map.example/')).below, [page]);
    assert.deepEqual(present('web_processor', answer('javascript:alert(1)')).below, []);
  });

  test('entries of a catalog are shown as a table, whatever contains them', () => {
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

  test('nodes of a knowledge network are shown as a table of their properties', () => {
    const nodes = [{ object_type_id: 'pump', data_properties: { hall: 3 }, final_score: 0.5 }];
    const { inside, rest } = present('kn_search', { result: { nodes, object_types: ['pump'] } });
    assert.deepEqual((inside[0] as { rows?: unknown }).rows, [['pump', 0.5, 3]]);
    assert.deepEqual(rest, { object_types: ['pump'] });
  });

  test('parts are in the tool and below it, and the activity belongs to the first shown part', () => {
    const chart = { data: ROWS, chart_config: {} };
    const steps = [
      skillStep('text2sql', { sql: 'SELECT 1', data: ROWS }),
      skillStep('json2plot', chart),
      skillStep('zhipu_search_tool', reply(...search('1', 'One'))),
    ];
    const { parts, view } = showReply(createReply(steps));
    assert.deepEqual(
      parts.map((part) => [part.key, part.kind, part.parts?.map(({ kind }) => kind)]),
      [
        ['step-0', 'tool', ['table']],
        ['step-1', 'tool', undefined],
        ['step-1-below-0', 'chart', undefined],
        ['step-2-below-0', 'web-search', undefined],
      ],
    );
    assert.deepEqual(
      view.activity.map(({ fields }) => fields.part),
      ['step-0', 'step-1', 'step-2-below-0'],
    );
  });
});

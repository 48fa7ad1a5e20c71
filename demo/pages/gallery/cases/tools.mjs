/** @import { Case } from '../cases.mjs' */
/** @import * as Ubik from 'ubik-elements/controller.js' */
/** @import { RendererRule } from 'ubik-elements' */
import { search } from '../fixtures/thread-messages.mjs';
import {
  ended,
  output,
  parts,
  phases,
  requestActivity,
  running,
  toolActivity,
} from '../kit/live.mjs';
import { find, makeChat, makeTranscript, press, until } from '../kit/make.mjs';
import { answer, question, say, step, tool } from '../kit/write.mjs';

/** A picture of one colour, 96 × 32 px. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAAAgCAIAAABiouoDAAAARElEQVR42u3QQQkAAAgEsMtjSWsZzwb+hcESLNXDIQoECRIkSJAgQYIQJEiQIEGCBAlCkCBBggQJEiQIQYIECRIk6K8Fv+WM8Vdul3UAAAAASUVORK5CYII=';

const toBlob = () =>
  new Blob([Uint8Array.from(atob(PICTURE), (one) => one.charCodeAt(0))], { type: 'image/png' });

/**
 * A stored answer with calls.
 *
 * @param {string} name @param {string} title @param {readonly Ubik.PartTree[]} parts @param {Case['act']} [act] @returns {Case}
 */
const stored = (name, title, parts, act) => ({
  name: `tool-${name}`,
  title,
  make: (look) => makeTranscript(look, [answer(parts)], { toolFile: toBlob() }),
  ...(act && { act }),
});

/**
 * A run in progress, with calls and their activity.
 *
 * @param {string} name @param {string} title @param {readonly Ubik.PartTree[]} shown
 * @param {ReturnType<typeof toolActivity>[]} activity @param {Case['act']} [act] @returns {Case}
 */
const active = (name, title, shown, activity, act) => ({
  name: `tool-${name}`,
  title,
  make: (look) =>
    makeTranscript(look, [], { send: 'Go.', run: running(parts(shown), ...activity) }),
  ...(act && { act }),
});

/** @param {Element} element */
const expand = (element) => press(element, '.tool summary');

const ROWS = ['Volga', 'Danube', 'Ural', 'Dnieper'].map((name, at) => ({
  name,
  length_km: 3530 - at * 400,
  countries: at + 1,
}));

const working = tool('analyse_rivers', { kind: 'length' }, null, { state: 'running' });
const searching = tool('search_documents', { query: 'Danube' }, null, { state: 'running' });
const failing = tool('read_page', { url: 'https://rivers.example/' }, null);

/** A query whose rows are a table. @returns {Ubik.PartTree} */
const query = () => ({
  ...tool(
    'text2sql',
    { input: 'the longest rivers of Europe' },
    { cites: ['rivers'] },
    { toolType: 'sql_query', title: 'Longest rivers' },
  ),
  parts: [
    {
      kind: 'table',
      key: 'rows',
      title: 'Longest rivers',
      description: '',
      columns: [
        { name: 'name', type: 'text' },
        { name: 'length_km', type: 'number' },
        { name: 'countries', type: 'number' },
      ],
      rows: ROWS.map((row) => Object.values(row)),
      total: 4,
      source:
        'SELECT name, length_km, countries FROM rivers WHERE length_km > 1800 ORDER BY length_km DESC LIMIT 4',
    },
  ],
});

/** A metric with its value below the call. @returns {readonly Ubik.PartTree[]} */
const metric = () => {
  const title = 'Discharge of all rivers';
  const more = { toolType: 'metric_query', title };
  const call = tool('text2metric', { input: 'total discharge' }, null, more);
  const columns = /** @type {const} */ ([{ name: 'discharge', type: 'number' }]);
  const shown = { title, unit: 'm³/s', query: 'total discharge', columns, rows: [[48_210]] };
  return [call, { kind: 'metric', key: 'metric', tool: call.key, ...shown }];
};

const longest = () => [query(), say('The **Volga** is the longest, before the Danube.')];

/**
 * A chat with the details of the first call beside its messages.
 *
 * @param {string} name @param {string} title @param {'page' | 'phone'} size
 * @param {() => readonly Ubik.PartTree[]} [list] the parts of the answer @returns {Case}
 */
const details = (name, title, size, list = longest) => ({
  name: `tool-${name}`,
  title,
  size,
  make: (look) =>
    makeChat(look, {
      messages: [question('Which are the longest rivers of Europe?'), answer(list())],
    }),
  act: async (element) => {
    await press(element, '.tool summary');
    await press(element, '.open-details');
    await find(element, '.tool-details .data figure');
  },
});

/**
 * Two calls that renderers of the page show: one with a card, one with a heading above the built-in view.
 *
 * @type {readonly RendererRule[]}
 */
const RENDERERS = [
  {
    tool: 'get_weather',
    renderer: {
      mount(box, { tool: { input, result } }) {
        const { city } = Object(input);
        const { temperature } = Object(result);
        box.className = 'weather';
        box.append(
          Object.assign(document.createElement('strong'), { textContent: city }),
          `${temperature} °C`,
        );
      },
    },
  },
  {
    tool: 'delete_file',
    renderer: {
      mount(box, context) {
        const warning = document.createElement('strong');
        warning.textContent = 'This changes your files.';
        box.append(warning, context.standard());
      },
    },
  },
];

/** @type {readonly Case[]} */
export const tools = [
  stored('done', 'Completed call, collapsed', [search()]),
  stored('open', 'Completed call, expanded: input and result as trees', [search()], expand),
  stored(
    'table',
    'Result with rows, shown as a table',
    [tool('sql_query', { sql: 'SELECT * FROM rivers' }, { rows: ROWS })],
    expand,
  ),
  stored(
    'text',
    'Result that is text',
    [tool('read_file', { path: 'notes.md' }, 'Rivers are roads.\nThey move.')],
    expand,
  ),
  stored('nothing', 'Call without input and result', [tool('wait', null, null)], expand),
  stored('incomplete', 'Incomplete call', [
    tool('sql_query', { sql: 'SELECT 1' }, null, { state: 'incomplete' }),
  ]),
  stored('media', 'Result with an image and a file', [
    tool(
      'draw_chart',
      { kind: 'bars' },
      {
        picture: {
          type: 'media_reference',
          tool_id: 'draw_chart',
          execution_id: 'e1',
          asset_filename: 'rivers.png',
        },
        data: {
          type: 'media_reference',
          tool_id: 'draw_chart',
          execution_id: 'e1',
          asset_filename: 'rivers.csv',
        },
      },
    ),
    say('The longest are in blue.'),
  ]),
  active(
    'running',
    'Running call with its status',
    [working],
    [toolActivity(working, { message: 'Row 120 of 1,204' })],
  ),
  active(
    'output',
    'Running call with streamed output',
    [working],
    [
      toolActivity(working, { message: 'Running' }),
      output(working, 'stdout', 'reading rivers.csv\n120 rows\n'),
    ],
    expand,
  ),
  active(
    'phases',
    'Running call with its phases',
    [working],
    [
      toolActivity(working, { phase: 'GENERATION' }),
      phases(working, [
        { phase: 'SEARCH_PREPARATION' },
        { phase: 'WEB_SEARCH', message: 'rivers of Europe', data: { results_count: 12 } },
        { phase: 'SCRAPING_URLS', state: 'failed', message: 'The page cannot be reached.' },
        { data: { sources: ['rivers.csv', 'countries.csv'], output_key: 'sources' } },
        { phase: 'GENERATION', state: 'running', endedAt: null },
      ]),
    ],
    expand,
  ),
  active(
    'failed',
    'Failed call',
    [failing],
    [
      toolActivity(failing, {
        state: 'failed',
        reason: 'The page cannot be reached.',
        endedAt: Date.now(),
      }),
    ],
  ),
  {
    name: 'tool-waiting',
    title: 'Call that waits for approval',
    make: (look) =>
      makeTranscript(look, [], {
        send: 'Go.',
        run: ended(
          'waiting',
          parts([tool('export_table', { table: 'rivers' }, null, { state: 'waiting' })]),
        ),
      }),
  },
  stored('ends', 'Skipped, cancelled and failed calls', [
    tool('export_table', { table: 'rivers' }, null, { state: 'skipped' }),
    tool('draw_chart', { kind: 'bars' }, null, { state: 'cancelled' }),
    tool(
      'text2sql',
      { input: 'all rivers' },
      { error: 'There is no table "river".' },
      {
        toolType: 'sql_query',
        state: 'failed',
      },
    ),
  ]),
  stored('counts', 'Number of failed calls in the header of a step', [
    step(1, 'Look for sources', [
      tool('rag_search', { query: 'Danube' }, null, { state: 'failed' }),
      tool('web_search', { query: 'Danube' }, null, { state: 'failed' }),
      search(),
    ]),
    say('One of three sources answered.'),
  ]),
  stored('titles', 'Titles of well-known tools', [
    query(),
    tool('json2plot', { title: 'Rivers by sea' }, null, { toolType: 'chart' }),
    tool('doc_qa', { query: 'discharge' }, null, { toolType: 'rag_search' }),
    tool('kn_search', { query: 'basins' }, null, { toolType: 'knowledge_search' }),
  ]),
  details('details', 'Details beside the messages', 'page'),
  details('details-phone', 'Details on a phone', 'phone'),
  details('details-metric', 'Details of a call whose metric is below it', 'page', metric),
  active(
    'side-by-side',
    'Parallel calls',
    [working, searching, search()],
    [toolActivity(working, { message: 'Row 120 of 1,204' })],
  ),
  {
    name: 'tool-renderers',
    title: 'Calls that renderers of the page show: a card, and a heading above the built-in view',
    size: 'chat',
    make: async (look) =>
      Object.assign(
        await makeChat(look, {
          messages: [
            question('Clean up, and how is the weather?'),
            answer([
              tool('get_weather', { city: 'Vienna' }, { temperature: 21 }),
              tool('delete_file', { name: 'old.csv' }, { deleted: true }),
              say('It is warm in **Vienna**. The old file is deleted.'),
            ]),
          ],
        }),
        { renderers: RENDERERS, steps: 'list' },
      ),
    act: (element) => until(() => element.querySelector('.weather')),
  },
  {
    name: 'tool-of-page-question',
    title: 'Call of a tool of the page that the user has to allow',
    size: 'chat',
    make: async (look) =>
      Object.assign(
        await makeChat(
          look,
          {
            run: ended(
              'waiting',
              requestActivity('', {
                ...{ level: 'tool', toolName: 'choose_seat', executionId: 'e1' },
                toolInput: { row: 12, side: 'window' },
              }),
            ),
          },
          { send: 'Find me a seat at the window.' },
        ),
        {
          tools: {
            choose_seat: {
              description: 'Marks a seat in the plan on this page.',
              run: () => null,
            },
          },
        },
      ),
    act: (element) => find(element, '.host .primary'),
  },
];

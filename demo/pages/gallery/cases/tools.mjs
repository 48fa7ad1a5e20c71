/** @import { Case } from '../cases.mjs' */
/** @import * as Ubik from 'ubik-elements/controller.js' */
import { search } from '../fixtures/talks.mjs';
import { output, parts, phases, running, toolNews } from '../kit/live.mjs';
import { makeTranscript, press } from '../kit/make.mjs';
import { answer, say, tool } from '../kit/write.mjs';

/** A picture of one colour, 96 × 32 px. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAABCAIAAACUgoPjAAAAEElEQVR4nGPQyV/FAAYgCgAQ8AKrV3TlXwAAAABJRU5ErkJggg==';

const toBlob = () =>
  new Blob([Uint8Array.from(atob(PICTURE), (one) => one.charCodeAt(0))], { type: 'image/png' });

/**
 * @param {string} name @param {string} title @param {readonly Ubik.PartTree[]} parts @param {Case['act']} [act] @returns {Case}
 */
const done = (name, title, parts, act) => ({
  name: `tool-${name}`,
  title,
  make: (look) => makeTranscript(look, [answer(parts)], { media: toBlob() }),
  ...(act && { act }),
});

/**
 * @param {string} name @param {string} title @param {readonly Ubik.PartTree[]} shown
 * @param {ReturnType<typeof toolNews>[]} news @param {Case['act']} [act] @returns {Case}
 */
const live = (name, title, shown, news, act) => ({
  name: `tool-${name}`,
  title,
  make: (look) => makeTranscript(look, [], { send: 'Go.', run: running(parts(shown), ...news) }),
  ...(act && { act }),
});

/** @param {Element} element */
const unfold = (element) => press(element, '.tool summary');

const ROWS = ['Volga', 'Danube', 'Ural', 'Dnieper'].map((name, at) => ({
  name,
  length_km: 3530 - at * 400,
  countries: at + 1,
}));

const working = tool('analyse_rivers', { kind: 'length' }, null, { state: 'running' });
const searching = tool('search_documents', { query: 'Danube' }, null, { state: 'running' });
const failing = tool('read_page', { url: 'https://rivers.example/' }, null);

/** @type {readonly Case[]} */
export const tools = [
  done('done', 'Done, folded', [search()]),
  done('open', 'Unfolded: input and result as trees', [search()], unfold),
  done(
    'table',
    'A result of rows',
    [tool('sql_query', { sql: 'SELECT * FROM rivers' }, { rows: ROWS })],
    unfold,
  ),
  done(
    'text',
    'A result that is text',
    [tool('read_file', { path: 'notes.md' }, 'Rivers are roads.\nThey move.')],
    unfold,
  ),
  done('nothing', 'Without input and result', [tool('wait', null, null)], unfold),
  done('incomplete', 'Cut off', [
    tool('sql_query', { sql: 'SELECT 1' }, null, { state: 'incomplete' }),
  ]),
  done('media', 'A result with a picture and a file', [
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
  live(
    'running',
    'At work, with its status',
    [working],
    [toolNews(working, { message: 'Row 120 of 1,204' })],
  ),
  live(
    'output',
    'At work, with what it writes',
    [working],
    [
      toolNews(working, { message: 'Running' }),
      output(working, 'stdout', 'reading rivers.csv\n120 rows\n'),
    ],
    unfold,
  ),
  live(
    'phases',
    'At work, with its phases',
    [working],
    [
      toolNews(working, { phase: 'GENERATION' }),
      phases(working, [
        { phase: 'SEARCH_PREPARATION' },
        { phase: 'WEB_SEARCH', message: 'rivers of Europe', data: { results_count: 12 } },
        { phase: 'SCRAPING_URLS', state: 'failed', message: 'The page cannot be reached.' },
        { data: { sources: ['rivers.csv', 'countries.csv'], output_key: 'sources' } },
        { phase: 'GENERATION', state: 'running', endedAt: null },
      ]),
    ],
    unfold,
  ),
  live(
    'failed',
    'Failed',
    [failing],
    [
      toolNews(failing, {
        state: 'failed',
        reason: 'The page cannot be reached.',
        endedAt: Date.now(),
      }),
    ],
  ),
  live(
    'side-by-side',
    'Three at a time',
    [working, searching, search()],
    [toolNews(working, { message: 'Row 120 of 1,204' })],
  ),
];

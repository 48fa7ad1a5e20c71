import type { View } from './gallery-fixture.js';

/** A group of stored screenshots: one combination of settings, and its cases. */
export interface Shots extends View {
  /** Prefix of the file names. */
  readonly name: string;
  readonly cases: readonly string[];
}

/** The cases that most combinations of settings have in common. */
const MAIN_CASES = ['chat-conversation', 'run-steps', 'request-form'];

/** The cases of alerts and HTML elements in Markdown. */
const ELEMENTS = ['markdown-alerts', 'markdown-elements', 'markdown-arabic'];

/** The cases with stored screenshots. All other cases of the gallery are tested by axe, and reviewed by eye. */
export const SHOTS: readonly Shots[] = [
  {
    name: 'light',
    cases: [
      ...[
        'chat-empty',
        'chat-gate',
        'chat-gate-form',
        'chat-conversation',
        'chat-unreachable',
        'chat-waiting-out-of-sight',
      ],
      ...['run-steps', 'run-writing', 'run-waiting', 'run-failed', 'run-broken', 'run-queue'],
      ...['layout-page', 'layout-page-phone', 'layout-drawer', 'layout-folded'],
      ...['window-bubble', 'window-panel', 'chat-new-messages', 'chat-pinned'],
      ...['long-run', 'long-words', 'script-arabic', 'script-chinese', 'script-mixed'],
      ...['message-sources', 'message-actions', 'message-totals', 'part-step-open'],
      ...['part-error-details', 'part-error-advice', 'threads-listed-states'],
      ...['tool-open', 'tool-table', 'tool-output', 'tool-side-by-side'],
      ...['tool-details', 'tool-ends'],
      ...['request-form', 'request-complaints', 'request-choices', 'request-answered'],
      ...['markdown-prose', 'markdown-code', 'markdown-wide-table', ...ELEMENTS],
      ...[
        'composer-files',
        'composer-lines',
        'composer-dictation-paste',
        'composer-context',
        'composer-inputs',
        'threads-all',
        'documents-all',
        'documents-uploads',
      ],
      ...['checkpoints-all', 'branches-map'],
      ...['data-table', 'data-table-query', 'data-code', 'data-metric', 'data-metric-several'],
      ...['data-chart-line', 'data-chart-column', 'data-chart-pie', 'data-chart-ring'],
      ...['data-web-search-open', 'data-passages', 'data-page'],
    ],
  },
  {
    name: 'dark',
    look: { scheme: 'dark' },
    cases: [
      ...[...MAIN_CASES, 'chat-gate', 'markdown-code', ...ELEMENTS],
      ...['layout-page-phone', 'threads-all'],
      ...['data-table', 'data-code', 'data-chart-line', 'data-chart-pie', 'data-passages'],
    ],
  },
  {
    name: 'rtl',
    look: { dir: 'rtl' },
    cases: [
      ...MAIN_CASES,
      'chat-gate-form',
      'script-arabic',
      'window-bubble',
      'layout-page',
      'threads-all',
      'documents-all',
      ...['data-table', 'data-chart-column', 'data-web-search-open'],
    ],
  },
  { name: 'forced', forcedColors: true, cases: [...MAIN_CASES, 'data-table', 'data-chart-line'] },
  { name: 'compact', look: { density: 'compact' }, cases: ['chat-conversation'] },
  { name: 'own-colours', look: { theme: 'own-colours' }, cases: MAIN_CASES },
  { name: 'pink-serif', look: { theme: 'pink-serif' }, cases: ['chat-conversation'] },
  { name: 'hostile', look: { theme: 'hostile' }, cases: ['chat-conversation', 'layout-page'] },
];

/** Screenshots of the whole window, for cases that cover the page. */
export const COVERS: readonly Shots[] = [
  { name: 'cover', cases: ['checkpoints-dialog'] },
  { name: 'cover-compare', cases: ['branches-compare'] },
  { name: 'cover-keys', size: [720, 700], cases: ['chat-keys'] },
  { name: 'cover-commands', size: [720, 240], cases: ['composer-commands'] },
  { name: 'cover-phone', size: [390, 844], cases: ['checkpoints-dialog'] },
  { name: 'cover-phone-menu', size: [390, 844], cases: ['chat-menu'] },
];

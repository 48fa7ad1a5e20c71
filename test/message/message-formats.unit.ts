import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announcementStrings } from '../../src/locales/en-announcements.js';
import { messageStrings } from '../../src/locales/en-messages.js';
import { addDefaultStrings, findLocale } from '../../src/locales/locale.js';
import {
  announcementsOf,
  comparisonOf,
  hasMarkdown,
  messageMarkdown,
  messagePlainText,
} from '../../src/message/message-formats.js';
import type { Change } from '../../src/model/change.js';
import { ACTIVITY, type Part, type PartFields, type PartTree } from '../../src/model/part.js';
import { setupMessage } from '../helpers/model-message.js';

addDefaultStrings(announcementStrings);
addDefaultStrings(messageStrings);

const LOCALE = findLocale('en');
const MARK = { kind: 'citation', label: '[7]', source: 'x' } as const;

/** A part of each kind of content, most of them with text. */
const CONTENT: readonly PartTree[] = [
  { kind: 'text', key: 'text', text: ' One \uE000a\uE001\uE000gone\uE001. ', marks: { a: MARK } },
  { kind: 'thinking', key: 'thinking', state: 'closed', text: 'A thought' },
  {
    ...{ kind: 'step', key: 'step', number: 2, title: 'Read', single: false, state: 'completed' },
    parts: [
      {
        ...{ kind: 'tool', key: 'tool', name: 'rag_search', toolId: '1', state: 'done' },
        ...{ input: '{"query":"x"}', result: 'found' },
        parts: [{ kind: 'text', key: 'in-tool', text: 'In the tool' }],
      },
      { kind: 'text', key: 'in-step', text: 'In the step' },
    ],
  },
  { kind: 'checkpoint', key: 'checkpoint', name: 'before', text: 'Saved' },
  {
    ...{ kind: 'input-request', key: 'request', prompt: 'Which?', inputTypes: ['text'] },
    ...{ checkpointName: null, answer: '"This"' },
  },
  { kind: 'error', key: 'error', message: 'It broke.', details: '{"secret":1}' },
  { kind: 'unknown', key: 'unknown', name: 'poem', text: 'Roses' },
];

const EMPTY_TOOL_ACTIVITY = {
  kind: 'tool-activity',
  part: null,
  phase: '',
  status: '',
  message: '',
  data: null,
  startedAt: null,
  endedAt: null,
  subSession: null,
} as const;

function messageOf(...parts: readonly PartTree[]) {
  const { message, run } = setupMessage();
  run({ type: 'content', message: 'm', parts });
  return message();
}

/** A part of the content above, by its key. */
function partOf(key: string): Part {
  const part = messageOf(...CONTENT).parts.get(key);
  assert.ok(part);
  return part;
}

/** A part with these fields among the activity of a message. */
function partWith(value: PartFields): Part {
  const { message, run } = setupMessage();
  const change = { message: 'm', part: '@x', parent: ACTIVITY, before: null, value } as const;
  run({ type: 'part', ...change } satisfies Change);
  const part = message().parts.get('@x');
  assert.ok(part);
  return part;
}

test('messageMarkdown joins all texts, including those in steps, with the labels of known citations', () => {
  assert.equal(messageMarkdown(messageOf(...CONTENT)), 'One [7].\n\nIn the step');
});

test('messageMarkdown ends the code of a text before the next one', () => {
  const code = { kind: 'text', text: '```js\nlet a' } as const;
  const message = messageOf({ ...code, key: 'a' }, { ...code, key: 'b' });
  assert.equal(messageMarkdown(message), '```js\nlet a\n```\n\n```js\nlet a');
});

test('messageMarkdown is empty for a message without text', () => {
  const blank = { kind: 'text', key: 'blank', text: ' \n' } as const;
  assert.equal(messageMarkdown(messageOf(blank, ...CONTENT.slice(3))), '');
});

test('hasMarkdown finds a text at the top level and in a step, and nowhere else', () => {
  const [text, thinking, step, ...others] = CONTENT;
  assert.ok(text && thinking && step);
  assert.equal(hasMarkdown(messageOf(text)), true);
  assert.equal(hasMarkdown(messageOf(step)), true);
  assert.equal(hasMarkdown(messageOf(thinking, ...others)), false);
  const { parts: [tool] = [] } = step;
  assert.ok(tool);
  assert.equal(hasMarkdown(messageOf({ ...step, parts: [tool] })), false);
  assert.equal(hasMarkdown(messageOf({ kind: 'text', key: 'empty' })), false);
});

test('messagePlainText lists titles, texts, prompts and errors, without thinking and data of tools', () => {
  assert.equal(
    messagePlainText(messageOf(...CONTENT)),
    [
      'One [7].',
      'Read',
      'In the tool',
      'In the step',
      'Saved',
      'Which?',
      'It broke.',
      'Roses',
    ].join('\n\n'),
  );
});

test('comparisonOf returns the distinguishing values of each kind of content', () => {
  const expected = {
    text: 'blocks',
    thinking: ['A thought'],
    step: [2, 'Read'],
    tool: ['rag_search', '{"query":"x"}', 'found'],
    checkpoint: ['before'],
    request: ['Which?', '"This"'],
    error: ['It broke.'],
    unknown: ['Roses'],
  };
  for (const [key, values] of Object.entries(expected)) {
    assert.deepEqual(comparisonOf(partOf(key)), values, key);
  }
});

test('comparisonOf returns null for activity', () => {
  assert.equal(comparisonOf(partWith({ kind: 'output-activity', outputKey: 'x' })), null);
});

/** The announcements about a part of the content above. */
const announce = (part: Part) => announcementsOf(part, LOCALE, messageOf());

test('announcementsOf announces a text sentence by sentence', () => {
  assert.equal(announce(partOf('text')), 'sentences');
});

test('announcementsOf announces the number and title of a step, but not of a single one', () => {
  assert.deepEqual(announce(partOf('step')), [{ ids: ['step 2'], text: 'Step 2: Read' }]);
  const fields = { kind: 'step', number: 2, title: 'Read', state: 'running' } as const;
  assert.deepEqual(announce(partWith({ ...fields, single: true })), []);
});

test('announcementsOf announces a step without a number by its title', () => {
  const fields = { kind: 'step', number: null, title: 'Read', state: 'running' } as const;
  const [announcement] = announce(partWith({ ...fields, single: false })) ?? [];
  assert.deepEqual(announcement, { ids: [], text: 'Read' });
});

test('announcementsOf announces a tool, and its error after that', () => {
  const tool = { ...partOf('tool'), result: '{"error":"Too slow"}' } as Part;
  const announcements = announce(tool);
  assert.ok(announcements !== null && announcements !== 'sentences');
  assert.deepEqual(
    announcements.map(({ ids, text }) => [new Set(ids), text]),
    [
      [new Set(['tool 1']), 'Using Search documents'],
      [new Set(['tool 1 failed']), 'Search documents failed. Too slow'],
    ],
  );
  assert.equal(announce(partOf('tool'))?.length, 1);
  assert.equal(announce({ ...tool, state: 'skipped' } as Part)?.length, 1, 'skipped');
});

test('announcementsOf uses the same ids for a tool and its activity', () => {
  const fields = { ...EMPTY_TOOL_ACTIVITY, toolId: '1', name: 'rag_search', reason: 'Too slow' };
  const idsOf = (state: 'running' | 'failed'): readonly string[] => {
    const announcements = announce(partWith({ ...fields, state }));
    assert.ok(announcements !== null && announcements !== 'sentences');
    return announcements.flatMap(({ ids }) => [...new Set(ids)]);
  };
  assert.deepEqual(idsOf('running'), ['tool 1']);
  assert.deepEqual(idsOf('failed'), ['tool 1', 'tool 1 failed']);
});

test('comparisonOf returns the fields of data', () => {
  const fields = { kind: 'table', title: 'Rivers', description: '', columns: [] } as const;
  const table = { ...fields, rows: [[1]], total: 1, source: '' };
  const part = messageOf({ ...table, key: 'd' }).parts.get('d');
  assert.ok(part);
  assert.deepEqual(comparisonOf(part), [table]);
});

test('announcementsOf announces nothing for other kinds of content', () => {
  for (const key of ['thinking', 'checkpoint', 'request', 'error', 'unknown']) {
    assert.deepEqual(announce(partOf(key)), [], key);
  }
});

test('messagePlainText of an error is its message, with the advice if there is one', () => {
  const error = { kind: 'error', key: 'error', message: 'It broke.', details: null } as const;
  assert.equal(messagePlainText(messageOf(error)), 'It broke.');
  const advised = { ...error, advice: 'Try again.' };
  assert.equal(messagePlainText(messageOf(advised)), 'It broke. Try again.');
});

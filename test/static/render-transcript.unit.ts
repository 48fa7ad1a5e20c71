import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Parser } from 'htmlparser2';
import { isUbikError } from '../../src/errors.js';
import {
  renderTranscript,
  type TranscriptMessage,
  type TranscriptOptions,
} from '../../src/static/render-transcript.js';
import type { ActivityFields, PartTree } from '../../src/model/part.js';

type Parts = readonly PartTree[];

const question = (text: string): TranscriptMessage => ({
  fields: { role: 'user' },
  parts: [{ kind: 'text', key: 'text', text }],
});
const answer = (...parts: Parts): TranscriptMessage => ({ fields: { role: 'assistant' }, parts });
const text = (source: string): PartTree => ({
  kind: 'text',
  key: `text ${source.length}`,
  text: source,
});

/** The elements and texts of HTML, read by an independent parser, without style sheets. */
interface Parsed {
  readonly tags: readonly { readonly name: string; readonly attributes: Record<string, string> }[];
  readonly text: string;
}

function parse(html: string): Parsed {
  const tags: { name: string; attributes: Record<string, string> }[] = [];
  let content = '';
  let isStyle = false;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      isStyle = name === 'style';
      tags.push({ name, attributes });
    },
    onclosetag: () => (isStyle = false),
    ontext: (data) => (content += isStyle ? '' : data),
  });
  parser.end(html);
  return { tags, text: content };
}

async function render(
  messages: readonly TranscriptMessage[],
  options?: TranscriptOptions,
): Promise<Parsed> {
  return parse(await renderTranscript(messages, options));
}

const named = ({ tags }: Parsed, name: string): Parsed['tags'] =>
  tags.filter((tag) => tag.name === name);

test('transcript is rendered without a DOM', async () => {
  assert.equal('document' in globalThis, false);
  const { text: shown, tags } = await render([
    question('What is it?'),
    answer(text('It is **42**.')),
  ]);
  assert.match(shown, /What is it\?/);
  assert.match(shown, /It is 42\./);
  assert.ok(tags.some(({ name }) => name === 'strong'));
  const [host] = named({ tags, text: '' }, 'ubik-transcript');
  const [shadow] = named({ tags, text: '' }, 'template');
  assert.ok(host);
  assert.deepEqual(shadow?.attributes, { shadowrootmode: 'open' });
});

test('transcript has the labels of a language, and its direction', async () => {
  const french = await render([question('Bonjour')], { lang: 'fr' });
  const [article] = named(french, 'article');
  assert.equal(article?.attributes['aria-label'], 'Vous');
  const arabic = await render([question('?')], { lang: 'ar', contentLang: 'en' });
  const box = arabic.tags.find(({ attributes }) => attributes['class'] === 'ubik');
  assert.equal(box?.attributes['dir'], 'rtl');
  assert.equal(box?.attributes['lang'], 'ar');
});

const ROWS = Array.from({ length: 11 }, (_, row) => [`row ${String(row)}`]);
const TABLE: PartTree = {
  kind: 'table',
  key: 'table',
  title: '',
  description: '',
  total: null,
  source: '',
  columns: [{ name: 'a', type: 'text' }],
  rows: ROWS,
};

for (const [what, part] of [
  ['a text', text(`| a |\n|---|\n${ROWS.map(([cell]) => `| ${String(cell)} |`).join('\n')}`)],
  ['the Markdown of a data part', TABLE],
] as const) {
  test(`transcript shows a table of many rows at the end of ${what}`, async () => {
    const shown = await render([answer(part)]);
    assert.equal(named(shown, 'tr').length, ROWS.length + 1);
    assert.match(shown.text, /row 10/);
  });
}

test('transcript names a checkpoint like the message: in place of a generated name, by the step before it', async () => {
  const { text: shown } = await render([
    answer(
      { kind: 'checkpoint', key: 'c1', name: 'run-1' },
      { kind: 'step', key: 's', number: 2, title: 'Read', single: false, state: 'completed' },
      text('Found'),
      { kind: 'checkpoint', key: 'c2', name: 'run-1-step-2' },
      { kind: 'checkpoint', key: 'c3', name: 'Before writing' },
    ),
  ]);
  // No step precedes the first checkpoint, which therefore keeps its name.
  assert.match(shown, /Checkpointrun-1Step 2 Read/);
  assert.match(shown, /FoundCheckpointAfter step 2: ReadCheckpointBefore writing/);
});

test('transcript names the checkpoint from which an answer was restored like the message does', async () => {
  const restored = answer(text('Other'));
  const { text: shown } = await render([
    answer(
      { kind: 'step', key: 's', number: 2, title: 'Read', single: false, state: 'completed' },
      { kind: 'checkpoint', key: 'c', name: 'run-1-step-2' },
    ),
    {
      ...restored,
      fields: { ...restored.fields, restoredFrom: { checkpoint: 'run-1-step-2', hint: null } },
    },
  ]);
  assert.doesNotMatch(shown, /run-1-step-2/);
});

test('transcript shows times and the reason of a failure that the service stores beside the content', async () => {
  const tool = { kind: 'tool', name: 'seat', toolId: 't', state: 'done' } as const;
  const activity: ActivityFields = {
    ...{ kind: 'tool-activity', name: 'seat', toolId: 't', part: 'b', state: 'failed' },
    ...{ phase: '', status: '', message: '', data: null, subSession: null },
    ...{ reason: 'No seat is free', startedAt: 1000, endedAt: 3500 },
  };
  const content = answer(
    { ...tool, key: 'a', input: null, result: null },
    { ...tool, key: 'b', input: null, result: null },
    text('Sorry.'),
  );
  const { text: without } = await render([content]);
  assert.doesNotMatch(without, /No seat is free|2\.5s|failed/);
  const { text: shown } = await render([
    { ...content, activity: [{ key: 'b activity', fields: activity }] },
  ]);
  // The time of the work, in the line that summarizes it; then that of the call.
  assert.match(shown, /2 tools 1 failed 2\.5s.*No seat is free 2\.5s.*Sorry/);
});

test('transcript omits messages of the system, and details of errors', async () => {
  const { text: shown } = await render([
    { fields: { role: 'system' }, parts: [text('Be kind.')] },
    answer({
      kind: 'error',
      key: 'error',
      message: 'The index is down.',
      advice: 'Try again.',
      code: 'E1',
      details: 'stack trace of the server',
    }),
  ]);
  assert.doesNotMatch(shown, /Be kind|stack trace/);
  assert.match(shown, /The index is down\..*Try again\./s);
});

/** A step that the service has not reported as completed. */
const unfinishedStep = (key: string): PartTree => ({
  kind: 'step',
  key,
  number: null,
  title: key,
  state: 'running',
  single: false,
});

for (const [what, status, end] of [
  ['of a failed message', 'failed', []],
  ['before an error', 'complete', [{ kind: 'error', key: 'e', message: 'No disk', details: null }]],
] as const) {
  test(`transcript shows the last step ${what} as failed, as the element does`, async () => {
    const parts: Parts = [unfinishedStep('first'), unfinishedStep('last'), ...end];
    const shown = await render([{ fields: { role: 'assistant', status }, parts }]);
    const states = named(shown, 'details')
      .filter(({ attributes }) => attributes['part'] === 'step')
      .map(({ attributes }) => attributes['data-state']);
    assert.deepEqual(states, ['open-ended', 'failed']);
    assert.match(shown.text, /last\s+failed/);
  });
}

const ATTACK =
  '</template></ubik-transcript><script>act()</script><img src=x onerror="act()">"\'&lt;\0';
const LINK = 'javascript:act()';

/** Parts of every kind except data, in which every text is an attack. */
const HOSTILE_PARTS: Parts = [
  {
    kind: 'text',
    key: 'a',
    text: `${ATTACK}\n\n[${ATTACK}](${LINK}) ![${ATTACK}](${LINK})\n\n\`\`\`${ATTACK}\n${ATTACK}\n\`\`\``,
  },
  { kind: 'thinking', key: 'b', text: ATTACK, state: 'closed' },
  {
    kind: 'step',
    key: 'c',
    number: 1,
    title: ATTACK,
    state: 'completed',
    single: false,
    parts: [
      {
        kind: 'tool',
        key: 'd',
        toolId: ATTACK,
        name: ATTACK,
        title: ATTACK,
        input: ATTACK,
        result: ATTACK,
        state: 'done',
      },
    ],
  },
  { kind: 'checkpoint', key: 'e', name: ATTACK },
  { kind: 'input-request', key: 'f', prompt: ATTACK, answer: ATTACK },
  { kind: 'error', key: 'g', message: ATTACK, advice: ATTACK, code: ATTACK, details: ATTACK },
  { kind: 'unknown', key: 'h', name: ATTACK, text: ATTACK },
] as unknown as Parts;

test('transcript of a hostile conversation has no active elements, no event attributes and no script URLs', async () => {
  const fields = {
    role: 'assistant',
    contextTitle: ATTACK,
    attachments: [{ name: ATTACK }],
    restoredFrom: { checkpoint: ATTACK, hint: ATTACK },
  } as unknown as TranscriptMessage['fields'];
  const options = {
    id: ATTACK,
    nonce: ATTACK,
    lang: ATTACK,
    contentLang: ATTACK,
    linkBase: ATTACK,
  };
  const parsed = await render([question(ATTACK), { fields, parts: HOSTILE_PARTS }], options);
  const names = new Set(parsed.tags.map(({ name }) => name));
  for (const name of ['script', 'img', 'iframe', 'object', 'link', 'base', 'meta', 'form']) {
    assert.equal(names.has(name), false, name);
  }
  assert.equal(named(parsed, 'ubik-transcript').length, 1);
  assert.equal(named(parsed, 'template').length, 1);
  for (const { name, attributes } of parsed.tags) {
    for (const [attribute, value] of Object.entries(attributes)) {
      assert.doesNotMatch(attribute, /^on|style|srcdoc/, name);
      if (attribute === 'href' || attribute === 'src')
        assert.doesNotMatch(value, /^\s*javascript:/i);
    }
  }
  assert.match(parsed.text, /<script>act\(\)<\/script>/);
});

test('transcript has the nonce on each style element, and link-base for the element', async () => {
  const parsed = await render([answer(text('[a](b.html)'))], {
    nonce: 'n1',
    linkBase: 'https://docs.example/guide/',
  });
  assert.deepEqual(
    named(parsed, 'style').map(({ attributes }) => attributes['nonce']),
    ['n1', 'n1'],
  );
  assert.equal(named(parsed, 'a')[0]?.attributes['href'], 'https://docs.example/guide/b.html');
  const [host] = named(parsed, 'ubik-transcript');
  assert.equal(host?.attributes['link-base'], 'https://docs.example/guide/');
});

for (const [what, message] of [
  ['without fields', { parts: [] }],
  ['without a role', { fields: {}, parts: [] }],
  ['without parts', { fields: { role: 'user' } }],
  ['that is null', null],
] as const) {
  test(`message ${what} is rejected with a sentence that says what is needed`, async () => {
    const messages = [question('a'), message as unknown as TranscriptMessage];
    await assert.rejects(renderTranscript(messages), (error) => {
      assert.ok(isUbikError(error));
      assert.equal(error.code, 'misuse');
      assert.match(error.message, /message 1 needs "fields" with a "role", and "parts"/);
      return true;
    });
  });
}

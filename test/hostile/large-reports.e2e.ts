import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { printEvent } from '../helpers/stub-service.js';
import { setupTestBrowser } from './security-fixture.js';
import { LONGEST, longestOf, untilStill } from './task-times.js';
import { sampleOf } from '../helpers/sample.js';

const testBrowser = setupTestBrowser();

/** Limit of elements in one answer, whatever was reported: values are rendered in slices of 100 entries. */
const MOST_NODES = 5000;
const TEXT = 'The Danube flows through ten countries.';

const keys = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, at])));

/** JSON that is expensive to parse or to render. */
const VALUES: Readonly<Record<string, string>> = {
  'a text of a megabyte': JSON.stringify({ text: 'x'.repeat(1_000_000) }),
  '10,000 levels': `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  '100,000 keys': keys(100_000),
  // As many as fit into one report.
  '4,000 keys': keys(4000),
  '90 levels': `{"a":${'['.repeat(90)}${']'.repeat(90)}}`,
  'names of prototypes':
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":{"a":{}}}',
};

/** Places of a run where a service reports arbitrary data: reports, whose total size is limited, and tool payloads. */
const PLACES: Readonly<Record<string, (value: string) => readonly string[]>> = {
  'every report': (value) => [
    raw('agent_progress', `"step":${value},"progress":${value},"description":${value}`),
    raw('agent_step_started', '"step":1,"description":"Search"'),
    raw('tool_update', `${TOOL},"status":"running","data":${value},"message":${value}`),
    raw('tool_update', `${TOOL},"update":{"phase":"A","status":"running","data":${value}}`),
    raw('agent_step_completed', `"step":1,"results":${value}`),
  ],
  'the input of a tool': (value) => [chunk(tagged(value, '{}'))],
  'the result of a tool': (value) => [chunk(tagged('{}', value))],
};

const TOOL = '"tool_execution_id":"c1","tool_name":"search"';

function raw(type: string, fields: string): string {
  return `data: {"type":"${type}",${fields}}\n\n`;
}

function chunk(content: string): string {
  return printEvent('response_chunk', { content });
}

/** A tool call as written in the text of an answer. */
function tagged(input: string, result: string): string {
  return [
    '<<TOOL_STEP_START/search:c1>>',
    `<<TOOL_STEP_INPUT_START>>${input}<<TOOL_STEP_INPUT_END>>`,
    `<<TOOL_STEP_RESULT_START>>${result}<<TOOL_STEP_RESULT_END>>`,
    '<<TOOL_STEP_END/search:c1>>\n\n',
  ].join('\n');
}

/** Replaces the chat on the page, sends a question, and waits for the end of the run. */
async function ask(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.querySelector('ubik-chat')?.remove();
    // Start without the earlier thread.
    localStorage.clear();
    sessionStorage.clear();
    const chat = document.createElement('ubik-chat');
    chat.setAttribute('base-url', '/api');
    chat.addEventListener('ubik-run-completed', () => {
      chat.dataset['ended'] = '';
    });
    document.body.append(chat);
  });
  const box = await page.waitForSelector('ubik-chat >>> .field textarea', { visible: true });
  await box?.type('Which countries?');
  await page.keyboard.press('Enter');
  await page.waitForSelector('ubik-chat[data-ended]');
  await page.evaluate(untilStill, 'ubik-chat');
}

async function showStored(page: Page, content: string): Promise<void> {
  await page.evaluate((text) => {
    const message = document.createElement('ubik-message') as HTMLElement & { content: string };
    message.content = text;
    document.body.append(message);
  }, content);
  await page.waitForFunction(() =>
    document.querySelector('ubik-message')?.shadowRoot?.querySelector('[part~=message]'),
  );
  await page.evaluate(untilStill, 'ubik-message');
}

/** Opens all disclosures, three levels deep. */
async function openAll(page: Page, selector: string): Promise<void> {
  for (let level = 0; level < 3; level += 1) {
    await page.evaluate((host) => {
      const root = document.querySelector(host)?.shadowRoot;
      const summaries = root?.querySelectorAll<HTMLElement>('details:not([open]) > summary') ?? [];
      for (const summary of summaries) summary.click();
    }, selector);
    await page.evaluate(untilStill, selector);
  }
}

/** Measures showing content and opening its disclosures, and checks the resulting page. */
async function check(
  subject: string,
  page: Page,
  selector: string,
  show: () => Promise<void>,
): Promise<void> {
  for (const [name, act] of [
    ['shown', show],
    ['opened', () => openAll(page, selector)],
  ] as const) {
    const longest = await longestOf(page, 1, act);
    assert.ok(longest <= LONGEST, `${subject}, ${name}: ${longest.toFixed(0)} ms`);
  }
  const { nodes, text, polluted } = await page.evaluate((host) => {
    const root = document.querySelector(host)?.shadowRoot;
    return {
      nodes: root?.querySelectorAll('*').length ?? 0,
      text: root?.textContent ?? '',
      polluted: 'polluted' in {},
    };
  }, selector);
  assert.ok(nodes < MOST_NODES, `${subject}: ${String(nodes)} nodes`);
  assert.ok(text.includes(TEXT), `${subject}: the answer is shown`);
  assert.ok(!polluted, `${subject}: no prototype is polluted`);
}

/** The stream of an answer with events, and a result at its end. */
function answerWith(events: readonly string[], result = '{}'): readonly string[] {
  return [
    printEvent('connection_established', { task_id: 't1' }),
    printEvent('agent_processing_started', { task_id: 't1' }),
    ...events,
    chunk(TEXT),
    raw('agent_processing_complete', `"message_id":"m1","content":"","result":${result}`),
  ];
}

const MANY = Array.from({ length: 20_000 }, (_, at) => at);
const floods = [
  [
    '20,000 phases of a tool',
    MANY.map((at) => raw('tool_update', `${TOOL},"update":{"phase":"P${at}","status":"running"}`)),
  ],
  [
    '20,000 reports of progress',
    MANY.map((at) => raw('agent_progress', `"step":${at},"total_steps":20000,"description":"x"`)),
  ],
].map(([name, events]) => [name as string, answerWith(events as string[])] as const);

for (const [content, value] of sampleOf(Object.entries(VALUES), 3)) {
  test(`JSON with ${content} is shown in any place of a run or a stored tool without a long task, collapsed and expanded`, async () => {
    const { stub, open } = testBrowser();
    const { page } = await open('/open', 'real');
    for (const [place, createEvents] of Object.entries(PLACES)) {
      stub.setResponses({ stream: answerWith(createEvents(value), value), messages: [] });
      await check(place, page, 'ubik-chat', () => ask(page));
    }
    await check('a stored tool', page, 'ubik-message', () =>
      showStored(page, `${TEXT}\n\n${tagged('{}', value)}`),
    );
  });
}

for (const [name, stream] of sampleOf(floods, 2)) {
  test(`a run with ${name} is shown without a long task, collapsed and expanded`, async () => {
    const { stub, open } = testBrowser();
    stub.setResponses({ stream, messages: [] });
    const { page } = await open('/open', 'real');
    await check(name, page, 'ubik-chat', () => ask(page));
  });
}

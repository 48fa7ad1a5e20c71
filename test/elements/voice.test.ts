import { expect } from '@open-wc/testing';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { UbikError } from '../../src/errors.js';
import type { Change } from '../../src/model/change.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { part, step, stepActivity, tool, toolActivity } from '../message/message-stage.js';
import { setupChat } from './chat-stage.js';

/** A chat whose sentences are written down as they are said: those that wait, and with a "!" those that do not. */
async function setupVoice(prepare: (chat: UbikChat) => void = () => undefined) {
  const stage = await setupChat(prepare);
  const said: string[] = [];
  const [polite, urgent] = stage.root.querySelectorAll('[aria-live]');
  for (const [region, mark] of [
    [polite, ''],
    [urgent, '!'],
  ] as const) {
    new MutationObserver((records) => {
      for (const { addedNodes } of records) {
        for (const node of addedNodes) said.push(`${mark}${node.textContent ?? ''}`);
      }
    }).observe(region as Element, { childList: true, subtree: true, characterData: true });
  }
  return {
    ...stage,
    /** What the agent does, each in a frame of its own. */
    does: async (...changes: Change[]): Promise<void> => {
      const message = stage.backend.stream.keys.answer;
      for (const change of changes) {
        stage.backend.stream.push('message' in change ? { ...change, message } : change);
        await stage.settle();
      }
    },
    /** What was said since the last call. */
    said: (): string[] => said.splice(0),
  };
}

/** An answer piece by piece: text, a step, tools, and a question. */
const COURSE: readonly (readonly [change: Change, said: readonly string[]])[] = [
  [textAt('/0:text', 0, 'I look. The ta'), ['I look.']],
  [textAt('/0:text', 14, 'ble is'), []],
  [part('step:1', step(1, 'Read')), ['The table is', 'Step 1: Read']],
  [part('@step:1', stepActivity(1, { status: 'Reading', progress: 30 }), '@activity'), []],
  [part('t', { kind: 'thinking', state: 'open' }, 'step:1'), []],
  [textAt('t', 0, 'Nobody hears this.\n'), []],
  [part('@tool:a', toolActivity('a', null), '@activity'), ['Using Search documents']],
  [part('tool:a', tool('a'), 'step:1'), []],
  [part('tool:a', tool('a', { state: 'done', result: '{"rows":1}' }), 'step:1'), []],
  [part('tool:b', tool('b', { name: 'web_search' }), 'step:1'), ['Using Search the web']],
  [
    part(
      'tool:b',
      tool('b', { name: 'web_search', state: 'done', result: '{"error":"no net"}' }),
      'step:1',
    ),
    ['Search the web failed. no net'],
  ],
  [part('x', { kind: 'text' }, 'step:1'), []],
  [textAt('x', 0, '**Two** rivers. '), ['Two rivers.']],
  [textAt('x', 0, '**Two** rivers. And'), []],
];

function textAt(key: string, at: number, text: string): Change {
  return { type: 'text', message: 'm', part: key, at, text };
}

describe('the voice', () => {
  it('says finished sentences, each once, and never pieces', async () => {
    const { start, backend, settle, root } = await setupChat();
    const said = (): string[] =>
      [...(root.querySelector('[aria-live]')?.children ?? [])].map(
        ({ textContent }) => textContent,
      );
    await start();
    expect(said()).to.deep.equal(['Working…']);
    root.querySelector('[aria-live] p')?.remove();
    backend.stream.say(0, 'The **first** sentence. And the sec');
    await settle();
    expect(said()).to.deep.equal(['The first sentence.']);
    backend.stream.say(35, 'ond');
    await settle();
    expect(said()).to.deep.equal(['The first sentence.']);
    backend.stream.say(38, ' one. ');
    await settle();
    expect(said()).to.deep.equal(['The first sentence.', 'And the second one.']);
    backend.stream.say(44, 'No end');
    backend.stream.finish('complete');
    await settle();
    expect(said()).to.deep.equal([
      'The first sentence.',
      'And the second one.',
      'No end',
      'The answer is complete.',
    ]);
  });

  it('says a numbered list of sources line by line, each with its own number', async () => {
    const { start, does, said } = await setupVoice();
    await start();
    said();
    const texts = ['Sources:\n\n', '1. ', 'rivers.csv', '\n', '2. ', 'Rivers of ', 'Europe\n'];
    let at = 0;
    for (const text of texts) {
      await does(textAt('/0:text', at, text));
      at += text.length;
    }
    expect(said()).to.deep.equal(['Sources:', '1. rivers.csv', '2. Rivers of Europe']);
  });

  it('spells out no signs of a table', async () => {
    const { start, backend, settle, root } = await setupChat();
    await start();
    backend.stream.say(0, '| River | Length |\n|:---|---:|\n| Volga | 3530 |\n');
    await settle();
    const words = root.querySelector('[aria-live]')?.lastElementChild?.textContent.split(/\s+/);
    expect(words).to.deep.equal(['River', 'Length', 'Volga', '3530']);
  });

  it('says nothing of what was loaded', async () => {
    const { controller, backend, settle, root } = await setupChat();
    backend.threads.set(
      't',
      contentOf('t', [stored('a', 'user', 'Q'), stored('b', 'assistant', 'Old. News.')]),
    );
    await controller.openThread('t');
    await settle();
    expect(root.querySelector('[aria-live]')?.textContent).to.equal('');
  });

  it('tells of steps, tools and a question, word by word', async () => {
    const { start, backend, does, said, settle } = await setupVoice();
    await start();
    expect(said()).to.deep.equal(['Working…']);
    for (const [change, words] of COURSE) {
      await does(change);
      expect(said(), JSON.stringify(change)).to.deep.equal(words);
    }
    backend.stream.ask('@request:a');
    backend.stream.finish('waiting');
    await settle();
    expect(said()).to.deep.equal(['And', 'The assistant needs an answer from you. Which year?']);
    await settle();
    expect(said()).to.deep.equal([]);
  });

  it('goes on where an answer that was joined stands', async () => {
    const { start, does, said, controller, box, chat, settle } = await setupVoice();
    await start();
    await does(textAt('/0:text', 0, 'Said before. Un'));
    expect(said()).to.deep.equal(['Working…', 'Said before.']);
    const other = document.createElement('ubik-chat');
    other.controller = controller;
    box.append(other);
    await other.updateComplete;
    await settle();
    await does(textAt('/0:text', 15, 'said. Mo'));
    expect(said()).to.deep.equal(['Unsaid.']);
    const late = other.shadowRoot?.querySelector('[aria-live]')?.textContent;
    expect(late).to.equal('said.');
    expect(chat.isConnected).to.equal(true);
  });

  it('says how the connection stands, once, and at once what went wrong', async () => {
    const { start, backend, does, said, settle } = await setupVoice();
    await start();
    const run = (state: 'stalled' | 'broken' | 'rejoining' | 'streaming'): Change => ({
      type: 'thread',
      set: { run: { state, retryAt: 5000 } },
    });
    said();
    await does(run('stalled'), run('broken'), run('rejoining'), run('streaming'));
    expect(said()).to.deep.equal([
      'No response for a while. Still waiting…',
      'The connection was lost. Reconnecting…',
    ]);
    backend.stream.finish('failed');
    await settle();
    expect(said().filter((words) => words.startsWith('!')).length).to.equal(1);
  });

  it('says that the page is offline, and of a run that its answer comes later', async () => {
    const { start, settle, said } = await setupVoice();
    window.dispatchEvent(new Event('offline'));
    await settle();
    expect(said()).to.deep.equal(['You are offline. What you write is kept.']);
    await start();
    said();
    window.dispatchEvent(new Event('offline'));
    await settle();
    expect(said()).to.deep.equal([
      'You are offline. The answer continues when the network is back.',
    ]);
  });

  it('leaves it to the field to say what was not sent', async () => {
    const { write, press, settle, backend, said, text } = await setupVoice();
    write('x');
    press('Enter');
    await settle();
    backend.stream.fail(new UbikError('too-large', 'no'));
    await settle();
    expect(text('.complaint')).to.equal('Not sent. This is too large for the service.');
    expect(said()).to.deep.equal([]);
  });

  it('says as much as the page wants', async () => {
    const told: Record<string, string[]> = {};
    for (const level of ['brief', 'off']) {
      const stage = await setupVoice((chat) => (chat.announce = level));
      await stage.start();
      for (const [change] of COURSE) await stage.does(change);
      stage.backend.stream.finish('complete');
      await stage.settle();
      told[level] = stage.said();
    }
    expect(told).to.deep.equal({ brief: ['Working…', 'The answer is complete.'], off: [] });
  });
});

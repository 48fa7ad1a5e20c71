import { expect } from '@open-wc/testing';
import { lazyRunAnnouncer } from '../../src/elements/announcements/lazy-announcer.js';
import { lazyViews } from '../../src/elements/transcript/lazy-views.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { UbikError } from '../../src/errors.js';
import type { Change } from '../../src/model/change.js';
import type { PartFields } from '../../src/model/part.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import {
  loadDataView,
  part,
  step,
  stepActivity,
  tool,
  toolActivity,
} from '../message/message-fixture.js';
import { waitFor } from '../helpers/wait-for.js';
import { nextFrame, pressKey, setupChat, setupController } from './chat-fixture.js';

type Fixture = Awaited<ReturnType<typeof setupAnnouncements>>;

const CHART: PartFields = {
  kind: 'chart',
  title: 'Sales',
  chartType: 'line',
  columns: [
    { name: 'month', type: 'text' },
    { name: 'sales', type: 'number' },
  ],
  rows: [['January', 1200]],
  dimension: 'month',
  measures: ['sales'],
  groupBy: null,
};

/** A chat whose announcements are recorded; assertive ones start with "!". */
async function setupAnnouncements(prepare: (chat: UbikChat) => void = () => undefined) {
  const fixture = await setupChat(prepare);
  const announced: string[] = [];
  const [polite, urgent] = fixture.root.querySelectorAll('[aria-live]');
  for (const [region, mark] of [
    [polite, ''],
    [urgent, '!'],
  ] as const) {
    new MutationObserver((records) => {
      for (const { addedNodes } of records) {
        for (const node of addedNodes) announced.push(`${mark}${node.textContent ?? ''}`);
      }
    }).observe(region as Element, { childList: true, subtree: true, characterData: true });
  }
  return {
    ...fixture,
    /** Applies changes of the run, each in its own frame. */
    applyChanges: async (...changes: Change[]): Promise<void> => {
      const message = fixture.backend.stream.keys.answer;
      for (const change of changes) {
        fixture.backend.stream.push('message' in change ? { ...change, message } : change);
        await fixture.settle();
      }
    },
    /** Announcements since the last call. */
    announced: (): string[] => announced.splice(0),
  };
}

/** The changes of an answer with text, a step and tools, each with what is announced after it. */
const RUN: readonly (readonly [change: Change, announced: readonly string[]])[] = [
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

describe('announcements', () => {
  it('contain complete sentences, each once', async () => {
    const { start, backend, settle, root } = await setupChat();
    const announced = (): string[] =>
      [...(root.querySelector('[aria-live]')?.children ?? [])].map(
        ({ textContent }) => textContent,
      );
    await start();
    expect(announced()).to.deep.equal(['Working…']);
    root.querySelector('[aria-live] p')?.remove();
    backend.stream.append(0, 'The **first** sentence. And the sec');
    await settle();
    expect(announced()).to.deep.equal(['The first sentence.']);
    backend.stream.append(35, 'ond');
    await settle();
    expect(announced()).to.deep.equal(['The first sentence.']);
    backend.stream.append(38, ' one. ');
    await settle();
    expect(announced()).to.deep.equal(['The first sentence.', 'And the second one.']);
    backend.stream.append(44, 'No end');
    backend.stream.finish('complete');
    await settle();
    expect(announced()).to.deep.equal([
      'The first sentence.',
      'And the second one.',
      'No end',
      'The answer is complete.',
    ]);
  });

  /** Texts in pieces, each with what is announced after it. */
  for (const [language, ...pieces] of [
    [
      'Chinese',
      ['多瑙河长2850公里。伏尔', '多瑙河长2850公里。'],
      ['加河更长！真的？！', '伏尔加河更长！'],
      ['他说：“是的。', '真的？！'],
      ['”然后', '他说：“是的。”'],
      ['他走了', ''],
    ],
    [
      'Japanese',
      ['ドナウ川は2850kmです。', ''],
      ['「ボルガ川は？', 'ドナウ川は2850kmです。'],
      ['」と聞いた。', '「ボルガ川は？」'],
      ['**長い。**はい', 'と聞いた。長い。'],
    ],
    [
      'English',
      ['It is **long.** It is 3.5', 'It is long.'],
      [' km wide (really!) “Yes.” Or', 'It is 3.5 km wide (really!) “Yes.”'],
    ],
    ['Hindi', ['यह लंबी है। और', 'यह लंबी है।']],
  ] as const) {
    it(`contain each sentence as soon as it is complete (${language})`, async () => {
      const { start, applyChanges, announced } = await setupAnnouncements();
      await start();
      announced();
      let at = 0;
      for (const [text, sentences] of pieces) {
        await applyChanges(textAt('/0:text', at, text));
        at += text.length;
        expect(announced().join('|'), text).to.equal(sentences);
      }
    });
  }

  it('contain a numbered list line by line, each with its number', async () => {
    const { start, applyChanges, announced } = await setupAnnouncements();
    await start();
    announced();
    const texts = ['Sources:\n\n', '1. ', 'rivers.csv', '\n', '2. ', 'Rivers of ', 'Europe\n'];
    let at = 0;
    for (const text of texts) {
      await applyChanges(textAt('/0:text', at, text));
      at += text.length;
    }
    expect(announced()).to.deep.equal(['Sources:', '1. rivers.csv', '2. Rivers of Europe']);
  });

  it('contain several sentences of a text that grows in each frame, in order and none twice', async () => {
    const { start, backend, announced, settle } = await setupAnnouncements();
    await start();
    announced();
    const sentences = Array.from({ length: 40 }, (_, index) => `This is number ${String(index)}.`);
    let at = 0;
    for (const sentence of sentences) {
      backend.stream.append(at, `${sentence} `);
      at += sentence.length + 1;
      await nextFrame();
    }
    await settle();
    const texts = announced();
    expect(texts.join(' ')).to.equal(sentences.join(' '));
    // Sentences that become complete within 15 frames, or within 500 UTF-16 units of new text, are announced together.
    expect(texts.length).to.be.within(2, 10);
  });

  it('contain the same steps again in the next answer', async () => {
    const { start, applyChanges, announced, backend, settle } = await setupAnnouncements();
    const readStep = part('step:1', step(1, 'Read'));
    for (const turn of ['first', 'second']) {
      await start(turn);
      await applyChanges(readStep, readStep, textAt('/0:text', 0, `Of the ${turn}. Rest`));
      backend.stream.finish('complete');
      await settle();
      expect(announced(), turn).to.deep.equal([
        'Working…',
        'Step 1: Read',
        `Of the ${turn}.`,
        'Rest',
        'The answer is complete.',
      ]);
    }
  });

  it('are in two live regions, of which the polite one keeps the last five announcements of an answer', async () => {
    const { start, backend, settle, root } = await setupChat();
    const [polite, urgent] = root.querySelectorAll('[aria-live]');
    expect([polite?.ariaLive, polite?.role, urgent?.ariaLive, urgent?.role]).to.deep.equal([
      'polite',
      'log',
      'assertive',
      null,
    ]);
    await start();
    const sentences = ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.', 'Seven.'];
    let length = 0;
    for (const sentence of sentences) {
      backend.stream.append(length, `${sentence} `);
      length += sentence.length + 1;
      await settle();
    }
    const kept = [...(polite?.children ?? [])].map(({ textContent }) => textContent);
    expect(kept).to.deep.equal(sentences.slice(-5));
    expect(urgent?.childElementCount).to.equal(0);
  });

  it('contain a text that is too long to be searched for sentences, without waiting for its end', async () => {
    const { start, applyChanges, announced } = await setupAnnouncements();
    await start();
    announced();
    const [short, long] = ['x'.repeat(1000), 'y'.repeat(1001)];
    await applyChanges(textAt('/0:text', 0, short));
    expect(announced()).to.deep.equal([]);
    await applyChanges(textAt('/0:text', 1000, long));
    expect(announced()).to.deep.equal([short + long]);
  });

  it('report that a run was stopped, and that the user must sign in', async () => {
    const { start, backend, settle, announced, applyChanges, controller } =
      await setupAnnouncements();
    await start();
    await applyChanges(textAt('/0:text', 0, 'Half a'));
    backend.stream.finish('stopped');
    await settle();
    expect(announced()).to.deep.equal(['Working…', 'Half a', 'Stopped']);
    backend.responses.set('loadThread', () => {
      throw new UbikError('unauthorized', 'no', { status: 401 });
    });
    await controller.openThread('t').catch(() => undefined);
    await settle();
    expect(announced()).to.deep.equal(['!Sign in to continue.']);
  });

  for (const state of ['complete', 'failed', 'stopped'] as const) {
    it(`contain nothing of a run in another thread, and no sentence is cut when that run ends (${state})`, async () => {
      const { start, backend, controller, settle, announced, applyChanges } =
        await setupAnnouncements();
      await start();
      controller.switchToNewThread();
      await start('Other question');
      await applyChanges(textAt('/0:text', 0, 'Half a sen'));
      expect(announced()).to.deep.equal(['Working…', 'Working…']);
      backend.streams[0]?.finish(state);
      await settle();
      expect(announced()).to.deep.equal([]);
      await applyChanges(textAt('/0:text', 10, 'tence. '));
      expect(announced()).to.deep.equal(['Half a sentence.']);
    });
  }

  it('contain no markup of tables', async () => {
    const { start, backend, settle, root } = await setupChat();
    await start();
    backend.stream.append(0, '| River | Length |\n|:---|---:|\n| Volga | 3530 |\n');
    await settle();
    const words = root.querySelector('[aria-live]')?.lastElementChild?.textContent.split(/\s+/);
    expect(words).to.deep.equal(['River', 'Length', 'Volga', '3530']);
  });

  it('contain nothing of a loaded thread', async () => {
    const { controller, backend, settle, root } = await setupChat();
    backend.threads.set(
      't',
      contentOf('t', [stored('a', 'user', 'Q'), stored('b', 'assistant', 'Old. News.')]),
    );
    await controller.openThread('t');
    await settle();
    expect(root.querySelector('[aria-live]')?.textContent).to.equal('');
  });

  it('contain steps, tools and an input request', async () => {
    const { start, backend, applyChanges, announced, settle } = await setupAnnouncements();
    await start();
    expect(announced()).to.deep.equal(['Working…']);
    for (const [change, texts] of RUN) {
      await applyChanges(change);
      expect(announced(), JSON.stringify(change)).to.deep.equal(texts);
    }
    backend.stream.request('@request:a');
    backend.stream.finish('waiting');
    await settle();
    expect(announced()).to.deep.equal([
      'And',
      'The assistant needs an answer from you. Which year?',
    ]);
    await settle();
    expect(announced()).to.deep.equal([]);
  });

  it('of an element that is connected during an answer start with the text that follows', async () => {
    const { start, applyChanges, announced, controller, box, settle } = await setupAnnouncements();
    await start();
    await applyChanges(textAt('/0:text', 0, 'Said before. Un'));
    expect(announced()).to.deep.equal(['Working…', 'Said before.']);
    const other = document.createElement('ubik-chat');
    other.controller = controller;
    box.append(other);
    await other.updateComplete;
    await settle();
    await applyChanges(textAt('/0:text', 15, 'said. Mo'));
    expect(announced()).to.deep.equal(['Unsaid.']);
    const late = other.shadowRoot?.querySelector('[aria-live]')?.textContent;
    expect(late).to.equal('said.');
  });

  it('contain each state of the connection once, and errors assertively', async () => {
    const { start, backend, applyChanges, announced, settle } = await setupAnnouncements();
    await start();
    const run = (state: 'stalled' | 'broken' | 'rejoining' | 'streaming'): Change => ({
      type: 'thread',
      set: { run: { state, retryAt: 5000 } },
    });
    announced();
    await applyChanges(run('stalled'), run('broken'), run('rejoining'), run('streaming'));
    expect(announced()).to.deep.equal([
      'No response for a while. Still waiting…',
      'The connection was lost. Reconnecting…',
    ]);
    backend.stream.finish('failed');
    await settle();
    expect(announced().filter((text) => text.startsWith('!')).length).to.equal(1);
  });

  it('report that the browser is offline, and during a run that its answer continues later', async () => {
    const { start, settle, announced } = await setupAnnouncements();
    window.dispatchEvent(new Event('offline'));
    await settle();
    expect(announced()).to.deep.equal(['You’re offline. Your draft is saved.']);
    await start();
    announced();
    window.dispatchEvent(new Event('offline'));
    await settle();
    expect(announced()).to.deep.equal([
      'You’re offline. The answer continues when the network is back.',
    ]);
  });

  for (const [level, times] of [
    ['all', 1],
    ['brief', 1],
    ['off', 0],
  ] as const) {
    it(`${times > 0 ? 'report each time' : 'never report'} why a thread could not be loaded (${level})`, async () => {
      const { backend, chat, announced, query, settle, text } = await setupAnnouncements(
        (each) => (each.announce = level),
      );
      backend.responses.set('loadThread', () => Promise.reject(new UbikError('network')));
      await chat.openThread('b');
      await settle();
      const expected = Array.from({ length: times }, () => text('.status-bar .words'));
      expect(announced()).to.deep.equal(expected);
      chat.requestUpdate();
      await settle();
      expect(announced(), 'not with each update').to.deep.equal([]);
      query('.status-bar button').click();
      await settle();
      expect(announced(), 'after Retry').to.deep.equal(expected);
    });
  }

  it('report each time that the code of the messages could not be loaded', async () => {
    const { value, load } = lazyViews;
    lazyViews.value = undefined;
    lazyViews.load = () => Promise.reject(new UbikError('load-failed'));
    try {
      const { backend, controller, announced, query, settle, text } = await setupAnnouncements();
      backend.threads.set('t', contentOf('t', [stored('a', 'user', 'Q')]));
      await controller.openThread('t');
      await settle();
      const reason = text('.status-bar .words');
      expect(announced()).to.deep.equal([reason]);
      query('.status-bar button').click();
      await settle();
      expect(announced()).to.deep.equal([reason]);
    } finally {
      Object.assign(lazyViews, { value, load });
    }
  });

  it('omit a message that was not sent, because the composer reports it', async () => {
    const { write, press, settle, backend, announced, text } = await setupAnnouncements();
    write('x');
    press('Enter');
    await settle();
    backend.stream.fail(new UbikError('too-large', 'no'));
    await settle();
    expect(text('.error-text')).to.equal('Not sent. This is too large to send.');
    expect(announced()).to.deep.equal([]);
  });

  it('are limited by the announce attribute', async () => {
    const recorded: Record<string, string[]> = {};
    for (const level of ['brief', 'off'] as const) {
      const fixture = await setupAnnouncements((chat) => (chat.announce = level));
      await fixture.start();
      for (const [change] of RUN) await fixture.applyChanges(change);
      fixture.backend.stream.finish('complete');
      await fixture.settle();
      recorded[level] = fixture.announced();
    }
    expect(recorded).to.deep.equal({ brief: ['Working…', 'The answer is complete.'], off: [] });
  });

  it('begin with the next change or notice when their code could not be loaded before', async () => {
    const { load } = lazyRunAnnouncer;
    let requests = 0;
    lazyRunAnnouncer.load = () => {
      requests += 1;
      return Promise.reject(new UbikError('load-failed'));
    };
    try {
      const { start, applyChanges, announced, backend, settle } = await setupAnnouncements();
      await start();
      expect(announced()).to.deep.equal([]);
      expect(requests).to.be.above(0);
      lazyRunAnnouncer.load = load;
      await applyChanges(textAt('/0:text', 0, 'A sentence. '));
      backend.stream.finish('complete');
      await settle();
      expect(announced()).to.deep.equal(['A sentence.', 'The answer is complete.']);
    } finally {
      lazyRunAnnouncer.load = load;
    }
  });

  it('have the language of the content where the interface has another one', async () => {
    const { start, backend, settle, root } = await setupChat((chat) => (chat.lang = 'it'));
    await start();
    backend.stream.append(0, 'La prima frase. Poi');
    await settle();
    const message = backend.stream.keys.answer;
    backend.stream.push({ ...part('step:1', step(1, 'Leggere')), message } as Change);
    const unnumbered = { ...step(1, 'Cercare'), number: null };
    backend.stream.push({ ...part('step:2', unnumbered as never), message } as Change);
    await settle();
    const spoken = [...(root.querySelector('[aria-live]')?.children ?? [])].map((node) => [
      node.textContent,
      node.querySelector('span')?.lang,
    ]);
    expect(spoken).to.deep.equal([
      ['Working…', undefined],
      ['La prima frase.', 'it'],
      ['Poi', 'it'],
      ['Step 1: Leggere', undefined],
      ['Cercare', 'it'],
    ]);
  });

  /** Each opens a modal dialog: one of the chat, and one of a part of a message. */
  const openings: Record<string, (fixture: Fixture) => Promise<void>> = {
    'the list of shortcuts': async ({ query, settle }) => {
      query('.scroller').focus();
      await settle();
      pressKey(query('.scroller'), '?');
      await settle();
    },
    'an enlarged chart': async ({ applyChanges, query }) => {
      await loadDataView('chart');
      await applyChanges(part('c', CHART));
      query('.chart figcaption button').click();
    },
  };
  for (const [name, open] of Object.entries(openings)) {
    it(`are made in the modal dialog that is open (${name}), outside of which everything is inert`, async () => {
      const fixture = await setupAnnouncements();
      const { start, backend, announced, query, settle, root } = fixture;
      await start();
      await open(fixture);
      const dialog = query<HTMLDialogElement>('dialog');
      announced();
      backend.stream.finish('complete');
      await settle();
      expect(announced()).to.include('The answer is complete.');
      const regions = [...root.querySelectorAll('[aria-live]')];
      expect(regions.map((node) => node.closest('dialog:modal'))).to.deep.equal([dialog, dialog]);
      const closed = new Promise((resolve) => {
        dialog.addEventListener('close', resolve);
      });
      dialog.close();
      await closed;
      expect(query('.ubik > .hidden').contains(regions[0] ?? null)).to.equal(true);
    });
  }

  it('of the previous user are removed when another controller is connected', async () => {
    const { chat, root, start, backend } = await setupChat();
    await start();
    backend.stream.append(0, 'One secret. Two');
    const [polite] = root.querySelectorAll('[aria-live]');
    await waitFor(() => polite?.textContent.includes('secret'));
    chat.controller = setupController().controller;
    await chat.updateComplete;
    expect(polite?.textContent).to.equal('');
  });

  it('contain the lost connection of a controller after that of another one', async () => {
    const { chat, start, applyChanges, announced } = await setupAnnouncements();
    const lost: Change = { type: 'thread', set: { run: { state: 'broken', retryAt: 5000 } } };
    const text = 'The connection was lost. Reconnecting…';
    const other = setupController();
    const settle = async (): Promise<void> => {
      await other.environment.settle();
      await nextFrame();
    };
    void other.controller.send({ text: 'Other question', attachments: [] });
    await settle();
    other.backend.stream.begin();
    await settle();
    await start();
    announced();
    await applyChanges(lost);
    expect(announced()).to.deep.equal([text]);
    chat.controller = other.controller;
    await chat.updateComplete;
    other.backend.stream.push(lost);
    await settle();
    expect(announced()).to.deep.equal([text]);
  });

  it('contain the rest of a text before the next one', async () => {
    const { start, applyChanges, announced } = await setupAnnouncements();
    await start();
    announced();
    await applyChanges(
      textAt('/0:text', 0, 'Without an end'),
      part('x', { kind: 'text' }),
      textAt('x', 0, 'The next one. '),
    );
    expect(announced()).to.deep.equal(['Without an end', 'The next one.']);
  });

  it('contain nothing of earlier messages that change during an answer', async () => {
    const { start, backend, controller, box, settle, applyChanges } = await setupAnnouncements();
    backend.threads.set(
      't',
      contentOf('t', [stored('a', 'user', 'Q'), stored('b', 'assistant', 'Old')]),
    );
    await controller.openThread('t');
    await start();
    await applyChanges(textAt('/0:text', 0, 'Said before. Un'));
    const other = document.createElement('ubik-chat');
    other.controller = controller;
    box.append(other);
    await settle();
    await settle();
    const earlier = [...(controller.thread?.messages.values() ?? [])].find(({ id }) => id === 'b');
    const text = 'Older. News.';
    const change = { type: 'text', part: '/0:text', at: 0, text } as const;
    backend.stream.push({ ...change, message: earlier?.key ?? '' });
    await settle();
    const region = other.shadowRoot?.querySelector('[aria-live]');
    expect(region?.textContent).to.equal('');
    await applyChanges(textAt('/0:text', 15, 'said. Mo'));
    expect(region?.textContent).to.equal('said.');
  });
});

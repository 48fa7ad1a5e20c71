import { expect, fixture, html } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import type { Change } from '../../src/model/change.js';
import { UbikError } from '../../src/errors.js';
import {
  part,
  request,
  step,
  stepActivity,
  text,
  tool,
  toolActivity,
} from '../parts/message-stage.js';
import { setupChat } from './chat-stage.js';

type Stage = Awaited<ReturnType<typeof setupChat>>;

/** Changes of the answer that is written now. */
function inAnswer(stage: Stage, ...changes: Change[]): void {
  const message = stage.backend.stream.keys.answer;
  stage.backend.stream.push(
    ...changes.map((change) => ('message' in change ? { ...change, message } : change)),
  );
}

const marks = {
  a: {
    kind: 'citation' as const,
    label: '[1]',
    title: 'Policy',
    url: 'https://docs.example/policy',
    source: 'x',
  },
};

/** The states a chat can be in. */
const STATES: Record<string, (stage: Stage) => Promise<void>> = {
  empty: async ({ chat }) => {
    chat.starters = ['One?', 'Two?'];
    await chat.updateComplete;
  },
  'with a run at work': async (stage) => {
    await stage.start();
    inAnswer(
      stage,
      part('step:1', step(1)),
      part('@step:1', stepActivity(1, { status: 'Reading', progress: 30 }), '@activity'),
      part('t', { kind: 'thinking', state: 'open' }, 'step:1'),
      text('t', 'Hm.'),
      part('tool:1', tool('1', { input: '{"query":"x"}' }), 'step:1'),
      part('@tool:1', toolActivity('1', 'tool:1', { message: 'Half way' }), '@activity'),
      part('tool:2', tool('2', { state: 'done', result: '{"error":"no such column"}' }), 'step:1'),
    );
  },
  'with everything unfolded': async (stage) => {
    await STATES['with a run at work']?.(stage);
    inAnswer(
      stage,
      part(
        'tool:3',
        tool('3', {
          state: 'done',
          input: '{"query":"x"}',
          result: '{"rows":[{"a":1,"b":null}],"n":3}',
        }),
      ),
    );
    await stage.settle();
    for (const summary of stage.root.querySelectorAll('summary')) summary.click();
  },
  'with an answer': async (stage) => {
    await stage.start();
    inAnswer(
      stage,
      part('x', { kind: 'text', marks }),
      text(
        'x',
        'See\uE000a\uE001 and `code`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet a;\n```\n\n![p](https://p.example/a.png)',
      ),
      part('c', { kind: 'checkpoint', name: 'step1_completed' }),
    );
    stage.backend.stream.finish('complete');
  },
  'with a question': async (stage) => {
    await stage.start();
    inAnswer(
      stage,
      part('@request:a', request(null), '@activity'),
      part(
        '@request:b',
        request(null, { options: ['Euro', 'Yen'], deadline: Date.now() + 60_000 }),
        '@activity',
      ),
      part('@request:c', request(null, { inputTypes: ['file', 'text'] }), '@activity'),
    );
    stage.backend.stream.finish('waiting');
  },
  'with an error': async (stage) => {
    stage.chat.errorDetails = true;
    await stage.start();
    inAnswer(stage, part('e', { kind: 'error', message: 'Locked', details: '{"a":1}' }));
    stage.backend.stream.finish('failed');
  },
  'with a message that was not sent': async ({ write, press, settle, backend }) => {
    write('x');
    press('Enter');
    await settle();
    backend.stream.fail(new UbikError('too-large', 'no'));
  },
  'with a broken connection': async (stage) => {
    await stage.start();
    stage.backend.stream.push({
      do: 'thread',
      set: { run: { state: 'broken', retryAt: Date.now() + 9000 } },
    });
  },
  'with the question of the way back': async (stage) => {
    await STATES['with an answer']?.(stage);
    await stage.settle();
    stage.query('.divider button').click();
  },
};

describe('accessibility', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [name, enter] of Object.entries(STATES)) {
      it(`finds nothing wrong with a chat ${name}, ${colorScheme}`, async () => {
        await emulateMedia({ reducedMotion: 'reduce' });
        const stage = await setupChat((chat) => (chat.theme = colorScheme));
        await enter(stage);
        await stage.settle();
        await expect(stage.chat).to.be.accessible();
      });
    }
  }

  it('finds nothing wrong with the parts that stand alone', async () => {
    const box = await fixture(
      html`<div>
        <ubik-message content="**Hello**"></ubik-message>
        <ubik-markdown content="# Hello"></ubik-markdown>
      </div>`,
    );
    await expect(box).to.be.accessible();
  });

  it('reaches every control of a chat with the keyboard', async () => {
    const stage = await setupChat();
    await STATES['with the question of the way back']?.(stage);
    await stage.settle();
    const controls = [
      ...stage.root.querySelectorAll<HTMLElement>(
        'button, a[href], input, textarea, summary, [tabindex]',
      ),
    ];
    const lost = controls.filter(({ tabIndex, hidden }) => !hidden && tabIndex < 0);
    expect(lost).to.deep.equal([]);
  });

  it('keeps the focus on the button that was pressed to send', async () => {
    const { write, query, chat, settle } = await setupChat();
    write('x');
    query('.send').focus();
    query('.send').click();
    await settle();
    expect(chat.shadowRoot?.activeElement).to.equal(query('.send'));
  });

  it('gives the focus to the composer when an answer was taken out of its form', async () => {
    const { start, backend, settle, query, chat, field } = await setupChat();
    await start();
    backend.stream.ask('@request:c');
    backend.stream.finish('waiting');
    await settle();
    query<HTMLTextAreaElement>('.request textarea').value = '2025';
    query('.request .primary').focus();
    query('.request .primary').click();
    await settle();
    backend.stream.begin('task-2');
    await settle();
    expect(chat.shadowRoot?.activeElement).to.equal(field);
  });

  it('moves nothing for who wants no motion', async () => {
    await emulateMedia({ reducedMotion: 'reduce' });
    const stage = await setupChat();
    await STATES['with a run at work']?.(stage);
    await stage.settle();
    expect(
      stage.chat
        .getAnimations({ subtree: true })
        .filter(({ playState }) => playState === 'running'),
    ).to.deep.equal([]);
    await emulateMedia({ reducedMotion: 'no-preference' });
  });
});

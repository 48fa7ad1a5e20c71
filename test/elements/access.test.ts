import { expect, fixture, html } from '@open-wc/testing';
import { emulateMedia, setViewport } from '@web/test-runner-commands';
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
} from '../message/message-fixture.js';
import { setupChat } from './chat-fixture.js';

type Fixture = Awaited<ReturnType<typeof setupChat>>;

/** Applies changes to the current answer. */
function changeAnswer(setup: Fixture, ...changes: Change[]): void {
  const message = setup.backend.stream.keys.answer;
  setup.backend.stream.push(
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

/** States of a chat, each with a function that brings a chat into it. */
const STATES: Record<string, (setup: Fixture) => Promise<void>> = {
  empty: async ({ chat }) => {
    chat.starters = ['One?', 'Two?'];
    await chat.updateComplete;
  },
  'with an active run': async (setup) => {
    await setup.start();
    changeAnswer(
      setup,
      part('step:1', step(1)),
      part('@step:1', stepActivity(1, { status: 'Reading', progress: 30 }), '@activity'),
      part('t', { kind: 'thinking', state: 'open' }, 'step:1'),
      text('t', 'Hm.'),
      part('tool:1', tool('1', { input: '{"query":"x"}' }), 'step:1'),
      part('@tool:1', toolActivity('1', 'tool:1', { message: 'Half way' }), '@activity'),
      part('tool:2', tool('2', { state: 'done', result: '{"error":"no such column"}' }), 'step:1'),
    );
  },
  'with everything expanded': async (setup) => {
    await STATES['with an active run']?.(setup);
    changeAnswer(
      setup,
      part(
        'tool:3',
        tool('3', {
          state: 'done',
          input: '{"query":"x"}',
          result: '{"rows":[{"a":1,"b":null}],"n":3}',
        }),
      ),
    );
    await setup.settle();
    for (const summary of setup.root.querySelectorAll('summary')) summary.click();
  },
  'with an answer': async (setup) => {
    await setup.start();
    changeAnswer(
      setup,
      part('x', { kind: 'text', marks }),
      text(
        'x',
        'See\uE000a\uE001 and `code`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet a;\n```\n\n![p](https://p.example/a.png)',
      ),
      part('c', { kind: 'checkpoint', name: 'step1_completed' }),
    );
    setup.backend.stream.finish('complete');
  },
  'with an input request': async (setup) => {
    await setup.start();
    changeAnswer(
      setup,
      part('@request:a', request(null), '@activity'),
      part(
        '@request:b',
        request(null, { options: ['Euro', 'Yen'], deadline: Date.now() + 60_000 }),
        '@activity',
      ),
      part('@request:c', request(null, { inputTypes: ['file', 'text'] }), '@activity'),
    );
    setup.backend.stream.finish('waiting');
  },
  'with an error': async (setup) => {
    setup.chat.errorDetails = true;
    await setup.start();
    changeAnswer(setup, part('e', { kind: 'error', message: 'Locked', details: '{"a":1}' }));
    setup.backend.stream.finish('failed');
  },
  'with a message that was not sent': async ({ write, press, settle, backend }) => {
    write('x');
    press('Enter');
    await settle();
    backend.stream.fail(new UbikError('too-large', 'no'));
  },
  'with a broken connection': async (setup) => {
    await setup.start();
    setup.backend.stream.push({
      type: 'thread',
      set: { run: { state: 'rejoining', retryAt: Date.now() + 9000 } },
    });
  },
  'with the restore dialog': async (setup) => {
    await STATES['with an answer']?.(setup);
    await setup.settle();
    setup.query('.divider button').click();
  },
};

/** The text spacing that users may set without loss of content or function (WCAG 1.4.12). */
const TEXT_SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }`;

/** Returns what is clipped: nodes whose content is wider or higher than they are, without a scroll bar, or that extend beyond the right edge of the chat. */
function findClipped(root: ShadowRoot): string[] {
  const nodes = [...root.querySelectorAll<HTMLElement>('.ubik *')];
  const shown = nodes.filter((node) => node.checkVisibility() && !node.closest('.hidden, svg'));
  const edge = root.host.getBoundingClientRect().right + 1;
  const clipped = shown.filter((node) => {
    const { overflowX, overflowY } = getComputedStyle(node);
    // Text that is truncated in the summary of a disclosure, or beside a checkpoint, is shown in full in the open disclosure or the restore dialog.
    if (node.closest('details:not([open]) > summary, .divider')) return false;
    const isCut = overflowX === 'hidden' && node.scrollWidth > node.clientWidth + 1;
    const isCutBelow = overflowY === 'hidden' && node.scrollHeight > node.clientHeight + 1;
    const scrollBox = node.parentElement?.closest('pre, .table, [tabindex="0"]:not(.scroller)');
    return isCut || isCutBelow || (!scrollBox && node.getBoundingClientRect().right > edge);
  });
  return clipped.map((node) => `${node.localName}.${node.className}`);
}

/** Text colours and the backgrounds on which they are used. */
const COLOR_PAIRS = [
  ...['--_text', '--_muted', '--_accent', '--_danger'].flatMap((front) =>
    ['--_background', '--_surface', '--_tint'].map((back) => [front, `var(${back})`] as const),
  ),
  ['--_muted', 'color-mix(in oklab, var(--_text) 7%, var(--_background))'],
  ['--_on-accent', 'var(--_accent)'],
  ['--_on-accent', 'color-mix(in oklab, var(--_accent), var(--_text) 14%)'],
  ['--_background', 'var(--_text)'],
] as const;

/** Contrast of two colours, by the formula of WCAG. */
function contrast(place: HTMLElement, front: string, back: string): number {
  const probe = document.createElement('i');
  place.append(probe);
  const [high = 0, low = 0] = [`var(${front})`, back]
    .map((colour) => {
      probe.style.color = colour;
      return luminance(getComputedStyle(probe).color);
    })
    .sort((one, other) => other - one);
  probe.remove();
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) throw new Error('The page has no 2D canvas context.');
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('accessibility', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [name, enter] of Object.entries(STATES)) {
      it(`axe finds no violation in a chat ${name}, ${colorScheme}`, async () => {
        await emulateMedia({ reducedMotion: 'reduce' });
        const setup = await setupChat((chat) => (chat.theme = colorScheme));
        await enter(setup);
        await setup.settle();
        // Finish the delayed appearance of indicators.
        for (const animation of setup.root.getAnimations()) {
          if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
        }
        await expect(setup.chat).to.be.accessible();
      });
    }
  }

  it('axe finds no violation in standalone elements', async () => {
    const box = await fixture(
      html`<div>
        <ubik-message content="**Hello**"></ubik-message>
        <ubik-markdown content="# Hello"></ubik-markdown>
      </div>`,
    );
    await expect(box).to.be.accessible();
  });

  for (const [name, enter] of Object.entries(STATES)) {
    it(`a chat ${name} clips nothing at 320 px with maximum text spacing`, async () => {
      await setViewport({ width: 320, height: 640 });
      const setup = await setupChat();
      await enter(setup);
      const { adoptedStyleSheets } = setup.root;
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(TEXT_SPACING);
      setup.root.adoptedStyleSheets = [...adoptedStyleSheets, sheet];
      await setup.settle();
      expect(findClipped(setup.root)).to.deep.equal([]);
    });
  }

  after(() => setViewport({ width: 800, height: 600 }));

  for (const theme of ['light', 'dark'] as const) {
    it(`text has enough contrast with its background, ${theme}`, async () => {
      const { query } = await setupChat((chat) => (chat.theme = theme));
      const faint = COLOR_PAIRS.filter(
        ([front, back]) => contrast(query('.ubik'), front, back) < 4.5,
      );
      expect(faint).to.deep.equal([]);
    });
  }

  it('no control of a chat is left out of the tab order', async () => {
    const setup = await setupChat();
    await STATES['with the restore dialog']?.(setup);
    await setup.settle();
    const controls = [
      ...setup.root.querySelectorAll<HTMLElement>(
        'button, a[href], input, textarea, summary, [tabindex]',
      ),
    ];
    expect(controls.length).to.be.above(5);
    const leftOut = controls.filter(({ tabIndex, hidden }) => !hidden && tabIndex < 0);
    expect(leftOut).to.deep.equal([]);
  });

  it('the send button keeps the focus after sending', async () => {
    const { write, query, chat, settle } = await setupChat();
    write('x');
    query('.send').focus();
    query('.send').click();
    await settle();
    expect(chat.shadowRoot?.activeElement).to.equal(query('.send'));
  });

  it('the message field gets the focus when the answer to an input request was sent', async () => {
    const { start, backend, settle, query, chat, field } = await setupChat();
    await start();
    backend.stream.request('@request:c');
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

  it('nothing moves when the user prefers reduced motion', async () => {
    await emulateMedia({ reducedMotion: 'reduce' });
    const setup = await setupChat();
    await setup.start();
    changeAnswer(setup, part('step:1', step(1)));
    await setup.settle();
    /** Infinite animations. A delayed appearance is not motion. */
    const moving = (): number =>
      setup.root
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime === Infinity).length;
    expect(moving()).to.equal(0);
    await emulateMedia({ reducedMotion: 'no-preference' });
    expect(moving()).to.be.above(0);
  });
});

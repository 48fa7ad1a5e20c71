import '../../src/elements/checkpoints/compare-dialog.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { part, set, step, tool } from '../message/message-fixture.js';
import { version } from './branch-fixture.js';
import { THREAD, waitFor } from './checkpoints-fixture.js';
import {
  testFocusCases,
  pressKeys,
  waitForFocus,
  openThread,
  press,
  type FullFixture,
  type FocusCases,
} from './focus-fixture.js';
import { NOON } from './thread-fixture.js';
import { pressButton, restoreFirstCheckpoint, type CompareFixture } from './compare-fixture.js';

/** An active run in which a tool requests input; with a deadline if given. */
async function requestInput(stage: FullFixture, deadline: number | null = null): Promise<void> {
  await stage.start();
  stage.backend.stream.request('@request:1', 'tool');
  const message = stage.backend.stream.keys.answer;
  stage.backend.stream.push({ ...set('@request:1', 'deadline', deadline), message } as never);
  await stage.settle();
}

/** Removes the request, like a service when it was answered elsewhere. */
async function answerElsewhere({ backend, settle }: FullFixture): Promise<void> {
  const message = backend.stream.keys.answer;
  backend.stream.push({ ...set('@request:1', 'state', 'answered'), message } as never);
  await settle();
}

async function runWithStep(stage: FullFixture): Promise<void> {
  await stage.start();
  const message = stage.backend.stream.keys.answer;
  const parts = [
    part('step:1', step(1)),
    part('tool:1', tool('1', { state: 'done', input: '{"q":1}', result: '{"n":2}' }), 'step:1'),
  ];
  stage.backend.stream.push(...parts.map((change) => ({ ...change, message }) as never));
  await stage.settle();
}

/** Selector of the button that opens the comparison. */
const COMPARE = '.message button.quiet[aria-haspopup=dialog]';

/** An answer with more sources than are shown initially. */
function manySources() {
  const cited = stored('a', 'assistant', '\uE0001\uE001 \uE0002\uE001 \uE0003\uE001 \uE0004\uE001');
  const marks = Object.fromEntries(
    ['1', '2', '3', '4'].map((id) => [
      id,
      { kind: 'citation', label: id, id, title: id, url: `https://docs.example/${id}` },
    ]),
  );
  return { ...cited, parts: cited.parts.map((one) => ({ ...one, marks })) as never };
}

const MESSAGES: FocusCases = {
  'a request that was answered elsewhere': {
    prepare: (stage) => requestInput(stage),
    selector: '.request textarea',
    action: answerElsewhere,
    focused: '.request summary',
  },
  'a request that has expired': {
    prepare: (stage) => requestInput(stage, NOON + 5000),
    selector: '.request textarea',
    action: async ({ clock, settle }) => {
      clock.pass(6);
      await settle();
    },
    focused: '.scroller',
  },
  'a control in a step that collapses': {
    prepare: runWithStep,
    selector: '.step .tool summary',
    action: ({ query }) => (query<HTMLDetailsElement>('.step').open = false),
    focused: '.step > summary',
  },
  'the button to the end': {
    prepare: async (stage) => {
      await stage.start();
      stage.backend.stream.append(0, 'Line.\n\n'.repeat(100));
      await stage.settle();
      stage.query('.scroller').focus();
      await press(stage, ['Home']);
    },
    selector: '.scroll-to-end',
    action: pressKeys('Enter'),
    focused: '.scroller',
  },
  'the retry button of a broken connection': {
    prepare: async (stage) => {
      await stage.start();
      stage.backend.stream.push({ type: 'thread', set: { run: { state: 'interrupted' } } });
    },
    selector: '.status-bar button',
    action: async ({ backend, settle }) => {
      backend.stream.push({ type: 'thread', set: { run: { state: 'streaming' } } });
      await settle();
    },
    focused: '.scroller',
  },
  'the button to the first version': {
    prepare: async (stage) => {
      const first = [version('q1', 'user', 'First', ['q1', 'q2'], 10)];
      stage.backend.responses.set('switchBranch', () => contentOf('t0', first));
      await openThread('t0', '.previous-button')(stage);
    },
    selector: '.previous-button',
    action: pressKeys('Enter', 'Enter'),
    focused: '.previous-button[aria-disabled=true]',
  },
  'the button that shows all sources': {
    prepare: async (stage) => {
      stage.backend.threads.set('t1', contentOf('t1', [manySources()]));
      await openThread('t1', '.sources > button')(stage);
    },
    selector: '.sources > button',
    action: pressKeys('Enter'),
    focused: '.sources li *',
  },
  'a passage, when another thread is opened': {
    prepare: openThread('t0', '.cite'),
    selector: '.cite',
    action: async (stage) => {
      await press(stage, ['Enter']);
      await waitForFocus('.passage');
      await openThread('t', '.divider button')(stage);
    },
    focused: '.field textarea',
  },
  'a message, when another thread is opened': {
    prepare: openThread('t0', '.cite'),
    selector: '.cite',
    action: openThread('t', '.divider button'),
    focused: '.scroller',
  },
  'a starter question': {
    prepare: ({ chat }) => (chat.starters = ['One?']),
    selector: '.starter',
    action: pressKeys('Enter'),
    focused: '.scroller',
  },
};

describe('focus moves when the focused control disappears:', () => {
  testFocusCases(MESSAGES);

  for (const [how, leave, to] of [
    ['Escape', (stage: CompareFixture) => press(stage, ['Escape']), COMPARE],
    ['its button', (stage: CompareFixture) => pressButton(stage, 'Close'), COMPARE],
    [
      'a choice',
      (stage: CompareFixture) => pressButton(stage, 'Continue on this branch'),
      '.scroller',
    ],
  ] as const) {
    it(`a comparison left by ${how}: to ${to}`, async () => {
      const stage = await restoreFirstCheckpoint();
      stage.backend.responses.set('switchBranch', () => THREAD);
      await pressButton(stage, 'Compare both branches…');
      await waitFor(() => stage.root.querySelector('.compare [data-only]'));
      await leave(stage);
      await waitForFocus(to);
    });
  }
});

import '../../src/elements/checkpoints/compare-dialog.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { part, set, step, tool } from '../message/message-fixture.js';
import { version } from './branch-fixture.js';
import { waitFor } from '../helpers/wait-for.js';
import { THREAD } from './checkpoints-fixture.js';
import {
  testFocusCases,
  pressKeys,
  waitForFocus,
  openThread,
  press,
  type FullFixture,
  type FocusCases,
} from './focus-fixture.js';
import { NOON } from './scripted-clock.js';
import { pressButton, restoreFirstCheckpoint, type CompareFixture } from './compare-fixture.js';

/** An active run in which a tool requests input; with a deadline if given. */
async function requestInput(fixture: FullFixture, deadline: number | null = null): Promise<void> {
  await fixture.start();
  fixture.backend.stream.request('@request:1', 'tool');
  const message = fixture.backend.stream.keys.answer;
  fixture.backend.stream.push({ ...set('@request:1', 'deadline', deadline), message } as never);
  await fixture.settle();
}

/** Marks the request as answered, as the service does when another client has answered it. */
async function answerElsewhere({ backend, settle }: FullFixture): Promise<void> {
  const message = backend.stream.keys.answer;
  backend.stream.push({ ...set('@request:1', 'state', 'answered'), message } as never);
  await settle();
}

async function runWithStep(fixture: FullFixture): Promise<void> {
  await fixture.start();
  const message = fixture.backend.stream.keys.answer;
  const parts = [
    part('step:1', step(1)),
    part('tool:1', tool('1', { state: 'done', input: '{"q":1}', result: '{"n":2}' }), 'step:1'),
  ];
  fixture.backend.stream.push(...parts.map((change) => ({ ...change, message }) as never));
  await fixture.settle();
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
    prepare: (fixture) => requestInput(fixture),
    selector: '.request textarea',
    action: answerElsewhere,
    focused: '.request summary',
  },
  'a request that has expired': {
    prepare: (fixture) => requestInput(fixture, NOON + 5000),
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
    prepare: async (fixture) => {
      await fixture.start();
      fixture.backend.stream.append(0, 'Line.\n\n'.repeat(100));
      await fixture.settle();
      fixture.query('.scroller').focus();
      await press(fixture, ['Home']);
    },
    selector: '.scroll-to-end',
    action: pressKeys('Enter'),
    focused: '.message',
  },
  'the retry button of a broken connection': {
    prepare: async (fixture) => {
      await fixture.start();
      fixture.backend.stream.push({ type: 'thread', set: { run: { state: 'interrupted' } } });
    },
    selector: '.status-bar button',
    action: async ({ backend, settle }) => {
      backend.stream.push({ type: 'thread', set: { run: { state: 'streaming' } } });
      await settle();
    },
    focused: '.scroller',
  },
  'the button to the first version': {
    prepare: async (fixture) => {
      const first = [version('q1', 'user', 'First', ['q1', 'q2'], 10)];
      fixture.backend.responses.set('switchBranch', () => contentOf('t0', first));
      await openThread('t0', '.previous-button')(fixture);
    },
    selector: '.previous-button',
    action: pressKeys('Enter', 'Enter'),
    focused: '.previous-button[aria-disabled=true]',
  },
  'the button that shows all sources': {
    prepare: async (fixture) => {
      fixture.backend.threads.set('t1', contentOf('t1', [manySources()]));
      await openThread('t1', '.sources > button')(fixture);
    },
    selector: '.sources > button',
    action: pressKeys('Enter'),
    focused: '.sources li *',
  },
  'a passage, when another thread is opened': {
    prepare: openThread('t0', '.cite'),
    selector: '.cite',
    action: async (fixture) => {
      await press(fixture, ['Enter']);
      await waitForFocus('.passage');
      await openThread('t', '.divider button')(fixture);
    },
    focused: '.field textarea',
  },
  'a message, when another thread is opened': {
    prepare: openThread('t0', '.cite'),
    selector: '.cite',
    action: openThread('t', '.divider button'),
    focused: '.message',
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
    ['Escape', (fixture: CompareFixture) => press(fixture, ['Escape']), COMPARE],
    ['its button', (fixture: CompareFixture) => pressButton(fixture, 'Close'), COMPARE],
    [
      'a choice',
      (fixture: CompareFixture) => pressButton(fixture, 'Continue on this branch'),
      '.message',
    ],
  ] as const) {
    it(`a comparison left by ${how}: to ${to}`, async () => {
      const fixture = await restoreFirstCheckpoint();
      fixture.backend.responses.set('switchBranch', () => THREAD);
      await pressButton(fixture, 'Compare both branches…');
      await waitFor(() => fixture.root.querySelector('.compare [data-only]'));
      await leave(fixture);
      await waitForFocus(to);
    });
  }
});

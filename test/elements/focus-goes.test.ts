import '../../src/elements/checkpoints/compare-dialog.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { part, set, step, tool } from '../message/message-stage.js';
import { version } from './branch-stage.js';
import { THREAD, waitFor } from './checkpoints-stage.js';
import {
  checkGoings,
  keys,
  lands,
  open,
  press,
  type FullStage,
  type Goings,
} from './focus-stage.js';
import { NOON } from './thread-stage.js';
import { pressButton, restoreFirstCheckpoint, type CompareStage } from './compare-stage.js';

/** A run that is on, in which a tool asks something; with a time, until then. */
async function ask(stage: FullStage, deadline: number | null = null): Promise<void> {
  await stage.start();
  stage.backend.stream.ask('@request:1', 'tool');
  const message = stage.backend.stream.keys.answer;
  stage.backend.stream.push({ ...set('@request:1', 'deadline', deadline), message } as never);
  await stage.settle();
}

/** Takes the question away as the service does it when somebody else has answered. */
async function answerElsewhere({ backend, settle }: FullStage): Promise<void> {
  const message = backend.stream.keys.answer;
  backend.stream.push({ ...set('@request:1', 'state', 'answered'), message } as never);
  await settle();
}

async function runWithStep(stage: FullStage): Promise<void> {
  await stage.start();
  const message = stage.backend.stream.keys.answer;
  const parts = [
    part('step:1', step(1)),
    part('tool:1', tool('1', { state: 'done', input: '{"q":1}', result: '{"n":2}' }), 'step:1'),
  ];
  stage.backend.stream.push(...parts.map((change) => ({ ...change, message }) as never));
  await stage.settle();
}

/** What opens the comparison. */
const COMPARE = '.message button.quiet[aria-haspopup=dialog]';

/** An answer with more sources than are shown at once. */
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

const MESSAGES: Goings = {
  'a question that was answered elsewhere': {
    prepare: (stage) => ask(stage),
    at: '.request textarea',
    act: answerElsewhere,
    to: '.request summary',
  },
  'a question whose time is over': {
    prepare: (stage) => ask(stage, NOON + 5000),
    at: '.request textarea',
    act: async ({ clock, settle }) => {
      clock.pass(6);
      await settle();
    },
    to: '.scroller',
  },
  'what stands in a step that is folded': {
    prepare: runWithStep,
    at: '.step .tool summary',
    act: ({ query }) => (query<HTMLDetailsElement>('.step').open = false),
    to: '.step > summary',
  },
  'the way to the end': {
    prepare: async (stage) => {
      await stage.start();
      stage.backend.stream.say(0, 'Line.\n\n'.repeat(100));
      await stage.settle();
      stage.query('.scroller').focus();
      await press(stage, ['Home']);
    },
    at: '.latest',
    act: keys('Enter'),
    to: '.scroller',
  },
  'what tries again after a broken connection': {
    prepare: async (stage) => {
      await stage.start();
      stage.backend.stream.push({ type: 'thread', set: { run: { state: 'interrupted' } } });
    },
    at: '.status-bar button',
    act: async ({ backend, settle }) => {
      backend.stream.push({ type: 'thread', set: { run: { state: 'streaming' } } });
      await settle();
    },
    to: '.scroller',
  },
  'the step to the first version': {
    prepare: async (stage) => {
      const first = [version('q1', 'user', 'First', ['q1', 'q2'], 10)];
      stage.backend.answers.set('switchBranch', () => contentOf('t0', first));
      await open('t0', '.previous-act')(stage);
    },
    at: '.previous-act',
    act: keys('Enter', 'Enter'),
    to: '.previous-act[aria-disabled=true]',
  },
  'what shows all sources': {
    prepare: async (stage) => {
      stage.backend.threads.set('t1', contentOf('t1', [manySources()]));
      await open('t1', '.sources > button')(stage);
    },
    at: '.sources > button',
    act: keys('Enter'),
    to: '.sources li *',
  },
  'a passage, when another conversation is opened': {
    prepare: open('t0', '.cite'),
    at: '.cite',
    act: async (stage) => {
      await press(stage, ['Enter']);
      await lands('.passage');
      await open('t', '.divider button')(stage);
    },
    to: '.field textarea',
  },
  'a message, when another conversation is opened': {
    prepare: open('t0', '.cite'),
    at: '.cite',
    act: open('t', '.divider button'),
    to: '.scroller',
  },
  'a starter': {
    prepare: ({ chat }) => (chat.starters = ['One?']),
    at: '.starter',
    act: keys('Enter'),
    to: '.scroller',
  },
};

describe('the focus goes on from', () => {
  checkGoings(MESSAGES);

  for (const [how, leave, to] of [
    ['Escape', (stage: CompareStage) => press(stage, ['Escape']), COMPARE],
    ['its button', (stage: CompareStage) => pressButton(stage, 'Close'), COMPARE],
    [
      'a choice',
      (stage: CompareStage) => pressButton(stage, 'Continue on this branch'),
      '.scroller',
    ],
  ] as const) {
    it(`a comparison that is left by ${how}: on to ${to}`, async () => {
      const stage = await restoreFirstCheckpoint();
      stage.backend.answers.set('switchBranch', () => THREAD);
      await pressButton(stage, 'Compare both branches…');
      await waitFor(() => stage.root.querySelector('.compare [data-only]'));
      await leave(stage);
      await lands(to);
    });
  }
});

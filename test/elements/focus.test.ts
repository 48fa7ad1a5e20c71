import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../src/elements/branches/map-dialog.js';
import { deferredDocuments } from '../../src/elements/documents/file-intake.js';
import '../../src/elements/passage/passage-panel.js';
import { deferredQueue } from '../../src/elements/queue/waiting-messages.js';
import '../../src/elements/sides/sides.js';
import '../../src/elements/threads/threads-panel.js';
import { contentOf, stored, type ScriptedBackend } from '../conversation/scripted-backend.js';
import { deepFocus, nameOf } from '../helpers/deep-focus.js';
import { version } from './branch-stage.js';
import { POINTS, TALK } from './checkpoints-stage.js';
import { nextFrame, setupChat } from './chat-stage.js';
import { threadsOf } from './thread-stage.js';

type Stage = Awaited<ReturnType<typeof setupAll>>;

const ABLE = [
  ...['edit', 'regenerate', 'branches', 'citations', 'threads', 'rename', 'delete'],
  ...['documents', 'upload', 'link', 'star'],
];
const PASSAGE = { id: 'p', documentId: 'd', documentName: 'rivers.pdf', text: 'Long.', page: 3 };
const MARK = { kind: 'citation', label: '[1]', id: 'p', title: 'rivers.pdf', url: null } as const;

/** A chat at a service that can do everything, with conversations and documents in columns. */
async function setupAll(width = 1300) {
  await Promise.all([deferredDocuments.load(), deferredQueue.load()]);
  const stage = await setupChat((chat) => {
    chat.style.width = `${width}px`;
    const backend = chat.controller?.backend as ScriptedBackend;
    for (const name of ABLE) backend.capabilities.add(name as never);
    backend.checkpoints = POINTS;
    backend.answers.set('loadMessage', () => version('q1', 'user', 'First', ['q1', 'q2'], 10));
    backend.answers.set('listThreads', () => ({ items: threadsOf(3), hasMore: false, total: 3 }));
    backend.answers.set('passage', () => PASSAGE);
    for (const [tag, slot] of [
      ['ubik-thread-list', 'start'],
      ['ubik-documents', 'end'],
    ] as const) {
      const side = document.createElement(tag);
      side.slot = slot;
      chat.append(side);
    }
    backend.threads.set('t', TALK);
    const cited = stored('a', 'assistant', 'It is long. \uE000c\uE001');
    const parts = cited.parts.map((part) => ({ ...part, marks: { c: MARK } }));
    const question = version('q2', 'user', 'Second', ['q1', 'q2'], 20);
    backend.threads.set('t0', contentOf('t0', [question, { ...cited, parts: parts as never }]));
  });
  return stage;
}

/** What fits a selector, in whatever shadow root it stands. */
function find(selector: string, root: ParentNode = document): HTMLElement | undefined {
  const own = [...root.querySelectorAll<HTMLElement>(selector)].find((one) =>
    one.checkVisibility(),
  );
  if (own) return own;
  for (const { shadowRoot } of root.querySelectorAll('*')) {
    const inside = shadowRoot && find(selector, shadowRoot);
    if (inside) return inside;
  }
  return undefined;
}

/** Waits some frames until the focus is where it belongs. */
async function lands(selector: string): Promise<void> {
  for (let frames = 0; frames < 60 && !deepFocus().matches(selector); frames += 1)
    await nextFrame();
  expect(
    deepFocus().matches(selector),
    `${selector}, but it is on ${nameOf(deepFocus())}`,
  ).to.equal(true);
}

async function press(stage: Stage, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await sendKeys({ press: key });
    await stage.settle();
    await stage.settle();
  }
}

/** Opens a thread and waits until something of it is there. */
const open =
  (id: string, selector: string) =>
  async (stage: Stage): Promise<void> => {
    await stage.chat.openThread(id);
    for (let frames = 0; frames < 60 && !find(selector); frames += 1) await stage.settle();
  };

/** What is opened by keys: from where, where the focus is then, and how it is left, with the focus where it was or as named. */
interface Opening {
  readonly prepare?: (stage: Stage) => unknown;
  readonly at: string;
  readonly open: readonly string[];
  readonly inside: string;
  readonly leave?: readonly string[];
  readonly back?: string;
  readonly width?: number;
}

const TWO = open('t0', '.cite');
const MORE = '.assistant .more';
const OPENINGS: Readonly<Record<string, Opening>> = {
  'the map of the keys': { at: '.scroller', open: ['?'], inside: '.key-map button' },
  'the menu of a message': { prepare: TWO, at: MORE, open: ['Enter'], inside: '[role=menuitem]' },
  'the form for a reason': {
    prepare: TWO,
    at: MORE,
    open: ['Enter', 'B', 'Enter'],
    inside: '.feedback textarea',
  },
  'the form for a reason, sent': {
    prepare: TWO,
    at: MORE,
    open: ['Enter', 'G', 'Enter'],
    inside: '.feedback textarea',
    leave: ['Tab', 'Enter'],
  },
  'the form of an edit': {
    prepare: TWO,
    at: '.edit-act',
    open: ['Enter'],
    inside: '.edit textarea',
  },
  'the tree of versions': { prepare: TWO, at: '.map-act', open: ['Enter'], inside: '.map button' },
  'the way back to a checkpoint': {
    prepare: open('t', '.divider button'),
    at: '.divider button',
    open: ['Enter'],
    inside: '.restore textarea',
  },
  'a passage': { prepare: TWO, at: '.cite', open: ['Enter'], inside: '.passage' },
  'a passage, left by its button': {
    prepare: TWO,
    at: '.cite',
    open: ['Enter', 'Tab'],
    inside: '.passage button',
    leave: ['Enter'],
  },
  'a drawer': { width: 400, at: '.to-start', open: ['Enter'], inside: '.side.start' },
  'a folded column': {
    at: '.start > .side-edge',
    open: ['Enter'],
    inside: '.to-start',
    leave: ['Enter'],
  },
  'a new name': {
    at: '.thread-open',
    open: ['F2'],
    inside: '.thread-form input',
    back: '.thread-open',
  },
  'what can be done with a conversation': {
    at: '.thread-more',
    open: ['Enter', 'Tab'],
    inside: '.thread .buttons button',
    back: '.thread-open',
  },
  'a deletion': {
    at: '.thread-open',
    open: ['Delete'],
    inside: '.thread-undo',
    leave: ['Enter'],
    back: '.thread-open',
  },
  'the search of documents': {
    prepare: TWO,
    at: '.documents .buttons [aria-expanded]',
    open: ['Enter'],
    inside: '.found [type=search]',
  },
};

describe('the focus', () => {
  for (const [name, opening] of Object.entries(OPENINGS)) {
    const { prepare, at, open: keys, inside, leave = ['Escape'], back, width } = opening;
    it(`goes into ${name}, and back to where it was`, async () => {
      const stage = await setupAll(width);
      await stage.settle();
      await prepare?.(stage);
      await stage.settle();
      find(at)?.focus();
      await lands(at);
      await press(stage, keys);
      await lands(inside);
      await press(stage, leave);
      await lands(back ?? at);
    });
  }
});

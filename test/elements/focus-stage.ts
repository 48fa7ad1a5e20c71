import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../src/elements/branches/branch-map-dialog.js';
import { lazyDocuments } from '../../src/elements/documents/attachment-controller.js';
import '../../src/elements/passage/passage-panel.js';
import { lazyQueueView } from '../../src/elements/queue/message-queue.js';
import '../../src/elements/sides/side-panels.js';
import '../../src/elements/threads/threads-panel.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { contentOf, stored, type ScriptedBackend } from '../controller/scripted-backend.js';
import { deepFocus, nameOf } from '../helpers/deep-focus.js';
import { version } from './branch-stage.js';
import { CHECKPOINTS, THREAD } from './checkpoints-stage.js';
import { nextFrame, setupChat } from './chat-stage.js';
import { ScriptedClock, threadsOf } from './thread-stage.js';

/** What a chat that can do everything is worked with. */
export type FullStage = Awaited<ReturnType<typeof setupAll>>;

const ABLE = [
  ...['edit', 'regenerate', 'branches', 'citations', 'threads', 'rename', 'delete'],
  ...['documents', 'upload', 'link', 'star'],
];
const PASSAGE = { id: 'p', documentId: 'd', documentName: 'rivers.pdf', text: 'Long.', page: 3 };
const MARK = { kind: 'citation', label: '[1]', id: 'p', title: 'rivers.pdf', url: null } as const;

/** A chat at a service that can do everything, with conversations and documents in columns. */
export async function setupAll(width = 1300, prepare: (chat: UbikChat) => void = () => undefined) {
  await Promise.all([lazyDocuments.load(), lazyQueueView.load()]);
  const clock = new ScriptedClock();
  const stage = await setupChat((chat) => {
    setClock(chat, clock);
    chat.style.width = `${width}px`;
    const backend = chat.controller?.backend as ScriptedBackend;
    for (const name of ABLE) backend.capabilities.add(name as never);
    backend.checkpoints = CHECKPOINTS;
    backend.answers.set('loadMessage', () => version('q1', 'user', 'First', ['q1', 'q2'], 10));
    backend.answers.set('listThreads', () => ({ items: threadsOf(3), hasMore: false, total: 3 }));
    backend.answers.set('loadPassage', () => PASSAGE);
    for (const [tag, slot] of [
      ['ubik-thread-list', 'start'],
      ['ubik-documents', 'end'],
    ] as const) {
      const side = document.createElement(tag);
      side.slot = slot;
      setClock(side, clock);
      chat.append(side);
    }
    backend.threads.set('t', THREAD);
    const cited = stored('a', 'assistant', 'It is long. \uE000c\uE001');
    const parts = cited.parts.map((part) => ({ ...part, marks: { c: MARK } }));
    const question = version('q2', 'user', 'Second', ['q1', 'q2'], 20);
    backend.threads.set('t0', contentOf('t0', [question, { ...cited, parts: parts as never }]));
    prepare(chat);
  });
  return { ...stage, clock };
}

/** Gives an element a clock whose seconds pass when the test says so. */
function setClock(element: HTMLElement, clock: ScriptedClock): void {
  Object.assign((element as unknown as { context: object }).context, { clock });
}

/** What fits a selector, in whatever shadow root it stands. */
export function find(selector: string, root: ParentNode = document): HTMLElement | undefined {
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
export async function lands(selector: string): Promise<void> {
  for (let frames = 0; frames < 60 && !deepFocus().matches(selector); frames += 1)
    await nextFrame();
  expect(
    deepFocus().matches(selector),
    `${selector}, but it is on ${nameOf(deepFocus())}`,
  ).to.equal(true);
}

/** Presses keys one after the other, and lets all of each be done. */
export async function press(
  stage: Pick<FullStage, 'settle'>,
  names: readonly string[],
): Promise<void> {
  for (const key of names) {
    await sendKeys({ press: key });
    await stage.settle();
    await stage.settle();
  }
}

/** Opens a thread and waits until something of it is there. */
export const open =
  (id: string, selector: string) =>
  async (stage: FullStage): Promise<void> => {
    await stage.chat.openThread(id);
    for (let frames = 0; frames < 60 && !find(selector); frames += 1) await stage.settle();
  };

/** Something that has the focus and goes away, or changes: where it is, what happens, and where the focus is then. */
export interface Going {
  readonly prepare?: (stage: FullStage) => unknown;
  readonly at: string;
  readonly act: (stage: FullStage) => unknown;
  readonly to: string;
}

export type Goings = Readonly<Record<string, Going>>;

/** Keys that are pressed. */
export const keys =
  (...names: readonly string[]) =>
  (stage: FullStage): Promise<void> =>
    press(stage, names);

/** The button with this name, where it is a sign. */
export const named = (name: string): string =>
  `button:is([aria-label="${name}"], [title="${name}"])`;

/** Tries each. */
export function checkGoings(goings: Goings): void {
  for (const [name, { prepare, at, act, to }] of Object.entries(goings)) {
    it(`${name}: on to ${to}`, async () => {
      const stage = await setupAll();
      await stage.settle();
      await prepare?.(stage);
      await stage.settle();
      find(at)?.focus();
      await lands(at);
      await act(stage);
      await stage.settle();
      await stage.settle();
      await lands(to);
    });
  }
}

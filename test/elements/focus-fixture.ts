import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../src/elements/branches/branch-map-dialog.js';
import { lazyDocuments } from '../../src/elements/documents/attachment-controller.js';
import '../../src/elements/passage/passage-details.js';
import { lazyQueueView } from '../../src/elements/queue/queue-controller.js';
import '../../src/elements/sides/side-panels.js';
import '../../src/elements/threads/threads-panel.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { contentOf, stored, type ScriptedBackend } from '../controller/scripted-backend.js';
import { deepActiveElement, nameOf } from '../helpers/deep-focus.js';
import { version } from './branch-fixture.js';
import { CHECKPOINTS, THREAD } from './checkpoints-fixture.js';
import { nextFrame, setupChat } from './chat-fixture.js';
import { ScriptedClock } from './scripted-clock.js';
import { threadsOf } from './thread-fixture.js';

/** The fixture of {@link setupAll}. */
export type FullFixture = Awaited<ReturnType<typeof setupAll>>;

const CAPABILITIES = [
  ...['edit', 'regenerate', 'branches', 'citations', 'threads', 'rename', 'delete'],
  ...['documents', 'upload', 'link', 'star'],
] as const;
const PASSAGE = { id: 'p', documentId: 'd', documentName: 'rivers.pdf', text: 'Long.', page: 3 };
const MARK = { kind: 'citation', label: '[1]', id: 'p', title: 'rivers.pdf', url: null } as const;

/** A chat with most capabilities, and with thread list and documents in side panels. */
export async function setupAll(width = 1300, prepare: (chat: UbikChat) => void = () => undefined) {
  await Promise.all([lazyDocuments.load(), lazyQueueView.load()]);
  const clock = new ScriptedClock();
  const fixture = await setupChat((chat) => {
    setClock(chat, clock);
    chat.style.width = `${width}px`;
    chat.steps = 'list';
    const backend = chat.controller?.backend as ScriptedBackend;
    for (const name of CAPABILITIES) backend.capabilities.add(name);
    backend.checkpoints = CHECKPOINTS;
    backend.responses.set('loadMessage', () => version('q1', 'user', 'First', ['q1', 'q2'], 10));
    backend.responses.set('listThreads', () => ({ items: threadsOf(3), hasMore: false, total: 3 }));
    backend.responses.set('loadPassage', () => PASSAGE);
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
  return { ...fixture, clock };
}

/** Replaces the clock of an element by one that the test advances. */
function setClock(element: HTMLElement, clock: ScriptedClock): void {
  Object.assign((element as unknown as { viewContext: object }).viewContext, { clock });
}

/** Returns the first visible node that matches, in any shadow tree. */
export function findVisible(
  selector: string,
  root: ParentNode = document,
): HTMLElement | undefined {
  const own = [...root.querySelectorAll<HTMLElement>(selector)].find((one) =>
    one.checkVisibility(),
  );
  if (own) return own;
  for (const { shadowRoot } of root.querySelectorAll('*')) {
    const inside = shadowRoot && findVisible(selector, shadowRoot);
    if (inside) return inside;
  }
  return undefined;
}

/** Waits some frames until the focus is where it is expected. */
export async function waitForFocus(selector: string): Promise<void> {
  for (let frames = 0; frames < 60 && !deepActiveElement().matches(selector); frames += 1)
    await nextFrame();
  expect(
    deepActiveElement().matches(selector),
    `${selector}, but it is on ${nameOf(deepActiveElement())}`,
  ).to.equal(true);
}

/** Presses keys one after the other, and waits after each. */
export async function press(
  fixture: Pick<FullFixture, 'settle'>,
  names: readonly string[],
): Promise<void> {
  for (const key of names) {
    await sendKeys({ press: key });
    await fixture.settle();
    await fixture.settle();
  }
}

/** Returns an action that opens a thread and waits until something visible matches the selector. */
export const openThread =
  (id: string, selector: string) =>
  async (fixture: FullFixture): Promise<void> => {
    await fixture.chat.openThread(id);
    for (let frames = 0; frames < 60 && !findVisible(selector); frames += 1) await fixture.settle();
  };

/** A focused control that is removed or changes: its selector, the action, and where the focus is expected. */
export interface FocusCase {
  readonly prepare?: (fixture: FullFixture) => unknown;
  readonly selector: string;
  readonly action: (fixture: FullFixture) => unknown;
  readonly focused: string;
}

export type FocusCases = Readonly<Record<string, FocusCase>>;

/** Returns an action that presses keys. */
export const pressKeys =
  (...names: readonly string[]) =>
  (fixture: FullFixture): Promise<void> =>
    press(fixture, names);

/** Selector of an icon button with this name. */
export const iconButton = (name: string): string =>
  `button:is([aria-label="${name}"], [title="${name}"])`;

/** Defines a test for each case. */
export function testFocusCases(cases: FocusCases): void {
  for (const [name, { prepare, selector, action, focused }] of Object.entries(cases)) {
    it(`${name}: to ${focused}`, async () => {
      const fixture = await setupAll();
      await fixture.settle();
      await prepare?.(fixture);
      await fixture.settle();
      findVisible(selector)?.focus();
      await waitForFocus(selector);
      await action(fixture);
      await fixture.settle();
      await fixture.settle();
      await waitForFocus(focused);
    });
  }
}

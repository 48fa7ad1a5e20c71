import { html } from 'lit';
import { fixture } from '@open-wc/testing';
import type { CheckpointInfo, StoredMessage } from '../../src/backends/backend.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import type { PartTree } from '../../src/model/part.js';
import {
  checkpoint,
  checkpointPart,
  textPart,
  step,
} from '../controller/checkpoints/build-tree.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { waitFor } from '../helpers/wait-for.js';
import { nextFrame, setupChat, setupController } from './chat-fixture.js';
import type { ScriptedClock } from './scripted-clock.js';

/** A stored answer with parts. */
export function answer(
  id: string,
  runId: string,
  parts: readonly PartTree[],
  more: Partial<StoredMessage['fields']> = {},
): StoredMessage {
  const base = stored(id, 'assistant', '', { runId });
  return { ...base, fields: { ...base.fields, ...more }, parts };
}

const at = (minute: number): number => Date.UTC(2026, 0, 1, 12, minute);

/** A thread with two questions; the first answer has two checkpoints, the second has one. */
export const THREAD = contentOf('t', [
  stored('q1', 'user', 'How long is the Rhine?'),
  answer('a1', 'task-1', [
    step(1, 1),
    checkpointPart('c1'),
    step(2, 2),
    checkpointPart('c2'),
    textPart('1,230 km.', 'end'),
  ]),
  stored('q2', 'user', 'And the Elbe?'),
  answer('a2', 'task-2', [step(1, 1), checkpointPart('c3'), textPart('1,094 km.', 'end')]),
]);

/** The checkpoints of the thread as the service lists them. */
export const CHECKPOINTS: CheckpointInfo[] = [
  checkpoint('c1', { runId: 'task-1', createdAt: at(0), step: 1, title: 'Look it up' }),
  checkpoint('c2', { runId: 'task-1', createdAt: at(5) }),
  checkpoint('c3', { runId: 'task-2', createdAt: at(9) }),
];

/** A chat that shows the thread, with the checkpoints that the service lists. `prepare` is called before the chat is in the document. */
export async function setupCheckpointChat(
  checkpoints: CheckpointInfo[] = CHECKPOINTS,
  prepare: (chat: UbikChat) => void = () => undefined,
) {
  const setup = await setupChat((chat) => {
    chat.steps = 'list';
    prepare(chat);
  });
  setup.backend.threads.set('t', THREAD);
  setup.backend.checkpoints = checkpoints;
  await setup.chat.openThread('t');
  await setup.settle();
  const dialog = (): HTMLDialogElement => setup.query<HTMLDialogElement>('dialog');
  return {
    ...setup,
    dialog,
    /** Clicks a restore button in the transcript, by its index, and waits for the dialog. */
    openDialog: async (index: number): Promise<HTMLButtonElement> => {
      const button = await waitFor(
        () => setup.root.querySelectorAll<HTMLButtonElement>('.divider button')[index],
      );
      button.focus();
      button.click();
      await setup.settle();
      await waitFor(() => setup.root.querySelector('dialog h2'));
      await waitFor(() => !setup.root.querySelector('dialog [role=status]'));
      return button;
    },
    /** Submits the dialog with a hint. */
    submitHint: async (hint = ''): Promise<void> => {
      setup.query<HTMLTextAreaElement>('.restore textarea').value = hint;
      setup.query<HTMLFormElement>('.restore form').requestSubmit();
      await setup.settle();
    },
  };
}

/** `<ubik-checkpoints>` for the thread, with the checkpoints that the service lists. */
export async function setupCheckpointPanel(
  checkpoints: CheckpointInfo[] = CHECKPOINTS,
  clock?: ScriptedClock,
) {
  const conversation = setupController();
  const { environment, backend, controller } = conversation;
  backend.threads.set('t', THREAD);
  backend.checkpoints = checkpoints;
  await controller.openThread('t');
  const events: CustomEvent[] = [];
  const box = await fixture(html`<div></div>`);
  const panel = document.createElement('ubik-checkpoints');
  if (clock) Object.assign((panel as unknown as { viewContext: object }).viewContext, { clock });
  for (const name of ['ubik-checkpoint-restore', 'ubik-checkpoint-restored', 'ubik-error']) {
    panel.addEventListener(name, (event) => events.push(event as CustomEvent));
  }
  panel.controller = controller;
  box.append(panel);
  const settle = async (): Promise<void> => {
    await panel.updateComplete;
    await environment.settle();
    await nextFrame();
    await nextFrame();
  };
  await settle();
  await settle();
  const root = panel.shadowRoot;
  if (!root) throw new Error('The element has no shadow root.');
  const texts = (selector: string): string[] =>
    [...root.querySelectorAll(selector)].map(({ textContent }) =>
      textContent.replace(/\s+/g, ' ').trim(),
    );
  return { ...conversation, box, panel, root, settle, texts, events };
}

import { html } from 'lit';
import { fixture } from '@open-wc/testing';
import type { CheckpointInfo, StoredMessage } from '../../src/backends/backend.js';
import type { PartTree } from '../../src/model/part.js';
import { checkpoint, flag, say, step } from '../controller/ways/tree.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { nextFrame, setupChat, setupController } from './chat-stage.js';

/** A stored answer of parts. */
export function answer(
  id: string,
  taskId: string,
  parts: readonly PartTree[],
  more: Partial<StoredMessage['fields']> = {},
): StoredMessage {
  const base = stored(id, 'assistant', '', { taskId });
  return { ...base, fields: { ...base.fields, ...more }, parts };
}

const at = (minute: number): number => Date.UTC(2026, 0, 1, 12, minute);

/** Two questions; the first answer has two checkpoints, the second one. */
export const TALK = contentOf('t', [
  stored('q1', 'user', 'How long is the Rhine?'),
  answer('a1', 'task-1', [step(1, 1), flag('c1'), step(2, 2), flag('c2'), say('1,230 km.', 'end')]),
  stored('q2', 'user', 'And the Elbe?'),
  answer('a2', 'task-2', [step(1, 1), flag('c3'), say('1,094 km.', 'end')]),
]);

/** What the service says about them. */
export const POINTS: CheckpointInfo[] = [
  checkpoint('c1', { taskId: 'task-1', createdAt: at(0), step: 1, title: 'Look it up' }),
  checkpoint('c2', { taskId: 'task-1', createdAt: at(5) }),
  checkpoint('c3', { taskId: 'task-2', createdAt: at(9) }),
];

/** Waits frame by frame until there is something: drawing may take more frames than one when the machine is busy. */
export async function until<T>(find: () => T | null | undefined | false): Promise<T> {
  for (;;) {
    const found = find();
    if (found) return found;
    await nextFrame();
  }
}

/** A chat that shows the talk. */
export async function openTalk(points: CheckpointInfo[] = POINTS) {
  const stage = await setupChat();
  stage.backend.threads.set('t', TALK);
  stage.backend.checkpoints = points;
  await stage.chat.openThread('t');
  await stage.settle();
  const dialog = (): HTMLDialogElement => stage.query<HTMLDialogElement>('dialog');
  return {
    ...stage,
    dialog,
    /** Presses the button of the checkpoint with this number in the transcript. */
    ask: async (number: number): Promise<HTMLButtonElement> => {
      const button = await until(
        () => stage.root.querySelectorAll<HTMLButtonElement>('.divider button')[number],
      );
      button.focus();
      button.click();
      await stage.settle();
      await until(() => stage.root.querySelector('dialog h2'));
      await until(() => !stage.root.querySelector('dialog [role=status]'));
      return button;
    },
    /** Gives a hint and goes. */
    go: async (hint = ''): Promise<void> => {
      stage.query<HTMLTextAreaElement>('.restore textarea').value = hint;
      stage.query<HTMLFormElement>('.restore form').requestSubmit();
      await stage.settle();
    },
  };
}

/** The line of time of the talk. */
export async function openLine(points: CheckpointInfo[] = POINTS) {
  const conversation = setupController();
  const { environment, backend, controller } = conversation;
  backend.threads.set('t', TALK);
  backend.checkpoints = points;
  await controller.openThread('t');
  const events: CustomEvent[] = [];
  const box = await fixture(html`<div></div>`);
  const line = document.createElement('ubik-checkpoints');
  for (const name of ['ubik-checkpoint-navigate', 'ubik-checkpoint-navigated', 'ubik-error']) {
    line.addEventListener(name, (event) => events.push(event as CustomEvent));
  }
  line.controller = controller;
  box.append(line);
  const settle = async (): Promise<void> => {
    await line.updateComplete;
    await environment.settle();
    await nextFrame();
    await nextFrame();
  };
  await settle();
  await settle();
  const root = line.shadowRoot;
  if (!root) throw new Error('The element has no shadow root.');
  const texts = (selector: string): string[] =>
    [...root.querySelectorAll(selector)].map(({ textContent }) =>
      textContent.replace(/\s+/g, ' ').trim(),
    );
  return { ...conversation, box, line, root, settle, texts, events };
}

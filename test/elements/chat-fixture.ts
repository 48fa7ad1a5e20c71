import { fixture, html } from '@open-wc/testing';
import { createStreamController } from '../../src/controller/controller.js';
import type { ControllerOptions } from '../../src/controller/controller-types.js';
import '../../src/define.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { getFrameScheduler } from '../../src/dom/frames.js';
import { contentOf, ScriptedBackend, stored } from '../controller/scripted-backend.js';
import { ScriptedPage } from '../controller/setup-controller.js';
import '../helpers/load-lazy-modules.js';
import { createTestEnvironment } from '../helpers/test-environment.js';

/** A controller with a scripted backend, clock and page, which the test drives. */
export function setupController(options: Partial<ControllerOptions> = {}) {
  const environment = createTestEnvironment();
  const backend = new ScriptedBackend(() => environment.monotonic());
  for (const name of ['stop', 'rejoin', 'input', 'checkpoints'] as const) {
    backend.capabilities.add(name);
  }
  const page = new ScriptedPage();
  const controller = createStreamController({ backend, environment, page, ...options });
  return { environment, backend, page, controller };
}

/**
 * Connects a chat to another controller with the same capabilities. The question and answer in the thread of that controller have the same keys
 * as those in the thread of the first controller, so that the chat could confuse them.
 */
export async function swapController({
  chat,
  backend,
  controller,
  settle,
}: Pick<Awaited<ReturnType<typeof setupChat>>, 'chat' | 'backend' | 'controller' | 'settle'>) {
  const other = setupController();
  for (const name of backend.capabilities) other.backend.capabilities.add(name);
  const messages = [stored('q8', 'user', 'Other question'), stored('a8', 'assistant', 'Other')];
  other.backend.threads.set('o', contentOf('o', messages));
  await other.controller.openThread('o');
  const keysOf = ({ thread }: typeof controller): unknown[] => [...(thread?.messages.keys() ?? [])];
  const isAmbiguous = keysOf(other.controller).every((key) => keysOf(controller).includes(key));
  if (!isAmbiguous) throw new Error('The keys of the messages differ.');
  chat.controller = other.controller;
  await settle();
  await settle();
  return other;
}

/** Resolves in the next frame, after what was scheduled before. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    getFrameScheduler(window).schedule(() => {
      resolve();
    });
  });
}

/** Dispatches a keydown that is composed and cancelable, like a real one. */
export function pressKey(
  target: Element | null,
  key: string,
  init: KeyboardEventInit = {},
): KeyboardEvent {
  const flags = { bubbles: true, cancelable: true, composed: true };
  const event = new KeyboardEvent('keydown', { key, ...flags, ...init });
  target?.dispatchEvent(event);
  return event;
}

/** Presses Enter in a composition and dispatches the event before the line break, which the browser inserts if the input method ignores the key. */
export function pressIgnoredEnter(target: Element | null): InputEvent {
  pressKey(target, 'Enter', { isComposing: true });
  return dispatchLineBreak(target);
}

/** Dispatches the event before a line break is inserted, as if it happened `delay` ms later. */
export function dispatchLineBreak(target: Element | null, delay = 0): InputEvent {
  const init = { inputType: 'insertLineBreak', bubbles: true, cancelable: true, composed: true };
  const event = new InputEvent('beforeinput', init);
  Object.defineProperty(event, 'timeStamp', { value: event.timeStamp + delay });
  target?.dispatchEvent(event);
  return event;
}

/** A connected chat with a scripted controller. Records the events that {@link EVENTS} lists, in order. */
export async function setupChat(prepare: (chat: UbikChat) => void = () => undefined) {
  const conversation = setupController();
  const { environment, backend, controller } = conversation;
  const events: CustomEvent[] = [];
  const chat = document.createElement('ubik-chat');
  chat.style.height = '500px';
  chat.controller = controller;
  for (const name of EVENTS)
    chat.addEventListener(name, (event) => events.push(event as CustomEvent));
  prepare(chat);
  const box = await fixture(html`<div></div>`);
  box.append(chat);
  await chat.updateComplete;
  const root = chat.shadowRoot;
  if (!root) throw new Error('The chat has no shadow root.');
  const query = <E extends HTMLElement = HTMLElement>(selector: string): E => {
    const found = root.querySelector<E>(selector);
    if (!found) throw new Error(`Nothing matches ${selector}.`);
    return found;
  };
  const settle = async (): Promise<void> => {
    await environment.settle();
    await nextFrame();
    await nextFrame();
  };
  const field = query<HTMLTextAreaElement>('textarea');
  const write = (text: string): void => {
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  };
  const press = (key: string, init: KeyboardEventInit = {}): KeyboardEvent =>
    pressKey(field, key, init);
  return {
    ...conversation,
    chat,
    box,
    root,
    query,
    settle,
    field,
    write,
    press,
    events,
    names: () => events.map(({ type }) => type),
    text: (selector: string) => query(selector).textContent.replace(/\s+/g, ' ').trim(),
    /** Sends a message; the service accepts it and starts the run. */
    start: async (text = 'Question'): Promise<void> => {
      write(text);
      press('Enter');
      await settle();
      backend.stream.begin();
      await settle();
    },
  };
}

const EVENTS = [
  'ubik-message-send',
  'ubik-message-sent',
  'ubik-message-queue',
  'ubik-suggestion-chosen',
  'ubik-message-edit',
  'ubik-message-edited',
  'ubik-message-regenerate',
  'ubik-message-regenerated',
  'ubik-message-feedback',
  'ubik-message-feedback-given',
  'ubik-branch-switch',
  'ubik-branch-switched',
  'ubik-run-started',
  'ubik-run-completed',
  'ubik-step-completed',
  'ubik-run-paused',
  'ubik-run-stop',
  'ubik-run-stopped',
  'ubik-run-failed',
  'ubik-run-interrupted',
  'ubik-input-required',
  'ubik-input-provide',
  'ubik-input-provided',
  'ubik-checkpoint-restore',
  'ubik-checkpoint-restored',
  'ubik-thread-open',
  'ubik-thread-opened',
  'ubik-thread-create',
  'ubik-thread-created',
  'ubik-link-open',
  'ubik-image-load',
  'ubik-auth-required',
  'ubik-error',
  'ubik-diagnostic',
] as const;

import '../../src/define.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { ManualService } from './manual-service.js';
import { lastFrames, type MakeSubject, type Subject } from './subject.js';

/** `<ubik-chat>` with a backend that yields the changes of the chunks: everything but the transport. */
export const chat: MakeSubject = async ({ box, history }) => {
  const service = new ManualService();
  const element = await openChat(box, { backend: service.backend(history), threadId: 'bench' });
  await ask(element);
  const content = readContent(element);
  return {
    ...content,
    push: (chunk) => {
      service.push(chunk);
    },
    end: async () => {
      await service.finish();
      await lastFrames(content.root);
    },
  };
};

/** `<ubik-chat>` from bytes to pixels: the UBIK service of the page streams the document, so `push` does nothing. */
export const transport: MakeSubject = async ({ box }) => {
  const getToken = (): string => 'bench';
  const element = await openChat(box, { baseUrl: '/api', getToken, threadId: 's1' });
  const ended = once(element, 'ubik-run-completed');
  await ask(element);
  const content = readContent(element);
  return {
    ...content,
    begin: () => window.benchAnswer(),
    push: () => undefined,
    end: async () => {
      await ended;
      await lastFrames(content.root);
    },
  };
};

/** The chat with a planted defect: it copies the whole text for every chunk. It must fail the growth check. */
export const planted: MakeSubject = async (input) => {
  const subject = await chat(input);
  let copy = '';
  return {
    ...subject,
    push: (chunk) => {
      copy = [...copy, ...chunk].join('');
      subject.push(chunk);
    },
  };
};

/** The size of a chat, and of the copy of its DOM that `makeStage` creates. */
export const CHAT_STYLE = 'display: block; height: 800px';

/** Adds a chat to a container. Resolves when its thread is open. */
export async function openChat(box: Element, properties: Partial<UbikChat>): Promise<UbikChat> {
  const element = document.createElement('ubik-chat');
  element.style.cssText = CHAT_STYLE;
  Object.assign(element, properties);
  const opened = once(element, 'ubik-thread-opened');
  box.append(element);
  await opened;
  await element.updateComplete;
  return element;
}

/** Sends a message as a user does. Resolves when the run has started. */
async function ask(element: UbikChat): Promise<void> {
  const field = element.shadowRoot?.querySelector('textarea');
  if (!field) throw new Error('The chat has no field.');
  const started = once(element, 'ubik-run-started');
  field.value = 'Go on.';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  field.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }),
  );
  await started;
}

function readContent({ renderRoot }: UbikChat): Pick<Subject, 'root' | 'findTextContainer'> {
  const root = renderRoot as ShadowRoot;
  return {
    root,
    findTextContainer: () => [...root.querySelectorAll('[part~=text]')].at(-1) ?? null,
  };
}

/** Resolves with an event of a chat. Rejects when the chat reports an error first. */
function once(element: UbikChat, type: string): Promise<void> {
  return new Promise((resolve, reject) => {
    element.addEventListener(
      type,
      () => {
        resolve();
      },
      { once: true },
    );
    element.addEventListener('ubik-error', ({ detail }) => {
      reject(new Error(`The chat has failed: ${JSON.stringify(detail)}`));
    });
  });
}

import type { StoredMessage } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { accessibleName } from '../helpers/accessible-name.js';
import { pressKey, setupChat } from './chat-stage.js';

/** A stored message with other versions, made at a time. */
export function version(
  id: string,
  role: 'user' | 'assistant',
  text: string,
  siblingIds: readonly string[] = [],
  createdAt = 1,
): StoredMessage {
  const message = stored(id, role, text);
  return { ...message, fields: { ...message.fields, siblingIds, createdAt } };
}

/** What the service has: the second of three versions of a question, and an answer. */
export const TALK = [
  version('q2', 'user', 'Second question', ['q3', 'q1', 'q2'], 20),
  version('a2', 'assistant', 'Second answer'),
];

/** A chat with a thread open, at a service that can do all that branches need. `read` answers who reads a single message. */
export async function setupBranches(
  messages: readonly StoredMessage[] = TALK,
  read: (id: string) => StoredMessage = () => {
    throw new UbikError('server');
  },
) {
  const stage = await setupChat();
  const { backend, chat, controller, settle, root } = stage;
  for (const name of ['edit', 'regenerate', 'branches'] as const) {
    backend.capabilities.add(name as never);
  }
  backend.answers.set('loadMessage', (_, id) => read(String(id)));
  backend.threads.set('t', contentOf('t', messages));
  await controller.openThread('t');
  await settle();
  stage.events.length = 0;
  const button = (name: string, within: ParentNode = root): HTMLButtonElement => {
    const found = [...within.querySelectorAll('button')].find(
      (one) => accessibleName(one) === name,
    );
    if (!found) throw new Error(`There is no button "${name}".`);
    return found;
  };
  const press = (key: string, init: KeyboardEventInit = {}): KeyboardEvent =>
    pressKey(root.activeElement, key, init);
  return {
    ...stage,
    chat,
    button,
    press,
    /** The texts of the messages that are shown. */
    shown: () => [...root.querySelectorAll('.message .body')].map((one) => one.textContent.trim()),
    /** The words of the element that has the focus. */
    focused: () => root.activeElement && accessibleName(root.activeElement as HTMLElement),
    /** The field of the form in a message. */
    field: () => stage.query<HTMLTextAreaElement>('.edit textarea'),
  };
}

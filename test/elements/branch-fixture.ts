import type { StoredMessage } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { accessibleName } from '../helpers/accessible-name.js';
import { pressKey, setupChat } from './chat-fixture.js';

/** A stored message with its versions and its time. */
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

/** The second of three versions of a question, and its answer. */
export const MESSAGES = [
  version('q2', 'user', 'Second question', ['q3', 'q1', 'q2'], 20),
  version('a2', 'assistant', 'Second answer'),
];

/** Loads a single message by its id, as the service does for a version that the thread does not contain. */
export type ReadMessage = (id: string) => StoredMessage | Promise<StoredMessage>;

/** A chat with an open thread and a backend with versions. `read` returns a single message by its id. */
export async function setupBranches(
  messages: readonly StoredMessage[] = MESSAGES,
  read: ReadMessage = () => {
    throw new UbikError('server');
  },
) {
  const fixture = await setupChat();
  const { backend, controller, settle, root } = fixture;
  for (const name of ['edit', 'regenerate', 'branches'] as const) {
    backend.capabilities.add(name);
  }
  backend.responses.set('loadMessage', (_, id) => read(String(id)));
  backend.threads.set('t', contentOf('t', messages));
  await controller.openThread('t');
  await settle();
  fixture.events.length = 0;
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
    ...fixture,
    button,
    press,
    /** The texts of the visible messages. */
    shown: () => [...root.querySelectorAll('.message .body')].map((one) => one.textContent.trim()),
    /** The accessible name of the focused element. */
    focused: () => root.activeElement && accessibleName(root.activeElement as HTMLElement),
    /** The field of the edit form. */
    field: () => fixture.query<HTMLTextAreaElement>('.edit textarea'),
  };
}

import { isUbikError, UbikError } from '../../errors.js';
import { createFieldChange, type Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { adoptMessage } from '../threads/merge-thread-content.js';
import { findMethod } from '../find-method.js';

/** Reads another version of a message; see `StreamController`. */
export async function loadVersion(
  conversation: ControllerContext,
  key: Key,
  id: string,
): Promise<void> {
  const { backend, closing, createKey, current: thread } = conversation;
  const find = () => [...(thread?.messages.values() ?? [])].find((message) => message.id === id);
  if (thread?.id == null || !thread.messages.has(key)) throw new UbikError('misuse');
  if (find()) return;
  const read = findMethod(backend, 'loadMessage')(thread.id, id, closing.signal);
  const stored = await read.catch((error: unknown) => {
    if (isUbikError(error) && error.code === 'not-found') return null;
    throw error;
  });
  // It may have come another way meanwhile, and its place may have gone.
  const message = thread.messages.get(key);
  if (!message || find()) return;
  conversation.commit(
    thread.key,
    stored
      ? adoptMessage(createKey(), undefined, stored, message.parent)
      : forget(thread, message, id),
  );
}

/** No version at the place of a message names one that is gone any more. */
function forget({ messages }: Thread, { parent }: Message, id: string): Change[] {
  return [...messages.values()]
    .filter((one) => one.parent === parent && one.siblingIds.includes(id))
    .map(({ key, siblingIds }) =>
      createFieldChange(
        key,
        null,
        'siblingIds',
        siblingIds.filter((one) => one !== id),
      ),
    );
}

import type { QueuedMessage } from '../../src/controller/controller-types.js';
import { draftOf, setupConversation, type Conversation } from './setup-conversation.js';

/** Text and state of what waits. */
export function queued({ controller }: Conversation): string[] {
  const list = [...(controller.thread?.list('queue').values() ?? [])];
  return (list as unknown as QueuedMessage[]).map(
    ({ text, state, next: now, error }) =>
      `${text} ${state}${now ? ' now' : ''}${error === null ? '' : ` ${error}`}`,
  );
}

/** Key of the message with a text. */
export function keyOf({ controller }: Conversation, text: string): string {
  const list = [...(controller.thread?.list('queue') ?? [])] as unknown as [
    string,
    QueuedMessage,
  ][];
  return list.find(([, message]) => message.text === text)?.[0] ?? '';
}

/** Texts that were sent, in their order. */
export function sent({ backend }: Conversation): string[] {
  return backend.streams
    .filter(({ method }) => method === 'send')
    .map(({ args }) => (args[1] as { text: string }).text);
}

/** A run that is on, with messages behind it. */
export async function setupQueue(
  texts: readonly string[],
  options: Parameters<typeof setupConversation>[0] = {},
): Promise<Conversation> {
  const conversation = setupConversation(options);
  await conversation.start('First');
  for (const text of texts) await conversation.controller.enqueue(draftOf(text));
  await conversation.environment.settle();
  return conversation;
}

/** Name under which a note about the thread is stored. */
export function noteKey(kind: string): string {
  return ['https://service.test', 'user-1', kind, 'thread-id-1'].map(encodeURIComponent).join('|');
}

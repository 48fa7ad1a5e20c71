import type { ControllerOptions, QueuedMessage } from '../../src/controller/controller-types.js';
import { draftOf, setupController, type ControllerFixture } from './setup-controller.js';

/** Text and state of each queued message, with `now` if it is to be sent next, and the code of its error. */
export function describeQueue({ controller }: ControllerFixture): string[] {
  const list = [...(controller.thread?.list('queue').values() ?? [])];
  return (list as unknown as QueuedMessage[]).map(
    ({ text, state, next, error }) =>
      `${text} ${state}${next ? ' now' : ''}${error === null ? '' : ` ${error}`}`,
  );
}

/** Key of the message with a text. */
export function keyOf({ controller }: ControllerFixture, text: string): string {
  const list = [...(controller.thread?.list('queue') ?? [])] as unknown as [
    string,
    QueuedMessage,
  ][];
  return list.find(([, message]) => message.text === text)?.[0] ?? '';
}

/** Texts that were sent, in order. */
export function listSent({ backend }: ControllerFixture): string[] {
  return backend.streams
    .filter(({ method }) => method === 'send')
    .map(({ args }) => (args[1] as { text: string }).text);
}

/** A controller with an active run, that of the message “First”, and queued messages with the given texts. */
export async function setupQueue(
  texts: readonly string[],
  options: Partial<ControllerOptions> = {},
): Promise<ControllerFixture> {
  const fixture = setupController(options);
  await fixture.start('First');
  for (const text of texts) await fixture.controller.enqueue(draftOf(text));
  await fixture.environment.settle();
  return fixture;
}

/** Storage key of a record of the thread that a controller with the default options creates first. */
export function recordKey(kind: string): string {
  return ['https://service.test', 'user-1', kind, 'thread-id-1'].map(encodeURIComponent).join('|');
}

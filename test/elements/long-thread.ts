import type { StreamController } from '../../src/controller/controller-types.js';
import { contentOf, stored, type ScriptedBackend } from '../controller/scripted-backend.js';

/** Text of an answer in a long thread. Each text is different. */
export const answerText = (index: number): string =>
  [
    `Answer ${index} tells about **refunds**: see [the policy](https://example.org/policy?answer=${index}).`,
    '- within thirty days, the whole price\n- later, a voucher\n- for worn goods, `nothing`',
    ...(index % 10 === 1 ? ['```ts\nconst days = 30;\nrefund(days);\n```'] : []),
    'The rest is written in the terms that were sent with the order, and in the mail of last week.',
  ].join('\n\n');

/** A thread with a number of messages, numbered from `first` on; questions have even numbers, answers odd ones. */
export function createLongThread(id: string, count: number, first = 0) {
  const messages = Array.from({ length: count }, (_, at) => {
    const index = first + at;
    return index % 2 === 0
      ? stored(`m${index}`, 'user', `Question ${index}: how long may I take?`)
      : stored(`m${index}`, 'assistant', answerText(index));
  });
  return contentOf(id, messages);
}

/** Opens a thread with a number of messages. */
export async function openLongThread(
  { backend, controller }: { backend: ScriptedBackend; controller: StreamController },
  count: number,
): Promise<void> {
  backend.threads.set('many', createLongThread('many', count));
  await controller.openThread('many');
}

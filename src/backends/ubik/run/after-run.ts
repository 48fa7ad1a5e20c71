import type { RunKeys } from '../../backend.js';
import type { Change } from '../../../model/change.js';
import type { Json, Key } from '../../../model/json.js';
import type { UbikContext } from '../requests/context.js';
import { getBranch } from '../requests/messages.js';
import type { WireBranch, WireMessage } from '../requests/read-message.js';

/** The person does not wait longer for names that only later acts need. */
const TIMEOUT = 4000;

/**
 * What the service calls the messages of a run, and where they stand in its tree: changes of ids and siblings, never of content
 * (R3). Nothing when it cannot be read: it is read again with the thread.
 */
export async function readIdentity(
  context: UbikContext,
  session: string,
  keys: RunKeys,
  known: { readonly taskId: string | null; readonly messageId: string | null },
  signal: AbortSignal,
): Promise<Change[]> {
  try {
    const branch = await getBranch(context, session, { signal, timeout: TIMEOUT });
    return identityChanges(branch, keys, known);
  } catch {
    // The run is over and told; its names come with the next reading.
    return [];
  }
}

function identityChanges(
  branch: WireBranch,
  keys: RunKeys,
  known: { readonly taskId: string | null; readonly messageId: string | null },
): Change[] {
  const answer = findAnswer(branch, known);
  if (!answer) return [];
  const user = branch.items.find((item) => item.id === answer.parentId && item.role === 'user');
  return [
    ...nameChanges(keys.answer, answer),
    ...(user && keys.user !== null ? nameChanges(keys.user, user) : []),
  ];
}

/** By its id, by its task, else the newest one. */
function findAnswer(
  { items }: WireBranch,
  known: { readonly taskId: string | null; readonly messageId: string | null },
): WireMessage | undefined {
  const answers = items.filter((item) => item.role === 'assistant').reverse();
  const newest = items.at(-1);
  return (
    answers.find((item) => item.id === known.messageId) ??
    answers.find((item) => item.taskId !== null && item.taskId === known.taskId) ??
    (newest?.role === 'assistant' ? newest : undefined)
  );
}

/** The changes that tell what the service calls a message. */
export function nameChanges(key: Key, message: WireMessage): Change[] {
  const siblings = [...new Set([...message.siblingIds, message.id])];
  const set = (name: string, value: Json): Change => ({
    do: 'set',
    message: key,
    part: null,
    path: [name],
    value,
  });
  return [
    set('id', message.id),
    set('siblingIds', siblings),
    ...(message.createdAt === null ? [] : [set('createdAt', message.createdAt)]),
  ];
}

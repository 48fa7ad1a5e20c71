import type { Database } from '../store/database.js';
import { findMessage, listMessages, readBranch, type MessageRow } from '../store/messages.js';
import type { SessionRow } from '../store/sessions.js';

/**
 * What a stale list of messages contains of the newest run with a stored answer: nothing, only its question, an empty answer, or half of the
 * answer.
 */
export type Staleness = 'nothing' | 'question' | 'empty' | 'half';

/** The list of messages of a service that stores messages late, or in parts. */
export interface StaleBranch {
  readonly messages: readonly MessageRow[];
  readonly head: string | null;
  /** Whether the stale list already has a message. */
  has(id: string): boolean;
}

/** Returns the active branch without the newest answer, or with a part of it; the whole branch if no answer is stored yet. */
export function readStaleBranch(
  database: Database,
  { id: session, active_head: head }: SessionRow,
  staleness: Staleness,
): StaleBranch {
  const all = listMessages(database, session);
  const answer = all.findLast(({ role }) => role === 'assistant');
  if (!answer) return { messages: readBranch(database, session, head), head, has: () => true };
  if (staleness === 'empty' || staleness === 'half') {
    const messages = readBranch(database, session, head).map((message) =>
      message.id === answer.id ? cut(message, staleness) : message,
    );
    return { messages, head, has: () => true };
  }
  const question = findMessage(database, session, answer.parent_id ?? '');
  const answers = all.filter(({ parent_id: parent }) => parent === answer.parent_id);
  // A question with a single answer was added by this run; otherwise it existed before (regenerated answers).
  const hidesQuestion = staleness === 'nothing' && question !== null && answers.length === 1;
  const firstHidden = hidesQuestion ? question.place : answer.place;
  const stored = all.filter(({ place }) => place < firstHidden);
  const staleHead = staleness === 'question' ? question?.id : stored.at(-1)?.id;
  const ids = new Set(stored.map(({ id }) => id));
  return {
    messages: readBranch(database, session, staleHead ?? null),
    head: staleHead ?? null,
    has: (id) => ids.has(id),
  };
}

function cut(message: MessageRow, staleness: 'empty' | 'half'): MessageRow {
  const { content } = message;
  return { ...message, content: staleness === 'empty' ? '' : content.slice(0, content.length / 2) };
}

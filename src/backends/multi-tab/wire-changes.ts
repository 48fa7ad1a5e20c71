import { type Change, type ThreadChange, setField } from '../../model/change.js';
import type { Json } from '../../model/json.js';
import type { Run } from '../../model/thread.js';
import type { RunKeys } from '../backend.js';
import { ANSWER, MESSAGE_FIELDS, NAMES_OF_QUESTION, QUESTION } from './validate-changes.js';

const NAMES = Object.keys(MESSAGE_FIELDS);

/** Which messages of this tab a run is about. */
type Messages = Pick<RunKeys, 'user' | 'answer'>;

/**
 * What other tabs are told of a change: of the answer, without its place, which each tab knows for itself, what the service calls
 * the question, and how the run stands. Keys of messages are each tab's own.
 */
export function toWire(change: Change, { user, answer }: Messages): Change[] {
  if (change.do === 'thread') return standingOf(change.set);
  if (change.do === 'item') {
    const { list } = change;
    return list === 'checkpoints' || list === 'documents' ? [change] : [];
  }
  const isOfAnswer = change.message === answer;
  if (!isOfAnswer && (change.message !== user || change.do !== 'set')) return [];
  if (change.do === 'message') return fieldChanges({}, change.value);
  const message = isOfAnswer ? ANSWER : QUESTION;
  if (!('part' in change) || change.part !== null)
    return isOfAnswer ? [{ ...change, message }] : [];
  const names = isOfAnswer ? NAMES : NAMES_OF_QUESTION;
  const isField = change.do === 'set' && change.path.length === 1 && change.value !== undefined;
  return isField && names.includes(`${change.path[0]}`) ? [{ ...change, message }] : [];
}

/** What a change of the shared run means here. */
export function fromWire(change: Change, { user, answer }: Messages): Change[] {
  if (!('message' in change)) return [change];
  const message = change.message === QUESTION ? user : answer;
  return message === null ? [] : [{ ...change, message }];
}

/** Fields of the answer in which two differ, as changes. */
export function fieldChanges(before: object, after: object): Change[] {
  const old = before as Readonly<Record<string, Json>>;
  const fields = after as Readonly<Record<string, Json | undefined>>;
  return NAMES.flatMap((name) => {
    const value = fields[name];
    const isSame = value === undefined || JSON.stringify(value) === JSON.stringify(old[name]);
    return isSame ? [] : [setField(ANSWER, null, name, value)];
  });
}

function standingOf({ title, run = {} }: ThreadChange): Change[] {
  const set: ThreadChange = {
    ...(title !== undefined && { title }),
    ...(Object.keys(run).length > 0 && { run: standing(run) }),
  };
  return Object.keys(set).length > 0 ? [{ do: 'thread', set }] : [];
}

/** What a service says of a run; the rest is each tab's own. */
export function standing({ state, id, error }: Partial<Run>): Partial<Run> {
  return {
    ...(state !== undefined && { state }),
    ...(id !== undefined && { id }),
    ...(error !== undefined && { error }),
  };
}

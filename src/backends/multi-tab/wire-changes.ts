import { createFieldChange, type Change, type ThreadChange } from '../../model/change.js';
import type { Json } from '../../model/json.js';
import type { Run } from '../../model/thread.js';
import type { RunKeys } from '../backend.js';
import { ANSWER_FIELDS, ANSWER_KEY, QUESTION_FIELDS, QUESTION_KEY } from './validate-changes.js';

const ANSWER_FIELD_NAMES = Object.keys(ANSWER_FIELDS);

/** The keys, in this tab, of the messages of a run. */
type MessageKeys = Pick<RunKeys, 'user' | 'answer'>;

/**
 * Converts a change for other tabs, with keys that are the same in all of them; empty when it concerns this tab only. The changes that
 * concern other tabs are those of the answer (without its position in the tree), of the ids and the time of the user's message, of
 * checkpoints and documents, of the title of the thread, and of the state, id and error of the run.
 */
export function toWireChanges(change: Change, { user, answer }: MessageKeys): Change[] {
  if (change.type === 'thread') return toThreadChanges(change.set);
  if (change.type === 'item') {
    const { list } = change;
    return list === 'checkpoints' || list === 'documents' ? [change] : [];
  }
  const isOfAnswer = change.message === answer;
  if (!isOfAnswer && (change.message !== user || change.type !== 'set')) return [];
  if (change.type === 'message') return diffAnswerFields({}, change.value);
  const message = isOfAnswer ? ANSWER_KEY : QUESTION_KEY;
  if (!('part' in change) || change.part !== null)
    return isOfAnswer ? [{ ...change, message }] : [];
  const names = isOfAnswer ? ANSWER_FIELD_NAMES : QUESTION_FIELDS;
  const isField = change.type === 'set' && change.path.length === 1 && change.value !== undefined;
  return isField && names.includes(`${change.path[0]}`) ? [{ ...change, message }] : [];
}

/** Converts a change of another tab to the keys of this tab; empty for a message that this tab does not have. */
export function fromWireChange(change: Change, { user, answer }: MessageKeys): Change[] {
  if (!('message' in change)) return [change];
  const message = change.message === QUESTION_KEY ? user : answer;
  return message === null ? [] : [{ ...change, message }];
}

/** Returns the changes that set the fields in which two answers differ. A field that `after` lacks is not changed. */
export function diffAnswerFields(before: object, after: object): Change[] {
  const old = before as Readonly<Record<string, Json>>;
  const fields = after as Readonly<Record<string, Json | undefined>>;
  return ANSWER_FIELD_NAMES.flatMap((name) => {
    const value = fields[name];
    const isSame = value === undefined || JSON.stringify(value) === JSON.stringify(old[name]);
    return isSame ? [] : [createFieldChange(ANSWER_KEY, null, name, value)];
  });
}

function toThreadChanges({ title, run = {} }: ThreadChange): Change[] {
  const set: ThreadChange = {
    ...(title !== undefined && { title }),
    ...(Object.keys(run).length > 0 && { run: pickServiceFields(run) }),
  };
  return Object.keys(set).length > 0 ? [{ type: 'thread', set }] : [];
}

/** Returns the fields of a run that the service sets; the others belong to each tab. */
export function pickServiceFields({ state, id, error }: Partial<Run>): Partial<Run> {
  return {
    ...(state !== undefined && { state }),
    ...(id !== undefined && { id }),
    ...(error !== undefined && { error }),
  };
}

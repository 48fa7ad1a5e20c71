import type { Change } from '../../model/change.js';
import type { Json } from '../../model/json.js';
import type { PartKind } from '../../model/part.js';
import { PART_FIELDS, type FieldType, type FieldTypes } from '../../model/part-schema.js';
import type { Fields } from '../fields.js';

/** Maximum number of values in one message between tabs. */
const MAX_VALUES = 500_000;
/** Maximum length of all texts of one message between tabs, names included, in UTF-16 units: twice that of all events of a run. */
const MAX_TEXT = 128 * 1024 * 1024;
/** Maximum nesting of the values of one message between tabs. */
const MAX_DEPTH = 100;
const UNSAFE_NAME = /^(?:__proto__|prototype|constructor)$/u;

/**
 * Whether a value is plain data within the limits above: no class instance, no name that leads to a prototype. Takes time proportional to
 * its size.
 */
export function isPlainData(value: unknown): value is Json {
  let values = 0;
  let units = 0;
  const isText = (text: string) => (units += text.length) <= MAX_TEXT;
  const check = (each: unknown, depth: number): boolean => {
    values += 1;
    if (values > MAX_VALUES || depth > MAX_DEPTH) return false;
    if (typeof each === 'string') return isText(each);
    if (typeof each === 'number') return Number.isFinite(each);
    if (each === null || typeof each === 'boolean') return true;
    if (Array.isArray(each)) return each.every((item) => check(item, depth + 1));
    if (!isRecord(each)) return false;
    return Object.entries(each).every(
      ([name, item]) => !UNSAFE_NAME.test(name) && isText(name) && check(item, depth + 1),
    );
  };
  return check(value, 0);
}

/** Whether a value is an object and no class instance. */
export function isRecord(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The checks of the letters that {@link hasFields} describes. */
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  s: (value) => typeof value === 'string',
  n: (value) => typeof value === 'number',
  b: (value) => typeof value === 'boolean',
  l: (value) => Array.isArray(value),
  t: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  o: isRecord,
  v: (value) => value === null || ['string', 'number', 'boolean'].includes(typeof value),
  j: (value) => value !== undefined,
};

/**
 * Whether a value has the fields of a shape such as `"name:s step:n?"`: **s**tring, **n**umber, **b**oolean, **l**ist, list of **t**exts,
 * **o**bject, primitive **v**alue or null, any **J**SON. A question mark allows null. Additional fields are allowed.
 */
export function hasFields(value: unknown, shape: string): value is Fields {
  if (!isRecord(value)) return false;
  return shape.split(' ').every((each) => {
    const [name = '', type = ''] = each.split(':');
    return hasType(fieldOf(value, name), type);
  });
}

function fieldOf(value: Fields, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Whether a value has a type: a letter of {@link hasFields}, a list of items of one type, or an object with typed fields. */
function hasType(value: unknown, type: FieldType): boolean {
  if (typeof type === 'string') {
    if (type.endsWith('?') && value === null) return true;
    return TYPES[type.replace('?', '')]?.(value) ?? false;
  }
  if (!isListType(type)) return isRecord(value) && hasTypes(value, type);
  const [itemType] = type;
  return Array.isArray(value) && value.every((item) => hasType(item, itemType));
}

function isListType(type: FieldType): type is readonly [FieldType] {
  return Array.isArray(type);
}

function hasTypes(value: Fields, types: FieldTypes): boolean {
  return Object.entries(types).every(([name, type]) => hasType(fieldOf(value, name), type));
}

/** Key of the shared run's answer in messages between tabs; each tab has another key for it. */
export const ANSWER_KEY = 'answer';

/** Key of the user's message that the run answers. Each tab loads the message from the service; only its ids and its time are sent. */
export const QUESTION_KEY = 'question';
/** Fields of the user's message that are sent. */
export const QUESTION_FIELDS: readonly string[] = ['id', 'siblingIds', 'createdAt'];

/** Fields of the answer that are sent, with the types that views rely on. */
export const ANSWER_FIELDS: Readonly<Record<string, string>> = {
  id: 's?',
  runId: 's?',
  siblingIds: 't',
  createdAt: 'n?',
  status: 's',
  attachments: 'l',
  restoredFrom: 'o?',
  failure: 'o?',
  usage: 'o',
  followUps: 't',
  extra: 'j',
};

/** States of a run that the service determines; only these are sent. */
const RUN_STATES = 'streaming complete waiting stopped failed'.split(' ');
const STATUSES = [...RUN_STATES, 'interrupted'];
/** Lists of a thread whose items are sent. */
const LISTS = ['checkpoints', 'documents'];

/** Whether plain data is a valid list of changes to the shared run. */
export function isChangeList(value: unknown): value is readonly Change[] {
  return Array.isArray(value) && value.every(isChange);
}

function isChange(change: unknown): boolean {
  if (!isRecord(change)) return false;
  switch (change['type']) {
    case 'thread':
      return isThreadUpdate(change['set']);
    case 'item':
      return hasFields(change, 'list:s key:s') && LISTS.includes(change['list'] as string);
    default:
      if (change['message'] === QUESTION_KEY) return isQuestionChange(change);
      return change['message'] === ANSWER_KEY && isAnswerChange(change);
  }
}

function isQuestionChange(change: Fields): boolean {
  if (change['type'] !== 'set' || !hasFields(change, 'path:l') || change['part'] !== null)
    return false;
  const [name] = change['path'] as readonly unknown[];
  return QUESTION_FIELDS.includes(name as string) && isFieldUpdate(change);
}

function isAnswerChange(change: Fields): boolean {
  switch (change['type']) {
    case 'part':
      return hasFields(change, 'part:s parent:s? before:s?') && isPart(change['value']);
    case 'text':
      return hasFields(change, 'part:s at:n text:s') && isIndex(change['at']);
    case 'set':
      return hasFields(change, 'part:s? path:l') && isFieldUpdate(change);
    case 'remove':
      return hasFields(change, 'part:s');
    case 'content':
      return isPartTreeList(change['parts']);
    default:
      return false;
  }
}

function isIndex(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** Fields of a message are only set as a whole; fields of a part at any depth. */
function isFieldUpdate({ part, path, value }: Fields): boolean {
  const steps = path as readonly unknown[];
  const isPath = steps.every((step) => typeof step === 'string' || isIndex(step));
  if (part !== null || !isPath) return isPath;
  const [name, ...deeper] = steps;
  const type = Object.hasOwn(ANSWER_FIELDS, `${name as string}`)
    ? ANSWER_FIELDS[name as string]
    : undefined;
  if (deeper.length > 0 || type === undefined || !hasFields({ value }, `value:${type}`))
    return false;
  return name !== 'status' || STATUSES.includes(value as string);
}

function isPart(value: unknown): value is Fields {
  if (!hasFields(value, 'kind:s') || !Object.hasOwn(PART_FIELDS, value['kind'] as string)) {
    return false;
  }
  return hasTypes(value, PART_FIELDS[value['kind'] as PartKind]);
}

function isPartTreeList(trees: unknown): boolean {
  if (!Array.isArray(trees)) return false;
  return trees.every((tree: unknown) => {
    if (!isPart(tree) || !hasFields(tree, 'key:s')) return false;
    const { text = '', parts = [] } = tree;
    return typeof text === 'string' && isPartTreeList(parts);
  });
}

/** Only the title of the thread and the state, id and error of its run are sent. */
function isThreadUpdate(set: unknown): boolean {
  if (!isRecord(set)) return false;
  const { title = '', run = {}, ...others } = set;
  if (typeof title !== 'string' || !isRecord(run) || Object.keys(others).length > 0) return false;
  const { state = 'streaming', id = null, error = null, ...otherFields } = run;
  return (
    RUN_STATES.includes(state as string) &&
    (id === null || typeof id === 'string') &&
    (error === null || hasFields(error, 'code:s message:s')) &&
    Object.keys(otherFields).length === 0
  );
}

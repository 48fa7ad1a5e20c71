import type { Change } from '../../model/change.js';
import type { Json } from '../../model/json.js';
import type { PartKind } from '../../model/part.js';

/** Values in one message. */
const MAX_VALUES = 500_000;
/** Units of text in one message, names included: twice what a message may be long. */
const MAX_TEXT = 16 * 1024 * 1024;
const MAX_DEPTH = 100;
const UNSAFE = /^(?:__proto__|prototype|constructor)$/u;

/** Whether a value is plain data of a bearable size: no object of a class, no name that reaches a prototype. Costs its size. */
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
      ([name, item]) => !UNSAFE.test(name) && isText(name) && check(item, depth + 1),
    );
  };
  return check(value, 0);
}

/** Fields by name, of a kind that is not known yet. */
export interface Fields {
  readonly [name: string]: unknown;
}

/** Whether a value is an object and of no class. */
export function isRecord(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  s: (value) => typeof value === 'string',
  n: (value) => typeof value === 'number',
  b: (value) => typeof value === 'boolean',
  l: (value) => Array.isArray(value),
  t: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  o: isRecord,
  j: (value) => value !== undefined,
};

/**
 * Whether fields have the types that a text like `"name:s step:n?"` says: string, number, boolean, list, list of texts, object,
 * anything. A question mark allows null. Other fields may be there.
 */
export function hasFields(value: unknown, types: string): value is Fields {
  if (!isRecord(value)) return false;
  return types.split(' ').every((each) => {
    const [name = '', type = ''] = each.split(':');
    const field = Object.hasOwn(value, name) ? value[name] : undefined;
    if (type.endsWith('?') && field === null) return true;
    return TYPES[type.replace('?', '')]?.(field) ?? false;
  });
}

/** The answer of the run that is shared, under whatever key it stands in a tab. */
export const ANSWER = 'answer';

/** The question that it answers. Each tab has it from the service; only its names are told. */
export const QUESTION = 'question';
/** What is told of the question. */
export const NAMES_OF_QUESTION: readonly string[] = ['id', 'siblingIds', 'createdAt'];

/** What the fields of a message must be for its views; no other field is taken. */
export const MESSAGE_FIELDS: Readonly<Record<string, string>> = {
  id: 's?',
  taskId: 's?',
  siblingIds: 't',
  createdAt: 'n?',
  status: 's',
  attachments: 'l',
  origin: 'o?',
  failure: 'o?',
  extra: 'j',
};

/** The same for parts. */
const PART_FIELDS: Readonly<Record<PartKind, string>> = {
  text: 'kind:s',
  thinking: 'state:s',
  step: 'number:n? title:s single:b state:s',
  tool: 'name:s toolId:s state:s input:s? result:s?',
  checkpoint: 'name:s',
  'input-request': 'prompt:s inputTypes:t checkpointName:s? answer:s?',
  error: 'message:s details:s?',
  unknown: 'name:s',
  'run-activity': 'step:n? totalSteps:n? progress:n? description:s result:j',
  'step-activity':
    'number:n title:s progress:n? status:s results:j state:s startedAt:n? endedAt:n?',
  'tool-activity':
    'toolId:s name:s part:s? phase:s status:s message:s data:j state:s reason:s startedAt:n? endedAt:n? subSession:s?',
  'phase-activity': 'phase:s message:s data:j state:s startedAt:n? endedAt:n?',
  'output-activity': 'outputKey:s',
  'held-activity': 'tool:s? payload:s?',
  'request-activity':
    'level:s prompt:s inputTypes:t checkpointName:s? executionId:s? options:j schema:j deadline:n? toolName:s? part:s? state:s',
};

const STATES = 'streaming complete waiting stopped failed'.split(' ');
const STATUSES = [...STATES, 'interrupted'];
const LISTS = ['checkpoints', 'documents'];

/** Whether plain data is a list of changes of the shared run. */
export function areChanges(value: unknown): value is readonly Change[] {
  return Array.isArray(value) && value.every(isChange);
}

function isChange(change: unknown): boolean {
  if (!isRecord(change)) return false;
  switch (change['do']) {
    case 'thread':
      return isStanding(change['set']);
    case 'item':
      return hasFields(change, 'list:s key:s') && LISTS.includes(change['list'] as string);
    default:
      if (change['message'] === QUESTION) return isName(change);
      return change['message'] === ANSWER && isInMessage(change);
  }
}

function isName(change: Fields): boolean {
  if (change['do'] !== 'set' || !hasFields(change, 'path:l') || change['part'] !== null)
    return false;
  const [name] = change['path'] as readonly unknown[];
  return NAMES_OF_QUESTION.includes(name as string) && isSet(change);
}

function isInMessage(change: Fields): boolean {
  switch (change['do']) {
    case 'part':
      return hasFields(change, 'part:s parent:s? before:s?') && isPart(change['value']);
    case 'text':
      return hasFields(change, 'part:s at:n text:s') && isIndex(change['at']);
    case 'set':
      return hasFields(change, 'part:s? path:l') && isSet(change);
    case 'remove':
      return hasFields(change, 'part:s');
    case 'content':
      return areTrees(change['parts']);
    default:
      return false;
  }
}

function isIndex(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** Of a message only whole fields are set. */
function isSet({ part, path, value }: Fields): boolean {
  const steps = path as readonly unknown[];
  const areSteps = steps.every((step) => typeof step === 'string' || isIndex(step));
  if (part !== null || !areSteps) return areSteps;
  const [name, ...rest] = steps;
  const type = Object.hasOwn(MESSAGE_FIELDS, `${name as string}`)
    ? MESSAGE_FIELDS[name as string]
    : undefined;
  if (rest.length > 0 || type === undefined || !hasFields({ value }, `value:${type}`)) return false;
  return name !== 'status' || STATUSES.includes(value as string);
}

function isPart(value: unknown): boolean {
  if (!hasFields(value, 'kind:s') || !Object.hasOwn(PART_FIELDS, value['kind'] as string)) {
    return false;
  }
  return hasFields(value, PART_FIELDS[value['kind'] as PartKind]);
}

function areTrees(trees: unknown): boolean {
  if (!Array.isArray(trees)) return false;
  return trees.every((tree: unknown) => {
    if (!isPart(tree) || !hasFields(tree, 'key:s')) return false;
    const { text = '', parts = [] } = tree;
    return typeof text === 'string' && areTrees(parts);
  });
}

/** The title, and how the run stands; nothing else of a thread is told to other tabs. */
function isStanding(set: unknown): boolean {
  if (!isRecord(set)) return false;
  const { title = '', run = {}, ...rest } = set;
  if (typeof title !== 'string' || !isRecord(run) || Object.keys(rest).length > 0) return false;
  const { state = 'streaming', id = null, error = null, ...more } = run;
  return (
    STATES.includes(state as string) &&
    (id === null || typeof id === 'string') &&
    (error === null || hasFields(error, 'code:s message:s')) &&
    Object.keys(more).length === 0
  );
}

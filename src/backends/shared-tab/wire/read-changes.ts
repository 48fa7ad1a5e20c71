import type { Change } from '../../../model/change.js';
import type { PartKind } from '../../../model/part.js';
import { hasFields, isRecord, type Fields } from './plain-data.js';

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

import type { Key } from '../../../model/json.js';
import type { PartFields } from '../../../model/part.js';
import { parseJson } from '../../../transport/response.js';
import { asFields, asList, readNumber, type Fields } from '../../fields.js';
import { NO_REFERENCES, type References } from './citation-reader.js';
import { formatJson } from './format-json.js';
import { asString, readFirstNonBlank, isBlank, readAt } from './read-json.js';
import {
  findTitle,
  isHiddenSkill,
  identifyTool,
  presentAnswer,
  type SkillCall,
  type SkillResult,
} from './skills.js';
import type { PartSpec } from './projected-section.js';
import { toText, toTextParts, toThinking } from './text-parts.js';

/** State and times of a tool. */
export type ToolActivity = Extract<PartFields, { kind: 'tool-activity' }>;

/** The parts and the activity that are derived from one step of the agent. */
export interface DerivedStep {
  readonly parts: readonly PartSpec[];
  /** Null when the step calls no tool, or a hidden one. */
  readonly tool: ToolActivity | null;
  /** Path in the step of the text that the tool part shows as it grows, even while it is blank; null when there is none. */
  readonly textPath: string | null;
  /** Sources that the texts of later steps cite. */
  readonly references: References;
}

/** The result for a hidden step. */
export const HIDDEN_STEP: DerivedStep = {
  parts: [],
  tool: null,
  textPath: null,
  references: NO_REFERENCES,
};

/** The data on which the parts of a step depend, in addition to the step itself. */
export interface StepContext {
  /** Prefix of the keys of its parts. */
  readonly key: Key;
  /** Whether the run continues. */
  readonly isLive: boolean;
  /** Sources that its texts cite. */
  readonly references: References;
}

/** Derives the parts of one entry of `progress`. A hole in that list, and an internal step of the agent, have none. */
export function deriveStep(step: unknown, context: StepContext): DerivedStep {
  const fields = asFields(step);
  if (!fields || fields['stage'] === 'assign' || isDebugStep(fields['flags'])) {
    return HIDDEN_STEP;
  }
  const isSkill =
    fields['stage'] === 'skill' || (fields['stage'] !== 'llm' && asFields(fields['skill_info']));
  return isSkill ? deriveSkillStep(fields, context) : deriveModelStep(fields, context);
}

/** Whether `flags`, an object or its JSON, marks a step for debugging. */
function isDebugStep(flags: unknown): boolean {
  const value = typeof flags === 'string' ? parseJson(flags) : flags;
  return Boolean(readAt(value, 'debug'));
}

function deriveModelStep(step: Fields, { key, references }: StepContext): DerivedStep {
  const { think, answer, status } = step;
  const isOpen = status === 'processing' && isBlank(answer);
  const text = toText(answer, 'answer', references);
  return {
    ...HIDDEN_STEP,
    parts: [
      ...toThinking(think, 'think', { key: `${key}-thinking`, isOpen, references }),
      ...toTextParts(`${key}-text`, text),
    ],
  };
}

function deriveSkillStep(step: Fields, { key, isLive, references }: StepContext): DerivedStep {
  const { skill_info: info, answer, status, think } = step;
  const isRunning = status === 'processing' || (isBlank(status) && isBlank(answer));
  const state = readToolState(step, isRunning);
  const call: SkillCall = {
    name: readFirstNonBlank(info, 'name') || readFirstNonBlank(step, 'agent_name'),
    args: readArguments(readAt(info, 'args')),
    isAgent: /^agent$/i.test(asString(readAt(info, 'type'))),
    isRunning: isRunning && isLive,
  };
  if (isHiddenSkill(call)) return HIDDEN_STEP;
  const result = presentCached(answer, call, info);
  const names = identifyTool(call.name, call.isAgent);
  const { title } = result;
  const tool: PartSpec = {
    key,
    fields: {
      kind: 'tool',
      ...names,
      ...(title !== '' && { title }),
      toolId: asString(step['id']),
      state,
      input: printInput(call, step),
      result: null,
    },
  };
  const parts = addResult(tool, result, call.isRunning);
  const part = parts[0]?.key ?? key;
  return {
    parts: [
      ...toThinking(think, 'think', { key: `${key}-thinking`, isOpen: false, references }),
      ...parts,
    ],
    tool: toActivity(step, { part, names, state, result }),
    textPath: result.text?.path ?? null,
    references: result.references,
  };
}

/** Tool states by the status of a step that has ended without being completed; for other statuses, see {@link readToolState}. */
const END_STATES: ReadonlyMap<unknown, ToolActivity['state']> = new Map([
  ['failed', 'failed'],
  ['skipped', 'skipped'],
  ['cancelled', 'cancelled'],
]);

/**
 * Returns the state of the tool of a step or of an entry of `skill_process`. An interrupted tool waits for the user's approval (Data Agent
 * 9.4).
 */
function readToolState(
  { status, interrupted, answer }: Fields,
  isRunning: boolean,
): ToolActivity['state'] {
  if (isRunning) return interrupted === true ? 'waiting' : 'running';
  return END_STATES.get(status) ?? (isError(answer) ? 'failed' : 'done');
}

/** Members of the two forms of an error; the first member of each form is the text of the error. */
const ERRORS = [
  ['error', 'details'],
  ['description', 'code', 'solution'],
] as const;

/** Whether the answer of a skill is an error. The service reports such a step as completed, because the run continues. */
function isError(answer: unknown): boolean {
  const fields = asFields(answer) ?? {};
  return ERRORS.some(
    ([text, ...others]) =>
      readFirstNonBlank(fields, text) !== '' && others.every((name) => Object.hasOwn(fields, name)),
  );
}

/**
 * Returns a tool part with its result, unless `hidesTool` omits it, followed by the parts in `below`. A running tool shows only a text that may
 * grow.
 */
function addResult(tool: PartSpec, result: PresentedAnswer, isRunning: boolean): PartSpec[] {
  const { key, fields } = tool;
  const { text, references, printed } = result;
  const toBelow = (list: SkillResult['below']) => toParts(`${key}-below`, list);
  if (result.hidesTool) return toBelow(result.below);
  const isShown = text && (!isRunning || text.path !== null);
  const texts = toTextParts(`${key}-text`, isShown ? { ...text, references } : null);
  if (isRunning) return [{ ...tool, parts: texts }];
  const parts = [...texts, ...toParts(`${key}-in`, result.inside)];
  const done = { ...fields, result: printed } as typeof fields;
  const outputs = result.below.map((output) => ({ ...output, tool: key }));
  return [{ key, fields: done, parts }, ...toBelow(outputs)];
}

function toParts(key: Key, list: SkillResult['inside']): PartSpec[] {
  return list.map((fields, index) => ({ key: `${key}-${String(index)}`, fields }));
}

function printInput({ args }: SkillCall, step: Fields): string | null {
  if (args.size > 0) return formatJson(Object.fromEntries(args));
  return readFirstNonBlank(step, 'input_message') || null;
}

/** Reads the arguments by name. An argument without a name, or with a repeated one, gets its index as its name. */
function readArguments(args: unknown): SkillCall['args'] {
  const named = asFields(args);
  if (named) return new Map(Object.entries(named));
  const found = new Map<string, unknown>();
  asList(args).forEach((arg, index) => {
    const name = readFirstNonBlank(arg, 'name', 'key');
    const isNamed = name !== '' && !found.has(name);
    found.set(isNamed ? name : String(index), (isNamed ? readAt(arg, 'value') : arg) ?? null);
  });
  return found;
}

/** How the answer of a skill is shown, with the title of its call. `printed` is `rest` as the text of the tool's result. */
interface PresentedAnswer extends SkillResult {
  readonly title: string;
  readonly printed: string | null;
}

interface CachedAnswer {
  readonly info: unknown;
  readonly isRunning: boolean;
  readonly result: PresentedAnswer;
}

/**
 * Cache by the identity of the answer object: patches copy only the containers on their path, so an unchanged answer stays the same object
 * when the state of its step changes.
 */
const cachedAnswers = new WeakMap<object, CachedAnswer>();

function presentCached(answer: unknown, call: SkillCall, info: unknown): PresentedAnswer {
  const key = typeof answer === 'object' ? answer : null;
  const known = key && cachedAnswers.get(key);
  if (known && known.info === info && known.isRunning === call.isRunning) return known.result;
  const shown = presentAnswer(answer, call);
  const { rest } = shown;
  const printed = typeof rest === 'string' || rest === null ? rest : formatJson(rest);
  const result = { ...shown, printed, title: findTitle(answer, call) };
  if (key) cachedAnswers.set(key, { info, isRunning: call.isRunning, result });
  return result;
}

function toActivity(
  step: Fields,
  tool: {
    readonly part: Key;
    readonly names: ReturnType<typeof identifyTool>;
    readonly state: ToolActivity['state'];
    readonly result: SkillResult;
  },
): ToolActivity {
  const { part, names, state, result } = tool;
  const start = readNumber(step, 'start_time') ?? 0;
  const end = readNumber(step, 'end_time') ?? 0;
  const isFailed = state === 'failed';
  return {
    kind: 'tool-activity',
    toolId: asString(step['id']),
    ...names,
    part,
    phase: '',
    status: '',
    message: '',
    data: null,
    state,
    reason: isFailed
      ? readFirstNonBlank(result.rest, 'error', 'description', 'message', 'details')
      : '',
    startedAt: start > 0 ? toMilliseconds(start) : null,
    endedAt: start > 0 && end >= start ? toMilliseconds(end) : null,
    subSession: null,
  };
}

/** Steps have times in fractional seconds. */
function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** Derives the parts of one entry of `skill_process`. The text of another agent, which this agent has called, is shown in a tool part. */
export function deriveSkillProcessEntry(
  entry: unknown,
  key: Key,
  references: References,
): PartSpec[] {
  const fields = asFields(entry);
  if (!fields) return [];
  const isRunning = fields['status'] === 'processing';
  const isOpen = isRunning && isBlank(fields['text']);
  const texts = toTextParts(`${key}-text`, toText(fields['text'], 'text', references));
  const thinking = toThinking(fields['thinking'], 'thinking', {
    key: `${key}-thinking`,
    isOpen,
    references,
  });
  // Entries with a type were written by another agent.
  if (isBlank(fields['type'])) return [...thinking, ...texts];
  const tool: PartSpec = {
    key,
    fields: {
      kind: 'tool',
      ...identifyTool(asString(fields['agent_name'])),
      toolId: '',
      state: readToolState(fields, isRunning),
      input: readFirstNonBlank(fields, 'input_message') || null,
      result: null,
    },
    parts: texts,
  };
  return [...thinking, tool];
}

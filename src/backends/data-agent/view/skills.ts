import type { ContentFields } from '../../../model/part.js';
import { parseJson } from '../../../transport/response.js';
import { asFields, asList } from '../../fields.js';
import { NO_REFERENCES, type References } from './citation-reader.js';
import { findText, isBlank } from './read-json.js';
import type { TextSpec } from './view-section.js';

/** A call of a skill: of a tool, or of another agent. */
export interface SkillCall {
  readonly name: string;
  /** Arguments by name. */
  readonly args: ReadonlyMap<string, unknown>;
  /** Whether another agent was called. */
  readonly isAgent: boolean;
}

/** What the answer of a skill becomes. */
export interface SkillResult {
  /** The text that is shown as Markdown in the tool part; null when there is none. */
  readonly text: TextSpec | null;
  /** Parts in the tool part, which is collapsed by default. */
  readonly inside: readonly ContentFields[];
  /** Parts below the tool part. */
  readonly below: readonly ContentFields[];
  /** What no part shows: the result of the tool part. Null when nothing is left. */
  readonly rest: unknown;
  /** Sources that the text of this and of later steps cites. */
  readonly references: References;
}

const NOTHING: SkillResult = {
  text: null,
  inside: [],
  below: [],
  rest: null,
  references: NO_REFERENCES,
};

/** Presents a result, which is the answer without its envelope. Null when it has not the shape that the skill is known for. */
type Presenter = (result: unknown, call: SkillCall) => SkillResult | null;

/**
 * Skills whose results become more than data, by their names in lower case. Every other result is shown as it is, by
 * {@link presentResult}.
 */
const PRESENTERS: ReadonlyMap<string, Presenter> = new Map([
  ['online_search_cite_tool', presentCitedSearch],
  ['doc_qa', presentDocumentSearch],
]);

/** Skills that are internal to the agent, by their names in lower case. */
const HIDDEN_SKILLS: ReadonlySet<string> = new Set([
  'search_memory',
  '_date',
  'build_memory',
  'build__memory',
]);

/** Whether calls of a skill are never shown. */
export function isHiddenSkill({ name, args }: SkillCall): boolean {
  return HIDDEN_SKILLS.has(name.toLowerCase()) || args.get('action') === 'show_ds';
}

/** Decides what the `answer` of a step becomes. Costs the size of the answer. */
export function presentAnswer(answer: unknown, call: SkillCall): SkillResult {
  const present = PRESENTERS.get(call.name.toLowerCase());
  if (typeof answer === 'string') {
    if (call.isAgent) return { ...NOTHING, text: { path: 'answer', source: answer } };
    const parsed = present && parseJson(answer);
    const shown = parsed === undefined ? null : present?.(removeEnvelope(parsed), call);
    return shown ?? { ...NOTHING, rest: toRest(answer) };
  }
  const result = removeEnvelope(answer);
  return present?.(result, call) ?? presentResult(result);
}

/** Shows a text below `answer` as Markdown, which is how agents that are called as skills write, and all else as data. */
function presentResult(result: unknown): SkillResult {
  const { answer, ...others } = asFields(result) ?? {};
  if (typeof answer !== 'string') return { ...NOTHING, rest: toRest(result) };
  return { ...NOTHING, text: { path: 'answer/answer', source: answer }, rest: toRest(others) };
}

/**
 * Data tools return `{result, full_result}`: a sample for the model and all of it for people. Members of `full_result` win over those
 * of `result`, and these over members beside them.
 */
export function removeEnvelope(answer: unknown): unknown {
  const fields = asFields(answer);
  if (!fields || !(Object.hasOwn(fields, 'result') || Object.hasOwn(fields, 'full_result'))) {
    return answer;
  }
  const { result: sample, full_result: full, ...others } = fields;
  const result = isBlank(full) ? sample : full;
  if (asFields(result)) return { ...others, ...asFields(sample), ...asFields(full) };
  return isBlank(others) ? result : { ...others, result };
}

function toRest(result: unknown): unknown {
  return isBlank(result) ? null : result;
}

function presentCitedSearch(result: unknown): SkillResult {
  const byIndex = asList(asFields(result)?.['references']).map((each) => ({
    title: findText(each, 'title'),
    url: findText(each, 'link', 'url'),
  }));
  return { ...presentResult(result), references: { ...NO_REFERENCES, byIndex } };
}

function presentDocumentSearch(result: unknown): SkillResult | null {
  const { text, ...others } = asFields(result) ?? {};
  if (typeof text !== 'string') return null;
  const bySlice = asList(others['cites']).map((each) => ({
    title: findText(each, 'doc_name', 'name'),
    url: '',
  }));
  return {
    ...NOTHING,
    text: { path: null, source: text },
    rest: toRest(others),
    references: { ...NO_REFERENCES, bySlice },
  };
}

import type { ContentFields, Dataset } from '../../../model/part.js';
import { parseJson } from '../../../transport/response.js';
import { asFields, asList, readNumber, type Fields } from '../../fields.js';
import { toWebUrl } from '../../untrusted-text.js';
import { NO_REFERENCES, type References } from './citation-reader.js';
import { toDataset } from './datasets.js';
import { asString, readFirstNonBlank, isBlank, readAt } from './read-json.js';
import type { TextSpec } from './projected-section.js';

/** A call of a skill: a tool or another agent. */
export interface SkillCall {
  readonly name: string;
  /** Arguments by name. */
  readonly args: ReadonlyMap<string, unknown>;
  /** Whether the skill is another agent. */
  readonly isAgent: boolean;
  /** Whether the call is in progress. */
  readonly isRunning: boolean;
}

/** How the answer of a skill is shown. */
export interface SkillResult {
  /** Text that is rendered as Markdown in the tool part; null when there is none. */
  readonly text: TextSpec | null;
  /** Parts in the tool part, which is collapsed by default. */
  readonly inside: readonly ContentFields[];
  /** Parts below the tool part. */
  readonly below: readonly ContentFields[];
  /** Whether the tool part is omitted, because the parts below it show everything. */
  readonly hidesTool: boolean;
  /** The data that no part shows. It becomes the result of the tool part. Null when nothing is left. */
  readonly rest: unknown;
  /** Sources that the texts of this step and of later ones cite. */
  readonly references: References;
}

const EMPTY_RESULT: SkillResult = {
  text: null,
  inside: [],
  below: [],
  hidesTool: false,
  rest: null,
  references: NO_REFERENCES,
};

/**
 * Converts a result, which is the answer without its envelope. `textPath` is the path of its member `answer`, as in {@link TextSpec}.
 * Returns null if the result does not have the shape that is known for the skill.
 */
type Presenter = (
  result: unknown,
  call: SkillCall,
  textPath: TextSpec['path'],
) => SkillResult | null;

/** A well-known skill. */
interface Skill {
  /** The type of its tool, for which locales have a label. */
  readonly toolType: string;
  /** Converts results that have parts of their own. Without it, {@link presentResult} converts them. */
  readonly present?: Presenter;
}

/** Well-known skills and sources (Data Agent 10), by their names in lower case. Locales have labels for further names. */
const SKILLS: ReadonlyMap<string, Skill> = new Map<string, Skill>([
  ['text2sql', { toolType: 'sql_query', present: presentQuery }],
  ['sql_helper', { toolType: 'sql_query', present: presentQuery }],
  ['text2ngql', { toolType: 'graph_query', present: presentQuery }],
  ['graph_retrieval', { toolType: 'graph_query' }],
  ['text2metric', { toolType: 'metric_query', present: presentMetric }],
  ['json2plot', { toolType: 'chart', present: presentChart }],
  ['zhipu_search_tool', { toolType: 'web_search', present: presentWebSearch }],
  ['online_search_cite_tool', { toolType: 'web_search', present: presentCitedSearch }],
  ['doc_qa', { toolType: 'rag_search', present: presentDocumentSearch }],
  ['doc_retrieval', { toolType: 'rag_search' }],
  ['execute_code', { toolType: 'code_execution', present: presentCode }],
  ['execute_command', { toolType: 'command', present: presentCode }],
  ['web_processor', { toolType: 'web_page', present: presentPage }],
  ['af_sailor', { toolType: 'data_search', present: presentCatalog }],
  ['datasource_filter', { toolType: 'data_search', present: presentCatalog }],
  ['datasource_rerank', { toolType: 'data_ranking', present: presentCatalog }],
  ['datasource_rerank_tool', { toolType: 'data_ranking', present: presentCatalog }],
  ['kn_search', { toolType: 'knowledge_search', present: presentNodes }],
  ['contextloader_data_enhanced', { toolType: 'knowledge_search', present: presentNodes }],
]);

/** Returns the name of a tool and, for a well-known one, its type. An agent has no type, because its name is more specific. */
export function identifyTool(
  name: string,
  isAgent = false,
): { readonly name: string; readonly toolType?: string } {
  const skill = isAgent ? undefined : SKILLS.get(name.toLowerCase());
  return { name, ...(skill && { toolType: skill.toolType }) };
}

/** Longest title, in UTF-16 units. */
const MAX_TITLE = 200;

/**
 * Returns the subject of a call: the title of its result, else an argument that names it, else the message of its result. Empty when there
 * is none.
 */
export function findTitle(answer: unknown, { args }: Pick<SkillCall, 'args'>): string {
  const result = removeEnvelope(typeof answer === 'string' ? parseJson(answer) : answer);
  const named = ['title', 'input', 'query', 'filename'].map((name) => asString(args.get(name)));
  const texts = [
    readFirstNonBlank(result, 'title'),
    ...named,
    readFirstNonBlank(result, 'message'),
  ];
  return (texts.find((text) => !isBlank(text)) ?? '').slice(0, MAX_TITLE).trim();
}

/** Skills that are internal to the agent, by their names in lower case. */
const HIDDEN_SKILLS: ReadonlySet<string> = new Set([
  'search_memory',
  '_date',
  'build_memory',
  'build__memory',
]);

/** Whether a call is hidden (Data Agent 7). */
export function isHiddenSkill({ name, args }: SkillCall): boolean {
  return HIDDEN_SKILLS.has(name.toLowerCase()) || args.get('action') === 'show_ds';
}

/** Decides how the `answer` of a step is shown. Takes time proportional to its size. */
export function presentAnswer(answer: unknown, call: SkillCall): SkillResult {
  const present = SKILLS.get(call.name.toLowerCase())?.present;
  if (typeof answer === 'string') {
    if (call.isAgent) return { ...EMPTY_RESULT, text: { path: 'answer', source: answer } };
    const parsed = present && parseJson(answer);
    const shown = parsed === undefined ? null : present?.(removeEnvelope(parsed), call, null);
    return shown ?? { ...EMPTY_RESULT, rest: toRest(answer) };
  }
  const result = removeEnvelope(answer);
  const textPath = findTextPath(answer);
  return present?.(result, call, textPath) ?? presentResult(result, textPath);
}

/** Shows a text in the member `answer`, where agents that are called as tools write, as Markdown; shows everything else as data. */
function presentResult(result: unknown, textPath: TextSpec['path']): SkillResult {
  const { answer, ...others } = asFields(result) ?? {};
  if (typeof answer !== 'string') return { ...EMPTY_RESULT, rest: toRest(result) };
  return { ...EMPTY_RESULT, text: { path: textPath, source: answer }, rest: toRest(others) };
}

/** Returns the path in the step of the string that {@link removeEnvelope} returns as the member `answer`. */
function findTextPath(answer: unknown): string {
  const full = readAt(answer, 'full_result');
  const isMerged = isBlank(full) || asFields(full) !== null;
  const envelope = ['full_result', 'result'].find((name) =>
    Object.hasOwn(asFields(readAt(answer, name)) ?? {}, 'answer'),
  );
  return isMerged && envelope ? `answer/${envelope}/answer` : 'answer/answer';
}

/**
 * Removes the envelope of data tools, `{result, full_result}`: `result` is a sample for the model, `full_result` has all data for the user.
 * Members of `full_result` override those of `result`, which override members outside the envelope.
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

/** Returns the rest of a result, which no part shows; null when it is blank. */
function toRest(result: unknown): unknown {
  return isBlank(result) ? null : result;
}

/** Returns the members of a result that no part shows, without the keys of the service's cache. */
function omitShown(fields: Fields, ...shown: readonly string[]): unknown {
  const names = new Set([...shown, 'result_cache_key']);
  const entries = Object.entries(fields).filter(
    ([name, value]) => !names.has(name) && !isBlank(value),
  );
  return toRest(Object.fromEntries(entries));
}

/** Presents SQL or a graph query: as a table of its rows or, when there are none, as the query. */
function presentQuery(result: unknown): SkillResult | null {
  const fields = asFields(result);
  if (!fields) return null;
  const source = asString(fields['sql']);
  const title = asString(fields['title']);
  const data = toDataset(fields['data']);
  if (data) {
    const total = readNumber(asFields(fields['data_desc']) ?? {}, 'real_records_num');
    const description = asString(fields['message']);
    return {
      ...EMPTY_RESULT,
      inside: [{ kind: 'table', title, description, ...data, total, source }],
      rest: omitShown(fields, 'sql', 'title', 'data', 'data_desc', 'message'),
    };
  }
  if (source === '') return null;
  return {
    ...EMPTY_RESULT,
    inside: [{ kind: 'code', language: 'sql', code: source, output: '', error: '' }],
    rest: omitShown(fields, 'sql'),
  };
}

function presentMetric(result: unknown, { args }: SkillCall): SkillResult | null {
  const fields = asFields(result);
  const data = toDataset(fields?.['data']);
  if (!fields || !data) return null;
  const query = asString(args.get('input')) || asString(args.get('query'));
  const [title, unit] = [asString(fields['title']), asString(fields['unit'])];
  return {
    ...EMPTY_RESULT,
    below: [{ kind: 'metric', title, unit, query, ...data }],
    rest: omitShown(fields, 'title', 'unit', 'data'),
  };
}

/** Chart types by the names that the tool uses. */
const CHART_TYPES = {
  line: 'line',
  column: 'column',
  pie: 'pie',
  circle: 'ring',
  ring: 'ring',
} as const;

/** Presents a chart. The tool uses other field names for a pie than for a line; an empty name counts as missing. */
function presentChart(result: unknown): SkillResult | null {
  const fields = asFields(result);
  const data = toDataset(isBlank(fields?.['data']) ? fields?.['data_sample'] : fields?.['data']);
  if (!fields || !data) return null;
  const config = fields['chart_config'];
  const type = readFirstNonBlank(config, 'chart_type').toLowerCase();
  const chartType = new Map(Object.entries(CHART_TYPES)).get(type) ?? 'column';
  const find = (isNumber: boolean): string =>
    data.columns.find((column) => (column.type === 'number') === isNumber)?.name ?? '';
  const dimension = readFirstNonBlank(config, 'xField', 'colorField') || find(false);
  const measure = readFirstNonBlank(config, 'yField', 'angleField') || find(true);
  const title = asString(fields['title']);
  const groupBy = readFirstNonBlank(config, 'seriesField', 'groupField') || null;
  return {
    ...EMPTY_RESULT,
    below: [{ kind: 'chart', title, chartType, ...data, dimension, measures: [measure], groupBy }],
    rest: omitShown(fields, 'title', 'data', 'data_sample', 'chart_config'),
  };
}

type WebSearch = Extract<ContentFields, { kind: 'web-search' }>;

/** Converts the results of a web search; null if any has neither a title nor an address. Each search tool names the members differently. */
export function toWebSearch(query: string, results: unknown): WebSearch | null {
  const list = asList(results);
  if (!list.every((each) => readFirstNonBlank(each, 'title', 'link', 'url') !== '')) return null;
  return {
    kind: 'web-search',
    query,
    state: 'done',
    results: list.map((each) => ({
      title: readFirstNonBlank(each, 'title'),
      url: toWebUrl(readFirstNonBlank(each, 'link', 'url')),
      snippet: readFirstNonBlank(each, 'content', 'snippet'),
      site: readFirstNonBlank(each, 'media', 'site'),
      icon: toWebUrl(readFirstNonBlank(each, 'icon')),
    })),
  };
}

/**
 * Presents web searches, which are pairs of an intent and results with the same `id`. Their parts replace the tool part, because they show
 * everything.
 */
function presentWebSearch(result: unknown, { args, isRunning }: SkillCall): SkillResult | null {
  const requested = asString(args.get('query'));
  if (result === null && isRunning) {
    const search: WebSearch = {
      kind: 'web-search',
      query: requested,
      results: [],
      state: 'running',
    };
    return { ...EMPTY_RESULT, below: [search], hidesTool: true };
  }
  const calls = asList(readAt(result, 'choices', 0, 'message', 'tool_calls'));
  const queryOf = (id: unknown): string => {
    const intents = calls.filter((call) => readAt(call, 'id') === id);
    const found = intents.map((call) =>
      readFirstNonBlank(readAt(call, 'search_intent', 0), 'query'),
    );
    return found.find((query) => query !== '') ?? requested;
  };
  const searches = calls.flatMap((call) => {
    const results = readAt(call, 'search_result');
    return Array.isArray(results) ? [toWebSearch(queryOf(readAt(call, 'id')), results)] : [];
  });
  const below = searches.filter((search) => search !== null);
  if (below.length === 0 || below.length < searches.length) return null;
  return { ...EMPTY_RESULT, below, hidesTool: true };
}

function presentCitedSearch(
  result: unknown,
  { args }: SkillCall,
  textPath: TextSpec['path'],
): SkillResult | null {
  const { references, ...others } = asFields(result) ?? {};
  const search = toWebSearch(asString(args.get('query')), references);
  if (!search || typeof others['answer'] !== 'string') return null;
  return {
    ...presentResult(others, textPath),
    below: search.results.length > 0 ? [search] : [],
    references: { ...NO_REFERENCES, byIndex: search.results },
  };
}

/** Presents a text with the passages that it cites. A document has slices, or content of its own. */
export function presentDocumentSearch(result: unknown): SkillResult | null {
  const fields = asFields(result);
  const text = fields?.['text'];
  if (!fields || (typeof text !== 'string' && !Array.isArray(fields['cites']))) return null;
  const cites = asList(fields['cites']);
  const passages = cites.flatMap((cite) => {
    const title = readFirstNonBlank(cite, 'doc_name', 'name', 'title');
    const slices = asList(readAt(cite, 'slices'));
    const texts = slices.map((slice) => readFirstNonBlank(slice, 'content'));
    const shown = texts.length > 0 ? texts : [readFirstNonBlank(cite, 'content', 'description')];
    const url = toWebUrl(readFirstNonBlank(cite, 'url', 'link'));
    return shown.map((content) => ({ title, text: content, source: title, score: null, url }));
  });
  return {
    ...EMPTY_RESULT,
    text: typeof text === 'string' && !isBlank(text) ? { path: null, source: text } : null,
    inside: passages.length > 0 ? [{ kind: 'passages', title: '', passages }] : [],
    rest: omitShown(fields, 'text', 'cites'),
    references: {
      ...NO_REFERENCES,
      bySlice: cites.map((cite) => ({
        title: readFirstNonBlank(cite, 'doc_name', 'name'),
        url: '',
      })),
    },
  };
}

/** Presents code or a command, with its output. */
function presentCode(result: unknown, { name, args }: SkillCall): SkillResult | null {
  const isCommand = name.toLowerCase() === 'execute_command';
  const names = isCommand ? ['command', 'content'] : ['content', 'code', 'script'];
  const code = names.map((each) => asString(args.get(each))).find((text) => text !== '');
  const fields = asFields(result);
  if (code === undefined || !fields) return null;
  const inner = asFields(fields['result']);
  const printed = inner ?? fields;
  const language = asString(args.get('language')) || (isCommand ? 'shell' : 'python');
  const [output, error] = [asString(printed['stdout']), asString(printed['stderr'])];
  const rest = inner ? { ...fields, result: omitShown(inner, 'stdout', 'stderr') } : fields;
  return {
    ...EMPTY_RESULT,
    inside: [{ kind: 'code', language, code, output, error }],
    rest: omitShown(rest, 'stdout', 'stderr'),
  };
}

function presentPage(result: unknown): SkillResult | null {
  const fields = asFields(result);
  const url = toWebUrl(readFirstNonBlank(fields, 'url'));
  if (!fields || url === '') return null;
  return {
    ...EMPTY_RESULT,
    below: [{ kind: 'page', title: readFirstNonBlank(fields, 'title'), url }],
    // The view has its own size, so `size` is not shown.
    rest: omitShown(fields, 'url', 'title', 'size'),
  };
}

/** Presents the entries of a data catalog: an array, or an array among other members. */
function presentCatalog(result: unknown): SkillResult | null {
  const fields = Array.isArray(result) ? { result: result as unknown } : asFields(result);
  const name = ['result', 'cites'].find((each) => Array.isArray(fields?.[each]));
  const data = name === undefined ? null : toDataset(fields?.[name]);
  return (
    fields &&
    data && { ...EMPTY_RESULT, inside: [toTable(data)], rest: omitShown(fields, name ?? '') }
  );
}

/** Presents the nodes of a knowledge network, each with its own properties. */
function presentNodes(result: unknown): SkillResult | null {
  const fields = asFields(result);
  const nodes = asList(fields?.['nodes']).map((node) => {
    const {
      data_properties: properties,
      unique_identities: _ids,
      ...others
    } = asFields(node) ?? {};
    return { ...others, ...asFields(properties) };
  });
  const data = toDataset(nodes);
  return (
    fields && data && { ...EMPTY_RESULT, inside: [toTable(data)], rest: omitShown(fields, 'nodes') }
  );
}

function toTable(data: Dataset): ContentFields {
  return { kind: 'table', title: '', description: '', ...data, total: null, source: '' };
}

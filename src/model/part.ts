import type { Json, Key } from './json.js';
import type { TextSource } from './text.js';

/**
 * A citation inside a text. In the text it is `U+E000 key U+E001`, here is its data. Keys are unique within their part.
 */
export interface Mark {
  readonly kind: 'citation';
  /** What the sentence shows, usually a number in brackets. */
  readonly label: string;
  /** Name the service uses for the passage or document. */
  readonly id?: string;
  /** Title or file name. */
  readonly title?: string;
  /** Address on the web, http or https only. */
  readonly url?: string;
  /** The service's own spelling, so that printing gives back what came. */
  readonly source: string;
}

/** Marks of one text by their key. The keys are ours, never the network's. */
export type Marks = Readonly<Record<Key, Mark>>;

/** First character of an inline mark in a text. The same character from the network is replaced by U+FFFD. */
export const MARK_START = '\uE000';
/** Last character of an inline mark in a text. */
export const MARK_END = '\uE001';

/** What was said. Markdown. */
export interface TextFields {
  readonly kind: 'text';
  readonly marks?: Marks;
}

/** The thinking of the model, as Markdown. */
export interface ThinkingFields {
  readonly kind: 'thinking';
  readonly state: 'open' | 'closed';
  readonly marks?: Marks;
}

/** One step of a plan; what was said and done in it are its children. */
export interface StepFields {
  readonly kind: 'step';
  readonly number: number | null;
  readonly title: string;
  /** The agent says that this is its only step: no chrome is drawn around its content. */
  readonly single: boolean;
  /** `open-ended`: the message ended before the step said that it was done. */
  readonly state: 'running' | 'completed' | 'open-ended';
}

/**
 * The state of a tool call. `waiting`: it needs an answer or an approval of the user; `skipped`: the user or the agent left it out;
 * `incomplete`: the content ends before the call does.
 */
export type ToolState =
  | 'running'
  | 'waiting'
  | 'done'
  | 'failed'
  | 'skipped'
  | 'cancelled'
  | 'incomplete';

/** Whether a tool call in this state has not ended. */
export function isToolOpen(state: ToolState): state is 'running' | 'waiting' {
  return state === 'running' || state === 'waiting';
}

/** One call of a tool. Input and result are kept as they came; views parse them. */
export interface ToolFields {
  readonly kind: 'tool';
  readonly name: string;
  /** Well-known type of the tool, such as `sql_query`: the locales have its title as `tool_TYPE`. Undefined when it has none. */
  readonly toolType?: string;
  /** The subject of the call in the words of the service; undefined when the service gives none. */
  readonly title?: string;
  /** The service's id of the call; empty when it has none. */
  readonly toolId: string;
  readonly state: ToolState;
  /** Raw text, usually JSON; null while unknown. */
  readonly input: string | null;
  /** Raw text, JSON or not; null while unknown. */
  readonly result: string | null;
}

/** A file that the result of a tool names. */
export interface ToolFile {
  /** Shown to people, and the name under which the file is saved; empty when only its address is known. */
  readonly name: string;
  /** Where it is, as the result spells it; absolute when `stored` is true. */
  readonly address: string;
  /** Whether it is the service's own file, which may be loaded with the person's rights. Every other address is a link at most. */
  readonly stored: boolean;
}

/** A point the conversation can be taken back to. Its text, if any, is what the service wrote beside the name. */
export interface CheckpointFields {
  readonly kind: 'checkpoint';
  readonly name: string;
}

/** The agent asked the person for something. */
export interface InputRequestFields {
  readonly kind: 'input-request';
  readonly prompt: string;
  readonly inputTypes: readonly string[];
  readonly checkpointName: string | null;
  /** Raw text of the answer, usually JSON `{input, type}`; null while there is none. */
  readonly answer: string | null;
}

/** The agent failed. */
export interface ErrorFields {
  readonly kind: 'error';
  readonly message: string;
  /** Raw text of the details, usually JSON; null when there are none. Holds server internals: shown only when the host allows it. */
  readonly details: string | null;
  /** The service's own error code, when it sends one. */
  readonly code?: string;
  /** What the user can do about it, when the service says so. */
  readonly advice?: string;
}

/** A stored construct that we do not know. Its text is shown plainly. */
export interface UnknownFields {
  readonly kind: 'unknown';
  readonly name: string;
}

/** A column of a {@link Dataset}. */
export interface DataColumn {
  readonly name: string;
  /** How its values are aligned, formatted and sorted. Values of another type are shown as they are. */
  readonly type: 'text' | 'number' | 'date' | 'boolean';
}

/** A value of a {@link Dataset}; null when there is none. A number with more digits than a double holds is a string. */
export type DataCell = string | number | boolean | null;

/** Tabular data. */
export interface Dataset {
  readonly columns: readonly DataColumn[];
  /** Rows with the values of the columns, in the order of the columns. */
  readonly rows: readonly (readonly DataCell[])[];
}

/** A table, such as the result of a query. */
export interface TableFields extends Dataset {
  readonly kind: 'table';
  readonly title: string;
  readonly description: string;
  /** Number of rows that the service has, of which `rows` are the first; null when unknown. */
  readonly total: number | null;
  /** The SQL that selects the rows; empty when unknown. */
  readonly source: string;
}

/** A result of a web search. Empty fields are unknown. */
export interface WebSearchResult {
  readonly title: string;
  readonly url: string;
  /** An excerpt of the page. */
  readonly snippet: string;
  /** Name of the site, such as that of a newspaper. */
  readonly site: string;
  /** URL of the site's icon. For renderers of the host page: our view loads no icons. */
  readonly icon: string;
}

/** A search of the web, with its results in the order of the service. */
export interface WebSearchFields {
  readonly kind: 'web-search';
  readonly query: string;
  readonly results: readonly WebSearchResult[];
  readonly state: 'running' | 'done' | 'failed';
}

/** A passage that was retrieved from documents. Empty fields are unknown. */
export interface RetrievedPassage {
  readonly title: string;
  readonly text: string;
  /** Name of the document. */
  readonly source: string;
  /** Relevance, on a scale of the service; null when it reports none. */
  readonly score: number | null;
  readonly url: string;
}

/** Passages that the agent has retrieved, in the order of the service. */
export interface PassagesFields {
  readonly kind: 'passages';
  readonly title: string;
  readonly passages: readonly RetrievedPassage[];
}

/** A web page that the agent offers to show. It is loaded only when the user asks for it. */
export interface PageFields {
  readonly kind: 'page';
  readonly title: string;
  /** Absolute address; https, or http of the origin of the host page. */
  readonly url: string;
}

/** A chart of the rows of a table. */
export interface ChartFields extends Dataset {
  readonly kind: 'chart';
  readonly title: string;
  /** The type that is shown first; the user can choose another one. */
  readonly chartType: 'line' | 'column' | 'pie' | 'ring';
  /** Name of the column of categories or times. */
  readonly dimension: string;
  /** Names of the columns of values; each is a series. */
  readonly measures: readonly string[];
  /** Name of the column whose values split the first measure into series; null for none. */
  readonly groupBy: string | null;
}

/** Code, and what it printed when it was run. */
export interface CodeFields {
  readonly kind: 'code';
  /** Name of the language, as in a fenced code block (`sql`, `python`); empty when unknown. */
  readonly language: string;
  readonly code: string;
  /** Standard output; empty when there is none. */
  readonly output: string;
  /** Error output; empty when there is none. */
  readonly error: string;
}

/** One measured value or several, which are the numbers among its data. */
export interface MetricFields extends Dataset {
  readonly kind: 'metric';
  readonly title: string;
  /** Unit of the values; empty when they have none. */
  readonly unit: string;
  /** The query that the values answer; empty when unknown. */
  readonly query: string;
}

/** Parts that show data, such as results of tools. Their views are loaded with the first of them. */
export type DataFields =
  | TableFields
  | CodeFields
  | MetricFields
  | WebSearchFields
  | PassagesFields
  | PageFields
  | ChartFields;

/** Parts that the content itself consists of. */
export type ContentFields =
  | TextFields
  | ThinkingFields
  | StepFields
  | ToolFields
  | CheckpointFields
  | InputRequestFields
  | ErrorFields
  | UnknownFields
  | DataFields;

/** Progress and result of the whole run, as far as events told them. Its key is {@link RUN_ACTIVITY}. */
export interface RunActivityFields {
  readonly kind: 'run-activity';
  readonly step: number | null;
  readonly totalSteps: number | null;
  /** 0 … 100. */
  readonly progress: number | null;
  readonly description: string;
  /** What the service reported with the end of the run; free-form data, null while there is none. */
  readonly result: Json;
}

/** What events told about a step: about each step part of the same number. Times are ms since the epoch, by the service's clock. */
export interface StepActivityFields {
  readonly kind: 'step-activity';
  readonly number: number;
  readonly title: string;
  readonly progress: number | null;
  readonly status: string;
  /** What the service reported with the end of the step; free-form data, null while there is none. */
  readonly results: Json;
  readonly state: 'running' | 'completed';
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/** What events told about a tool. Its phases and partial outputs are its children. */
export interface ToolActivityFields {
  readonly kind: 'tool-activity';
  readonly toolId: string;
  readonly name: string;
  /** See {@link ToolFields.toolType}. */
  readonly toolType?: string;
  /** Key of the tool part that this belongs to; null before a tag was read. */
  readonly part: Key | null;
  readonly phase: string;
  readonly status: string;
  readonly message: string;
  /** Latest data of the tool's updates. */
  readonly data: Json;
  readonly state: Exclude<ToolState, 'incomplete'>;
  /** Why it failed or was cancelled, in the service's words; empty when unknown. */
  readonly reason: string;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** Session in which a sub-agent works, when the tool is one. */
  readonly subSession: string | null;
}

/**
 * One phase of a tool's work, in the order of the tool's updates: a child of its tool activity. An update that names no phase makes an
 * entry of its own. Times are ms since the epoch, by the service's clock.
 */
export interface PhaseActivityFields {
  readonly kind: 'phase-activity';
  /** The service's name for the phase, such as `WEB_SEARCH`; empty when the update names none. */
  readonly phase: string;
  readonly message: string;
  /** What its updates reported beside name, status and message; later values replace earlier ones. Null when there is nothing. */
  readonly data: Json;
  readonly state: Exclude<ToolState, 'waiting' | 'incomplete'>;
  /** Null when only its end was reported. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/** Output that a tool streams under one name: a child of its tool activity, with a growing text. */
export interface OutputActivityFields {
  readonly kind: 'output-activity';
  readonly outputKey: string;
}

/**
 * The end of a text that broke off before it could be parsed: a payload without its end tag, or an unfinished tag. Emitted when
 * its run is given up; to be shown, marked as incomplete, only while the message is `interrupted`. Its text is the part that has arrived.
 */
export interface IncompleteActivityFields {
  readonly kind: 'incomplete-activity';
  /** Key of the tool part whose payload it is; null when it is none. */
  readonly tool: Key | null;
  readonly payload: 'input' | 'result' | null;
}

/** A question to the user, by the agent or by one of its tools. */
export interface RequestQuestion {
  /** `agent`: the run waits at a checkpoint; `tool`: one tool waits. */
  readonly level: 'agent' | 'tool';
  readonly prompt: string;
  readonly inputTypes: readonly string[];
  readonly checkpointName: string | null;
  /** Id of the waiting execution (`tool`). */
  readonly executionId: string | null;
  /** Choices, when there are some. */
  readonly options: Json;
  /** JSON Schema of the answer, when there is one. */
  readonly schema: Json;
  /** When it expires, ms since the epoch; null when it does not or when that is unknown. */
  readonly deadline: number | null;
}

/** An answer to a {@link RequestQuestion}. `File` is the platform's type of a file. */
export type RequestAnswer<File> =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: Json }
  | { readonly type: 'file'; readonly file: File; readonly text?: string };

/** The answer of a user who declines; `text` says so in the user's language. */
export interface DeclinedAnswer {
  readonly type: 'declined';
  readonly text: string;
}

/** A request for input that an event or the server's stored history has armed. */
export interface RequestActivityFields extends RequestQuestion {
  readonly kind: 'request-activity';
  readonly toolName: string | null;
  /** Key of the part at which the question stands in the content; null while it stands only here. */
  readonly part: Key | null;
  readonly state: 'pending' | 'answered' | 'expired' | 'closed';
  /** What the person answered, as contents hold it (JSON), as far as this page knows it. */
  readonly answer?: string | null;
}

/** What only events say. Children of the reserved parent {@link ACTIVITY}; gone after a reload, never compared. */
export type ActivityFields =
  | RunActivityFields
  | StepActivityFields
  | ToolActivityFields
  | PhaseActivityFields
  | OutputActivityFields
  | IncompleteActivityFields
  | RequestActivityFields;

/** Parent of all activity of a message. */
export const ACTIVITY: Key = '@activity';

/** Key of the activity of the whole run. All other keys below {@link ACTIVITY} are the backend's, and begin with `@`. */
export const RUN_ACTIVITY: Key = '@run';

/** The data of any part, by its kind. */
export type PartFields = ContentFields | ActivityFields;
/** Any kind of part. */
export type PartKind = PartFields['kind'];
/** A kind of part that belongs to the content. */
export type ContentKind = ContentFields['kind'];
/** A kind of part that shows data. */
export type DataKind = DataFields['kind'];
/** A kind of part that only events report. */
export type ActivityKind = ActivityFields['kind'];

/** Where a part stands, and its text: together with its fields, a part as readers see it. Replaced when a field changes; the text object stays. */
export interface PartBase {
  readonly key: Key;
  /** The part around this one; null for the message itself; {@link ACTIVITY} for activity. */
  readonly parent: Key | null;
  /** The part's one text; null when its kind has none or nothing was said yet. */
  readonly text: TextSource | null;
}

/** The fields of a part of kind `K`. */
export type FieldsOf<K extends PartKind> = Extract<PartFields, { kind: K }>;
/** A part of kind `K`. */
export type PartOf<K extends PartKind> = FieldsOf<K> & PartBase;
/** Any part. */
export type Part = { [K in PartKind]: PartOf<K> }[PartKind];

/** A part with all that is in it, as plain data. */
export type PartTree = ContentFields & {
  readonly key: Key;
  readonly text?: string;
  readonly parts?: readonly PartTree[];
};

/** An answer in the form in which contents hold it (`InputRequestFields.answer`, as JSON): of a file its name. */
export function toAnswerData(answer: RequestAnswer<{ readonly name: string }> | DeclinedAnswer): {
  readonly input: Json;
  readonly type: string;
} {
  const { type } = answer;
  if (type === 'declined') return { input: null, type };
  if (type === 'json') return { input: answer.value, type };
  return { input: type === 'file' ? (answer.text ?? answer.file.name) : answer.text, type };
}

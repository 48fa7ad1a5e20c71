import type { Json, Key } from './json.js';
import type { TextSource } from './text.js';

/**
 * The data of a citation in a text. The text contains `U+E000 key U+E001` at its position. Keys are unique within their part.
 */
export interface CitationMark {
  readonly kind: 'citation';
  /** The label shown in the text, usually a number in brackets. */
  readonly label: string;
  /** The service's id of the passage or document. */
  readonly id?: string;
  /** Title or file name. */
  readonly title?: string;
  /** URL of the source, http or https only. */
  readonly url?: string;
  /** The citation as the service spells it, so that serializing the text restores the original. */
  readonly source: string;
}

/** Citations of one text by key. The keys are generated locally and never come from the network. */
export type CitationMarks = Readonly<Record<Key, CitationMark>>;

/** First character of a citation mark in a text. The same character from the network is replaced by U+FFFD. */
export const CITATION_MARK_START = '\uE000';
/** Last character of a citation mark in a text. */
export const CITATION_MARK_END = '\uE001';

/** A text, as Markdown. */
export interface TextFields {
  readonly kind: 'text';
  readonly marks?: CitationMarks;
}

/** The thinking of the model, as Markdown. */
export interface ThinkingFields {
  readonly kind: 'thinking';
  readonly state: 'open' | 'closed';
  readonly marks?: CitationMarks;
}

/** One step of a plan. Its children are the texts, tool calls and other parts of the step. */
export interface StepFields {
  readonly kind: 'step';
  readonly number: number | null;
  readonly title: string;
  /** Whether the agent declares this its only step; its content is then shown without a step header. */
  readonly single: boolean;
  /** `open-ended`: the step has ended, but it was not reported as completed (UBIK 7.2). */
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

/** One call of a tool. Input and result are the unparsed texts of the service; views parse them. */
export interface ToolFields {
  readonly kind: 'tool';
  readonly name: string;
  /** Well-known type of the tool, such as `sql_query`, with the label `tool_TYPE` in each language. Undefined for other tools. */
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

/** A file that is listed in the result of a tool. */
export interface ToolFile {
  /** The displayed name, also used to save the file; empty when only the address is known. */
  readonly name: string;
  /** Its address as given in the result; an absolute URL when `stored` is true. */
  readonly address: string;
  /** Whether the service stores the file, so that it may be requested with the user's credentials. Other addresses are only linked. */
  readonly stored: boolean;
}

/** A checkpoint that can be restored. Its text, if any, is the content of the checkpoint tag. */
export interface CheckpointFields {
  readonly kind: 'checkpoint';
  readonly name: string;
}

/** An input request of the agent, as the content records it. The activity {@link RequestActivityFields} says whether it is pending. */
export interface InputRequestFields {
  readonly kind: 'input-request';
  readonly prompt: string;
  readonly inputTypes: readonly string[];
  readonly checkpointName: string | null;
  /** Raw text of the answer, usually JSON `{input, type}`; null while there is none. */
  readonly answer: string | null;
}

/** An error that the agent reported. */
export interface ErrorFields {
  readonly kind: 'error';
  readonly message: string;
  /**
   * Raw text of the details, usually JSON; null when there are none. May contain server internals, so it is shown only with
   * `error-details`.
   */
  readonly details: string | null;
  /** The service's own error code, when it sends one. */
  readonly code?: string;
  /** What the user can do about it, when the service says so. */
  readonly advice?: string;
}

/** A construct of the content that this library does not know. Its text is shown unformatted. */
export interface UnknownFields {
  readonly kind: 'unknown';
  readonly name: string;
}

/** A column of a {@link Dataset}. */
export interface DataColumn {
  readonly name: string;
  /**
   * How its values are aligned, formatted and sorted. Booleans are formatted in every column, numbers in every column except one of dates.
   * A text that cannot be read as this type is shown as it is.
   */
  readonly type: 'text' | 'number' | 'date' | 'boolean';
}

/** A value of a {@link Dataset}; null when there is none. A number with more digits than a double can represent is a string. */
export type DataCell = string | number | boolean | null;

/** Tabular data. */
export interface Dataset {
  readonly columns: readonly DataColumn[];
  /** The rows; the values of each are in the order of `columns`. */
  readonly rows: readonly (readonly DataCell[])[];
}

/** A part that may be shown below a tool call. */
interface BelowTool {
  /** Key of the sibling tool part whose result this part shows. Undefined when this part is in its tool part, or belongs to no tool. */
  readonly tool?: Key;
}

/** A table, such as the result of a query. */
export interface TableFields extends Dataset {
  readonly kind: 'table';
  readonly title: string;
  readonly description: string;
  /** Total number of rows at the service; `rows` contains the first ones. Null when unknown. */
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
  /** URL of the site's icon, for renderers of the host page. The built-in view loads no icons. */
  readonly icon: string;
}

/** A web search and its results in the order of the service. */
export interface WebSearchFields extends BelowTool {
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
export interface PageFields extends BelowTool {
  readonly kind: 'page';
  readonly title: string;
  /** Absolute address, http or https. The built-in view shows an http address of another origin as text only. */
  readonly url: string;
}

/** A chart of the rows of a table. */
export interface ChartFields extends Dataset, BelowTool {
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

/** Code and the output of its execution. */
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

/** One or more key figures: the numbers in its rows. */
export interface MetricFields extends Dataset, BelowTool {
  readonly kind: 'metric';
  readonly title: string;
  /** Unit of the values; empty when they have none. */
  readonly unit: string;
  /** The query that the values answer; empty when unknown. */
  readonly query: string;
}

/** Parts that show data, such as results of tools. Their views are loaded when the first such part is shown. */
export type DataFields =
  | TableFields
  | CodeFields
  | MetricFields
  | WebSearchFields
  | PassagesFields
  | PageFields
  | ChartFields;

/** Parts of message content. */
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

/** Progress and result of the whole run, as reported by events. Its key is {@link RUN_ACTIVITY}. */
export interface RunActivityFields {
  readonly kind: 'run-activity';
  readonly step: number | null;
  readonly totalSteps: number | null;
  /** Progress in percent, 0 to 100; null when unknown. */
  readonly progress: number | null;
  readonly description: string;
  /** Data that the service sent with the end of the run, of any shape; null while there is none. */
  readonly result: Json;
}

/**
 * Activity of a step, as reported by events. Applies to every step part with this number. Times are ms since the epoch, by the service's
 * clock.
 */
export interface StepActivityFields {
  readonly kind: 'step-activity';
  readonly number: number;
  readonly title: string;
  /** In percent, 0 to 100; null when unknown. */
  readonly progress: number | null;
  readonly status: string;
  /** Data that the service sent with the end of the step, of any shape; null while there is none. */
  readonly results: Json;
  readonly state: 'running' | 'completed';
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/**
 * Activity of a tool call, as reported by events. Its children are its phases and partial outputs. Times are ms since the epoch, by the
 * service's clock.
 */
export interface ToolActivityFields {
  readonly kind: 'tool-activity';
  readonly toolId: string;
  readonly name: string;
  /** See {@link ToolFields.toolType}. */
  readonly toolType?: string;
  /** Key of the tool part in the content; null until its tag was parsed. */
  readonly part: Key | null;
  readonly phase: string;
  readonly status: string;
  readonly message: string;
  /** Data of the latest update of the tool. */
  readonly data: Json;
  readonly state: Exclude<ToolState, 'incomplete'>;
  /** Why it failed or was cancelled, in the service's words; empty when unknown. */
  readonly reason: string;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** The service's id of the session in which a sub-agent works; null when the tool is no sub-agent. */
  readonly subSession: string | null;
}

/**
 * One phase of a tool call: a child of its tool activity, in the order of the tool's updates. An update without a phase name becomes a
 * separate entry. Times are ms since the epoch, by the service's clock.
 */
export interface PhaseActivityFields {
  readonly kind: 'phase-activity';
  /** The service's name of the phase, such as `WEB_SEARCH`; empty when the update has none. */
  readonly phase: string;
  readonly message: string;
  /** Further fields of its updates, besides name, status and message; later values replace earlier ones. Null when there are none. */
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
 * Text at the end of an interrupted stream that could not be parsed: a payload without its end tag, or an unfinished tag. Emitted when
 * the run is interrupted; shown as incomplete, and only while the message is `interrupted`.
 */
export interface IncompleteActivityFields {
  readonly kind: 'incomplete-activity';
  /** Key of the tool part whose payload it is; null when it is not a payload. */
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
  /** Name of the waiting tool (`tool`); null or empty when the service does not send it. */
  readonly toolName: string | null;
  /** Choices to offer; null when there are none. */
  readonly options: Json;
  /** JSON Schema of the answer; null when there is none. */
  readonly schema: Json;
  /** When it expires, in ms since the epoch; null when it does not expire or the time is unknown. */
  readonly deadline: number | null;
  /** The input of the waiting tool (`tool`), which contains the question; undefined when the service does not send it. */
  readonly toolInput?: Json;
}

/** An answer to a {@link RequestQuestion}. `File` is the platform's type of a file. */
export type RequestAnswer<File> =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: Json }
  | { readonly type: 'file'; readonly file: File; readonly text?: string };

/** The answer of a user who skips the request; `text` says so in the user's language. */
export interface DeclinedAnswer {
  readonly type: 'declined';
  readonly text: string;
}

/** The state of an input request, as reported by an event or by the stored thread. */
export interface RequestActivityFields extends RequestQuestion {
  readonly kind: 'request-activity';
  /** Key of the content part that shows the request; null while the content does not contain it. */
  readonly part: Key | null;
  readonly state: 'pending' | 'answered' | 'expired' | 'closed';
  /** The user's answer in the form of {@link InputRequestFields.answer}; null or absent when this page does not know it. */
  readonly answer?: string | null;
}

/**
 * Data beside the content, most of which only events report. Its parts are below the reserved parent {@link ACTIVITY}. Lost on reload, unless
 * the service stores it. Ignored in comparisons.
 */
export type ActivityFields =
  | RunActivityFields
  | StepActivityFields
  | ToolActivityFields
  | PhaseActivityFields
  | OutputActivityFields
  | IncompleteActivityFields
  | RequestActivityFields;

/** Parent of the top-level activity of a message. */
export const ACTIVITY: Key = '@activity';

/** Key of the activity of the whole run. The backend chooses all other keys below {@link ACTIVITY}; they begin with `@`. */
export const RUN_ACTIVITY: Key = '@run';

/** The data of any part, by its kind. */
export type PartFields = ContentFields | ActivityFields;
/** Any kind of part. */
export type PartKind = PartFields['kind'];
/** A kind of part that belongs to the content. */
export type ContentKind = ContentFields['kind'];
/** A kind of part that shows data. */
export type DataKind = DataFields['kind'];
/** A kind of part that belongs to the activity. */
export type ActivityKind = ActivityFields['kind'];

/**
 * Position and text of a part; with its fields, the whole part. The object is replaced when a field changes; `text` stays the same live
 * object.
 */
export interface PartBase {
  readonly key: Key;
  /** Key of the enclosing part; null for top-level content; {@link ACTIVITY} for top-level activity. */
  readonly parent: Key | null;
  /** The text of the part; null until text was appended, and for kinds without text. */
  readonly text: TextSource | null;
}

/** The fields of a part of kind `K`. */
export type FieldsOf<K extends PartKind> = Extract<PartFields, { kind: K }>;
/** A part of kind `K`. */
export type PartOf<K extends PartKind> = FieldsOf<K> & PartBase;
/** Any part. */
export type Part = { [K in PartKind]: PartOf<K> }[PartKind];

/** A content part with its text and descendants, as plain data. */
export type PartTree = ContentFields & {
  readonly key: Key;
  readonly text?: string;
  readonly parts?: readonly PartTree[];
};

/** Converts an answer to the data whose JSON is stored in {@link InputRequestFields.answer}. A file is represented by its text or name. */
export function toAnswerData(answer: RequestAnswer<{ readonly name: string }> | DeclinedAnswer): {
  readonly input: Json;
  readonly type: string;
} {
  const { type } = answer;
  if (type === 'declined') return { input: null, type };
  if (type === 'json') return { input: answer.value, type };
  return { input: type === 'file' ? (answer.text ?? answer.file.name) : answer.text, type };
}

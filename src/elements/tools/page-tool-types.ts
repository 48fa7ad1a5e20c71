import type { Json } from '../../model/json.js';

/** One call of a tool of the host page. */
export interface PageToolCall {
  /** The service's id of the call; null when it sends none. */
  readonly id: string | null;
  /** Aborted when the run is stopped, the question is answered or withdrawn, or the chat shows another thread. */
  readonly signal: AbortSignal;
  /** Shows the user what the tool is doing. */
  progress(text: string): void;
}

/** A tool of the host page, which answers calls of the agent that wait for the page. */
export interface PageTool {
  /** What the tool does, in the language of the user, who reads it before allowing a call. */
  readonly description?: string;
  /** JSON Schema of the input (draft 2020-12). A call with another input is answered with an error and does not run. */
  readonly schema?: object;
  /**
   * Whether the user is asked before a call: `always` (default), `never`, or a function that returns whether the user is asked about this
   * input. When that function throws, the user is asked.
   */
  readonly confirm?: 'always' | 'never' | ((input: Json) => boolean | Promise<boolean>);
  /**
   * Executes a call, at most once, even after a reload: with a `userKey` once in all tabs, without one once in this tab. Returns the result,
   * which is sent to the agent as JSON; undefined is sent as null. When the function throws, the message of the error is sent instead.
   */
  run(input: Json, call: PageToolCall): unknown;
}

/** The tools of the host page, by the name under which the agent calls them. */
export type PageTools = Readonly<Record<string, PageTool>>;

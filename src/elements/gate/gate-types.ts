import type { Json } from '../../model/json.js';

/** What the user has to accept or fill in before the chat starts. */
export interface ChatGate {
  /** The heading, and the accessible name of the gate; by default “Before you start”. */
  readonly title?: string;
  /** Markdown. */
  readonly text?: string;
  /** JSON Schema of an object with `properties`: the fields of a form. */
  readonly schema?: { readonly [keyword: string]: Json };
  /** The label of the button that passes the gate; by default “Continue”. */
  readonly accept?: string;
  /**
   * Names what the user accepts. The chat remembers that the user has passed the gate until the version changes: in the browser if there is a
   * `userKey`, else in the tab. Without a version, the chat remembers it until the page is left.
   */
  readonly version?: string;
}

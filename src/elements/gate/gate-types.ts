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
   * Names what the user accepts. That the user has passed a gate is remembered until its version changes: with a `userKey` in the browser,
   * without one in the tab. Without a version it is remembered until the page is left.
   */
  readonly version?: string;
}

import type { LitElement } from 'lit';
import type { MessageActDetail } from '../../events/index.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** A command or a name that is offered to somebody who writes. */
export interface Suggestion {
  /** What follows the sign: `summary` for `/summary`, `Ada` for `@Ada`. It is what the person's letters are compared with. */
  readonly name: string;
  /** A line about it. */
  readonly description?: string | undefined;
  /** What is written into the message; by default sign and name. Empty: nothing, the page acts by itself. */
  readonly text?: string | undefined;
}

/**
 * All that can be offered, of which those that fit are shown; or a function that finds what fits, by what was written after the
 * sign. Its signal is aborted when the person has written on, and a late answer is dropped.
 */
export type SuggestionSource =
  | readonly Suggestion[]
  | ((
      query: string,
      signal: AbortSignal,
    ) => readonly Suggestion[] | Promise<readonly Suggestion[]>);

/**
 * Questions that may follow an answer, the same for each; or a function that finds them, asked once when an answer is complete. Its
 * signal is aborted when they are no longer wanted.
 */
export type FollowUps =
  | readonly string[]
  | ((
      answer: MessageActDetail,
      signal: AbortSignal,
    ) => readonly string[] | Promise<readonly string[]>);

/** What the page says about writing. */
export interface WritingOptions {
  readonly maxLength: number;
  readonly longPaste: number;
  readonly speech: boolean;
  readonly commands: SuggestionSource | null;
  readonly mentions: SuggestionSource | null;
  readonly followUps: FollowUps | null;
}

/** An element in which messages are written. */
export type WritingHost = ConnectedHost<
  LitElement & WritingOptions & { send(text: string): Promise<boolean> }
>;

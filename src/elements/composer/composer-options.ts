import type { LitElement } from 'lit';
import type { UploadLimits } from '../../backends/backend.js';
import type { MessageRefDetail } from '../../events/index.js';
import type { ApplicationContext } from '../../model/message.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** A command or a name that is offered while a message is being written. */
export interface Suggestion {
  /** The name after the trigger character: `summary` for `/summary`, `Ada` for `@Ada`. Matched against what the user types. */
  readonly name: string;
  /** A description in one line. */
  readonly description?: string | undefined;
  /**
   * Text that replaces the trigger character and the query in the message; by default the trigger character and the name. If it is empty,
   * both are removed, and the host page reacts to `ubik-suggestion-chosen`.
   */
  readonly text?: string | undefined;
}

/**
 * All suggestions, of which the matching ones are shown; or a function that returns suggestions for the text after the trigger character.
 * Its signal is aborted when the user continues typing, and a late result is discarded.
 */
export type SuggestionSource =
  | readonly Suggestion[]
  | ((
      query: string,
      signal: AbortSignal,
    ) => readonly Suggestion[] | Promise<readonly Suggestion[]>);

/**
 * Follow-up questions that are the same for each answer; or a function that returns them, called when an answer is complete. Its
 * signal is aborted when they are no longer needed.
 */
export type FollowUps =
  | readonly string[]
  | ((
      answer: MessageRefDetail,
      signal: AbortSignal,
    ) => readonly string[] | Promise<readonly string[]>);

/** Properties of an element with a composer. The values come from the host page and are not validated. */
export interface ComposerOptions {
  readonly uploadLimits: UploadLimits | null;
  readonly whileRunning: string;
  readonly maxLength: number;
  readonly longPaste: number;
  readonly speech: boolean;
  readonly commands: SuggestionSource | null;
  readonly mentions: SuggestionSource | null;
  readonly followUps: FollowUps | null;
  readonly context: ApplicationContext | null;
  /** Only in `<ubik-chat>`. */
  readonly agentId?: string;
  /** Only in `<ubik-chat>`. */
  readonly drafts?: string;
  readonly prefill: boolean;
}

/** A connected element with a composer. */
export type ComposerHost = ConnectedHost<
  LitElement & ComposerOptions & { send(text: string): Promise<boolean> }
>;

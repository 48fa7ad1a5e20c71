import type { LitElement } from 'lit';
import type { UploadLimits } from '../../backends/backend.js';
import type { MessageRefDetail } from '../../events/index.js';
import type { ApplicationContext } from '../../model/message.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** A command or a name that is offered while a message is written. */
export interface Suggestion {
  /** The name after the sign: `summary` for `/summary`, `Ada` for `@Ada`. Compared with what the user types. */
  readonly name: string;
  /** A line that describes it. */
  readonly description?: string | undefined;
  /** Text that is inserted into the message; by default sign and name. Empty: nothing is inserted, the host page acts on the event. */
  readonly text?: string | undefined;
}

/**
 * All suggestions, of which the matching ones are shown; or a function that finds them for the text after the sign. Its signal is
 * aborted when the user types on; a late result is dropped.
 */
export type SuggestionSource =
  | readonly Suggestion[]
  | ((
      query: string,
      signal: AbortSignal,
    ) => readonly Suggestion[] | Promise<readonly Suggestion[]>);

/**
 * Follow-up questions, the same for each answer; or a function that finds them, called once when an answer is complete. Its signal is
 * aborted when they are no longer needed.
 */
export type FollowUps =
  | readonly string[]
  | ((
      answer: MessageRefDetail,
      signal: AbortSignal,
    ) => readonly string[] | Promise<readonly string[]>);

/** Properties of the host page for an element with a composer. Values come from the host page and are not validated. */
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
  /** Of `<ubik-chat>`. */
  readonly agentId?: string;
  /** Of `<ubik-chat>`. */
  readonly drafts?: string;
  readonly prefill: boolean;
}

/** A connected element with a composer. */
export type ComposerHost = ConnectedHost<
  LitElement & ComposerOptions & { send(text: string): Promise<boolean> }
>;

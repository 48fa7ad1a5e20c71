import type { UbikErrorCode } from '../errors.js';
import type { Json, Key } from '../model/json.js';
import type { Attachment } from '../model/message.js';
import type { RequestAnswer, RequestQuestion } from '../model/part.js';

/** Which thread an event is about. */
export interface ThreadDetail {
  /** The server's id; null until the thread exists there. */
  readonly threadId: string | null;
}

/** A thread that gets another title. */
export interface ThreadRenameDetail extends ThreadDetail {
  readonly title: string;
}

/** A message on its way to the agent. */
export interface MessageDetail extends ThreadDetail {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** A message that waits, as it is to be sent now. */
export interface QueueEditDetail extends MessageDetail {
  /** The text that waited so far. */
  readonly previous: string;
}

/** A command or a name that was offered to the person who writes. */
export interface SuggestionDetail extends ThreadDetail {
  /** `/` for a command, `@` for a name. */
  readonly sign: '/' | '@';
  readonly name: string;
  /** What is written into the message; empty when the page acts by itself. */
  readonly text: string;
}

/** Which message an act is about. */
export interface MessageActDetail extends ThreadDetail {
  /** The server's id of the message; null when it has none yet. */
  readonly messageId: string | null;
}

/** A sent message that gets a new text. */
export interface MessageEditDetail extends MessageActDetail {
  readonly text: string;
}

/** What a person thinks of an answer. */
export interface MessageFeedbackDetail extends MessageActDetail {
  /** Good, bad, or null when a judgement is taken back. */
  readonly rating: 'up' | 'down' | null;
  /** Why, in the person's words; empty when they gave no reason. */
  readonly reason: string;
}

/** One task of the agent. */
export interface RunDetail extends ThreadDetail {
  /** The server's id of the task; null while it has not told one. */
  readonly runId: string | null;
  /** Whether this page joined a run that was already on. */
  readonly resumed: boolean;
}

/** A run that is complete. */
export interface RunEndDetail extends RunDetail {
  /** What the service reported with the end, in its own form; null when it reported nothing. */
  readonly result: Json;
}

/** A step that is done. */
export interface StepDetail extends MessageActDetail {
  /** Its number, as the service counts. */
  readonly step: number;
  readonly title: string;
  /** What the service reported with its end, in its own form; null when it reported nothing. */
  readonly results: Json;
}

/** A run that did not end well. */
export interface RunErrorDetail extends RunDetail {
  readonly code: UbikErrorCode;
  /** English sentence, for logs; elements show their own. */
  readonly message: string;
}

/** A question of the agent or of one of its tools. */
export interface InputRequiredDetail extends MessageActDetail, RequestQuestion {
  /** Our name for the question, unique within its message. */
  readonly request: Key;
  readonly toolName: string | null;
}

/** An answer to a question. A file is named, not carried. */
export interface InputProvideDetail extends MessageActDetail {
  readonly request: Key;
  readonly type: 'text' | 'json' | 'file' | 'declined';
  readonly text: string | null;
  readonly value: Json;
  readonly fileName: string | null;
}

/** The way back to a checkpoint. */
export interface CheckpointDetail extends ThreadDetail {
  readonly checkpoint: string;
}

/** The way back that was taken. */
export interface CheckpointNavigatedDetail extends CheckpointDetail {
  readonly hint: string | null;
}

/** A document of a thread, or a file that is to become one. */
export interface DocumentDetail extends ThreadDetail {
  /** The service's id; null until it has the file. */
  readonly documentId: string | null;
  readonly name: string;
  /** In bytes; null when it is not known. */
  readonly size: number | null;
}

/** A document that is marked, or no longer. */
export interface DocumentStarDetail extends DocumentDetail {
  readonly starred: boolean;
}

/** A file that was not taken, or a document that could not be read. */
export interface DocumentFailedDetail extends DocumentDetail {
  /**
   * An error's code, `processing` when the service could not read it, or why it was not sent: `empty`, `too-large`, `wrong-type`,
   * `too-many`, `duplicate`, `unreadable`.
   */
  readonly code: string;
  /** What the service says about it; null when it says nothing. */
  readonly message: string | null;
}

/** An address in a message. */
export interface AddressDetail {
  readonly url: string;
}

/** What went wrong, for code. */
export interface ErrorDetail {
  readonly code: UbikErrorCode;
  /** English sentence, for logs; elements show their own. */
  readonly message: string;
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
}

/** What was odd but changed nothing. */
export interface DiagnosticDetail {
  readonly code: UbikErrorCode;
  readonly message: string;
  /** The piece that offended, such as an event type; null when there is none. Never text of a message. */
  readonly offender: string | null;
}

/** An answer that the host gives in place of the form. */
export type HostAnswer = RequestAnswer<File>;

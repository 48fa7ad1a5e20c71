import type { UbikErrorCode } from '../errors.js';
import { plainEvent, cancelableEvent } from './event.js';

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

/** Before a chat in a window of its own is opened. */
export class UbikChatOpenEvent extends cancelableEvent<null>('ubik-chat-open') {}

/** A chat in a window of its own is open. */
export class UbikChatOpenedEvent extends plainEvent<null>('ubik-chat-opened') {}

/** Before a chat in a window of its own is closed. */
export class UbikChatCloseEvent extends cancelableEvent<null>('ubik-chat-close') {}

/** A chat in a window of its own is closed. */
export class UbikChatClosedEvent extends plainEvent<null>('ubik-chat-closed') {}

/** The service wants to know who this is, and the page has given no `getToken`. */
export class UbikAuthRequiredEvent extends plainEvent<null>('ubik-auth-required') {}

/** Something went wrong; the person was told. */
export class UbikErrorEvent extends plainEvent<ErrorDetail>('ubik-error') {}

/** Something was odd and changed nothing; the person was not told. */
export class UbikDiagnosticEvent extends plainEvent<DiagnosticDetail>('ubik-diagnostic') {}

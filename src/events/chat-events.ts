import type { UbikErrorCode } from '../errors.js';
import { plainEvent, cancelableEvent } from './event.js';

/** An error. Distinguish errors by `code`. */
export interface ErrorDetail {
  readonly code: UbikErrorCode;
  /** English sentence for logs. Elements show an explanation in their own language. */
  readonly message: string;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
}

/** A problem that is not shown to the user. */
export interface DiagnosticDetail {
  readonly code: UbikErrorCode;
  readonly message: string;
  /** What has caused it, such as an event type; null if that is unknown. Never contains the text of a message. */
  readonly offender: string | null;
}

/** Dispatched before the user, `toggle()`, `compose()` or `focusComposer()` opens a chat window; not when the host page sets `open`. */
export class UbikChatOpenEvent extends cancelableEvent<null>('ubik-chat-open') {}

/** Dispatched after a chat window was opened. */
export class UbikChatOpenedEvent extends plainEvent<null>('ubik-chat-opened') {}

/** Dispatched before the user or `toggle()` closes a chat window; not when the host page removes `open`. */
export class UbikChatCloseEvent extends cancelableEvent<null>('ubik-chat-close') {}

/** Dispatched after a chat window was closed. */
export class UbikChatClosedEvent extends plainEvent<null>('ubik-chat-closed') {}

/** Dispatched when the service requires authentication, and there is no `getToken`, or it failed, or its token was rejected. */
export class UbikAuthRequiredEvent extends plainEvent<null>('ubik-auth-required') {}

/** Dispatched for each error that is shown to the user, and when a callback of the host page threw (code `renderer`). */
export class UbikErrorEvent extends plainEvent<ErrorDetail>('ubik-error') {}

/** Dispatched for a problem that is not shown to the user, such as a skipped event or an exceeded limit. */
export class UbikDiagnosticEvent extends plainEvent<DiagnosticDetail>('ubik-diagnostic') {}

import type { UbikErrorCode } from '../errors.js';
import type { Json } from '../model/json.js';
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

/** The values of the form of a gate, by the names of its fields. */
export interface GateValues {
  readonly [name: string]: Json;
}

/** What the user has accepted or filled in before the chat starts. */
export interface GateDetail {
  /** The version of the gate; empty when it has none. */
  readonly version: string;
  /** Empty for a gate without fields. */
  readonly values: GateValues;
}

/** Dispatched before the user passes the gate. If cancelled, the gate stays closed. */
export class UbikGatePassEvent extends cancelableEvent<GateDetail>('ubik-gate-pass') {}

/** Dispatched after the user has passed the gate. The chat connects afterwards. */
export class UbikGatePassedEvent extends plainEvent<GateDetail>('ubik-gate-passed') {}

/** Dispatched before the user or `toggle()` opens a chat window; not when the host page sets `open`. */
export class UbikChatOpenEvent extends cancelableEvent<null>('ubik-chat-open') {}

/** Dispatched after a chat window was opened. */
export class UbikChatOpenedEvent extends plainEvent<null>('ubik-chat-opened') {}

/** Dispatched before the user or `toggle()` closes a chat window; not when the host page removes `open`. */
export class UbikChatCloseEvent extends cancelableEvent<null>('ubik-chat-close') {}

/** Dispatched after a chat window was closed. */
export class UbikChatClosedEvent extends plainEvent<null>('ubik-chat-closed') {}

/** Dispatched when the service requires authentication, and there is no `getToken`, or it failed, or its token was rejected. */
export class UbikAuthRequiredEvent extends plainEvent<null>('ubik-auth-required') {}

/** Dispatched for each error that is shown to the user, and when a callback of the host page threw (`renderer`). */
export class UbikErrorEvent extends plainEvent<ErrorDetail>('ubik-error') {}

/** Dispatched for a problem that is not shown to the user, such as a skipped event or an exceeded limit. */
export class UbikDiagnosticEvent extends plainEvent<DiagnosticDetail>('ubik-diagnostic') {}

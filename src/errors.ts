/**
 * Identifies an error. Check the code, not the message, which may change.
 *
 * - `network`: there was no response (offline, unreachable host).
 * - `blocked`: the browser blocks requests of this page to the service (CORS, Content-Security-Policy, mixed content).
 * - `not-an-api`: the response did not come from the service, such as an HTML page, or 404 for a new thread.
 * - `bad-request` 400 and other 4xx, `unauthorized` 401, `forbidden` 403, `not-found` 404 and 410, `busy` 409, `too-large` 413,
 *   `invalid` 422, `rate-limited` 402 and 429, `server` 408 and 5xx.
 * - `not-open`: the input request was answered elsewhere or was closed; the answer was not accepted.
 * - `foreign-origin`: a URL leads out of the service: it is not below the base URL or, for a file of a tool, not on the route of such files;
 *   nothing was sent there. Or the `fetch` or `upload` of the host page followed a redirect to another origin; the response was dropped.
 * - `not-recorded`: the stored thread does not contain a streamed message yet.
 * - `not-sent`: the service did not accept the message; the text is kept. `cause` is the error of its request, when there was one.
 * - `interrupted`: the stream of a run broke, and it could not be rejoined.
 * - `run-failed`: the agent reported an error.
 * - `aborted`: the caller aborted. Never shown to the user.
 * - `event-too-large`, `message-too-large`, `too-many-events`, `too-many-groups`, `group-too-large`, `too-deep`: a limit was exceeded.
 * - `malformed-event`, `unknown-event`, `late-event`, `rechunked-replay`, `unusable-group`: diagnostics; the stream continues. A group is the
 *   set of pieces of one split event.
 * - `buffered-stream`: a diagnostic: a proxy buffers the stream, so that an answer appears in one piece.
 * - `unsupported`: the backend does not support this.
 * - `misuse`: an invalid call or value, or a callback of the host page that provides data (such as `commands` or `headers`) and failed; the
 *   message names it.
 * - `renderer`: a renderer, or a callback for a message (such as `messageAvatar` or `messageLink`), threw. A part is then
 *   shown by the next renderer that matches, else by its built-in view. An avatar or actions keep what the callback had added before; the
 *   menu item for the link is omitted.
 * - `storage`: the storage of the host page could not be read or written; memory is used instead.
 * - `upload-failed`: a file could not be uploaded.
 * - `load-failed`: a lazily loaded file of this library could not be fetched; the console names it.
 */
export type UbikErrorCode =
  | 'network'
  | 'blocked'
  | 'not-an-api'
  | 'bad-request'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'busy'
  | 'too-large'
  | 'invalid'
  | 'rate-limited'
  | 'server'
  | 'not-open'
  | 'foreign-origin'
  | 'not-recorded'
  | 'not-sent'
  | 'interrupted'
  | 'run-failed'
  | 'aborted'
  | 'event-too-large'
  | 'message-too-large'
  | 'too-many-events'
  | 'too-many-groups'
  | 'group-too-large'
  | 'too-deep'
  | 'malformed-event'
  | 'unknown-event'
  | 'late-event'
  | 'rechunked-replay'
  | 'unusable-group'
  | 'buffered-stream'
  | 'unsupported'
  | 'misuse'
  | 'renderer'
  | 'storage'
  | 'upload-failed'
  | 'load-failed';

/** An error description that the service has written for users, in the requested language. */
export interface ServiceError {
  /** What happened. */
  readonly description: string;
  /** What the user can do; empty when the service gives no advice. */
  readonly advice: string;
  /** The service's own error code; empty when it has none. */
  readonly code: string;
}

/** Details of an error. */
export interface UbikErrorOptions {
  /** HTTP status, when there was a response. */
  readonly status?: number | undefined;
  /** How long the service asks to wait before the next attempt, in ms (`Retry-After`, `retry:`). */
  readonly retryAfter?: number | undefined;
  /** What caused the error, for diagnosis: an event type, a field, a limit. Never message text, never a token. */
  readonly offender?: string | undefined;
  /** Whether the request was not sent, or its token was rejected: the service has started nothing. */
  readonly unsent?: boolean | undefined;
  /** The service's description for users, if it sent one. Contains no token. */
  readonly serviceError?: ServiceError | undefined;
  /** The original error. */
  readonly cause?: unknown;
}

/**
 * Default messages. Elements also show them for a code that has no string in the language of the interface; in English, most codes have none.
 * An error whose code has no default message uses the code, with spaces for hyphens.
 */
export const DEFAULT_MESSAGES: Readonly<Partial<Record<UbikErrorCode, string>>> = {
  network: 'The service cannot be reached. Check the network and try again.',
  blocked: 'This page is not allowed to connect to the service. Contact whoever runs this page.',
  'not-an-api': 'The response did not come from the service. Check the base URL.',
  unauthorized: 'You are not signed in, or the sign-in has expired.',
  forbidden: 'The service does not allow this.',
  'not-found': 'This does not exist, or no longer does.',
  busy: 'The assistant is still working. Wait for it or stop it first.',
  invalid: 'The service refused this. Change it and try again.',
  'rate-limited': 'Too many requests. Wait a moment and try again.',
  server: 'The service has a problem. Try again later.',
  'not-open': 'This question is no longer open.',
  'foreign-origin': 'A URL leads out of the service; nothing was sent there.',
  'not-recorded': 'The service has not stored this message yet. Try again in a moment.',
  'not-sent': 'The service did not accept the message. Try again.',
  interrupted: 'The connection was lost and the answer is incomplete.',
  'run-failed': 'The assistant ended with an error.',
  aborted: 'This was cancelled.',
  'message-too-large': 'The answer is too long; the rest is not shown.',
  'too-many-events':
    'The run has too many events to keep in order; the following ones are shown as they arrive.',
  unsupported: 'This service cannot do this.',
  misuse: 'This is not available here.',
  renderer: 'The page could not show this part. It is shown in its usual form.',
  storage: 'The storage of this page is not available.',
  'upload-failed': 'The file could not be uploaded. Try again.',
  'load-failed': 'Part of this chat could not be loaded. Try again, or reload the page.',
};

/**
 * An error of this library. `message` says in English what happened and what to do; the elements show an explanation in the
 * language of the interface instead.
 */
export class UbikError extends Error {
  /** Identifies the error. Stable across versions. */
  readonly code: UbikErrorCode;
  /** HTTP status, when there was a response. */
  readonly status: number | undefined;
  /** How long the service asks to wait before the next attempt, in ms. */
  readonly retryAfter: number | undefined;
  /** What caused the error, for diagnosis. */
  readonly offender: string | undefined;
  /** Whether the request was not sent, or its token was rejected: the service has started nothing. */
  readonly unsent: boolean;
  /** The service's description for users, if it sent one. */
  readonly serviceError: ServiceError | undefined;

  /** Creates an error, by default with the message of its code. */
  constructor(code: UbikErrorCode, options?: UbikErrorOptions);
  constructor(code: UbikErrorCode, message: string | undefined, options?: UbikErrorOptions);
  constructor(
    code: UbikErrorCode,
    message?: string | UbikErrorOptions,
    options: UbikErrorOptions = {},
  ) {
    const hasMessage = typeof message === 'string';
    const {
      cause,
      status,
      retryAfter,
      offender,
      unsent = false,
      serviceError,
    } = hasMessage ? options : (message ?? options);
    const text = hasMessage ? message : (DEFAULT_MESSAGES[code] ?? code.replaceAll('-', ' '));
    super(text, cause === undefined ? undefined : { cause });
    // Not assigned: an assignment throws where the host page has frozen Error.prototype.
    Object.defineProperty(this, 'name', { value: 'UbikError', configurable: true, writable: true });
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
    this.offender = offender;
    this.unsent = unsent;
    this.serviceError = serviceError;
  }
}

/**
 * Whether a thrown value is a {@link UbikError}. Use it instead of `instanceof`, which fails when a page loads two copies of this
 * library, each with its own class.
 */
export function isUbikError(value: unknown): value is UbikError {
  return value instanceof Error && value.name === 'UbikError' && 'code' in value;
}

/** Returns the error that says why something failed: for a message that was not sent, the error of its request, when there was one. */
export function findReason(error: UbikError): UbikError {
  const { code, cause } = error;
  return code === 'not-sent' && isUbikError(cause) ? cause : error;
}

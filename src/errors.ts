/**
 * What went wrong, as one word that code can rely on. Hosts and tests look at the code, never at the words of a message.
 *
 * - `network`: no answer came (offline, unreachable host).
 * - `blocked`: the browser lets no request of this page through to the service (CORS, Content-Security-Policy, http from https).
 * - `not-an-api`: something answered that is not the service, such as an HTML page, or 404 to a new conversation.
 * - `bad-request` 400, `unauthorized` 401, `forbidden` 403, `not-found` 404, `busy` 409, `too-large` 413,
 *   `invalid` 422, `rate-limited` 429, `server` 5xx.
 * - `not-open`: the question was answered elsewhere, or is not asked any more; nothing was sent.
 * - `foreign-origin`: an address or a redirect leads away from the configured origin; nothing was sent there.
 * - `not-recorded`: the service's list of messages does not contain yet what the stream has brought.
 * - `not-sent`: the service did not take the message; the text is kept.
 * - `interrupted`: a run ended without its end, and rejoining gave up.
 * - `run-failed`: the agent itself reported an error.
 * - `aborted`: the caller gave up. Never shown to a person.
 * - `event-too-large`, `message-too-large`, `too-many-events`, `too-many-groups`, `group-too-large`, `too-deep`: a bound was passed.
 * - `malformed-event`, `unknown-event`, `late-event`, `foreign-replay`, `unusable-group`: diagnostics; the stream goes on.
 * - `unsupported`: the backend cannot do this. `misuse`: a call that makes no sense; its message says the fix.
 * - `renderer`: a host's part renderer threw; the part is shown as plain text.
 * - `storage`: the page's storage could not be read or written; the memory of this page serves instead.
 * - `upload-failed`: a file did not arrive.
 * - `load-failed`: a file of this library that is fetched when it is needed could not be; the console names it.
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
  | 'foreign-replay'
  | 'unusable-group'
  | 'unsupported'
  | 'misuse'
  | 'renderer'
  | 'storage'
  | 'upload-failed'
  | 'load-failed';

/** What may be told along with an error. */
export interface UbikErrorOptions {
  /** HTTP status of the answer, when there was one. */
  readonly status?: number | undefined;
  /** How long the service asks to wait before the next try, in ms (`Retry-After`, `retry:`). */
  readonly retryAfter?: number | undefined;
  /** The piece that offended, for diagnosis: an event type, a field, a bound. Never message text, never a token. */
  readonly offender?: string | undefined;
  /** The request never reached the network, or was refused for its token: the service has started nothing. */
  readonly unsent?: boolean | undefined;
  /** The error behind this one. */
  readonly cause?: unknown;
}

/** What an error says when its thrower has nothing more special to say, and what a person is told; without a sentence here, its code says it. */
export const DEFAULT_MESSAGES: Readonly<Partial<Record<UbikErrorCode, string>>> = {
  network: 'The service cannot be reached. Check the network and try again.',
  blocked: 'This page is not allowed to connect to the service. Contact whoever runs this page.',
  'not-an-api': 'Something answered that is not the service. Look at the base URL.',
  unauthorized: 'You are not signed in, or the sign-in has expired.',
  forbidden: 'The service does not allow this.',
  'not-found': 'This does not exist (any more).',
  busy: 'The assistant is still working. Wait for it or stop it first.',
  invalid: 'The service refused this. Change it and try again.',
  'rate-limited': 'Too many requests. Wait a moment and try again.',
  server: 'The service has a problem. Try again later.',
  'not-open': 'This question is no longer open.',
  'foreign-origin': 'An address leads away from the service; nothing was sent there.',
  'not-recorded': 'The service has not stored this message yet. Try again in a moment.',
  'not-sent': 'The service did not accept the message. Try again.',
  interrupted: 'The connection was lost and the answer is not complete.',
  'run-failed': 'The assistant ended with an error.',
  aborted: 'This was cancelled.',
  'message-too-large': 'The answer is too long; the rest is left out.',
  'too-many-events':
    'The run has more events than can be put in order; from here on they are shown as they arrive.',
  unsupported: 'This service cannot do this.',
  misuse: 'This is not possible here (any more).',
  renderer: 'The page could not draw this part; it is shown as plain text.',
  storage: 'The storage of this page does not work.',
  'upload-failed': 'The file did not arrive. Try again.',
  'load-failed': 'Part of this chat could not be loaded. Try again, or reload the page.',
};

/**
 * An error of this library. `message` is an English sentence that says what happened and what to do; elements show their own,
 * translated sentence for the `code`.
 */
export class UbikError extends Error {
  /** What went wrong. Stable over versions. */
  readonly code: UbikErrorCode;
  /** HTTP status, when an answer came. */
  readonly status: number | undefined;
  /** Wish of the service, in ms, before the next try. */
  readonly retryAfter: number | undefined;
  /** The offending piece, for diagnosis. */
  readonly offender: string | undefined;
  /** The request never reached the network, or was refused for its token: the service has started nothing. */
  readonly unsent: boolean;

  /** Without a sentence of its own, an error says that of its code. */
  constructor(code: UbikErrorCode, options?: UbikErrorOptions);
  constructor(code: UbikErrorCode, message: string | undefined, options?: UbikErrorOptions);
  constructor(
    code: UbikErrorCode,
    message?: string | UbikErrorOptions,
    options: UbikErrorOptions = {},
  ) {
    const isSaid = typeof message === 'string';
    const {
      cause,
      status,
      retryAfter,
      offender,
      unsent = false,
    } = isSaid ? options : (message ?? options);
    const sentence = isSaid ? message : (DEFAULT_MESSAGES[code] ?? code.replaceAll('-', ' '));
    super(sentence, cause === undefined ? undefined : { cause });
    this.name = 'UbikError';
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
    this.offender = offender;
    this.unsent = unsent;
  }
}

/**
 * Whether a thrown value is a {@link UbikError}, told by its `code`: two copies of this library on one page do not share a class.
 */
export function isUbikError(value: unknown): value is UbikError {
  return value instanceof Error && value.name === 'UbikError' && 'code' in value;
}

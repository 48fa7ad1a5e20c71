import { UbikError, type UbikErrorCode } from '../../errors.js';
import { readBeginning } from './read-text.js';

/** What {@link createAnswerError} needs of an answer. */
export interface RefusedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const CODES: Readonly<Record<number, UbikErrorCode>> = {
  401: 'unauthorized',
  402: 'rate-limited',
  403: 'forbidden',
  404: 'not-found',
  408: 'server',
  409: 'busy',
  410: 'not-found',
  413: 'too-large',
  422: 'invalid',
  429: 'rate-limited',
};

/** An error text longer than this is no sentence. */
const LONGEST_TEXT = 500;
/** As much of an error's body as is read. */
const LONGEST_BODY = 1 << 16;

/** The refused answer of a fetch, its body read as far as an error text can reach. */
export async function readRefusedAnswer(response: Response): Promise<RefusedAnswer> {
  const { status, headers } = response;
  return { status, headers, body: await readBeginning(response, LONGEST_BODY) };
}

/**
 * The error for an answer that is no success. Its words are the service's own where it sent some; `offender` names the fields
 * that it complained about.
 */
export function createAnswerError(answer: RefusedAnswer, now: number): UbikError {
  const { status, headers, body } = answer;
  const isPage = isHtml(headers, body);
  const fields: string[] = [];
  const text = isPage ? '' : describe(parseJson(body), fields);
  // Statuses that a web server gives for an address where no service is.
  const isNobodyHome = isPage && (status === 404 || status === 405);
  const code = CODES[status] ?? (status >= 500 ? 'server' : 'bad-request');
  return new UbikError(
    isNobodyHome ? 'not-an-api' : code,
    shorten(text) || `The service answered with the status ${status}.`,
    {
      status,
      retryAfter: parseRetryAfter(headers.get('retry-after'), now),
      offender: shorten(fields.join(', ')) || undefined,
    },
  );
}

/** Whether an answer is a web page. */
export function isHtml(headers: Headers, body: string): boolean {
  const type = headers.get('content-type') ?? '';
  return (
    /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type) || /^\s*<(!doctype|html)\b/i.test(body)
  );
}

/** `Retry-After` in ms from now: whole seconds or an HTTP date. A date in the past is 0. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // A date begins with the name of a day; other forms are not allowed, though `Date.parse` takes them.
  const time = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

/**
 * The words in an error's body: a text, a list of complaints, or an object with one of them inside (FastAPI's `detail` in its
 * three shapes, `message`, `error`). `fields` takes the names of the fields that they are about.
 */
function describe(value: unknown, fields: string[], depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > 4) return '';
  const describeInner = (inner: unknown) => describe(inner, fields, depth + 1);
  if (Array.isArray(value)) {
    return value.slice(0, 10).map(describeInner).filter(Boolean).join('; ');
  }
  const { loc, msg, detail, message, error } = value as Readonly<Record<string, unknown>>;
  const field = readLocation(loc);
  if (field) fields.push(field);
  const text = [msg, detail, message, error].reduce<string>(
    (found, inner) => found || describeInner(inner),
    '',
  );
  return field ? `${field}: ${text}` : text;
}

/** `["body", "checkpoint_id"]` is the field `checkpoint_id`: where in the request it stood helps nobody. */
function readLocation(location: unknown): string {
  if (!Array.isArray(location)) return '';
  const steps = location.filter((step) => typeof step === 'string' || typeof step === 'number');
  return steps.join('.').replace(/^body\./, '');
}

function shorten(text: string): string {
  const line = text.trim();
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT - 1)}…` : line;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // An error may have any body; without a sentence in it the status speaks.
    return null;
  }
}

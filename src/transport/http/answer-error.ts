import { UbikError, type UbikErrorCode } from '../../errors.js';
import { guessKind } from '../content-kind.js';
import { encodeComponent } from '../encode-component.js';
import { parseDate, readAnswerDate } from './answer-date.js';
import { parseJson, readText } from './read-body.js';

const CODES: ReadonlyMap<number, UbikErrorCode> = new Map([
  [401, 'unauthorized'],
  [402, 'rate-limited'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [408, 'server'],
  [409, 'busy'],
  [410, 'not-found'],
  [413, 'too-large'],
  [422, 'invalid'],
  [429, 'rate-limited'],
]);

/** An error text longer than this is no sentence. */
const LONGEST_TEXT = 500;
/** As much of an error's body as is read. */
const LONGEST_BODY = 1 << 16;

/**
 * The error for an answer that is no success. Its words are the service's own where it sent some, but never the token, which a
 * service may repeat; `offender` names the fields that it complained about.
 */
export async function createAnswerError(
  response: Response,
  now: number,
  token: string | null,
): Promise<UbikError> {
  const { status, headers } = response;
  // Of a body that cannot be read, the status has said what matters.
  const { text: body } = await readText(response, LONGEST_BODY).catch(() => ({ text: '' }));
  const isPage = guessKind(headers, body) === 'html';
  const fields: string[] = [];
  const words = isPage ? '' : describe(parseJson(body), fields);
  // Statuses that a web server gives for an address where no service is.
  const isNobodyHome = isPage && (status === 404 || status === 405);
  const code = CODES.get(status) ?? (status >= 500 ? 'server' : 'bad-request');
  const text = clean(words, token) || `The service answered with the status ${status}.`;
  return new UbikError(isNobodyHome ? 'not-an-api' : code, text, {
    status,
    retryAfter: parseRetryAfter(headers, now),
    offender: clean(fields.join(', '), token) || undefined,
  });
}

/**
 * `Retry-After` in ms from now: whole seconds or an HTTP date. A date in the past is 0. It was made by the clock of the service, which
 * `Date` tells where the page may read it (`Access-Control-Expose-Headers`); the clock of the page may be hours off.
 */
function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const time = parseDate(value);
  return time === null ? undefined : Math.max(0, time - (readAnswerDate(headers) ?? now));
}

/**
 * The words in an error's body: a text, a list of complaints, or an object with one of them inside (FastAPI's `detail` in its
 * three shapes, `message`, `error`). `fields` takes the names of the fields that they are about.
 */
function describe(value: unknown, fields: string[], depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > 4) return '';
  const describeInner = (inner: unknown) => describe(inner, fields, depth + 1);
  if (Array.isArray(value)) return value.slice(0, 10).map(describeInner).filter(Boolean).join('; ');
  const { loc, msg, detail, message, error } = value as Readonly<Record<string, unknown>>;
  // `["body", "checkpoint_id"]` is the field `checkpoint_id`: where in the request it stood helps nobody.
  const steps = Array.isArray(loc) ? loc.filter((step) => typeof step !== 'object') : [];
  const field = steps.join('.').replace(/^body\./, '');
  if (field) fields.push(field);
  let text = '';
  for (const inner of [msg, detail, message, error]) text ||= describeInner(inner);
  return field ? `${field}: ${text}` : text;
}

function clean(text: string, token: string | null): string {
  let line = text.trim();
  for (const secret of token ? [token, encodeComponent(token)] : []) {
    line = line.replaceAll(secret, '[token]');
  }
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT - 1)}…` : line;
}

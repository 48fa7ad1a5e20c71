import { UbikError, type UbikErrorCode } from '../../errors.js';
import { readBeginning } from './read-text.js';

/** What {@link createAnswerError} needs of an answer. */
export interface RefusedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const CODES: ReadonlyMap<number, UbikErrorCode> = new Map([
  [400, 'bad-request'],
  [401, 'unauthorized'],
  [402, 'rate-limited'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [409, 'busy'],
  [410, 'not-found'],
  [413, 'too-large'],
  [422, 'invalid'],
  [429, 'rate-limited'],
]);

/** Statuses that a web server gives for an address where no service is. */
const NOBODY_HOME: ReadonlySet<number> = new Set([404, 405]);
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
  const { status } = answer;
  const isPage = isHtml(answer.headers, answer.body);
  const code = isPage && NOBODY_HOME.has(status) ? 'not-an-api' : codeOf(status);
  const { text, fields } = isPage ? { text: '', fields: [] } : readDetail(answer.body);
  return new UbikError(code, shorten(text) || `The service answered with the status ${status}.`, {
    status,
    retryAfter: parseRetryAfter(answer.headers.get('retry-after'), now),
    offender: fields.length > 0 ? shorten(fields.join(', ')) : undefined,
  });
}

function codeOf(status: number): UbikErrorCode {
  return CODES.get(status) ?? (status >= 500 || status === 408 ? 'server' : 'bad-request');
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

interface Detail {
  readonly text: string;
  readonly fields: readonly string[];
}

/** FastAPI's `detail` in its three shapes, `message` or `error`; else the body when it is a short text. */
function readDetail(body: string): Detail {
  const value = parseJson(body);
  if (!isRecord(value)) return { text: typeof value === 'string' ? value : '', fields: [] };
  for (const name of ['detail', 'message', 'error']) {
    const detail = describe(value[name]);
    if (detail.text !== '') return detail;
  }
  return { text: '', fields: [] };
}

/** A text, a list of complaints, or an object with a text inside. */
function describe(value: unknown, depth = 0): Detail {
  if (typeof value === 'string') return { text: value, fields: [] };
  if (depth > 3) return { text: '', fields: [] };
  if (Array.isArray(value)) {
    const parts = value.slice(0, 10).map((item) => describe(item, depth + 1));
    return {
      text: parts
        .map((part) => part.text)
        .filter(Boolean)
        .join('; '),
      fields: parts.flatMap((part) => part.fields),
    };
  }
  if (!isRecord(value)) return { text: '', fields: [] };
  const inner = value['msg'] ?? value['message'] ?? value['error'] ?? value['detail'];
  const field = readLocation(value['loc']);
  const { text, fields } = describe(inner, depth + 1);
  return field === ''
    ? { text, fields }
    : { text: `${field}: ${text}`, fields: [field, ...fields] };
}

/** `["body", "checkpoint_id"]` is the field `checkpoint_id`: where in the request it stood helps nobody. */
function readLocation(location: unknown): string {
  if (!Array.isArray(location)) return '';
  const steps = location.filter((step) => typeof step === 'string' || typeof step === 'number');
  return steps.slice(steps[0] === 'body' && steps.length > 1 ? 1 : 0).join('.');
}

function shorten(text: string): string {
  const line = text.trim();
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT - 1)}…` : line;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // An error may have any body; without a sentence in it the status speaks.
    return null;
  }
}

import { UbikError, type UbikErrorCode } from '../errors.js';
import { parseHttpDate, parseJson, readResponseDate, readText, sniffKind } from './response.js';
import { encodeComponent, FILE_PAGE_HINT } from './url.js';
import type { ConnectionDiagnosis } from './connection-diagnosis.js';

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
const MAX_MESSAGE_LENGTH = 500;
/** As much of an error's body as is read. */
const MAX_ERROR_BODY = 1 << 16;

/**
 * The error for an answer that is no success. Its words are the service's own where it sent some, but never the token, which a
 * service may repeat; `offender` names the fields that it complained about.
 */
export async function createResponseError(
  response: Response,
  now: number,
  token: string | null,
): Promise<UbikError> {
  const { status, headers } = response;
  // Of a body that cannot be read, the status has said what matters.
  const { text: body } = await readText(response, MAX_ERROR_BODY).catch(() => ({ text: '' }));
  const isPage = sniffKind(headers, body) === 'html';
  const fields: string[] = [];
  const words = isPage ? '' : extractMessage(parseJson(body), fields);
  // Statuses that a web server gives for an address where no service is.
  const isNobodyHome = isPage && (status === 404 || status === 405);
  const code = CODES.get(status) ?? (status >= 500 ? 'server' : 'bad-request');
  const text = redactToken(words, token) || `The service answered with the status ${status}.`;
  return new UbikError(isNobodyHome ? 'not-an-api' : code, text, {
    status,
    retryAfter: parseRetryAfter(headers, now),
    offender: redactToken(fields.join(', '), token) || undefined,
  });
}

/**
 * `Retry-After` in ms from now: whole seconds or an HTTP date. A date in the past is 0. It was made by the clock of the service, which
 * `Date` tells where the page may read it (`Access-Control-Expose-Headers`); the clock of the page may be hours off.
 */
function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const time = parseHttpDate(value);
  return time === null ? undefined : Math.max(0, time - (readResponseDate(headers) ?? now));
}

/**
 * The words in an error's body: a text, a list of complaints, or an object with one of them inside (FastAPI's `detail` in its
 * three shapes, `message`, `error`). `fields` takes the names of the fields that they are about.
 */
function extractMessage(value: unknown, fields: string[], depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > 4) return '';
  const describeInner = (inner: unknown) => extractMessage(inner, fields, depth + 1);
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

function redactToken(text: string, token: string | null): string {
  let line = text.trim();
  for (const secret of token ? [token, encodeComponent(token)] : []) {
    line = line.replaceAll(secret, '[token]');
  }
  return line.length > MAX_MESSAGE_LENGTH ? `${line.slice(0, MAX_MESSAGE_LENGTH - 1)}…` : line;
}

/** Where a request came from and where it was to go. */
export interface Route {
  /** The base URL of the service. */
  readonly base: URL;
  /** Address of the page; null where it has none that others could ask, such as a file. */
  readonly pageUrl: string | null;
}

/** An error that says why a request to the service has failed, and what its developer can do about it; null where nothing is known. */
export function createUnreachableError(
  obstacle: ConnectionDiagnosis,
  { base, pageUrl }: Route,
): UbikError | null {
  const offender = base.href.replace(/\/$/, '');
  const { origin } = base;
  const create = (code: UbikErrorCode, message: string) =>
    new UbikError(code, message, { offender });
  switch (obstacle.kind) {
    case 'csp':
      return create(
        'blocked',
        `The Content-Security-Policy of this page forbids requests to ${origin}: add it to ${obstacle.directive}.`,
      );
    case 'mixed-content':
      return create(
        'blocked',
        `A page on https cannot send requests to ${origin}, which is on http: serve it on https.`,
      );
    case 'cors': {
      const hint =
        pageUrl === null
          ? FILE_PAGE_HINT
          : `Allow ${new URL(pageUrl).origin} there, or use a proxy on the origin of the page.`;
      return create('blocked', `${origin} does not allow requests from this page (CORS). ${hint}`);
    }
    case 'redirect':
      return create(
        'not-an-api',
        `${offender} redirects, and credentials follow no redirect: make the address that it leads to the base URL.`,
      );
    case 'unreachable':
      return create(
        'network',
        `Nothing answers at ${offender}, or it hides from other origins (Cross-Origin-Resource-Policy). Check the base URL and the network.`,
      );
    case 'unknown':
      return null;
  }
}

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

/** Longer error messages are truncated. */
const MAX_MESSAGE_LENGTH = 500;
/** Number of bytes of an error body that are read. */
const MAX_ERROR_BODY = 1 << 16;

/**
 * Creates the error for a response that is not a success. Its message is the service's own where the service sent one, with the token
 * redacted; `offender` lists the fields that the service complains about.
 */
export async function createResponseError(
  response: Response,
  now: number,
  token: string | null,
): Promise<UbikError> {
  const { status, headers } = response;
  // When the body cannot be read, the status is enough.
  const { text: body } = await readText(response, MAX_ERROR_BODY).catch(() => ({ text: '' }));
  const isPage = sniffKind(headers, body) === 'html';
  const fields: string[] = [];
  const message = isPage ? '' : extractMessage(parseJson(body), fields);
  // What a web server responds for a path where there is no service.
  const isWebServer = isPage && (status === 404 || status === 405);
  const code = CODES.get(status) ?? (status >= 500 ? 'server' : 'bad-request');
  const text = redactToken(message, token) || `The service answered with the status ${status}.`;
  return new UbikError(isWebServer ? 'not-an-api' : code, text, {
    status,
    retryAfter: parseRetryAfter(headers, now),
    offender: redactToken(fields.join(', '), token) || undefined,
  });
}

/**
 * Parses `Retry-After` (whole seconds or an HTTP date) to ms from now; a date in the past gives 0. A date is compared with the `Date`
 * header where the page may read it (`Access-Control-Expose-Headers`), because the clock of the page may be hours off.
 */
function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const time = parseHttpDate(value);
  return time === null ? undefined : Math.max(0, time - (readResponseDate(headers) ?? now));
}

/**
 * Extracts the message from an error body: a string, an array of errors, or an object that contains one of them (the three shapes of
 * FastAPI's `detail`, `message`, `error`). Collects the names of the fields that it is about in `fields`.
 */
function extractMessage(value: unknown, fields: string[], depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > 4) return '';
  const extractInner = (inner: unknown) => extractMessage(inner, fields, depth + 1);
  if (Array.isArray(value)) return value.slice(0, 10).map(extractInner).filter(Boolean).join('; ');
  const { loc, msg, detail, message, error } = value as Readonly<Record<string, unknown>>;
  // FastAPI locates a field as `["body", "checkpoint_id"]`; the first element only names the part of the request.
  const steps = Array.isArray(loc) ? loc.filter((step) => typeof step !== 'object') : [];
  const field = steps.join('.').replace(/^body\./, '');
  if (field) fields.push(field);
  let text = '';
  for (const inner of [msg, detail, message, error]) text ||= extractInner(inner);
  return field ? `${field}: ${text}` : text;
}

function redactToken(text: string, token: string | null): string {
  let line = text.trim();
  for (const secret of token ? [token, encodeComponent(token)] : []) {
    line = line.replaceAll(secret, '[token]');
  }
  return line.length > MAX_MESSAGE_LENGTH ? `${line.slice(0, MAX_MESSAGE_LENGTH - 1)}…` : line;
}

/** The source and target of a request. */
export interface Route {
  /** The base URL of the service. */
  readonly base: URL;
  /** URL of the page; null for one that was opened from the file system. */
  readonly pageUrl: string | null;
}

/** Creates an error that says why the service cannot be reached and what the developer can do about it; null when the reason is unknown. */
export function createUnreachableError(
  diagnosis: ConnectionDiagnosis,
  { base, pageUrl }: Route,
): UbikError | null {
  const offender = base.href.replace(/\/$/, '');
  const { origin } = base;
  const create = (code: UbikErrorCode, message: string) =>
    new UbikError(code, message, { offender });
  switch (diagnosis.kind) {
    case 'csp':
      return create(
        'blocked',
        `The Content-Security-Policy of this page forbids requests to ${origin}: add it to ${diagnosis.directive}.`,
      );
    case 'mixed-content':
      return create(
        'blocked',
        `A page on https cannot send requests to ${origin}, which is on http: serve the API on https.`,
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
        `${offender} redirects, and credentials are not sent to redirect targets: use the target as the base URL.`,
      );
    case 'unreachable':
      return create(
        'network',
        `Nothing responds at ${offender}, or its responses are blocked (Cross-Origin-Resource-Policy). Check the base URL and the network.`,
      );
    case 'unknown':
      return null;
  }
}

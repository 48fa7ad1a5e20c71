import { isIdentityParameter } from './identity-fields.js';

/** The allowed body of a request to an endpoint. */
export type BodyRule =
  | { readonly kind: 'none' }
  /** A JSON object with these fields and those in `allowSessionOptions` only. */
  | { readonly kind: 'json'; readonly fields: readonly string[]; readonly maxBytes: number }
  /** A multipart form with at most one file, and these JSON fields. */
  | { readonly kind: 'form'; readonly jsonFields: readonly string[] };

/** A validated request, safe to append to the base URL. */
export interface Route {
  /** The endpoint with `{id}` for ids: `/agent-sessions/{id}/messages`. */
  readonly endpoint: string;
  readonly path: string;
  /** The query with its question mark, or empty. */
  readonly query: string;
  readonly body: BodyRule;
}

const KB = 1024;
const NO_BODY: BodyRule = { kind: 'none' };

/** A body with ids, names and flags. */
const smallJson = (...fields: string[]): BodyRule => ({ kind: 'json', fields, maxBytes: 64 * KB });

/** A body with text of the user, or with settings as large as a system prompt. */
const largeJson = (...fields: string[]): BodyRule => ({
  kind: 'json',
  fields,
  maxBytes: 2 * KB * KB,
});

const form = (...jsonFields: string[]): BodyRule => ({ kind: 'form', jsonFields });

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** An id created by a model or the service: `call_123abc`, `toolu_01A`, `exec-7`, `doc_123`. */
const PREFIXED = '[a-z][a-z\\d]*[_-][a-z\\d][a-z\\d_-]{0,127}';

/** The documented forms of ids, by their names in `ENDPOINTS`. */
const ID_PATTERNS: ReadonlyMap<string, RegExp> = new Map([
  ['{session}', new RegExp(`^${UUID}$`, 'iu')],
  ['{message}', new RegExp(`^${UUID}$`, 'iu')],
  ['{chunk}', new RegExp(`^${UUID}$`, 'iu')],
  ['{document}', new RegExp(`^(?:${UUID}|${PREFIXED})$`, 'iu')],
  ['{execution}', new RegExp(`^(?:${UUID}|${PREFIXED})$`, 'iu')],
  // Built-in tools are identified by name.
  ['{tool}', /^[a-z\d][a-z\d_-]{0,127}$/iu],
  ['{file}', /^.{1,1000}$/u],
]);

const SESSION = '/agent-sessions/{session}';
const MESSAGE = `${SESSION}/messages/{message}`;
const DOCUMENT = `${SESSION}/documents/{document}`;

/** The endpoints that a chat needs. `/auth/token` is deliberately not one of them. */
const ENDPOINTS: readonly (readonly [method: string, path: string, body: BodyRule])[] = [
  ['GET', '/agent-sessions', NO_BODY],
  ['POST', '/agent-sessions', largeJson('title')],
  ['GET', SESSION, NO_BODY],
  ['PATCH', SESSION, largeJson('title', 'status')],
  ['DELETE', SESSION, NO_BODY],
  ['GET', `${SESSION}/messages`, NO_BODY],
  ['POST', `${SESSION}/messages`, largeJson('content', 'attachment_document_ids', 'stream')],
  ['GET', MESSAGE, NO_BODY],
  ['POST', `${MESSAGE}/regenerate`, smallJson('stream')],
  ['POST', `${MESSAGE}/edit`, largeJson('content', 'stream')],
  ['POST', `${SESSION}/navigate`, smallJson('target_message_id')],
  ['GET', `${SESSION}/checkpoints`, NO_BODY],
  [
    'POST',
    `${SESSION}/navigate-to-checkpoint`,
    largeJson('checkpoint_name', 'checkpoint_id', 'checkpoint_hint', 'stream'),
  ],
  ['POST', `${SESSION}/stop`, smallJson()],
  ['GET', `${SESSION}/stream`, NO_BODY],
  ['GET', `${SESSION}/documents`, NO_BODY],
  ['POST', `${SESSION}/documents`, smallJson('document_ids')],
  ['POST', `${SESSION}/upload`, form('api_metadata')],
  ['DELETE', DOCUMENT, NO_BODY],
  ['PUT', `${DOCUMENT}/star`, smallJson('is_starred')],
  ['GET', '/documents/{document}', NO_BODY],
  ['GET', '/chunks/{chunk}', NO_BODY],
  ['GET', '/chunks/{chunk}/document', NO_BODY],
  ['GET', '/tool-executions/{execution}', NO_BODY],
  ['GET', '/tool-executions/{execution}/stream', NO_BODY],
  ['POST', '/tool-executions/{execution}/provide-input', form('input_data_json')],
  ['GET', '/assets/tools/{tool}/{execution}/{file}', NO_BODY],
];

const ROUTES = ENDPOINTS.map(([method, endpoint, body]) => ({
  method,
  endpoint: endpoint.replaceAll(/\{\w+\}/gu, '{id}'),
  body,
  segments: endpoint.slice(1).split('/'),
}));

/** What a request to a known path with another method gets. */
export interface MethodNotAllowed {
  /** The header `Allow`, which the response must have (RFC 9110, 15.5.6). */
  readonly allow: string;
}

/**
 * Finds the endpoint of a request.
 *
 * Each segment is decoded, validated and encoded again, so that dots, slashes and control characters cannot lead to another endpoint.
 *
 * @returns The route; the methods of a known path when the request has another one; `invalid-id` for a known path with an invalid id;
 *   `unknown` for any other path.
 */
export function matchRoute(
  method: string,
  url: string,
): Route | MethodNotAllowed | 'invalid-id' | 'unknown' {
  const [path = '', ...rest] = url.split('?');
  if (!path.startsWith('/')) return 'unknown';
  const segments = path.slice(1).split('/').map(cleanSegment);
  if (!segments.every((segment) => segment !== null)) return 'unknown';
  const candidates = ROUTES.filter((each) => matchesFixedSegments(each.segments, segments));
  if (candidates.length === 0) return 'unknown';
  const known = candidates.filter((each) => matchesIds(each.segments, segments));
  if (known.length === 0) return 'invalid-id';
  const found = known.find((each) => each.method === method);
  if (found === undefined) return { allow: known.map((each) => each.method).join(', ') };
  const { endpoint, body } = found;
  return { endpoint, body, path: `/${segments.join('/')}`, query: cleanQuery(rest.join('?')) };
}

/** Whether a path has the fixed segments of an endpoint; ids are not compared. */
function matchesFixedSegments(expected: readonly string[], segments: readonly string[]): boolean {
  return (
    expected.length === segments.length &&
    expected.every((each, index) => ID_PATTERNS.has(each) || each === segments[index])
  );
}

function matchesIds(expected: readonly string[], segments: readonly string[]): boolean {
  return expected.every(
    (each, index) => ID_PATTERNS.get(each)?.test(segments[index] ?? '') ?? true,
  );
}

function cleanSegment(segment: string): string | null {
  let plain: string;
  try {
    plain = decodeURIComponent(segment);
  } catch {
    return null;
  }
  if (plain === '' || plain === '.' || plain === '..' || /[/\\\u0000-\u001f\u007f]/u.test(plain)) {
    return null;
  }
  // The service, or a server in front of it, could decode a second layer of escapes.
  return /%(?:2f|5c|2e|00|25)/iu.test(plain) ? null : encodeURIComponent(plain);
}

function cleanQuery(query: string): string {
  const parameters = new URLSearchParams(query);
  for (const name of [...parameters.keys()]) {
    if (isIdentityParameter(name)) parameters.delete(name);
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

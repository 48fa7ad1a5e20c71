import { isClaimInAddress } from './claims.js';

/** What the body of a request to an endpoint may be. */
export type BodyRule =
  | { readonly kind: 'none' }
  /** An object with these fields and no other. */
  | { readonly kind: 'json'; readonly fields: readonly string[]; readonly maxBytes: number }
  /** A multipart form of one file with these texts, each of them JSON. */
  | { readonly kind: 'form'; readonly texts: readonly string[] };

/** A request to the service, clean and safe to put behind the base address. */
export interface Route {
  /** What was asked for, with `{id}` for ids: `/agent-sessions/{id}/messages`. */
  readonly endpoint: string;
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
  readonly body: BodyRule;
}

const KB = 1024;
const NO_BODY: BodyRule = { kind: 'none' };

/** A request of ids, names and flags. */
const small = (...fields: string[]): BodyRule => ({ kind: 'json', fields, maxBytes: 64 * KB });

/** A request that carries what a person has written, or settings as large as a system prompt. */
const large = (...fields: string[]): BodyRule => ({
  kind: 'json',
  fields,
  maxBytes: 2 * KB * KB,
});

const form = (...texts: string[]): BodyRule => ({ kind: 'form', texts });

const SESSION = '/agent-sessions/{id}';
const MESSAGE = `${SESSION}/messages/{id}`;
const DOCUMENT = `${SESSION}/documents/{id}`;

/** The endpoints that a chat needs, `{id}` for one segment. `/auth/token` is not among them, on purpose. */
const ENDPOINTS: readonly (readonly [method: string, path: string, body: BodyRule])[] = [
  ['GET', '/agent-sessions', NO_BODY],
  ['POST', '/agent-sessions', large('title')],
  ['GET', SESSION, NO_BODY],
  ['PATCH', SESSION, large('title', 'status')],
  ['DELETE', SESSION, NO_BODY],
  ['GET', `${SESSION}/messages`, NO_BODY],
  ['POST', `${SESSION}/messages`, large('content', 'attachment_document_ids', 'stream')],
  ['GET', MESSAGE, NO_BODY],
  ['POST', `${MESSAGE}/regenerate`, small('stream')],
  ['POST', `${MESSAGE}/edit`, large('content', 'stream')],
  ['POST', `${SESSION}/navigate`, small('target_message_id')],
  ['GET', `${SESSION}/checkpoints`, NO_BODY],
  [
    'POST',
    `${SESSION}/navigate-to-checkpoint`,
    large('checkpoint_name', 'checkpoint_id', 'checkpoint_hint', 'stream'),
  ],
  ['POST', `${SESSION}/stop`, small()],
  ['GET', `${SESSION}/stream`, NO_BODY],
  ['GET', `${SESSION}/documents`, NO_BODY],
  ['POST', `${SESSION}/documents`, small('document_ids')],
  ['POST', `${SESSION}/upload`, form('api_metadata')],
  ['DELETE', DOCUMENT, NO_BODY],
  ['PUT', `${DOCUMENT}/star`, small('is_starred')],
  ['GET', '/documents/{id}', NO_BODY],
  ['GET', '/chunks/{id}', NO_BODY],
  ['GET', '/chunks/{id}/document', NO_BODY],
  ['GET', '/tool-executions/{id}', NO_BODY],
  ['GET', '/tool-executions/{id}/stream', NO_BODY],
  ['POST', '/tool-executions/{id}/provide-input', form('input_data_json')],
  ['GET', '/assets/tools/{id}/{id}/{id}', NO_BODY],
];

const TABLE = ENDPOINTS.map(([method, endpoint, body]) => ({
  method,
  endpoint,
  body,
  segments: endpoint.slice(1).split('/'),
}));

/**
 * Finds the endpoint that a request means.
 *
 * Each segment is decoded, looked at and encoded anew, so no dots, slashes or control characters can lead elsewhere.
 *
 * @returns the route, `method` for a known path with another method, `unknown` for anything else.
 */
export function readRoute(method: string, url: string): Route | 'method' | 'unknown' {
  const [path = '', ...rest] = url.split('?');
  if (!path.startsWith('/')) return 'unknown';
  const segments = path.slice(1).split('/').map(cleanSegment);
  if (segments.some((segment) => segment === null)) return 'unknown';
  const known = TABLE.filter((each) => fits(each.segments, segments));
  if (known.length === 0) return 'unknown';
  const found = known.find((each) => each.method === method);
  if (found === undefined) return 'method';
  const { endpoint, body } = found;
  return { endpoint, body, path: `/${segments.join('/')}`, query: cleanQuery(rest.join('?')) };
}

function fits(expected: readonly string[], segments: readonly (string | null)[]): boolean {
  return (
    expected.length === segments.length &&
    expected.every((each, index) => each === '{id}' || each === segments[index])
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
  // A second layer of escapes could be taken off by somebody behind us.
  return /%(?:2f|5c|2e|00|25)/iu.test(plain) ? null : encodeURIComponent(plain);
}

function cleanQuery(query: string): string {
  const parameters = new URLSearchParams(query);
  for (const name of [...parameters.keys()]) {
    if (isClaimInAddress(name)) parameters.delete(name);
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

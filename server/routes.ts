/** A path of the service with its query, clean and safe to put behind the base address. */
export interface Route {
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
}

const SESSION = '/agent-sessions/{id}';

/** The endpoints that a chat needs: `METHOD path`, `{id}` for one segment. `/auth/token` is not among them, on purpose. */
const ENDPOINTS: readonly (readonly [methods: string, path: string])[] = [
  ['GET POST', '/agent-sessions'],
  ['GET PATCH DELETE', SESSION],
  ['GET POST', `${SESSION}/messages`],
  ['GET', `${SESSION}/messages/{id}`],
  ['POST', `${SESSION}/messages/{id}/regenerate`],
  ['POST', `${SESSION}/messages/{id}/edit`],
  ['POST', `${SESSION}/navigate`],
  ['GET', `${SESSION}/checkpoints`],
  ['POST', `${SESSION}/navigate-to-checkpoint`],
  ['POST', `${SESSION}/stop`],
  ['GET', `${SESSION}/stream`],
  ['GET POST', `${SESSION}/documents`],
  ['POST', `${SESSION}/upload`],
  ['DELETE', `${SESSION}/documents/{id}`],
  ['PUT', `${SESSION}/documents/{id}/star`],
  ['GET', '/documents/{id}'],
  ['GET', '/chunks/{id}'],
  ['GET', '/chunks/{id}/document'],
  ['GET', '/tool-executions/{id}'],
  ['GET', '/tool-executions/{id}/stream'],
  ['POST', '/tool-executions/{id}/provide-input'],
  ['GET', '/assets/tools/{id}/{id}/{id}'],
];

const TABLE = ENDPOINTS.map(([methods, path]) => ({
  methods: new Set(methods.split(' ')),
  segments: path.slice(1).split('/'),
}));

/** Parameters by which a page could claim to be somebody: they never pass. */
const CLAIMS = new Set(['api_key', 'apikey', 'token', 'jwt', 'external_user_id']);

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
  if (!known.some((each) => each.methods.has(method))) return 'method';
  return { path: `/${segments.join('/')}`, query: cleanQuery(rest.join('?')) };
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
    if (CLAIMS.has(name.trim().toLowerCase())) parameters.delete(name);
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

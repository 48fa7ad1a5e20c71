import type { Environment } from '../environment.js';

/**
 * Why no answer came from an address, as far as a page can know:
 *
 * - `policy`: the policy of the page (CSP) forbids the request; `directive` names what forbids it.
 * - `insecure`: a page on https asks an address on http.
 * - `origin`: the server answers, but does not let the origin of the page read it (CORS).
 * - `redirect`: the server sends requests elsewhere.
 * - `silent`: nothing answers, or the server hides from other origins that it does (`Cross-Origin-Resource-Policy`).
 * - `none`: nothing stands in the way now, or nothing can be known.
 */
export type Obstacle =
  | { readonly kind: 'policy'; readonly directive: string }
  | { readonly kind: 'insecure' | 'origin' | 'redirect' | 'silent' | 'none' };

/** How long an answer to a probe is waited for, in ms. */
const PATIENCE = 5000;
/** How long the report of a refusal by the policy may come after the refusal itself, in ms. */
const REPORT_DELAY = 250;

/** Without credentials, body and address of the page, so that it has no effect and says nothing about the person. */
const PROBE = {
  method: 'GET',
  credentials: 'omit',
  cache: 'no-store',
  referrerPolicy: 'no-referrer',
} as const;

type Platform = Pick<Environment, 'fetch' | 'setTimer' | 'clearTimer'>;

const found = new Map<string, Promise<Obstacle>>();

/** Finds out why a request to an address has failed: by up to two requests of its own, once for each address. Never rejects. */
export function findObstacle(address: string, platform: Platform): Promise<Obstacle> {
  const { location, navigator } = globalThis as Partial<typeof globalThis>;
  // Outside of a browser nothing but the network is in the way. What is found while offline is soon untrue.
  if (!location || navigator?.onLine === false) return Promise.resolve({ kind: 'none' });
  const known = found.get(address) ?? look(new URL(address), location.protocol, platform);
  found.set(address, known);
  return known;
}

async function look(address: URL, protocol: string, platform: Platform): Promise<Obstacle> {
  if (protocol === 'https:' && isInsecure(address)) return { kind: 'insecure' };
  const policy = watchPolicy(address.origin);
  try {
    // The answer to this one may not be read, but it comes from every server that is there.
    if (await probe(address, platform, { mode: 'no-cors', redirect: 'follow' })) {
      const answer = await probe(address, platform, { mode: 'cors', redirect: 'manual' });
      if (!answer) return { kind: 'origin' };
      return { kind: answer.type === 'opaqueredirect' ? 'redirect' : 'none' };
    }
    const directive = await waitFor(policy.refused, REPORT_DELAY, platform);
    return directive === null ? { kind: 'silent' } : { kind: 'policy', directive };
  } finally {
    policy.end();
  }
}

/** Browsers take this machine for secure. */
function isInsecure({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !/^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The head of the answer; null when none comes. */
async function probe(
  { href }: URL,
  { fetch, setTimer, clearTimer }: Platform,
  how: RequestInit,
): Promise<Response | null> {
  const end = new AbortController();
  const timer = setTimer(() => end.abort(), PATIENCE);
  try {
    return await fetch(href, { ...PROBE, ...how, signal: end.signal });
  } catch {
    return null;
  } finally {
    clearTimer(timer);
    end.abort();
  }
}

/** Listens for a request to an origin that the policy refuses; `refused` resolves with the directive. */
function watchPolicy(origin: string): { readonly refused: Promise<string>; end(): void } {
  const end = new AbortController();
  const refused = new Promise<string>((resolve) => {
    addEventListener(
      'securitypolicyviolation',
      (event) => {
        // The types of workers, which this room is compiled with, do not name it.
        const { blockedURI, disposition, effectiveDirective } =
          event as SecurityPolicyViolationEvent;
        const isOurs = URL.canParse(blockedURI) && new URL(blockedURI).origin === origin;
        if (isOurs && disposition === 'enforce') resolve(effectiveDirective);
      },
      { signal: end.signal },
    );
  });
  return { refused, end: () => end.abort() };
}

/** What a promise gives in time, else null. */
async function waitFor<T>(
  promise: Promise<T>,
  ms: number,
  { setTimer, clearTimer }: Platform,
): Promise<T | null> {
  let late = (): void => undefined;
  const timer = setTimer(() => late(), ms);
  try {
    return await Promise.race([
      promise,
      new Promise<null>((resolve) => (late = () => resolve(null))),
    ]);
  } finally {
    clearTimer(timer);
  }
}

import type { Environment } from './environment.js';

/**
 * Why no answer came from an address, as far as a page can know:
 *
 * - `csp`: the policy of the page (CSP) forbids the request; `directive` names what forbids it.
 * - `mixed-content`: a page on https asks an address on http.
 * - `cors`: the server answers, but does not let the origin of the page read it (CORS).
 * - `redirect`: the server sends requests elsewhere.
 * - `unreachable`: nothing answers, or the server hides from other origins that it does (`Cross-Origin-Resource-Policy`).
 * - `unknown`: nothing stands in the way now, or nothing can be known.
 */
export type ConnectionDiagnosis =
  | { readonly kind: 'csp'; readonly directive: string }
  | { readonly kind: 'mixed-content' | 'cors' | 'redirect' | 'unreachable' | 'unknown' };

/** How long an answer to a probe is waited for, in ms. */
const PROBE_TIMEOUT = 5000;
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

const diagnoses = new Map<string, Promise<ConnectionDiagnosis>>();

/** Finds out why a request to an address has failed: by up to two requests of its own, once for each address. Never rejects. */
export function diagnoseConnection(
  address: string,
  platform: Platform,
): Promise<ConnectionDiagnosis> {
  const { location, navigator } = globalThis as Partial<typeof globalThis>;
  // Outside of a browser nothing but the network is in the way. What is found while offline is soon untrue.
  if (!location || navigator?.onLine === false) return Promise.resolve({ kind: 'unknown' });
  const known = diagnoses.get(address) ?? diagnose(new URL(address), location.protocol, platform);
  diagnoses.set(address, known);
  return known;
}

async function diagnose(
  address: URL,
  protocol: string,
  platform: Platform,
): Promise<ConnectionDiagnosis> {
  if (protocol === 'https:' && isInsecure(address)) return { kind: 'mixed-content' };
  const policy = observePolicyViolations(address.origin);
  try {
    // The answer to this one may not be read, but it comes from every server that is there.
    if (await probe(address, platform, { mode: 'no-cors', redirect: 'follow' })) {
      const answer = await probe(address, platform, { mode: 'cors', redirect: 'manual' });
      if (!answer) return { kind: 'cors' };
      return { kind: answer.type === 'opaqueredirect' ? 'redirect' : 'unknown' };
    }
    const directive = await withTimeout(policy.refused, REPORT_DELAY, platform);
    return directive === null ? { kind: 'unreachable' } : { kind: 'csp', directive };
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
  const timer = setTimer(() => end.abort(), PROBE_TIMEOUT);
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
function observePolicyViolations(origin: string): {
  readonly refused: Promise<string>;
  end(): void;
} {
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
async function withTimeout<T>(
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

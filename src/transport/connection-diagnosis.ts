import { UbikError, type UbikErrorCode } from '../errors.js';
import type { Environment } from './environment.js';
import { FILE_PAGE_HINT } from './url.js';

/**
 * Why a service cannot be reached, as far as a page can find out:
 *
 * - `csp`: the Content-Security-Policy of the page blocks the request; `directive` is the directive to extend.
 * - `mixed-content`: the page is on https, the service on http.
 * - `cors`: the server responds, but does not allow the origin of the page to read the response.
 * - `redirect`: the server redirects.
 * - `unreachable`: nothing responds, or the response is blocked by `Cross-Origin-Resource-Policy`.
 * - `undecided`: the service is on another origin and responds to simple requests. The network has failed for a moment, or the server does not
 *   allow the headers of the failed request (CORS preflight); browsers do not say which.
 * - `unknown`: no problem was found, or it cannot be determined.
 */
export type ConnectionDiagnosis =
  | { readonly kind: 'csp'; readonly directive: string }
  | {
      readonly kind:
        | 'mixed-content'
        | 'cors'
        | 'redirect'
        | 'unreachable'
        | 'undecided'
        | 'unknown';
    };

/** Timeout of a probe, in ms. */
const PROBE_TIMEOUT = 5000;
/** How long after a failed request its `securitypolicyviolation` event may be fired, in ms. */
const REPORT_DELAY = 250;

/** No credentials, body or referrer, so that a probe has no effect and identifies no user. */
const PROBE = {
  method: 'GET',
  credentials: 'omit',
  cache: 'no-store',
  referrerPolicy: 'no-referrer',
} as const;

type Platform = Pick<Environment, 'fetch' | 'setTimer' | 'clearTimer'>;

/**
 * The diagnoses in progress, by address. No result is stored, because the network may change, for example when the user signs in at a captive
 * portal.
 */
const diagnoses = new Map<string, Promise<ConnectionDiagnosis>>();

/** Diagnoses why a service cannot be reached, with at most two requests, which simultaneous calls share. Never rejects. */
export function diagnoseConnection(
  address: string,
  platform: Platform,
): Promise<ConnectionDiagnosis> {
  const { location, navigator } = globalThis as Partial<typeof globalThis>;
  // Only browsers block requests.
  if (!location || navigator?.onLine === false) return Promise.resolve({ kind: 'unknown' });
  const known =
    diagnoses.get(address) ??
    diagnose(new URL(address), location, platform).finally(() => diagnoses.delete(address));
  diagnoses.set(address, known);
  return known;
}

async function diagnose(
  address: URL,
  { protocol, origin }: { readonly protocol: string; readonly origin: string },
  platform: Platform,
): Promise<ConnectionDiagnosis> {
  if (protocol === 'https:' && isInsecure(address)) return { kind: 'mixed-content' };
  const policy = observePolicyViolations(address.origin);
  try {
    // The response to a `no-cors` request cannot be read, but it arrives from every reachable server.
    if (await probe(address, platform, { mode: 'no-cors', redirect: 'follow' })) {
      const response = await probe(address, platform, { mode: 'cors', redirect: 'manual' });
      if (!response) return { kind: 'cors' };
      if (response.type === 'opaqueredirect') return { kind: 'redirect' };
      return { kind: address.origin === origin ? 'unknown' : 'undecided' };
    }
    const directive = await withTimeout(policy.violation, REPORT_DELAY, platform);
    return directive === null ? { kind: 'unreachable' } : { kind: 'csp', directive };
  } finally {
    policy.dispose();
  }
}

/** Whether a request counts as mixed content: to http, except on localhost, which browsers treat as secure. */
function isInsecure({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !/^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Sends a probe and returns the response, without reading its body; null when the request fails or times out. */
async function probe(
  { href }: URL,
  { fetch, setTimer, clearTimer }: Platform,
  init: RequestInit,
): Promise<Response | null> {
  const abort = new AbortController();
  const timer = setTimer(() => abort.abort(), PROBE_TIMEOUT);
  try {
    return await fetch(href, { ...PROBE, ...init, signal: abort.signal });
  } catch {
    return null;
  } finally {
    clearTimer(timer);
    abort.abort();
  }
}

/** Observes requests to an origin that the Content-Security-Policy blocks; `violation` resolves to the directive. */
function observePolicyViolations(origin: string): {
  readonly violation: Promise<string>;
  dispose(): void;
} {
  const disposal = new AbortController();
  const violation = new Promise<string>((resolve) => {
    addEventListener(
      'securitypolicyviolation',
      (event) => {
        // This module is compiled with the types of workers, which do not include this event.
        const { blockedURI, disposition, effectiveDirective } =
          event as SecurityPolicyViolationEvent;
        const isOfService = URL.canParse(blockedURI) && new URL(blockedURI).origin === origin;
        if (isOfService && disposition === 'enforce') resolve(effectiveDirective);
      },
      { signal: disposal.signal },
    );
  });
  return { violation, dispose: () => disposal.abort() };
}

/** Resolves to the result of a promise, or to null after a timeout. */
async function withTimeout<T>(
  promise: Promise<T>,
  ms: number,
  { setTimer, clearTimer }: Platform,
): Promise<T | null> {
  let onTimeout = (): void => undefined;
  const timer = setTimer(() => onTimeout(), ms);
  try {
    return await Promise.race([
      promise,
      new Promise<null>((resolve) => (onTimeout = () => resolve(null))),
    ]);
  } finally {
    clearTimer(timer);
  }
}

/** The page that sends a request and the service that receives it. */
interface Route {
  /** The base URL of the service. */
  readonly base: URL;
  /** URL of the page; null for a page that was opened from the file system. */
  readonly pageUrl: string | null;
}

/**
 * Creates an error that explains why the service cannot be reached and what the developer can do; returns null when the reason is unknown.
 */
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
        `Nothing responds at ${offender}, or it does not allow this page (CORS, Cross-Origin-Resource-Policy). Check the base URL, the network and the origins that it allows.`,
      );
    case 'undecided':
      return create(
        'network',
        `A request to ${offender} failed. Browsers do not say whether the network has failed, or ${origin} does not allow the headers of the request (CORS). Check the network, and allow the headers authorization and content-type there.`,
      );
    case 'unknown':
      return null;
  }
}

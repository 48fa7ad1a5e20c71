import { UbikError, type UbikErrorCode } from '../../errors.js';
import type { Obstacle } from '../platform/obstacle.js';

/** Where a request came from and where it was to go. */
export interface Route {
  /** The base URL of the service. */
  readonly base: URL;
  /** Address of the page; null where it has none that others could ask, such as a file. */
  readonly pageUrl: string | null;
}

/** What to do about a page without an address on the web. */
export const OPENED_AS_A_FILE =
  'This page was opened as a file: open it through a web server, such as http://localhost.';

/** An error that says why a request to the service has failed, and what its developer can do about it; null where nothing is known. */
export function createUnreachableError(
  obstacle: Obstacle,
  { base, pageUrl }: Route,
): UbikError | null {
  const offender = base.href.replace(/\/$/, '');
  const { origin } = base;
  const create = (code: UbikErrorCode, message: string) =>
    new UbikError(code, message, { offender });
  switch (obstacle.kind) {
    case 'policy':
      return create(
        'blocked',
        `The Content-Security-Policy of this page forbids requests to ${origin}: add it to ${obstacle.directive}.`,
      );
    case 'insecure':
      return create(
        'blocked',
        `A page on https cannot send requests to ${origin}, which is on http: serve it on https.`,
      );
    case 'origin': {
      const hint =
        pageUrl === null
          ? OPENED_AS_A_FILE
          : `Allow ${new URL(pageUrl).origin} there, or use a proxy on the origin of the page.`;
      return create('blocked', `${origin} does not allow requests from this page (CORS). ${hint}`);
    }
    case 'redirect':
      return create(
        'not-an-api',
        `${offender} redirects, and credentials follow no redirect: make the address that it leads to the base URL.`,
      );
    case 'silent':
      return create(
        'network',
        `Nothing answers at ${offender}, or it hides from other origins (Cross-Origin-Resource-Policy). Check the base URL and the network.`,
      );
    case 'none':
      return null;
  }
}

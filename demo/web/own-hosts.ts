import { isIP } from 'node:net';

/** Whether a request names a host of this server. */
export type IsOwnHost = (host: string | undefined) => boolean;

/**
 * Makes the check against DNS rebinding: a page of another site can let its own name point to this machine, and the browser then takes
 * this server for a part of that site. Addresses and `localhost` cannot be made to point elsewhere; any other name has to be given.
 *
 * @param names Names by which the server is reached, such as `demo.example.com`.
 */
export function createOwnHostCheck(names: readonly string[]): IsOwnHost {
  const own = new Set(names.map((name) => name.toLowerCase()));
  return (host) => {
    if (host === undefined || !URL.canParse(`http://${host}`)) return false;
    const { hostname, host: read } = new URL(`http://${host}`);
    // A header with more than a host and a port is not a valid Host header.
    if (read !== host.toLowerCase() && `${read}:80` !== host.toLowerCase()) return false;
    return (
      hostname === 'localhost' ||
      hostname.endsWith('.localhost') ||
      isIP(hostname.replaceAll(/^\[|\]$/gu, '')) !== 0 ||
      own.has(hostname)
    );
  };
}

import { isIP } from 'node:net';

/** Whether a request names a host of this server. */
export type IsOwnHost = (host: string | undefined) => boolean;

/**
 * Creates the check against DNS rebinding: another site can let its host name resolve to this machine, and the browser then treats this
 * server as the same origin as that site. IP addresses, `localhost` and its subdomains cannot be rebound; any other name must be listed.
 *
 * @param names Host names of the server, such as `demo.example.com`.
 */
export function createOwnHostCheck(names: readonly string[]): IsOwnHost {
  const own = new Set(names.map((name) => name.toLowerCase()));
  return (host) => {
    if (host === undefined || !URL.canParse(`http://${host}`)) return false;
    const { hostname, host: parsed } = new URL(`http://${host}`);
    // A header with more than a host and a port is not a valid Host header.
    if (parsed !== host.toLowerCase() && `${parsed}:80` !== host.toLowerCase()) return false;
    return (
      hostname === 'localhost' ||
      hostname.endsWith('.localhost') ||
      isIP(hostname.replaceAll(/^\[|\]$/gu, '')) !== 0 ||
      own.has(hostname)
    );
  };
}

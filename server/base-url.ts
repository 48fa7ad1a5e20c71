const SERVICE = 'https://app.ubik-agent.com/api/v1';

/** The address of the service without a slash at its end. Throws a `TypeError` for anything that is not http(s). */
export function readBaseUrl(text: string = SERVICE): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/u.test(url.protocol)) {
    throw new TypeError('baseUrl must be an address that begins with http:// or https://.');
  }
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/u, '');
  return url;
}

/** Parses a URL; returns null for an invalid one and for one that contains credentials. */
export function parseUrl(address: string, base: URL | null): URL | null {
  try {
    const url = new URL(address, base ?? undefined);
    return url.username + url.password === '' ? url : null;
  } catch {
    // An invalid URL, or a relative one without a base.
    return null;
  }
}

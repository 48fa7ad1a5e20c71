/** Throws a `TypeError` for a key that no service could accept, such as that of an environment variable which is not set. */
export function requireApiKey(apiKey: unknown): asserts apiKey is string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/u.test(apiKey)) {
    throw new TypeError(
      'apiKey must be the key of the account: a text without spaces. Is its environment variable set?',
    );
  }
}

import { isIdentityField } from './identity-fields.js';
import { HttpError } from './http-error.js';

/** Limits of nesting and number of values. Beyond them, parsing costs much more than the size of the body suggests. */
const MAX_DEPTH = 64;
const MAX_VALUES = 50_000;

/**
 * Parses a JSON text, removes or rejects identity fields at any depth, and serializes it again. After serialization no key is duplicated,
 * so that this server and the service cannot read different values.
 *
 * @param identityFields `strip` removes them; `reject` throws, for data of the user, which must not be changed silently.
 * @param fields The allowed names at the top level of the value, which must then be an object. Any value is allowed without it.
 */
export function sanitizeJson(
  text: string,
  identityFields: 'strip' | 'reject',
  fields?: ReadonlySet<string>,
): string {
  assertBounded(text);
  const value = parse(text, (name) => {
    if (identityFields === 'reject') {
      throw new HttpError(
        400,
        `A field with the name "${name}" cannot be sent through this server.`,
      );
    }
  });
  if (fields !== undefined) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new HttpError(400, 'The body must be a JSON object');
    }
    const disallowed = Object.keys(value).find((name) => !fields.has(name));
    if (disallowed !== undefined) {
      throw new HttpError(
        403,
        `The field "${disallowed.slice(0, 100)}" is not allowed here. To allow it, add it to allowSessionOptions on the server.`,
      );
    }
  }
  return JSON.stringify(value);
}

function parse(text: string, onIdentityField: (name: string) => void): unknown {
  try {
    return JSON.parse(text, (name, value: unknown) => {
      if (!isIdentityField(name)) return value;
      onIdentityField(name);
      return undefined;
    }) as unknown;
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new HttpError(400, 'The body is not valid JSON');
  }
}

/** Checks the limits in the text before it is parsed. Throws an `HttpError` beyond a limit. */
function assertBounded(text: string): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = skipString(text, at);
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (character === ',' || character === '[' || character === '{') values += 1;
    if (depth > MAX_DEPTH) throw new HttpError(400, 'The body is nested too deeply');
    if (values > MAX_VALUES) throw new HttpError(413, 'The body has too many values');
  }
}

/** Returns the position of the quote that ends the string at `from`; the end of the text when there is none. */
function skipString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === '"') return at;
  }
  return text.length;
}

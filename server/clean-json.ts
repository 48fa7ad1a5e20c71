import { isClaim } from './claims.js';
import { Refusal } from './refusal.js';

/**
 * Reads a JSON text and writes it anew without what claims to be a person or a key, at any depth. Written anew, a key that was sent
 * twice cannot mean one thing here and another one at the service.
 *
 * @param onClaim `strip` leaves a claim out; `refuse` is for data of the person, of which nothing may get lost without a word.
 * @param fields The names that the value, which must then be an object, may have.
 */
export function cleanJson(
  text: string,
  onClaim: 'strip' | 'refuse',
  fields?: ReadonlySet<string>,
): string {
  const value = parse(text, (name) => {
    if (onClaim === 'refuse') {
      throw new Refusal(400, `A field with the name "${name}" cannot be sent through this server.`);
    }
  });
  if (fields !== undefined) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new Refusal(400, 'The body must be a JSON object');
    }
    const refused = Object.keys(value).find((name) => !fields.has(name));
    if (refused !== undefined) {
      throw new Refusal(
        403,
        `The field "${refused.slice(0, 100)}" is not allowed here. If pages may set it, name it in allowSessionOptions on the server.`,
      );
    }
  }
  return JSON.stringify(value);
}

function parse(text: string, onClaim: (name: string) => void): unknown {
  try {
    return JSON.parse(text, (name, value: unknown) => {
      if (!isClaim(name)) return value;
      onClaim(name);
      return undefined;
    }) as unknown;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // A value nested so deeply that it cannot be walked is a RangeError.
    throw new Refusal(400, 'The body is not valid JSON');
  }
}

import type { Json } from '../model/json.js';

/** The source of a value, in browsers that pass it to the reviver of `JSON.parse`. */
interface JsonContext {
  readonly source?: string;
}

/**
 * Parses a text that is a JSON object, array or string; undefined for anything else. Integers that a number cannot represent, such as long
 * ids, become texts with the same digits; in browsers that pass no source to the reviver, they become the nearest numbers.
 */
export function parseJson(raw: string): Json | undefined {
  if (!/^\s*[[{"]/.test(raw)) return undefined;
  try {
    return JSON.parse(raw, /\d{16}/.test(raw) ? keepDigits : undefined) as Json;
  } catch {
    // Results are often plain text that starts like JSON.
    return undefined;
  }
}

function keepDigits(_key: string, value: Json, context?: JsonContext): Json {
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
  return isExact ? value : (context?.source ?? value);
}

import type { Json } from '../model/json.js';

/** Parses a text that is a JSON object, array or string; undefined for anything else. */
export function parseJson(raw: string): Json | undefined {
  if (!/^\s*[[{"]/.test(raw)) return undefined;
  try {
    return JSON.parse(raw) as Json;
  } catch {
    // Results are often plain text that starts like JSON.
    return undefined;
  }
}

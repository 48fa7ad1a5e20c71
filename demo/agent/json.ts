/** Anything that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Its keys are either ours or only passed on. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether a value is a JSON object, not a list and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * JSON that may stand between the tags of a message: an opening tag inside a string would end the zone it stands in, so
 * the first two characters of a tag are written as escapes.
 */
export function printTagSafeJson(value: Json, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll('<<', '\\u003c\\u003c');
}

/** Prose that quotes others: an opening tag in it would be read as one, so it is drawn with another character. */
export function quoteSafely(text: string): string {
  return text.replaceAll('<<', '‹‹').replaceAll('>>', '››');
}

/** A text as it is, a number in digits; empty for anything else. */
export function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

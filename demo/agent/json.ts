/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Its keys are either fixed names or are passed through unread. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether a value is a JSON object, not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Serializes JSON for use between the tags of a message. An opening tag inside a string would end that section, so
 * the first two characters of a tag are written as escapes.
 */
export function toTagSafeJson(value: Json, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll('<<', '\\u003c\\u003c');
}

/** Replaces `<<` in quoted text with a similar character, so that it is not parsed as a tag. */
export function escapeTags(text: string): string {
  return text.replaceAll('<<', '‹‹').replaceAll('>>', '››');
}

/** Returns a string unchanged and a number in digits; an empty string for any other value. */
export function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

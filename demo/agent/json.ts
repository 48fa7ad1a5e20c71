/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. A member that is missing reads as undefined; `JSON.stringify` omits members that are undefined. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether a value is a JSON object, not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Serializes JSON for use between the tags of a message. An end tag inside a string would end the section of the message that contains the
 * JSON, so each `<<` is escaped.
 */
export function toTagSafeJson(value: Json, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll('<<', '\\u003c\\u003c');
}

/** Replaces `<<` and `>>` in quoted text with similar characters, so that they are not parsed as tags. */
export function escapeTags(text: string): string {
  return text.replaceAll('<<', '‹‹').replaceAll('>>', '››');
}

/** Returns a string unchanged and a number in digits; an empty string for any other value. */
export function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

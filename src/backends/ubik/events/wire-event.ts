import { canonicalJson, fingerprint } from '../../../transport/fingerprint.js';
import { parseMicroseconds } from '../../../transport/timestamp.js';
import type { Fields } from '../../fields.js';

/** An event of the service, in one form for all the formats of UBIK 3.2. */
export interface WireEvent {
  /** The service's name of the event, with aliases resolved. */
  readonly type: string;
  /** Its payload, without the envelope. */
  readonly fields: Fields;
  /** Set when its full content was dropped, because a later event has replaced it. */
  readonly hasDroppedContent?: true;
}

/** Copies an event without its full content, which was replaced. */
export function dropContent({ type, fields }: WireEvent): WireEvent {
  return { type, fields: { ...fields, content: '' }, hasDroppedContent: true };
}

/** Returns the number of UTF-16 units of text in an event. */
export function measureEvent({ fields }: WireEvent): number {
  return measureJson(fields);
}

/** Returns the number of UTF-16 units of names and strings in JSON; an array itself, a number, a boolean and null count as one. */
export function measureJson(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value))
    return value.reduce<number>((sum, inner) => sum + measureJson(inner), 1);
  return Object.entries(value).reduce(
    (sum, [name, inner]) => sum + name.length + measureJson(inner),
    0,
  );
}

/**
 * Returns a fingerprint of an event. Equal events of different connections have equal fingerprints (UBIK R5). Short, because it is stored
 * for as long as the event is.
 */
export function getEventKey({ type, fields }: WireEvent): string {
  // A connection id differs on each connection, and only some formats repeat the type in a field.
  const names = ['type', 'event_type', 'event'].filter((name) => fields[name] === type);
  return fingerprint(`${type} ${canonicalJson(fields, new Set(['connection_id', ...names]))}`);
}

/** Time of an event, in µs since the epoch; null when it has none. */
export function getEventTime({ fields }: WireEvent): number | null {
  return parseMicroseconds(fields['timestamp']) ?? parseMicroseconds(fields['created_at']);
}

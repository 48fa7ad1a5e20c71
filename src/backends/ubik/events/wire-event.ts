import { canonicalJson, fingerprint } from '../../../transport/fingerprint.js';
import { parseTimestamp } from '../../../transport/timestamp.js';
import type { Fields } from './fields.js';

/** One event of the service, whatever dialect it came in. */
export interface WireEvent {
  /** The service's name for it, aliases resolved. */
  readonly type: string;
  /** Its payload, out of its envelope. */
  readonly fields: Fields;
  /** It brought a full content, which a later one has replaced: that was let go. */
  readonly hasDroppedContent?: true;
}

/** What is left of an event whose full content was replaced. */
export function dropContent({ type, fields }: WireEvent): WireEvent {
  return { type, fields: { ...fields, content: '' }, hasDroppedContent: true };
}

/** Units of text that an event holds. */
export function measureEvent({ fields }: WireEvent): number {
  return measureJson(fields);
}

/** Units of text in data from the network: names, texts, and one for each other value. */
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

/** What names an event: equal for equal events, also of different connections. Short, for it is kept as long as the event. */
export function getEventKey({ type, fields }: WireEvent): string {
  const names = ['type', 'event_type', 'event'].filter((name) => fields[name] === type);
  return fingerprint(`${type} ${canonicalJson(fields, new Set(['connection_id', ...names]))}`);
}

/** When it happened, in µs since the epoch; null when it does not say. */
export function getEventTime({ fields }: WireEvent): number | null {
  return parseTimestamp(fields['timestamp']) ?? parseTimestamp(fields['created_at']);
}

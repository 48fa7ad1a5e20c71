import { canonicalText } from '../../../stream/canonical.js';
import { parseInstant } from '../../../stream/instant.js';
import { readText, type Fields } from './fields.js';

/** One event of the service, whatever dialect it came in. */
export interface WireEvent {
  /** The service's name for it, aliases resolved. */
  readonly type: string;
  /** Its payload, out of its envelope. */
  readonly fields: Fields;
}

/** The one key that differs between two connections that tell the same. */
const PER_CONNECTION = ['connection_id'];
const TYPE_NAMES = ['type', 'event_type', 'event'];

/** What names an event: equal for equal events, also of different connections. */
export function keyOf(event: WireEvent): string {
  const names = TYPE_NAMES.filter((name) => event.fields[name] === event.type);
  const without = new Set([...PER_CONNECTION, ...names]);
  return `${event.type} ${canonicalText(event.fields, without)}`;
}

/** When it happened, in µs since the epoch; null when it does not say. */
export function instantOf(event: WireEvent): number | null {
  const { fields } = event;
  return (
    parseInstant(readText(fields, 'timestamp')) ?? parseInstant(readText(fields, 'created_at'))
  );
}

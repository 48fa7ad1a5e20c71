import { asFields, readText, type Fields } from './fields.js';
import type { WireEvent } from './wire-event.js';

/**
 * Which stream speaks: in a session's stream an update of a tool is `{tool_execution_id, tool_name, data}`; in the stream of one
 * execution it is the inner data alone.
 */
export type Dialect = 'session' | 'execution';

/** Names that an envelope may have beside `data`. */
const ENVELOPE: ReadonlySet<string> = new Set([
  'type',
  'event_type',
  'event',
  'data',
  'timestamp',
  'id',
  'task_id',
  'session_id',
]);
/** Names of an envelope that say something about the event itself. */
const CARRIED = ['timestamp', 'id', 'task_id', 'session_id'];
/** Their `data` is a field of their own. */
const WITH_DATA: ReadonlySet<string> = new Set(['tool_update', 'tool_partial_update']);
const ALIASES: ReadonlyMap<string, string> = new Map([['agent_response_chunk', 'response_chunk']]);

/**
 * Brings one object of the stream into one form: its type, and its payload out of any envelope. `name` is the event's name on the
 * wire, which wins, since a bare payload may own a key called `type`; `message` and `''` are no names. Null: it has no type.
 */
export function normalise(name: string, value: Fields, dialect: Dialect): WireEvent | null {
  const isNamed = name !== '' && name !== 'message';
  const isTyped = typeof value['type'] === 'string';
  const type = isNamed ? name : readTypeOf(value);
  if (type === null || type === '') return null;
  const inner = asFields(value['data']);
  const open = inner && isEnvelope(value) && mayUnwrap(type, inner, !isNamed && !isTyped, dialect);
  return { type: ALIASES.get(type) ?? type, fields: inner && open ? unwrap(value, inner) : value };
}

function readTypeOf(value: Fields): string | null {
  return readText(value, 'type') ?? readText(value, 'event_type') ?? readText(value, 'event');
}

function isEnvelope(value: Fields): boolean {
  return Object.keys(value).every((key) => ENVELOPE.has(key));
}

function mayUnwrap(
  type: string,
  inner: Fields,
  isToolEnvelope: boolean,
  dialect: Dialect,
): boolean {
  if (!WITH_DATA.has(type)) return true;
  if (isToolEnvelope && dialect === 'execution') return true;
  return 'tool_execution_id' in inner || 'tool_name' in inner;
}

/** `Object.fromEntries` defines names and assigns none, so that `__proto__` is a name like any other. */
function unwrap(outer: Fields, inner: Fields): Fields {
  const carried = CARRIED.filter((name) => Object.hasOwn(outer, name));
  if (carried.length === 0) return inner;
  const entries = new Map<string, unknown>(carried.map((name) => [name, outer[name]]));
  for (const [name, value] of Object.entries(inner)) entries.set(name, value);
  return Object.fromEntries(entries);
}

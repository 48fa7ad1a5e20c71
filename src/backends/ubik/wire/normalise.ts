import { asFields, readText, type Fields } from './fields.js';
import type { WireEvent } from './wire-event.js';

/**
 * Which stream speaks: in a session's stream an update of a tool is `{tool_execution_id, tool_name, data}`; in the stream of one
 * execution it is the inner data alone.
 */
export type Dialect = 'session' | 'execution';

/** Names that say something about the event itself. Beside them an envelope has a type and `data`, and nothing else. */
const CARRIED: ReadonlySet<string> = new Set(['timestamp', 'id', 'task_id', 'session_id']);

/**
 * Brings one object of the stream into one form: its type, and its payload out of any envelope. `name` is the event's name on the
 * wire, which wins, since a bare payload may own a key called `type`; `message` and `''` are no names. Null: it has no type.
 */
export function normalise(name: string, value: Fields, dialect: Dialect): WireEvent | null {
  const isNamed = name !== '' && name !== 'message';
  const type = isNamed ? name : readText(value, 'type', 'event_type', 'event');
  if (!type) return null;
  const { type: _type, event_type: _eventType, event: _event, data, ...carried } = value;
  const inner = asFields(data);
  const isOpen =
    inner &&
    Object.keys(carried).every((key) => CARRIED.has(key)) &&
    // To an update of a tool, `data` is a field of its own.
    (!/^tool_(?:partial_)?update$/.test(type) ||
      (dialect === 'execution' && !isNamed && !readText(value, 'type')) ||
      'tool_execution_id' in inner ||
      'tool_name' in inner);
  return {
    type: type === 'agent_response_chunk' ? 'response_chunk' : type,
    // Spreading defines names and assigns none, so that `__proto__` is a name like any other.
    fields: isOpen ? { ...carried, ...inner } : value,
  };
}

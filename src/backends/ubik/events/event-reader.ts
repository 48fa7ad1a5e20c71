import { UbikError, type UbikErrorCode } from '../../../errors.js';
import { isDeeperThan } from '../../../transport/fingerprint.js';
import { createDeltaAssembler, type DeltaLimits } from '../../../transport/delta-assembler.js';
import { asFields, readText, type Fields } from './fields.js';
import type { WireEvent } from './wire-event.js';

/** What an event reader is made from. */
export interface EventReaderOptions {
  /** The session's stream by default. */
  readonly dialect?: Dialect;
  readonly limits?: DeltaLimits | undefined;
  /** Deepest nesting of an event's data: 100. */
  readonly maxDepth?: number | undefined;
  /** Told of what is skipped. */
  readonly onDiagnostic: (error: UbikError) => void;
}

/** Reads the records of one connection. Never throws. */
export interface EventReader {
  /** The event that a record is or completes; null when it is neither. */
  read(record: { readonly event: string; readonly data: string }): WireEvent | null;
  /** The connection ended: what is incomplete is dropped, each with a diagnostic. */
  end(): void;
}

const SPLIT_SUFFIX = '_delta_sse';
/** A split event may be split again once. */
const MAX_JOINS = 2;

/** A reader for a new connection. */
export function createEventReader(options: EventReaderOptions): EventReader {
  const { dialect = 'session', limits, maxDepth = 100, onDiagnostic } = options;
  const deltas = createDeltaAssembler({ limits, onDiagnostic });

  const skip = (code: UbikErrorCode, offender: string): null => {
    onDiagnostic(new UbikError(code, { offender: offender.slice(0, 80) }));
    return null;
  };
  const parse = (name: string, text: string, joins: number): WireEvent | null => {
    let value = asFields(parseJson(text));
    if (value && isDeeperThan(value, maxDepth)) {
      skip('too-deep', name);
      // The event itself must not get lost: it may be the end of the run.
      value = asFields(truncateDepth(value, maxDepth));
    }
    const found = value && normalizeEvent(name, value, dialect);
    if (!found) return skip('malformed-event', name);
    const { type, fields } = found;
    if (!type.endsWith(SPLIT_SUFFIX)) return found;
    if (joins >= MAX_JOINS) return skip('unusable-group', type);
    const joined = deltas.add({
      group: fields['chunk_id'],
      index: fields['chunk_index'],
      total: fields['total_chunks'],
      text: fields['chunk_data'],
    });
    const original = readText(fields, 'original_event_type');
    return joined === null
      ? null
      : parse(original || type.slice(0, -SPLIT_SUFFIX.length), joined, joins + 1);
  };
  return {
    // A harmless hint of the end, in the manner of other services.
    read: ({ event, data }) => (data.trim() === '[DONE]' ? null : parse(event, data, 0)),
    end: () => deltas.end(),
  };
}

/** A copy of a JSON value with null in place of lists and objects that are nested deeper than `levels`. */
function truncateDepth(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((inner) => truncateDepth(inner, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, truncateDepth(inner, levels - 1)]),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Any text may come; the caller says that it is malformed.
    return null;
  }
}

/**
 * Which stream speaks: in a session's stream an update of a tool is `{tool_execution_id, tool_name, data}`; in the stream of one
 * execution it is the inner data alone.
 */
export type Dialect = 'session' | 'execution';

/** Names that say something about the event itself. Beside them an envelope has a type and `data`, and nothing else. */
const ENVELOPE_FIELDS: ReadonlySet<string> = new Set(['timestamp', 'id', 'task_id', 'session_id']);

/**
 * Brings one object of the stream into one form: its type, and its payload out of any envelope. `name` is the event's name on the
 * wire, which wins, since a bare payload may own a key called `type`; `message` and `''` are no names. Null: it has no type.
 */
export function normalizeEvent(name: string, value: Fields, dialect: Dialect): WireEvent | null {
  const isNamed = name !== '' && name !== 'message';
  const type = isNamed ? name : readText(value, 'type', 'event_type', 'event');
  if (!type) return null;
  const { type: _type, event_type: _eventType, event: _event, data, ...carried } = value;
  const inner = asFields(data);
  const isOpen =
    inner &&
    Object.keys(carried).every((key) => ENVELOPE_FIELDS.has(key)) &&
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

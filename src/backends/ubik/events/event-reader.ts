import { UbikError, type UbikErrorCode } from '../../../errors.js';
import { isDeeperThan } from '../../../transport/fingerprint.js';
import { createDeltaAssembler, type DeltaLimits } from '../../../transport/delta-assembler.js';
import { parseJson } from '../../../transport/response.js';
import { asFields, readString, type Fields } from '../../fields.js';
import type { WireEvent } from './wire-event.js';

/** Options of an event reader. */
export interface EventReaderOptions {
  /** `session` by default. */
  readonly dialect?: Dialect;
  readonly limits?: DeltaLimits | undefined;
  /** Deepest nesting of an event's data; 100 by default. */
  readonly maxDepth?: number | undefined;
  /** Called for each event that is skipped or truncated. */
  readonly onDiagnostic: (error: UbikError) => void;
}

/** Reads the SSE events of one connection and joins split events. Never throws. */
export interface EventReader {
  /** Returns the event that was read or completed; null when there is none. */
  read(record: { readonly event: string; readonly data: string }): WireEvent | null;
  /** Drops incomplete split events, each with a diagnostic. Called when the connection has ended. */
  end(): void;
}

const SPLIT_SUFFIX = '_delta_sse';
/** A joined event may itself be a piece of a split event, once (UBIK 4.1). */
const MAX_JOINS = 2;

/** Creates a reader for a new connection. */
export function createEventReader(options: EventReaderOptions): EventReader {
  const { dialect = 'session', limits, maxDepth = 100, onDiagnostic } = options;
  const deltas = createDeltaAssembler({ limits, onDiagnostic });

  const report = (code: UbikErrorCode, offender: string): null => {
    onDiagnostic(new UbikError(code, { offender: offender.slice(0, 80) }));
    return null;
  };
  const parse = (name: string, text: string, joins: number): WireEvent | null => {
    let value = asFields(parseJson(text));
    if (value && isDeeperThan(value, maxDepth)) {
      report('too-deep', name);
      // Truncated instead of dropped, because the event may end the run.
      value = asFields(truncateDepth(value, maxDepth));
    }
    const found = value && normalizeEvent(name, value, dialect);
    if (!found) return report('malformed-event', name);
    const { type, fields } = found;
    if (!type.endsWith(SPLIT_SUFFIX)) return found;
    if (joins >= MAX_JOINS) return report('unusable-group', type);
    const joined = deltas.add({
      group: fields['chunk_id'],
      index: fields['chunk_index'],
      total: fields['total_chunks'],
      text: fields['chunk_data'],
    });
    const original = readString(fields, 'original_event_type');
    return joined === null
      ? null
      : parse(original || type.slice(0, -SPLIT_SUFFIX.length), joined, joins + 1);
  };
  return {
    // Some services send `[DONE]` at the end of the stream.
    read: ({ event, data }) => (data.trim() === '[DONE]' ? null : parse(event, data, 0)),
    end: () => deltas.end(),
  };
}

/** Copies a JSON value, with null in place of arrays and objects below `levels`. */
function truncateDepth(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((inner) => truncateDepth(inner, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, truncateDepth(inner, levels - 1)]),
  );
}

/**
 * The kind of stream. In a session's stream, an update of a tool is `{tool_execution_id, tool_name, data}`; in the stream of one execution,
 * it is the inner data alone (UBIK 5.2).
 */
export type Dialect = 'session' | 'execution';

/** Fields about the event itself. An envelope has a type, `data` and no other fields than these. */
const ENVELOPE_FIELDS: ReadonlySet<string> = new Set(['timestamp', 'id', 'task_id', 'session_id']);

/**
 * Reads the type and the payload of one SSE event in any of the formats of UBIK 3.2. `name` is the name of the SSE event; it takes
 * precedence over a field `type`, because a bare payload may have such a field. The names `message` and `''` are ignored. Null when there
 * is no type.
 */
export function normalizeEvent(name: string, value: Fields, dialect: Dialect): WireEvent | null {
  const isNamed = name !== '' && name !== 'message';
  const type = isNamed ? name : readString(value, 'type', 'event_type', 'event');
  if (!type) return null;
  const { type: _type, event_type: _eventType, event: _event, data, ...carried } = value;
  const inner = asFields(data);
  const isEnvelope =
    inner &&
    Object.keys(carried).every((key) => ENVELOPE_FIELDS.has(key)) &&
    // In a tool update, `data` can also be a field of the payload. The update is an envelope only if `data` names the execution or the tool, or
    // if, in the stream of one execution, the type is in `event_type` or `event`, which only envelopes have.
    (!/^tool_(?:partial_)?update$/.test(type) ||
      (dialect === 'execution' && !isNamed && !readString(value, 'type')) ||
      'tool_execution_id' in inner ||
      'tool_name' in inner);
  return {
    type: type === 'agent_response_chunk' ? 'response_chunk' : type,
    // A spread defines properties instead of assigning them, so that `__proto__` is an ordinary name.
    fields: isEnvelope ? { ...carried, ...inner } : value,
  };
}

/** One event of a stream, flat, in whichever of the six forms it was sent. */
export interface WireEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

type Fields = Record<string, unknown>;

const ENVELOPE = new Set(['type', 'event_type', 'event', 'data', 'timestamp']);

/** Reads a whole stream: records, the six forms, split events. It uses no code of the product. */
export function readWire(text: string): WireEvent[] {
  const pieces = new Map<string, Map<number, string>>();
  const events: WireEvent[] = [];
  for (const record of text.replace(/^\uFEFF/u, '').split(/\r\n\r\n|\n\n|\r\r/u)) {
    const event = readRecord(record);
    if (event === null) continue;
    if (!event.type.endsWith('_delta_sse')) events.push(event);
    else {
      const whole = joinPiece(pieces, event);
      if (whole !== null) events.push(whole);
    }
  }
  return events;
}

function readRecord(record: string): WireEvent | null {
  let name = '';
  const data: string[] = [];
  for (const line of record.split(/\r\n|\n|\r/u)) {
    if (line.startsWith('event: ')) name = line.slice(7);
    if (line.startsWith('data: ')) data.push(line.slice(6));
  }
  if (data.length === 0) return null;
  let value: Fields;
  try {
    value = JSON.parse(data.join('\n')) as Fields;
  } catch {
    return null;
  }
  if (typeof value !== 'object' || Array.isArray(value) || (value as Fields | null) === null)
    return null;
  return normalise(value, name);
}

function normalise(value: Fields, name: string): WireEvent {
  const type = name || String(value['type'] ?? value['event_type'] ?? value['event']);
  const inner = value['data'];
  const isEnvelope =
    typeof inner === 'object' &&
    inner !== null &&
    Object.keys(value).every((key) => ENVELOPE.has(key));
  if (!isEnvelope) return { ...value, type };
  return { ...(inner as Fields), type };
}

function joinPiece(pieces: Map<string, Map<number, string>>, event: WireEvent): WireEvent | null {
  const id = String(event['chunk_id']);
  const group = pieces.get(id) ?? new Map<number, string>();
  pieces.set(id, group);
  const sizeBefore = group.size;
  group.set(Number(event['chunk_index']), String(event['chunk_data']));
  const total = Number(event['total_chunks']);
  if (group.size < total || group.size === sizeBefore) return null;
  const text = Array.from({ length: total }, (_, index) => group.get(index) ?? '').join('');
  return normalise(JSON.parse(text) as Fields, String(event['original_event_type']));
}

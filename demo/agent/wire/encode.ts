import { randomUUID } from 'node:crypto';
import type { Json } from '../json.js';
import type { SessionEvent } from '../run/session-event.js';
import type { Dialect } from './dialect.js';

/** Encodes an event as one or more records of a stream. */
export function encodeEvent(event: SessionEvent, dialect: Dialect): string[] {
  const sent = dialect.naive ? withoutZones(event) : event;
  const text = JSON.stringify(sent);
  if (dialect.delta === 0 || text.length <= dialect.delta) return [encodeRecord(sent, dialect)];
  return orderPieces(splitEvent(sent.type, text, dialect), dialect).map((piece) =>
    encodeRecord(piece, dialect),
  );
}

/** Encodes one record in the form of the dialect. */
export function encodeRecord(event: SessionEvent, dialect: Dialect): string {
  const { type, ...payload } = event;
  const lines = dialect.ids ? [`id: ${randomUUID()}`] : [];
  switch (dialect.form) {
    case 'F1':
      lines.push(`data: ${JSON.stringify(event)}`);
      break;
    case 'F2':
      lines.push(`event: ${type}`, `data: ${JSON.stringify(event)}`);
      break;
    case 'F3':
      lines.push(`event: ${type}`, `data: ${JSON.stringify(payload)}`);
      break;
    case 'F4':
      lines.push(`data: ${JSON.stringify({ type, data: payload })}`);
      break;
    case 'F5':
      lines.push(`data: ${JSON.stringify({ event_type: type, data: payload })}`);
      break;
    case 'F6':
      lines.push(`data: ${JSON.stringify({ event: type, data: payload })}`);
      break;
  }
  return [...lines, '', ''].join(dialect.lineEnd);
}

/** Splits the JSON text of an event into fragments, possibly inside an escape sequence. */
function splitEvent(type: string, text: string, dialect: Dialect): SessionEvent[] {
  const id = randomUUID();
  const total = Math.ceil(text.length / dialect.delta);
  return Array.from({ length: total }, (_, index) => ({
    type: `${type}_delta_sse`,
    chunk_id: id,
    chunk_index: index,
    total_chunks: total,
    original_event_type: type,
    chunk_data: text.slice(index * dialect.delta, (index + 1) * dialect.delta),
    ...(dialect.deltaLast ? { is_last_chunk: index === total - 1 } : {}),
  }));
}

function orderPieces(pieces: SessionEvent[], dialect: Dialect): SessionEvent[] {
  switch (dialect.deltaOrder) {
    case 'in-order':
      return pieces;
    case 'reverse':
      return pieces.reverse();
    case 'repeat':
      return pieces.flatMap((piece) => [piece, piece]);
    case 'shuffle':
      return shuffle(pieces);
  }
}

/** Returns a deterministic permutation: every second item first, then the others in reverse. */
export function shuffle<T>(items: readonly T[]): T[] {
  return [
    ...items.filter((_, index) => index % 2 === 1),
    ...items.filter((_, index) => index % 2 === 0).reverse(),
  ];
}

const TIME_FIELDS = ['timestamp', 'created_at'];

function withoutZones(event: SessionEvent): SessionEvent {
  const sent: { type: string; [name: string]: Json | undefined } = { ...event };
  for (const name of TIME_FIELDS) {
    const time = sent[name];
    if (typeof time === 'string') sent[name] = time.replace(/Z$/u, '');
  }
  return sent;
}

import type { WireEvent } from '../../../../src/backends/ubik/events/wire-event.js';

/** The six forms of an event in the documentation of the service. */
export const FORMS = ['F1', 'F2', 'F3', 'F4', 'F5', 'F6'] as const;
export type Form = (typeof FORMS)[number];

/** Prints an event as a record of a stream. */
export function printRecord({ type, fields }: WireEvent, form: Form, newline = '\n'): string {
  const flat = { type, ...fields };
  const named = `event: ${type}${newline}`;
  const end = newline + newline;
  switch (form) {
    case 'F1':
      return `data: ${JSON.stringify(flat)}${end}`;
    case 'F2':
      return `${named}data: ${JSON.stringify(flat)}${end}`;
    case 'F3':
      return `${named}data: ${JSON.stringify(fields)}${end}`;
    case 'F4':
      return `data: ${JSON.stringify({ type, data: fields })}${end}`;
    case 'F5':
      return `data: ${JSON.stringify({ event_type: type, data: fields })}${end}`;
    case 'F6':
      return `data: ${JSON.stringify({ event: type, data: fields })}${end}`;
  }
}

/** Encodes events as the bytes of a stream. */
export function printStream(events: readonly WireEvent[], form: Form, newline = '\n'): Uint8Array {
  const text = events.map((event) => printRecord(event, form, newline)).join('');
  return new TextEncoder().encode(text);
}

/** Cuts bytes in two at a position. */
export function cutAt(bytes: Uint8Array, at: number): Uint8Array[] {
  return [bytes.subarray(0, at), bytes.subarray(at)].filter((piece) => piece.length > 0);
}

/** Splits bytes into chunks whose lengths `next` returns. */
export function cutBy(bytes: Uint8Array, next: () => number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = Math.max(1, next());
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

/** Cuts bytes after each line feed. */
export function cutLines(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== 10) continue;
    pieces.push(bytes.subarray(start, at + 1));
    start = at + 1;
  }
  if (start < bytes.length) pieces.push(bytes.subarray(start));
  return pieces;
}

/** An event of the reference parser. */
export interface ReferenceEvent {
  event: string;
  data: string;
  id: string | null;
}

/**
 * Parses the server-sent events of a whole stream literally by the HTML standard: bytes to text, text to lines, lines to fields. Only `id`
 * differs: it is that of the event itself, null when the event has none, and not the last id of the stream. Shares no code with the parser
 * under test.
 */
export function parseEventsByStandard(bytes: Uint8Array): ReferenceEvent[] {
  const text = Buffer.from(bytes).toString('utf8');
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  // Text after the last line ending is not a line.
  lines.pop();
  const events: ReferenceEvent[] = [];
  let data: string[] = [];
  let event = '';
  let id: string | null = null;
  for (const line of lines) {
    if (line === '') {
      if (data.length > 0) events.push({ event: event || 'message', data: data.join('\n'), id });
      data = [];
      event = '';
      id = null;
      continue;
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    if (name === 'event') event = value;
    if (name === 'id' && !value.includes('\0')) id = value;
  }
  return events;
}

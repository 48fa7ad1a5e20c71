/** The data of each record of an event stream, as far as chat services use such streams. */
export async function* readRecords(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(bytes, { stream: true });
    const records = rest.split(/\r?\n\r?\n/u);
    rest = records.pop() ?? '';
    for (const record of records) {
      const data = record
        .split(/\r?\n/u)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart());
      if (data.length > 0) yield data.join('\n');
    }
  }
}

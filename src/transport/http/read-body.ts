import { UbikError } from '../../errors.js';

/** The text of a body, or its beginning when it has more than `limit` bytes; the rest is not fetched. */
export async function readText(
  response: Response,
  limit: number,
): Promise<{ text: string; isWhole: boolean }> {
  // A stand-in for `fetch` may answer without a stream.
  if (!response.body) return { text: await response.text(), isWhole: true };
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; size <= limit;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isWhole: true };
    text += decoder.decode(value.subarray(0, limit - size), { stream: true });
    size += value.byteLength;
  }
  // Not awaited: a source may never answer its cancelling.
  reader.cancel().catch(() => undefined);
  return { text, isWhole: false };
}

/**
 * The JSON of an answer; null for an empty body.
 *
 * @throws {UbikError} `not-an-api` for anything else; `too-large` over `limit` bytes.
 */
export async function readJsonAnswer(response: Response, limit = 1 << 26): Promise<unknown> {
  const { text, isWhole } = await readText(response, limit);
  if (!isWhole) throw new UbikError('too-large');
  if (text.trim() === '') return null;
  const value = parseJson(text);
  // The parser's own error quotes the text, which may be a person's.
  if (value === undefined) throw new UbikError('not-an-api');
  return value;
}

/** Undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Any text may come; the caller says what it means.
    return undefined;
  }
}

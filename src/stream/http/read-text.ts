import { UbikError } from '../../errors.js';

/**
 * The text of a body.
 *
 * @throws {UbikError} `too-large` when it has more than `limit` bytes; the rest is not fetched.
 */
export async function readText(response: Response, limit: number): Promise<string> {
  const { text, whole } = await readUpTo(response, limit);
  if (!whole) throw new UbikError('too-large');
  return text;
}

/** The beginning of a body, for an error's sentence: what cannot be read is left out. */
export async function readBeginning(response: Response, limit: number): Promise<string> {
  try {
    return (await readUpTo(response, limit)).text;
  } catch {
    // The status has said what matters.
    return '';
  }
}

async function readUpTo(
  response: Response,
  limit: number,
): Promise<{ text: string; whole: boolean }> {
  // A stand-in for `fetch` may answer without a stream.
  if (!response.body) return { text: await response.text(), whole: true };
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for (let size = 0; size <= limit;) {
    const { done, value } = await reader.read();
    if (done) return { text: parts.join('') + decoder.decode(), whole: true };
    parts.push(decoder.decode(value.subarray(0, limit - size), { stream: true }));
    size += value.byteLength;
  }
  // Not awaited: a source may never answer its cancelling.
  reader.cancel().catch(() => undefined);
  return { text: parts.join(''), whole: false };
}

import { UbikError } from '../../errors.js';
import { readText } from './read-text.js';

/**
 * The JSON of an answer; null for an empty body.
 *
 * @throws {UbikError} `not-an-api` for anything else; `too-large` over `limit` bytes.
 */
export async function readJsonAnswer(response: Response, limit: number): Promise<unknown> {
  return parseJsonAnswer(await readText(response, limit));
}

/** {@link readJsonAnswer} for a body that was read. */
export function parseJsonAnswer(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's own error quotes the text, which may be a person's.
    throw new UbikError('not-an-api');
  }
}

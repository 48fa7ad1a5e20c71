import { parseJson } from '../../../transport/response.js';
import type { RawZone } from './parser-state.js';
import type { Tag } from './tag.js';

/**
 * Feeds text or a tag to a zone. A tag that does not end the zone is text.
 *
 * - An end tag outside of a JSON string ends the zone, because no text that contains it can be JSON.
 * - An end tag in a JSON string may be quoted text: its position is stored as `firstEnd`, and the zone continues. If the text up to the next
 *   end tag outside of a string is valid JSON, the zone ends there. It ends at `firstEnd` instead if that text is not valid JSON, if the text
 *   can no longer become JSON (for example because of a line break in a string), or if the surrounding construct ends.
 * - Before any end tag, a zone of valid JSON also ends where the surrounding construct ends.
 *
 * @returns The position where the payload ends; undefined while the zone continues.
 */
export function feedZone(zone: RawZone, raw: string, tag?: Tag | null): number | undefined {
  const { firstEnd, json, text } = zone;
  const isOuterEnd = tag?.raw === zone.outerEnd;
  const isEndTag = tag?.name === zone.name && !tag.starts;
  const isEnd = isEndTag && json !== '"' && json !== '\\';
  zone.text += raw;
  if (
    firstEnd === 0
      ? isEnd || (isOuterEnd && isCompleteJson(json, text))
      : isEnd && isCompleteJson(json, text)
  ) {
    return text.length;
  }
  if (firstEnd > 0 && (isOuterEnd || isEnd)) return firstEnd;
  scanJson(zone, raw);
  if (isEndTag && firstEnd === 0) zone.firstEnd = text.length;
  return zone.firstEnd > 0 && zone.json === '!' ? zone.firstEnd : undefined;
}

/**
 * Whether the scanned text is valid JSON. `JSON.parse` runs at most once per zone: if it fails, the tag that follows is scanned into the
 * text, which then cannot become JSON (`json` is `!`).
 */
function isCompleteJson(json: RawZone['json'], text: string): boolean {
  return !json && parseJson(text) !== undefined;
}

/** Units in a string that do not change the state of the scanner. */
const STRING_TEXT = /[^"\\\0-\x1f]+/y;
/** Units outside of strings that do not change the state of the scanner. */
const OUTSIDE_STRINGS = /[\s\w{}[\],:.+-]+/y;

/** Scans JSON. Payloads are long, so units that do not change the state are skipped at once. */
function scanJson(zone: RawZone, text: string): void {
  let { json } = zone;
  for (let at = 0; at < text.length && json !== '!';) {
    const skipped = json === '"' ? STRING_TEXT : OUTSIDE_STRINGS;
    skipped.lastIndex = at;
    if (json !== '\\' && skipped.test(text)) at = skipped.lastIndex;
    if (at === text.length) break;
    const unit = text.charAt(at);
    at += 1;
    if (json === '\\') json = '"';
    else if (json === '') json = unit === '"' ? unit : '!';
    else json = unit === '"' ? '' : unit === '\\' ? unit : '!';
  }
  zone.json = json;
}

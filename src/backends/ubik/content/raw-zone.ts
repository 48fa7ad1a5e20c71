import type { RawZone } from './parser-state.js';
import type { Tag } from './tag.js';

/**
 * Reads text or a tag, which is text unless it ends the zone. After an end tag that may be quoted, the zone continues until an end tag
 * outside a string, where the value is complete or cannot become JSON (`<<` is no JSON), until the text is otherwise no JSON (a JSON string
 * contains no line breaks), or until the surrounding construct ends. Returns where the payload ends; undefined while it continues.
 */
export function feedZone(zone: RawZone, raw: string, tag?: Tag | null): number | undefined {
  const { firstEnd, json, text } = zone;
  const isStop = tag?.raw === zone.outerEnd;
  const isTag = tag?.name === zone.name && !tag.starts;
  const isEnd = isTag && json !== '"' && json !== '\\';
  zone.text += raw;
  if (
    firstEnd === 0
      ? isEnd || (isStop && isCompleteJson(json, text))
      : isEnd && isCompleteJson(json, text)
  ) {
    return text.length;
  }
  if (firstEnd > 0 && (isStop || isEnd)) return firstEnd;
  scanJson(zone, raw);
  if (isTag && firstEnd === 0) zone.firstEnd = text.length;
  return zone.firstEnd > 0 && zone.json === '!' ? zone.firstEnd : undefined;
}

/** Whether a scanned text is JSON. Called at most once, because with the tag that follows it would be no JSON. */
function isCompleteJson(json: RawZone['json'], text: string): boolean {
  if (json) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function scanJson(zone: RawZone, text: string): void {
  let { json } = zone;
  for (const unit of text) {
    if (json === '\\') json = '"';
    else if (json === '"')
      json = unit === '"' ? '' : unit === '\\' ? unit : unit < ' ' ? '!' : json;
    else if (json === '') json = unit === '"' ? unit : /[\s\w{}[\],:.+-]/.test(unit) ? '' : '!';
  }
  zone.json = json;
}

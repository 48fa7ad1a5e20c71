import type { BlockHold } from './reader.js';
import type { Tag } from './tag.js';

/** How a zone ends: so much of its text is its payload, and from there it has to be read again. */
export interface ZoneEnd {
  readonly end: number;
  readonly next: number;
}

/**
 * Takes text, or a tag, which is mere text unless it ends the zone. In a zone everything is opaque up to its own end tag (rule 4 of
 * `ubik.md` 7.2). When the first end tag comes inside a JSON string, it may be quoted: then the zone goes on until an end tag comes
 * outside of a string, where the value is whole or never will be (no JSON goes on with `<<` there), until the text breaks otherwise
 * (a string of JSON ends with its line), or until what is around it ends. Null while it goes on.
 */
export function feedZone(zone: BlockHold, raw: string, tag?: Tag): ZoneEnd | null {
  const { stop, mark, json, text } = zone;
  const at = text.length;
  const isEnd = tag?.name === zone.start.name && !tag.starts;
  const isStop = tag?.raw === stop;
  const isInString = json === '"' || json === '\\';
  zone.text += raw;
  if (mark === 0) {
    if (isEnd && !isInString) return { end: at, next: at + raw.length };
    if (isStop && isWhole(json, text)) return { end: at, next: at };
  } else if (isEnd && !isInString && isWhole(json, text)) {
    return { end: at, next: at + raw.length };
  } else if (isStop || (isEnd && !isInString)) return endZone(zone);
  scan(zone, raw);
  if (isEnd && mark === 0) zone.mark = at;
  return zone.mark > 0 && zone.json === '!' ? endZone(zone) : null;
}

/** The end of a zone that has to be decided: the first end tag, else all that came. */
export function endZone({ mark, text, start }: BlockHold): ZoneEnd {
  return mark > 0
    ? { end: mark, next: mark + `<<${start.name}_END>>`.length }
    : { end: text.length, next: text.length };
}

/** Whether a text that has been scanned is JSON. Not asked twice: behind it stands a tag, which is none. */
function isWhole(json: BlockHold['json'], text: string): boolean {
  if (json) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function scan(zone: BlockHold, text: string): void {
  let { json } = zone;
  for (const unit of text) {
    if (json === '\\') json = '"';
    else if (json === '"')
      json = unit === '"' ? '' : unit === '\\' ? unit : unit < ' ' ? '!' : json;
    else if (json === '') json = unit === '"' ? unit : /[\s\w{}[\],:.+-]/.test(unit) ? '' : '!';
  }
  zone.json = json;
}

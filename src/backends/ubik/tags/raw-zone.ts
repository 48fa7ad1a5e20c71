import type { Zone } from './reader.js';
import type { Tag } from './tag.js';

/** How a zone ends: so much of its text is its payload, and from there it has to be read again. */
export interface ZoneEnd {
  readonly end: number;
  readonly next: number;
}

/**
 * Takes text, or a tag, which is mere text unless it ends the zone. Behind an end tag that may be quoted the zone goes on until an end
 * tag comes outside of a string, where the value is whole or never will be (no JSON goes on with `<<` there), until the text breaks
 * otherwise (a string of JSON ends with its line), or until what is around it ends. Null while it goes on.
 */
export function feedZone(zone: Zone, raw: string, tag?: Tag | null): ZoneEnd | null {
  const { quoted, json, text } = zone;
  const at = text.length;
  const next = at + raw.length;
  const isEnd = tag?.name === zone.name && !tag.starts;
  const isStop = tag?.raw === zone.stop;
  const isOutside = json !== '"' && json !== '\\';
  zone.text += raw;
  if (isEnd && isOutside && (quoted === 0 || isWhole(json, text))) return { end: at, next };
  if (isStop && quoted === 0 && isWhole(json, text)) return { end: at, next: at };
  if (quoted > 0 && (isStop || (isEnd && isOutside))) return endZone(zone);
  scan(zone, raw);
  if (isEnd && quoted === 0) zone.quoted = at;
  return zone.quoted > 0 && zone.json === '!' ? endZone(zone) : null;
}

/** The end of a zone that has to be decided: the first end tag, else all that came. */
export function endZone({ quoted, text, name }: Zone): ZoneEnd {
  return quoted > 0
    ? { end: quoted, next: quoted + `<<${name}_END>>`.length }
    : { end: text.length, next: text.length };
}

/** Whether a text that has been scanned is JSON. Not asked twice: behind it stands a tag, which is none. */
function isWhole(json: Zone['json'], text: string): boolean {
  if (json) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function scan(zone: Zone, text: string): void {
  let { json } = zone;
  for (const unit of text) {
    if (json === '\\') json = '"';
    else if (json === '"')
      json = unit === '"' ? '' : unit === '\\' ? unit : unit < ' ' ? '!' : json;
    else if (json === '') json = unit === '"' ? unit : /[\s\w{}[\],:.+-]/.test(unit) ? '' : '!';
  }
  zone.json = json;
}

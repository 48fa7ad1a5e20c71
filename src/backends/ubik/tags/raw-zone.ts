import type { Key } from '../../../model/json.js';
import type { Tag } from './tag.js';

/** What the tags of a raw zone are called. */
export type ZoneName =
  'TOOL_STEP_INPUT' | 'TOOL_STEP_RESULT' | 'USER_INPUT_PROVIDED' | 'ERROR_JSON';

/**
 * A zone in which everything is opaque up to its own end tag (rule 4 of `ubik.md` 7.2). When the first end tag comes inside a JSON
 * string, it may be quoted: then what follows is kept apart until an end tag comes outside of a string, where the value is whole or
 * never will be (no JSON goes on with `<<` there), or until the text breaks otherwise (a string of JSON ends with its line).
 */
export interface RawZone {
  readonly kind: 'zone';
  /** What its tags are called. */
  readonly name: ZoneName;
  /** The tool it belongs to. */
  readonly tool: Key;
  /** Kind and label of the end of what is around it: there it has to be decided. */
  readonly stop: string;
  /** The place is in a string, behind a backslash in it, or where no JSON can be. */
  inString: boolean;
  escaped: boolean;
  broken: boolean;
  /** Text up to the first end tag. */
  body: string;
  /** The first end tag, when it is undecided. */
  endTag: string;
  /** Text behind it. */
  tail: string;
}

/** How a zone ends: its payload, and the text behind it that has to be read again. */
export interface ZoneEnd {
  readonly payload: string;
  readonly rest: string;
}

/** A zone in which nothing has come. */
export function createRawZone(name: ZoneName, tool: Key, stop: string): RawZone {
  const texts = { body: '', endTag: '', tail: '' };
  return {
    kind: 'zone',
    name,
    tool,
    stop,
    inString: false,
    escaped: false,
    broken: false,
    ...texts,
  };
}

/** Takes text, or a tag, which is mere text unless it ends the zone. Null while the zone goes on. */
export function feedZone(zone: RawZone, raw: string, tag?: Tag): ZoneEnd | null {
  const { body, endTag, tail, inString } = zone;
  const ends = tag?.kind === `${zone.name}_END`;
  if (tag && zone.stop === tag.kind + tag.label && (endTag || isWhole(zone, body))) {
    return { payload: body, rest: tail + raw };
  }
  if (ends) {
    if (endTag && !inString) {
      const all = body + endTag + tail;
      return isWhole(zone, all) ? { payload: all, rest: '' } : { payload: body, rest: tail + raw };
    }
    if (!endTag && (!inString || zone.broken)) return { payload: body, rest: '' };
  }
  scan(zone, raw);
  if (endTag) zone.tail += raw;
  else if (ends) zone.endTag = raw;
  else zone.body += raw;
  return endTag && zone.broken ? { payload: body, rest: tail + raw } : null;
}

/** Whether a text that has been scanned is JSON. Not asked twice: behind it stands a tag, which is none. */
function isWhole(zone: RawZone, text: string): boolean {
  if (zone.inString || zone.broken) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function scan(zone: RawZone, text: string): void {
  for (let index = 0; index < text.length && !zone.broken; index += 1) {
    const unit = text.charAt(index);
    if (zone.escaped) zone.escaped = false;
    else if (unit === '"') zone.inString = !zone.inString;
    else if (!zone.inString) zone.broken = !/[\s\w{}[\],:.+-]/.test(unit);
    else if (unit === '\\') zone.escaped = true;
    else zone.broken = unit < ' ';
  }
}

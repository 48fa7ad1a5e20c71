import { createJsonScan, scanJson, standingOf, type JsonScan } from './json-scan.js';
import type { Tag, TagKind } from './tag.js';

/** What a zone is read for, and where it ends. */
export interface ZoneLimits {
  /** Its own end tag. */
  readonly end: TagKind;
  /** The end of what is around it: there it has to be decided. Null when nothing is. */
  readonly stop: { readonly kind: TagKind; readonly label: string } | null;
}

/**
 * A zone in which everything is opaque up to its own end tag (rule 4 of `ubik.md` 7.2). When the first end tag comes inside a JSON
 * string, it may be quoted: then what follows is kept apart until a later end tag completes the value, or until it cannot be completed
 * any more (a string of JSON ends with its line), which makes the first one right after all.
 */
export interface RawZone extends ZoneLimits {
  readonly kind: 'zone';
  readonly json: JsonScan;
  /** Text up to the first end tag. */
  body: string;
  /** The first end tag, when it is undecided. */
  endTag: string | null;
  /** Text behind it. */
  tail: string;
}

/** How a zone goes on: `null` it does; else its payload, and the text behind it that has to be read again. */
export type ZoneOutcome = { readonly payload: string; readonly rest: string } | null;

/** A zone in which nothing has come. */
export function createRawZone(limits: ZoneLimits): RawZone {
  return { kind: 'zone', ...limits, json: createJsonScan(), body: '', endTag: null, tail: '' };
}

/** Takes text that is no tag. */
export function zoneText(zone: RawZone, text: string): ZoneOutcome {
  scanJson(zone.json, text);
  if (zone.endTag === null) {
    zone.body += text;
    return null;
  }
  zone.tail += text;
  return standingOf(zone.json) === 'broken' ? endZone(zone) : null;
}

/** Takes a tag, which is mere text unless it ends the zone. */
export function zoneTag(zone: RawZone, tag: Tag): ZoneOutcome {
  const standing = standingOf(zone.json);
  if (isStop(zone, tag) && (zone.endTag !== null || standing === 'complete')) {
    const { payload, rest } = endZone(zone);
    return { payload, rest: rest + tag.raw };
  }
  if (tag.kind !== zone.end) return zoneText(zone, tag.raw);
  if (zone.endTag !== null) {
    if (standing !== 'complete') return zoneText(zone, tag.raw);
    return { payload: zone.body + zone.endTag + zone.tail, rest: '' };
  }
  if (standing !== 'string') return { payload: zone.body, rest: '' };
  zone.endTag = tag.raw;
  scanJson(zone.json, tag.raw);
  return null;
}

/** Ends a zone where nothing more can decide it: the first end tag was right, or there was none. */
export function endZone(zone: RawZone): { readonly payload: string; readonly rest: string } {
  return { payload: zone.body, rest: zone.tail };
}

function isStop(zone: RawZone, tag: Tag): boolean {
  return zone.stop !== null && tag.kind === zone.stop.kind && tag.label === zone.stop.label;
}

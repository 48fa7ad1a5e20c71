import { readFileSync, readdirSync } from 'node:fs';
import type { CanonicalPart } from '../../../../src/model/part-schema.js';
import type { WireEvent } from '../../../../src/backends/ubik/events/wire-event.js';

const FOLDER = new URL('../../../fixtures/ubik/runs/', import.meta.url);
const EPOCH = Date.UTC(2026, 0, 1);

/** A run from a `.run` file. See `test/fixtures/ubik/runs/README.md`. */
export interface RunFixture {
  readonly name: string;
  /** The events of each connection. */
  readonly connections: readonly (readonly WireEvent[])[];
  /** The message as the service stores it; null when it stores none. */
  readonly stored: string | null;
  /** Whether the streamed message equals the stored one: from its events alone, only with a final content, or not. */
  readonly equalsStored: 'live' | 'final' | 'none';
  /** Status of the message after the last connection. */
  readonly status: string;
  /** The canonical parts as {@link printCanonical} prints them. */
  readonly parts: string;
  /** Codes of the diagnostics, sorted and unique. */
  readonly codes: readonly string[];
}

/** All fixtures, by name. */
export function readRunFixtures(): RunFixture[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.run'));
  return names
    .sort()
    .map((name) => parseFixture(name, readFileSync(new URL(name, FOLDER), 'utf8')));
}

function parseFixture(name: string, text: string): RunFixture {
  const sections = new Map<string, string[]>();
  const connections: string[][] = [];
  for (const [title, ...lines] of text
    .split(/^== /m)
    .slice(1)
    .map((part) => part.split('\n'))) {
    const body = lines.join('\n').trimEnd().split('\n');
    if (title === 'events') connections.push(body);
    else sections.set(title ?? '', body);
  }
  const stored = sections.get('stored')?.join('\n') ?? null;
  const equalsStored = sections.get('equals-stored')?.[0] ?? 'live';
  if (equalsStored !== 'live' && equalsStored !== 'final' && equalsStored !== 'none')
    throw new Error(`${name}: equals-stored ${equalsStored}`);
  return {
    name,
    stored,
    equalsStored,
    connections: connections.map((lines) => lines.flatMap((line) => readEvent(line, stored) ?? [])),
    status: sections.get('status')?.[0] ?? 'complete',
    parts: (sections.get('parts') ?? []).join('\n'),
    codes: (sections.get('codes') ?? []).filter((line) => line !== ''),
  };
}

/** Parses `@seconds type {fields}`. `@"text"` is a timestamp as the service writes it; without `@` the event has none. */
function readEvent(line: string, stored: string | null): WireEvent | null {
  if (line.trim() === '' || line.startsWith('#')) return null;
  const match = /^(?:@(?:([\d.]+)|"([^"]*)") )?(\S+) ?(.*)$/.exec(line);
  if (!match) throw new Error(`Not an event: ${line}`);
  const [, seconds, timestamp, type = '', json = ''] = match;
  const fields = JSON.parse(json === '' ? '{}' : json) as Record<string, unknown>;
  if (fields['content'] === '$stored') fields['content'] = stored;
  const time = timestamp ?? (seconds === undefined ? undefined : printTime(seconds));
  const name = type === 'checkpoint_created' ? 'created_at' : 'timestamp';
  return { type, fields: time === undefined ? fields : { ...fields, [name]: time } };
}

/** The timestamp of these seconds after the start of 2026, with microseconds. */
function printTime(seconds: string): string {
  const [whole = '0', fraction = ''] = seconds.split('.');
  const time = new Date(EPOCH + Number(whole) * 1000).toISOString().slice(0, 19);
  return `${time}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
}

/** Prints canonical parts as lines: kind and names, children indented by two, texts after `|`. */
export function printCanonical(parts: readonly CanonicalPart[], indent = ''): string {
  return parts.flatMap((part) => printPart(part).map((line) => indent + line)).join('\n');
}

function printPart(part: CanonicalPart): string[] {
  switch (part.kind) {
    case 'text':
    case 'thinking':
      return [part.kind, ...quote(part.text)];
    case 'step': {
      const single = part.single ? ' single' : '';
      const inside = printCanonical(part.parts, '  ');
      const head = `step ${part.number ?? '?'} ${part.state}${single} ${JSON.stringify(part.title)}`;
      return [head, ...(inside === '' ? [] : inside.split('\n'))];
    }
    case 'tool': {
      const inside = printCanonical(part.parts, '  ');
      return [
        `tool ${part.name} ${part.state}`,
        ...quote(part.input, 'input '),
        ...quote(part.result, 'result '),
        ...(inside === '' ? [] : inside.split('\n')),
      ];
    }
    case 'checkpoint':
    case 'unknown':
      return [`${part.kind} ${part.name}`, ...(part.text === '' ? [] : quote(part.text))];
    case 'input-request': {
      const at = part.checkpointName === null ? '' : ` at ${part.checkpointName}`;
      const head = `request ${part.inputTypes.join(',')}${at}`;
      return [head, ...quote(part.prompt), ...quote(part.answer, 'answer ')];
    }
    case 'error':
      return ['error', ...quote(part.message), ...quote(part.details, 'details ')];
    default:
      // The service has no tags for data.
      throw new RangeError(`Unexpected part of the kind ${part.kind}`);
  }
}

function quote(text: string | null, label = ''): string[] {
  return text === null ? [] : text.split('\n').map((line) => `  ${label}| ${line}`.trimEnd());
}

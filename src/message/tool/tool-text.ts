import type { Locale } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';
import { parseJson } from '../json-view.js';

/** Longest input or result that is looked into for one line. */
const LOOKED_AT = 256_000;
/** Longest text on the line. */
const SHOWN = 120;
/** Names under which tools take what matters most, the best first. */
const TELLING = 'query question prompt q expression sql task topic title name url path'.split(' ');

/** A technical name as words: `read_execute_skill_file` → "Read execute skill file". */
export function humanizeName(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-./:]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a tool is called in the language of the page. */
export function toolLabel(name: string, locale: Locale): string {
  return locale.find(`tool_${name}`) ?? (humanizeName(name) || locale.text('tool_unnamed'));
}

/** What a phase of a tool's work is called in the language of the page; empty when it has no name. */
export function phaseLabel(phase: string, locale: Locale): string {
  return locale.find(`phase_${phase}`) ?? humanizeName(phase);
}

/** The one thing in a tool's input that says what it is about; empty when nothing does. */
export function summarizeInput(raw: string | null): string {
  const value = readJson(raw) ?? raw;
  const fields = readFields(value);
  const texts = [value, ...TELLING.map((name) => fields.get(name)), ...fields.values()];
  return shorten(texts.find(isText));
}

/** Why a tool failed, when its result says that it did; null when it does not. */
export function findToolError(raw: string | null): string | null {
  const result = readFields(readJson(raw));
  const error = result.get('error');
  const status = result.get('status');
  if (!error && status !== 'failed' && status !== 'error') return null;
  return shorten([error, readFields(error).get('message'), result.get('message')].find(isText));
}

function readJson(raw: string | null): Json | undefined {
  return raw && raw.length <= LOOKED_AT ? parseJson(raw) : undefined;
}

function readFields(value: Json | undefined): ReadonlyMap<string, Json> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** The beginning of a text as one line. */
function shorten(text = ''): string {
  const start = text
    .slice(0, 4 * SHOWN)
    .replace(/\s+/g, ' ')
    .trim();
  return start.length > SHOWN ? `${start.slice(0, SHOWN)}…` : start;
}

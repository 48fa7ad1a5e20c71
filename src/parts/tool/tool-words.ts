import type { Locale } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';
import { parseJson } from './json-tree.js';

/** Longest input or result that is looked into for one line. */
const LOOKED_AT = 256_000;
/** Longest essence. */
const ESSENCE = 120;
/** Names under which tools take what matters most, the best first. */
const TELLING = [
  'query',
  'question',
  'prompt',
  'q',
  'expression',
  'sql',
  'task',
  'topic',
  'title',
  'name',
  'url',
  'path',
];

/** A technical name as words: `read_execute_skill_file` → "Read execute skill file". */
export function toWords(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-./:]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a tool is called in the language of the page. */
export function nameTool(name: string, locale: Locale): string {
  return locale.find(`tool_${name}`) ?? (toWords(name) || locale.text('tool_unnamed'));
}

/** The one thing in a tool's input that says what it is about; empty when nothing does. */
export function findEssence(raw: string | null): string {
  if (!raw || raw.length > LOOKED_AT) return '';
  const value = parseJson(raw) ?? raw;
  return shorten(typeof value === 'string' ? value : pickTelling(value));
}

/** Why a tool failed, when its result says that it did; null when it does not. */
export function findFailure(raw: string | null): string | null {
  if (!raw || raw.length > LOOKED_AT) return null;
  const result = toMap(parseJson(raw));
  const error = result.get('error');
  if (typeof error === 'string' && error) return shorten(error);
  const message = toMap(error).get('message') ?? result.get('message');
  const status = result.get('status');
  const failed = status === 'failed' || status === 'error';
  if (failed || (typeof error === 'object' && error !== null)) {
    return typeof message === 'string' ? shorten(message) : '';
  }
  return null;
}

function pickTelling(value: Json): string {
  const fields = toMap(value);
  const named = TELLING.map((name) => fields.get(name)).find(isText);
  return named ?? [...fields.values()].find(isText) ?? '';
}

function toMap(value: Json | undefined): Map<string, Json> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > ESSENCE ? `${line.slice(0, ESSENCE)}…` : line;
}

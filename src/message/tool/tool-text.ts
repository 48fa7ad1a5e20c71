import { firstUnits, truncate } from '../../dom/truncate.js';
import type { Locale } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';
import { parseJson } from '../parse-json.js';

/** Longest input that is parsed for the summary, and longest result that is parsed for its error, in UTF-16 units. */
const MAX_PARSED_LENGTH = 256_000;
/** Longest text in the summary, in UTF-16 units. */
const MAX_SUMMARY_LENGTH = 120;
/** Fields that usually summarize a tool's input, in order of preference. */
const SUMMARY_FIELDS =
  'query question prompt q expression sql task topic title name url path'.split(' ');

/** Converts an identifier to words: `read_execute_skill_file` becomes "Read execute skill file". */
export function humanizeName(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-./:]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the label of a tool: the string `tool_NAME` or `tool_TYPE` of the language, else its name in words. */
export function toolLabel(name: string, locale: Locale, toolType?: string): string {
  return (
    locale.find(`tool_${name}`) ??
    locale.find(`tool_${toolType ?? ''}`) ??
    (humanizeName(name) || locale.text('tool_unnamed'))
  );
}

/** Returns the label of a phase: the string `phase_NAME` of the language, else its name in words; empty without a name. */
export function phaseLabel(phase: string, locale: Locale): string {
  return locale.find(`phase_${phase}`) ?? humanizeName(phase);
}

/** Summarizes a tool's input in one line; empty if it contains no text. */
export function summarizeInput(raw: string | null): string {
  const value = parsePayload(raw) ?? raw;
  const fields = fieldsOf(value);
  const texts = [value, ...SUMMARY_FIELDS.map((name) => fields.get(name)), ...fields.values()];
  return toSingleLine(texts.find(isText));
}

/** Returns the error message in a tool's result; empty if the failure has no message, null if the result reports no failure. */
export function findToolError(raw: string | null): string | null {
  const result = fieldsOf(parsePayload(raw));
  const error = result.get('error');
  const status = result.get('status');
  if (!error && status !== 'failed' && status !== 'error') return null;
  return toSingleLine([error, fieldsOf(error).get('message'), result.get('message')].find(isText));
}

function parsePayload(raw: string | null): Json | undefined {
  return raw && raw.length <= MAX_PARSED_LENGTH ? parseJson(raw) : undefined;
}

function fieldsOf(value: Json | undefined): ReadonlyMap<string, Json> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Returns a text as one line of up to 120 UTF-16 units and an ellipsis. */
export function toSingleLine(text = ''): string {
  // Takes more than the length of the line, because white space is collapsed.
  const beginning = firstUnits(text, 4 * MAX_SUMMARY_LENGTH);
  return truncate(beginning.replace(/\s+/g, ' ').trim(), MAX_SUMMARY_LENGTH);
}

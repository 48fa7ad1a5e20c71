import type { Locale } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';
import type { Field } from './form-fields.js';
import { findJsonSyntaxError } from './json-fault.js';
import { asRecord, validateJson } from './validate-json.js';

/** What keeps a field from being sent. */
export interface FieldError {
  readonly complaint: string;
  /** Where in its text, from and to. */
  readonly range?: readonly [number, number];
}

/** What was filled in: a value, nothing (`undefined`), or what is wrong with it. */
export type FieldValue = { readonly value: Json | File | undefined } | FieldError;

/** Reads one field of a form. */
export function readFieldValue(
  form: HTMLFormElement,
  name: string,
  field: Field,
  locale: Locale,
): FieldValue {
  const filled = readValue(form, name, field, locale);
  if ('complaint' in filled) return filled;
  const { value } = filled;
  if (value === undefined) return field.required ? { complaint: askFor(field, locale) } : filled;
  const misfit = value instanceof File ? null : validateJson(value, field.schema);
  if (!misfit) return filled;
  const reason = locale.text(misfit.text, misfit.values);
  const path = misfit.path.join(' › ');
  return { complaint: path ? locale.text('requestAt', { path, reason }) : reason };
}

function askFor({ kind, name }: Field, locale: Locale): string {
  if (kind === 'choice' || kind === 'choices') return locale.text('requestNoChoice');
  if (kind === 'file') return locale.text('requestNoFile');
  return locale.text(name === null ? 'requestEmpty' : 'requestMissing');
}

function readValue(form: HTMLFormElement, name: string, field: Field, locale: Locale): FieldValue {
  const { kind, choices } = field;
  const given = new FormData(form).getAll(name);
  const [first] = given;
  if (kind === 'choice' || kind === 'choices') {
    const chosen = given.flatMap((index) => choices[Number(index)]?.slice(1) ?? []);
    if (kind === 'choice') return { value: chosen[0] };
    return { value: chosen.length > 0 ? chosen : undefined };
  }
  if (first instanceof File) return { value: first.name ? first : undefined };
  const control = form.elements.namedItem(name);
  if (control instanceof HTMLInputElement && control.validity.badInput) {
    return { complaint: locale.text(kind === 'date' ? 'requestNoDate' : 'requestNoNumber') };
  }
  const words = first?.trim() ? first : '';
  if (!words) return { value: undefined };
  if (kind === 'number') return { value: Number(words) };
  if (kind === 'json') return readJson(words, locale);
  return kind === 'list' ? readList(words, field, locale) : { value: words };
}

function readList(words: string, { schema }: Field, locale: Locale): FieldValue {
  const lines = words.split('\n').flatMap((line) => line.trim() || []);
  if (asRecord(asRecord(schema)?.['items'])?.['type'] === 'string') return { value: lines };
  const numbers = lines.map(Number);
  if (!numbers.every(Number.isFinite)) return { complaint: locale.text('requestNoNumber') };
  return { value: numbers };
}

function readJson(words: string, locale: Locale): FieldValue {
  try {
    return { value: JSON.parse(words) as Json };
  } catch {
    const at = findJsonSyntaxError(words) ?? 0;
    if (at >= words.length) return { complaint: locale.text('requestOpenJson') };
    const before = words.slice(0, at).split('\n');
    const found = /^\S{1,20}/.exec(words.slice(at))?.[0] ?? '';
    const values = { line: before.length, column: (before.at(-1) ?? '').length + 1, found };
    return { complaint: locale.text('requestBadJson', values), range: [at, at + found.length] };
  }
}

import type { Locale } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';
import { langOfContent } from '../content-lang.js';
import type { Field } from './form-fields.js';
import type { RenderTextArea } from './text-form.js';
import { asRecord, findJsonSyntaxError, validateJson } from './validate-json.js';
import { html, nothing, type TemplateResult } from 'lit';

/** Where a field stands, and what is wrong with it. */
export interface FieldControlOptions {
  /** The name of its control in the form. */
  readonly name: string;
  /** Id of what is said to be wrong with it; those of the other words about it begin with it. */
  readonly id: string;
  /** What keeps its value from being sent; empty when nothing does. */
  readonly complaint: string;
  /** Whether that is said beside it, and not at the end of the form. */
  readonly isInRecord: boolean;
  readonly renderTextArea: RenderTextArea;
}

/** Rows of a field for a text. */
const ROWS: Readonly<Record<string, number>> = { text: 2, long: 6, json: 6, list: 3 };

/** A field with its words. Its value stays where it was typed: drawing again never touches it. */
export function renderField(
  field: Field,
  place: FieldControlOptions,
  locale: Locale,
): TemplateResult {
  const { description: about, required, kind, hasForeignLabel: isTheirs } = field;
  const { id, complaint, isInRecord: isInRecord } = place;
  const label = required ? field.label : locale.text('requestOptional', { name: field.label });
  const isGroup = kind === 'choice' || kind === 'choices';
  const hint = kind === 'list' ? locale.text('requestList') : '';
  const words = [about, hint].filter((text) => text !== '').join('\n');
  return html`<div class="entry">
    ${
      isGroup
        ? renderGroup(field, place, [label, words], locale)
        : html`<label
            ><bdi lang=${isTheirs ? langOfContent(locale) : nothing}>${label}</bdi
            >${renderControl(field, place, label, locale)}</label
          >`
    }
    ${isGroup ? nothing : renderAbout(words, id, about ? langOfContent(locale) : nothing)}
    ${isInRecord ? html`<p class="complaint" id=${id}>${complaint}</p>` : nothing}
  </div>`;
}

/** What a field is about: before what can be chosen, below what is written. */
function renderAbout(words: string, id: string, lang: unknown): TemplateResult | typeof nothing {
  return words
    ? html`<p class="meta" dir="auto" lang=${lang} id="${id}-about">${words}</p>`
    : nothing;
}

function renderControl(
  { kind, initial, required, schema }: Field,
  {
    name,
    id,
    complaint,
    isInRecord: isInRecord,
    renderTextArea: renderTextArea,
  }: FieldControlOptions,
  label: string,
  locale: Locale,
): TemplateResult {
  const about = `${id}-about ${id}`;
  const isInvalid = complaint !== '';
  const value = printInitial(initial, kind);
  const rows = isInRecord && kind === 'text' ? 1 : ROWS[kind];
  if (rows !== undefined) {
    const state = { isInvalid, isRequired: required, isCode: kind === 'json', initial: value };
    return renderTextArea({
      name,
      label,
      rows,
      describedBy: about,
      lang: locale.contentLang,
      ...state,
    });
  }
  const step = asRecord(schema)?.['type'] === 'integer' ? '1' : 'any';
  return html`<input
    name=${name}
    type=${kind}
    step=${kind === 'number' ? step : nothing}
    aria-label=${label}
    aria-required=${required}
    aria-invalid=${isInvalid}
    aria-describedby=${about}
    .defaultValue=${kind === 'file' ? '' : value}
  />`;
}

function printInitial(initial: Json, kind: Field['kind']): string {
  if (initial === null) return '';
  if (kind === 'json') return JSON.stringify(initial, null, 2);
  if (Array.isArray(initial)) return initial.map(String).join('\n');
  return typeof initial === 'object' ? '' : String(initial);
}

function renderGroup(
  field: Field,
  { name, id, complaint }: FieldControlOptions,
  [label, words]: readonly [label: string, about: string],
  locale: Locale,
): TemplateResult {
  const isOne = field.kind === 'choice';
  return html`<fieldset
    role=${isOne ? 'radiogroup' : 'group'}
    aria-describedby="${id}-about ${id}"
    aria-required=${isOne ? field.required : nothing}
    aria-invalid=${isOne ? complaint !== '' : nothing}
  >
    <legend>
      <bdi lang=${field.hasForeignLabel ? langOfContent(locale) : nothing}>${label}</bdi>
    </legend>
    ${renderAbout(words, id, field.description ? langOfContent(locale) : nothing)}
    ${listRows(field, locale).map(
      ([words, index, isChosen, isTheirs]) =>
        html`<label class="choice"
          ><input
            type=${isOne ? 'radio' : 'checkbox'}
            name=${name}
            value=${index}
            ?checked=${isChosen}
          /><bdi lang=${isTheirs ? langOfContent(locale) : nothing}>${words}</bdi></label
        >`,
    )}
  </fieldset>`;
}

/** What can be chosen, by its place, and whether it is from the start. */
function listRows(
  { kind, choices, initial, required }: Field,
  locale: Locale,
): (readonly [words: string, index: number, isChosen: boolean, isTheirs: boolean])[] {
  const isOne = kind === 'choice';
  const chosen = isOne ? [initial] : Array.isArray(initial) ? (initial as readonly Json[]) : [];
  const rows = choices.map(
    ([words, value], index) =>
      // Yes and no are words of ours.
      [words, index, value !== null && chosen.includes(value), typeof value !== 'boolean'] as const,
  );
  if (!isOne || required) return rows;
  // A radio button that was pressed cannot be taken back otherwise.
  const isNone = !rows.some(([, , isChosen]) => isChosen);
  return [...rows, [locale.text('requestNoAnswer'), -1, isNone, false]];
}

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

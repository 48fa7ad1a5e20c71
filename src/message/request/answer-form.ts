import { type TemplateResult, html, nothing } from 'lit';
import { formStrings } from '../../locales/en-forms.js';
import { addDefaultStrings, type Locale } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';
import type { Answer } from '../part-view.js';
import { deriveFields, type Field } from './form-fields.js';
import { hasSecret } from './secret-schema.js';
import type { FormQuestion, FormResult, RenderTextArea, RequestForm } from './text-form.js';
import { langOfContent } from '../content-lang.js';
import { asRecord, findJsonSyntaxError, validateJson } from './validate-json.js';

addDefaultStrings(formStrings);

const controlName = (index: number): string => `field-${index}`;

/** A form for any kind of answer. */
export class AnswerForm implements RequestForm {
  readonly #renderTextArea: RenderTextArea;
  /** The errors of the last reading, by field. */
  #errors: readonly (FieldError | null)[] = [];

  /** `renderTextArea` is passed in, so that this chunk does not import that of the request view, which contains the function. */
  constructor(renderTextArea: RenderTextArea) {
    this.#renderTextArea = renderTextArea;
  }

  render(question: FormQuestion, locale: Locale, errorId: string): TemplateResult[] {
    const fields = deriveFields(question, locale);
    const [only] = fields;
    if (only && hasChoiceButtons(fields)) return [renderChoiceButtons(only, errorId, locale)];
    const isInRecord = isRecord(fields);
    return fields.map((field, index) => {
      const options = {
        name: controlName(index),
        errorId: isInRecord ? `${errorId}-${index}` : errorId,
        error: this.#errors[index]?.error ?? '',
        isInRecord,
        renderTextArea: this.#renderTextArea,
      };
      return renderField(field, options, locale);
    });
  }

  submitsByChoice(question: FormQuestion, locale: Locale): boolean {
    return hasChoiceButtons(deriveFields(question, locale));
  }

  read(
    form: HTMLFormElement,
    question: FormQuestion,
    locale: Locale,
    submitter: HTMLElement | null = null,
  ): FormResult {
    const fields = deriveFields(question, locale);
    const data = new FormData(form);
    if (submitter instanceof HTMLButtonElement) data.append(submitter.name, submitter.value);
    const results = fields.map((field, index) => {
      const name = controlName(index);
      return readField(
        { control: form.elements.namedItem(name), entries: data.getAll(name) },
        field,
        question.level,
        locale,
      );
    });
    this.#errors = results.map((result) => ('error' in result ? result : null));
    const first = this.#errors.find((error) => error !== null);
    if (!first) return { answer: toAnswer(fields, results, question) };
    return { error: isRecord(fields) ? locale.text('requestCheck') : first.error };
  }

  focus(form: HTMLElement): void {
    const index = this.#errors.findIndex((error) => error !== null);
    const name = controlName(Math.max(0, index));
    const controls = [...form.querySelectorAll<HTMLInputElement>(`[name='${name}']`)];
    const control = controls.find(({ checked }) => checked) ?? controls[0];
    control?.focus({ preventScroll: true });
    const { range } = this.#errors[index] ?? {};
    if (range) control?.setSelectionRange(...range);
  }
}

/** Maximum number of choices that are buttons. With more choices, or with a label that is too long for a button, none of them is a button. */
const MAX_CHOICE_BUTTONS = 5;
/** Longest label of a button, in UTF-16 units. */
const MAX_BUTTON_LABEL = 40;

/** Whether the only field is a choice between few short answers, each of which is a button. */
function hasChoiceButtons(fields: readonly Field[]): boolean {
  const [only] = fields;
  return (
    fields.length === 1 &&
    only?.kind === 'choice' &&
    only.name === null &&
    only.required &&
    only.choices.length <= MAX_CHOICE_BUTTONS &&
    only.choices.every(([label]) => label.length <= MAX_BUTTON_LABEL)
  );
}

/** Renders choices as buttons that submit the form. The button of the default is primary; without a default, the button of Yes, if there is one. */
function renderChoiceButtons(field: Field, errorId: string, locale: Locale): TemplateResult {
  const { choices, initial, label, description } = field;
  const isPrimary = (value: Json | undefined): boolean =>
    initial === null ? value === true : value === initial;
  return html`<div class="entry">
    ${renderDescription(description, errorId, langOfContent(locale))}
    <div
      class="buttons"
      role="group"
      aria-label=${label}
      aria-describedby="${errorId}-about ${errorId}"
    >
      ${listOptions(field, locale).map(
        ({ text, value, isContent }) =>
          html`<button
            class="choice-button ${isPrimary(choices[value]?.[1]) ? 'primary' : 'quiet'}"
            name=${controlName(0)}
            value=${value}
          >
            <bdi lang=${isContent ? langOfContent(locale) : nothing}>${text}</bdi>
          </button>`,
      )}
    </div>
  </div>`;
}

/** Whether the fields are properties of an object instead of one value. */
function isRecord([first]: readonly Field[]): boolean {
  return first?.name != null;
}

/**
 * Builds the answer. Files and texts are sent as such. A tool gets any other value as JSON; an agent gets it as text if a text can express
 * the value.
 */
function toAnswer(
  fields: readonly Field[],
  results: readonly FieldResult[],
  { level }: FormQuestion,
): Answer {
  const values = results.map((result) => ('value' in result ? result.value : undefined));
  if (isRecord(fields)) {
    const entries = fields.map(
      ({ parents, name }, index) => [[...parents, name ?? ''], values[index]] as const,
    );
    return { type: 'json', value: toRecord(entries) };
  }
  const [value = null, comment] = values;
  if (value instanceof File) {
    return { type: 'file', file: value, ...(typeof comment === 'string' && { text: comment }) };
  }
  if (typeof value === 'string') return { type: 'text', text: value };
  const text = level === 'agent' && fields[0] ? valueAsText(fields[0], value) : null;
  return text === null ? { type: 'json', value } : { type: 'text', text };
}

/**
 * Builds an object from the paths and values of its fields. Omits undefined values. An object whose values are all undefined is empty, not
 * omitted.
 */
function toRecord(
  fields: readonly (readonly [path: readonly string[], value: Json | File | undefined])[],
): Json {
  const groups = new Map<string, typeof fields>();
  for (const [[name = '', ...path], value] of fields) {
    groups.set(name, [...(groups.get(name) ?? []), [path, value]]);
  }
  const entries = Array.from(groups, ([name, inner]) => {
    const isLeaf = inner[0]?.[0].length === 0;
    return [name, isLeaf ? (inner[0]?.[1] as Json | undefined) : toRecord(inner)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Json;
}

/** Returns a number, a boolean or choices as text; null if only JSON can express the value. */
function valueAsText({ kind, choices }: Field, value: Json): string | null {
  if (typeof value === 'number' && kind === 'number') return `${value}`;
  const items = kind === 'choices' && Array.isArray(value) ? (value as readonly Json[]) : [value];
  const labels = items.map((item) => choices.find(([, choice]) => choice === item)?.[0]);
  const isStructured = (item: Json): boolean => typeof item === 'object' && item !== null;
  if (labels.includes(undefined) || items.some(isStructured)) return null;
  return labels.join('\n');
}

/** Options of the control of a field. */
interface FieldControlOptions {
  /** The name of the control in the form. */
  readonly name: string;
  /** Id of the element with the error, from which the id of the description is derived. */
  readonly errorId: string;
  /** Why the value of the field cannot be sent; empty when it can. */
  readonly error: string;
  /** Whether the error is rendered beside the field instead of at the end of the form. */
  readonly isInRecord: boolean;
  readonly renderTextArea: RenderTextArea;
}

/** Number of rows of the kinds that are text areas. */
const ROWS: Readonly<Record<string, number>> = { text: 2, long: 6, json: 6, list: 3 };

/** Renders a field with its label and description. Rendering again keeps its value. */
function renderField(field: Field, options: FieldControlOptions, locale: Locale): TemplateResult {
  const { required, kind } = field;
  const { errorId, error, isInRecord } = options;
  const label = required ? field.label : locale.text('requestOptional', { name: field.label });
  const isGroup = kind === 'choice' || kind === 'choices';
  const hint = kind === 'list' ? locale.text('requestList') : '';
  const description = renderDescription(
    [field.description, hint].filter((text) => text !== '').join('\n'),
    errorId,
    field.description ? langOfContent(locale) : nothing,
  );
  return html`<div class="entry">
    ${
      isGroup
        ? renderGroup(field, options, [label, description], locale)
        : html`<label
              ><bdi lang=${labelLang(field, locale)}>${label}</bdi
              >${renderControl(field, options, label, locale)}</label
            >${description}`
    }
    ${isInRecord ? html`<p class="error-text" id=${errorId}>${error}</p>` : nothing}
  </div>`;
}

function labelLang({ isLabelFromQuestion }: Field, locale: Locale): string | typeof nothing {
  return isLabelFromQuestion ? langOfContent(locale) : nothing;
}

function renderDescription(
  text: string,
  errorId: string,
  lang: unknown,
): TemplateResult | typeof nothing {
  return text
    ? html`<p class="meta" dir="auto" lang=${lang} id="${errorId}-about">${text}</p>`
    : nothing;
}

function renderControl(
  { kind, initial, required, schema }: Field,
  { name, errorId, error, isInRecord, renderTextArea }: FieldControlOptions,
  label: string,
  locale: Locale,
): TemplateResult {
  const describedBy = `${errorId}-about ${errorId}`;
  const isInvalid = error !== '';
  const value = initialText(initial, kind);
  const isSecret = hasSecret(schema);
  const rows = isInRecord && kind === 'text' ? 1 : ROWS[kind];
  if (rows !== undefined) {
    return renderTextArea({
      name,
      label,
      rows,
      describedBy,
      isInvalid,
      isRequired: required,
      isCode: kind === 'json',
      isSecret,
      initial: value,
      lang: locale.contentLang,
    });
  }
  const step = asRecord(schema)?.['type'] === 'integer' ? '1' : 'any';
  return html`<input
    name=${name}
    type=${isSecret && kind !== 'file' ? 'password' : kind}
    autocomplete="off"
    step=${kind === 'number' ? step : nothing}
    aria-label=${label}
    aria-required=${required}
    aria-invalid=${isInvalid}
    aria-describedby=${describedBy}
    .defaultValue=${kind === 'file' ? '' : value}
  />`;
}

function initialText(initial: Json, kind: Field['kind']): string {
  if (initial === null) return '';
  if (kind === 'json') return JSON.stringify(initial, null, 2);
  if (Array.isArray(initial)) return initial.map(String).join('\n');
  return typeof initial === 'object' ? '' : String(initial);
}

function renderGroup(
  field: Field,
  { name, errorId, error }: FieldControlOptions,
  [label, description]: readonly [label: string, description: unknown],
  locale: Locale,
): TemplateResult {
  const isSingle = field.kind === 'choice';
  return html`<fieldset
    role=${isSingle ? 'radiogroup' : 'group'}
    aria-describedby="${errorId}-about ${errorId}"
    aria-required=${isSingle ? field.required : nothing}
    aria-invalid=${isSingle ? error !== '' : nothing}
  >
    <legend><bdi lang=${labelLang(field, locale)}>${label}</bdi></legend>
    ${description}
    ${listOptions(field, locale).map(
      ({ text, value, isChecked, isContent }) =>
        html`<label class="choice"
          ><input
            type=${isSingle ? 'radio' : 'checkbox'}
            name=${name}
            value=${value}
            ?checked=${isChecked}
          /><bdi lang=${isContent ? langOfContent(locale) : nothing}>${text}</bdi></label
        >`,
    )}
  </fieldset>`;
}

/** A choice, which is shown as a radio button, a checkbox or a button. */
interface Option {
  readonly text: string;
  /** Index of the choice; -1 for no answer. */
  readonly value: number;
  readonly isChecked: boolean;
  /** Whether the text is content instead of a text of the interface. */
  readonly isContent: boolean;
}

function listOptions({ kind, choices, initial, required }: Field, locale: Locale): Option[] {
  const isSingle = kind === 'choice';
  const checked = isSingle ? [initial] : Array.isArray(initial) ? (initial as readonly Json[]) : [];
  const options = choices.map(([text, value], index) => ({
    text,
    value: index,
    isChecked: value !== null && checked.includes(value),
    // "Yes" and "No" are texts of the interface.
    isContent: typeof value !== 'boolean',
  }));
  if (!isSingle || required) return options;
  // A checked radio button cannot be unchecked, so an optional question needs an option for no answer.
  const isChecked = !options.some((option) => option.isChecked);
  const text = locale.text('requestNoAnswer');
  return [...options, { text, value: -1, isChecked, isContent: false }];
}

/** Why the value of a field cannot be sent. */
interface FieldError {
  readonly error: string;
  /** Start and end of the invalid text. */
  readonly range?: readonly [number, number];
}

/** The value of a field (`undefined` if it is empty), with the text of a number that had to be rounded (`digits`); or an error. */
type FieldResult =
  | { readonly value: Json | File | undefined; readonly digits?: string }
  | FieldError;

/** What the user has entered in a field. */
interface FieldEntry {
  readonly control: Element | RadioNodeList | null;
  readonly entries: readonly FormDataEntryValue[];
}

/** Reads and validates the value of a field. `level` is that of the question. */
function readField(
  entry: FieldEntry,
  field: Field,
  level: FormQuestion['level'],
  locale: Locale,
): FieldResult {
  const result = readValue(entry, field, locale);
  if ('error' in result) return result;
  const { value, digits } = result;
  if (value === undefined) {
    return field.required ? { error: missingValueError(field, locale) } : result;
  }
  const invalid = value instanceof File ? null : validateJson(value, field.schema);
  if (!invalid) {
    if (digits === undefined) return result;
    // An agent gets a number as text, which can have any digits.
    const isText = level === 'agent' && field.name === null;
    return isText ? { value: digits } : roundingError(Number(value), locale);
  }
  const reason = locale.text(invalid.text, invalid.values);
  const path = invalid.path.join(' › ');
  return { error: path ? locale.text('requestAt', { path, reason }) : reason };
}

function missingValueError({ kind, name }: Field, locale: Locale): string {
  if (kind === 'choice' || kind === 'choices') return locale.text('requestNoChoice');
  if (kind === 'file') return locale.text('requestNoFile');
  if (name !== null) return locale.text('requestMissing');
  if (kind === 'date') return locale.text('requestNoDate');
  return locale.text(kind === 'number' ? 'requestNoNumber' : 'requestEmpty');
}

function readValue({ control, entries }: FieldEntry, field: Field, locale: Locale): FieldResult {
  const { kind, choices } = field;
  const [first] = entries;
  if (kind === 'choice' || kind === 'choices') {
    const chosen = entries.flatMap((index) => choices[Number(index)]?.slice(1) ?? []);
    if (kind === 'choice') return { value: chosen[0] };
    return { value: chosen.length > 0 ? chosen : undefined };
  }
  if (first instanceof File) return { value: first.name ? first : undefined };
  if (control instanceof HTMLInputElement && control.validity.badInput) {
    return { error: locale.text(kind === 'date' ? 'requestNoDate' : 'requestNoNumber') };
  }
  if (first !== undefined && isInitial(first, field)) return { value: field.initial };
  const text = first?.trim() ? first : '';
  if (!text) return { value: undefined };
  // A field for a secret is a password field, in which the browser accepts any text.
  if (kind === 'date' && !/^\d{4}-\d\d-\d\d$/.test(text)) {
    return { error: locale.text('requestNoDate') };
  }
  if (kind === 'number') {
    const value = Number(text);
    if (!Number.isFinite(value)) return { error: locale.text('requestNoNumber') };
    return isRounded(value, text) ? { value, digits: text.trim() } : { value };
  }
  if (kind === 'json') return parseJsonField(text, locale);
  return kind === 'list' ? parseList(text, field, locale) : { value: text };
}

/**
 * Whether a text is the valid initial value of its field. That value is then sent unchanged: it may be blank, and a text area would change its
 * line breaks.
 */
function isInitial(text: string, { initial, kind, schema }: Field): boolean {
  const [shown, entered] = [initialText(initial, kind), text].map((each) =>
    each.replaceAll(/\r\n?/g, '\n'),
  );
  return shown !== '' && shown === entered && validateJson(initial, schema) === null;
}

function parseList(text: string, { schema }: Field, locale: Locale): FieldResult {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  if (asRecord(asRecord(schema)?.['items'])?.['type'] === 'string') return { value: lines };
  const numbers = lines.map(Number);
  if (!numbers.every(Number.isFinite)) return { error: locale.text('requestNoNumber') };
  const rounded = numbers.find((value, index) => isRounded(value, lines[index] ?? ''));
  return rounded === undefined ? { value: numbers } : roundingError(rounded, locale);
}

/**
 * Whether a number beyond the safe integers would be sent with other digits than its text has. Numbers with an exponent are accepted, because
 * they are not meant to be exact to the last digit.
 */
function isRounded(value: number, text: string): boolean {
  const isLarge = Math.abs(value) > Number.MAX_SAFE_INTEGER && !/e/i.test(text);
  return isLarge && JSON.stringify(value) !== text.trim();
}

function roundingError(value: number, locale: Locale): FieldError {
  const [text, count] =
    value > 0
      ? (['requestTooBig', Number.MAX_SAFE_INTEGER] as const)
      : (['requestTooSmall', Number.MIN_SAFE_INTEGER] as const);
  return { error: locale.text(text, { count }) };
}

function parseJsonField(text: string, locale: Locale): FieldResult {
  try {
    const value = JSON.parse(text) as Json;
    return findRoundedNumber(text, locale) ?? { value };
  } catch {
    const at = findJsonSyntaxError(text) ?? 0;
    if (at >= text.length) return { error: locale.text('requestOpenJson') };
    const linesBefore = text.slice(0, at).split('\n');
    const found = /^\S{1,20}/.exec(text.slice(at))?.[0] ?? '';
    const column = (linesBefore.at(-1) ?? '').length + 1;
    const values = { line: linesBefore.length, column, found };
    return { error: locale.text('requestBadJson', values), range: [at, at + found.length] };
  }
}

/** Returns the error of the first number in valid JSON that would be rounded; null if there is none. */
function findRoundedNumber(text: string, locale: Locale): FieldError | null {
  // Strings are matched to be skipped, as they may contain digits.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[-+.\deE]+/g)) {
    const value = Number(token);
    if (!isRounded(value, token)) continue;
    return { ...roundingError(value, locale), range: [index, index + token.length] };
  }
  return null;
}

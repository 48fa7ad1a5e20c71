import type { TemplateResult } from 'lit';
import { formStrings } from '../../locales/en-forms.js';
import { addDefaultStrings, type Locale } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';
import type { RequestQuestion } from '../../model/part.js';
import type { Answer } from '../part-view.js';
import { readField, renderField, type FieldError, type FieldResult } from './field-control.js';
import { deriveFields, type Field } from './form-fields.js';
import type { FormResult, RenderTextArea, RequestForm } from './text-form.js';

addDefaultStrings(formStrings);

const controlName = (index: number): string => `field-${index}`;

/** A form for any kind of answer. */
export class AnswerForm implements RequestForm {
  readonly #renderTextArea: RenderTextArea;
  /** The errors of the latest reading, by field. */
  #errors: readonly (FieldError | null)[] = [];

  /** Takes the function that renders a text area, so that this chunk does not import the one with the message views. */
  constructor(renderTextArea: RenderTextArea) {
    this.#renderTextArea = renderTextArea;
  }

  render(question: RequestQuestion, locale: Locale, errorId: string): TemplateResult[] {
    const fields = deriveFields(question, locale);
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

  read(form: HTMLFormElement, question: RequestQuestion, locale: Locale): FormResult {
    const fields = deriveFields(question, locale);
    const results = fields.map((field, index) =>
      readField(form, controlName(index), field, locale),
    );
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

/** Whether the fields are properties of a record, not one value. */
function isRecord([first]: readonly Field[]): boolean {
  return first?.name != null;
}

/** Builds the answer. A tool gets the value as JSON; an agent gets a text where one can express the value. */
function toAnswer(
  fields: readonly Field[],
  results: readonly FieldResult[],
  { level }: RequestQuestion,
): Answer {
  const values = results.map((result) => ('value' in result ? result.value : undefined));
  if (isRecord(fields)) {
    const entries = fields.map(({ name }, index) => [name ?? '', values[index]] as const);
    const value = Object.fromEntries(entries.filter(([, item]) => item !== undefined));
    return { type: 'json', value: value as Json };
  }
  const [value = null, comment] = values;
  if (value instanceof File) {
    return { type: 'file', file: value, ...(typeof comment === 'string' && { text: comment }) };
  }
  if (typeof value === 'string') return { type: 'text', text: value };
  const text = level === 'agent' && fields[0] ? valueAsText(fields[0], value) : null;
  return text === null ? { type: 'json', value } : { type: 'text', text };
}

/** A number, a boolean or choices as text; null when only JSON can express the value. */
function valueAsText({ kind, choices }: Field, value: Json): string | null {
  if (typeof value === 'number' && kind === 'number') return `${value}`;
  const items = kind === 'choices' && Array.isArray(value) ? (value as readonly Json[]) : [value];
  const labels = items.map((item) => choices.find(([, choice]) => choice === item)?.[0]);
  if (labels.includes(undefined) || items.some((item) => typeof item === 'object')) return null;
  return labels.join('\n');
}

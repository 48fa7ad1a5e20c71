import type { TemplateResult } from 'lit';
import { formStrings } from '../../locales/en-forms.js';
import { addDefaultStrings, type Locale } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';
import type { RequestQuestion } from '../../model/part.js';
import type { Answer } from '../part-view.js';
import type { RenderTextArea, FormResult, RequestForm } from './text-form.js';
import { deriveFields, type Field } from './form-fields.js';
import { readFieldValue, type FieldError, type FieldValue, renderField } from './field-control.js';

addDefaultStrings(formStrings);

const nameOf = (index: number): string => `field-${index}`;

/** A form for any answer, and what is wrong with what was filled in. */
export class AnswerForm implements RequestForm {
  readonly #renderTextArea: RenderTextArea;
  #faults: readonly (FieldError | null)[] = [];

  /** What draws messages has a field for texts already: this file is to need nothing of that one. */
  constructor(renderTextArea: RenderTextArea) {
    this.#renderTextArea = renderTextArea;
  }

  render(question: RequestQuestion, locale: Locale, id: string): TemplateResult[] {
    const fields = deriveFields(question, locale);
    const isInRecord = isRecord(fields);
    return fields.map((field, index) => {
      const complaint = this.#faults[index]?.complaint ?? '';
      const place = { name: nameOf(index), id: isInRecord ? `${id}-${index}` : id };
      const state = { complaint, isInRecord, renderTextArea: this.#renderTextArea };
      return renderField(field, { ...place, ...state }, locale);
    });
  }

  read(form: HTMLFormElement, question: RequestQuestion, locale: Locale): FormResult {
    const fields = deriveFields(question, locale);
    const filled = fields.map((field, index) => readFieldValue(form, nameOf(index), field, locale));
    this.#faults = filled.map((one) => ('complaint' in one ? one : null));
    const fault = this.#faults.find((one) => one !== null);
    if (!fault) return { answer: toAnswer(fields, filled, question) };
    return { complaint: isRecord(fields) ? locale.text('requestCheck') : fault.complaint };
  }

  focus(form: HTMLElement): void {
    const index = this.#faults.findIndex((fault) => fault !== null);
    const name = nameOf(Math.max(0, index));
    const controls = [...form.querySelectorAll<HTMLInputElement>(`[name='${name}']`)];
    const control = controls.find(({ checked }) => checked) ?? controls[0];
    control?.focus({ preventScroll: true });
    const { range: at } = this.#faults[index] ?? {};
    if (at) control?.setSelectionRange(...at);
  }
}

/** Whether the fields are those of a record. */
function isRecord([first]: readonly Field[]): boolean {
  return first?.name != null;
}

/** The answer that was filled in. What is said to an agent is a message, in words; a tool gets the value. */
function toAnswer(
  fields: readonly Field[],
  filled: readonly FieldValue[],
  { level }: RequestQuestion,
): Answer {
  const values = filled.map((one) => ('value' in one ? one.value : undefined));
  if (isRecord(fields)) {
    const entries = fields.map(({ name }, index) => [name ?? '', values[index]] as const);
    const value = Object.fromEntries(entries.filter(([, one]) => one !== undefined));
    return { type: 'json', value: value as Json };
  }
  const [value = null, words] = values;
  if (value instanceof File) {
    return { type: 'file', file: value, ...(typeof words === 'string' && { text: words }) };
  }
  if (typeof value === 'string') return { type: 'text', text: value };
  const said = level === 'agent' && fields[0] ? sayValue(fields[0], value) : null;
  return said === null ? { type: 'json', value } : { type: 'text', text: said };
}

/** A number, a yes or no, or several choices, in words; null when only JSON can say it. */
function sayValue({ kind, choices }: Field, value: Json): string | null {
  if (typeof value === 'number' && kind === 'number') return `${value}`;
  const items = kind === 'choices' && Array.isArray(value) ? (value as readonly Json[]) : [value];
  const words = items.map((item) => choices.find(([, one]) => one === item)?.[0]);
  if (words.includes(undefined) || items.some((item) => typeof item === 'object')) return null;
  return words.join('\n');
}

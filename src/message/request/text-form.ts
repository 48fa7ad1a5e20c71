import { html, nothing, type TemplateResult } from 'lit';
import type { Locale } from '../../locales/locale.js';
import type { RequestQuestion } from '../../model/part.js';
import type { Answer } from '../part-view.js';

/** The result of reading a form: an answer, or an error message. */
export type FormResult = { readonly answer: Answer } | { readonly error: string };

/** The fields of a question that a form needs. */
export type FormQuestion = Pick<RequestQuestion, 'level' | 'inputTypes' | 'options' | 'schema'>;

/** The fields of one question. The DOM stores their values, so rendering again keeps them. */
export interface RequestForm {
  /** Renders the fields. `errorId` is the id of the element at the end of the form that shows an error. */
  render(question: FormQuestion, locale: Locale, errorId: string): unknown;
  /** `submitter` is the button that has submitted the form, if any. */
  read(
    form: HTMLFormElement,
    question: FormQuestion,
    locale: Locale,
    submitter?: HTMLElement | null,
  ): FormResult;
  /** Whether each choice is a button that submits the form, so that the form needs no other submit button. */
  submitsByChoice(question: FormQuestion, locale: Locale): boolean;
  /** Focuses the first invalid field, else the first field. */
  focus(form: HTMLElement): void;
}

/** Options of a text area. */
export interface TextAreaOptions {
  readonly name: string;
  readonly label: string;
  readonly rows: number;
  /** Ids of the elements that describe it. */
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly isRequired: boolean;
  readonly isCode?: boolean;
  /** Whether its text is masked. */
  readonly isSecret?: boolean;
  readonly initial?: string;
  /** Language of its content; by default that of the interface. */
  readonly lang?: string | undefined;
}

/** Renders a text area. */
export type RenderTextArea = (options: TextAreaOptions) => TemplateResult;

/** Renders a text area. */
export const renderTextArea: RenderTextArea = (options) => {
  const { name, label, rows, describedBy, isInvalid, isRequired, lang } = options;
  const { isCode = false, isSecret = false, initial = '' } = options;
  return html`<textarea
    name=${name}
    class=${isCode ? 'code' : ''}
    rows=${rows}
    dir=${isCode ? 'ltr' : 'auto'}
    lang=${lang ?? nothing}
    aria-label=${label}
    aria-required=${isRequired}
    aria-invalid=${isInvalid}
    aria-describedby=${describedBy}
    spellcheck=${!isCode && !isSecret}
    autocomplete="off"
    ?data-secret=${isSecret}
    .defaultValue=${initial}
  ></textarea>`;
};

/** Whether a question requests a text and nothing else. */
export function isPlainTextQuestion({ inputTypes, options, schema }: FormQuestion): boolean {
  return options === null && schema === null && inputTypes.every((type) => type === 'text');
}

/** A form with one text area. */
export class TextForm implements RequestForm {
  #isInvalid = false;

  render(_question: FormQuestion, locale: Locale, errorId: string): TemplateResult {
    const label = locale.text('requestAnswer');
    const textArea = renderTextArea({
      name: 'text',
      label,
      rows: 2,
      describedBy: errorId,
      isInvalid: this.#isInvalid,
      isRequired: true,
      lang: locale.contentLang,
    });
    return html`<label> ${label} ${textArea} </label>`;
  }

  read(form: HTMLFormElement, _question: FormQuestion, locale: Locale): FormResult {
    const text = form.querySelector('textarea')?.value ?? '';
    this.#isInvalid = text.trim() === '';
    if (this.#isInvalid) return { error: locale.text('requestEmpty') };
    return { answer: { type: 'text', text } };
  }

  submitsByChoice(): boolean {
    return false;
  }

  focus(form: HTMLElement): void {
    form.querySelector('textarea')?.focus({ preventScroll: true });
  }
}

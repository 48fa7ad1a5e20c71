import { html, nothing, type TemplateResult } from 'lit';
import type { Locale } from '../../locales/locale.js';
import type { RequestQuestion } from '../../model/part.js';
import type { Answer } from '../part-view.js';

/** What a form gives: an answer, or what is to be said while there is none. */
export type FormResult = { readonly answer: Answer } | { readonly complaint: string };

/** The fields of one question. What is typed stays in the page: drawing again never touches it. */
export interface RequestForm {
  /** `id` is that of the complaint at the end of the form. */
  render(question: RequestQuestion, locale: Locale, id: string): unknown;
  read(form: HTMLFormElement, question: RequestQuestion, locale: Locale): FormResult;
  /** Leads to what is to be filled in, or to what is wrong with it. */
  focus(form: HTMLElement): void;
}

/** A field for a text. */
export interface TextAreaOptions {
  readonly name: string;
  readonly label: string;
  readonly rows: number;
  /** Ids of the words about it. */
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly isRequired: boolean;
  readonly isCode?: boolean;
  readonly initial?: string;
  /** Language of what is written in it, where ours is another one. */
  readonly lang?: string | undefined;
}

/** Draws a field for a text. */
export type RenderTextArea = (area: TextAreaOptions) => TemplateResult;

/** Draws a field for a text. */
export const renderTextArea: RenderTextArea = (area) => {
  const {
    name,
    label,
    rows,
    describedBy: about,
    isInvalid: isBad,
    isRequired,
    isCode = false,
    initial = '',
  } = area;
  return html`<textarea
    name=${name}
    class=${isCode ? 'code' : ''}
    rows=${rows}
    dir=${isCode ? 'ltr' : 'auto'}
    lang=${area.lang ?? nothing}
    aria-label=${label}
    aria-required=${isRequired}
    aria-invalid=${isBad}
    aria-describedby=${about}
    spellcheck=${!isCode}
    .defaultValue=${initial}
  ></textarea>`;
};

/** Whether a question is answered by a text and nothing else. */
export function isPlainTextQuestion({ inputTypes, options, schema }: RequestQuestion): boolean {
  return options === null && schema === null && inputTypes.every((type) => type === 'text');
}

/** One field for a text. */
export class TextForm implements RequestForm {
  #isBad = false;

  render(_question: RequestQuestion, locale: Locale, id: string): TemplateResult {
    const label = locale.text('requestAnswer');
    const { contentLang: lang } = locale;
    const isBad = this.#isBad;
    return html`<label>
      ${label}
      ${renderTextArea({ name: 'text', label, rows: 2, describedBy: id, isInvalid: isBad, isRequired: true, lang })}
    </label>`;
  }

  read(form: HTMLFormElement, _question: RequestQuestion, locale: Locale): FormResult {
    const text = form.querySelector('textarea')?.value ?? '';
    this.#isBad = text.trim() === '';
    if (this.#isBad) return { complaint: locale.text('requestEmpty') };
    return { answer: { type: 'text', text } };
  }

  focus(form: HTMLElement): void {
    form.querySelector('textarea')?.focus({ preventScroll: true });
  }
}

import { html, nothing, type TemplateResult } from 'lit';
import type { Locale, StringName } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';
import type { Answer } from '../part-view.js';

/** What a form asks for. */
export interface RequestShape {
  readonly inputTypes: readonly string[];
  /** Choices, when there are some: texts, or records with `label` and `value`. */
  readonly options: Json;
}

/** One of several answers to choose from. */
interface Choice {
  readonly label: string;
  readonly value: Json;
}

/** How a request is answered. Types that we do not know are answered by a text. */
type FormKind = 'choice' | 'file' | 'json' | 'text';

/** The fields for an answer. `id` is unique in the page; `describedBy` names the element with the complaint. */
export function renderFields(
  shape: RequestShape,
  locale: Locale,
  id: string,
  complaint: string,
): TemplateResult {
  const kind = findKind(shape);
  if (kind === 'choice') return renderChoices(readChoices(shape.options), locale, id);
  const label: Readonly<Record<Exclude<FormKind, 'choice'>, StringName>> = {
    text: 'requestAnswer',
    json: 'requestJson',
    file: 'requestFile',
  };
  return html`<label for=${id}>${locale.text(label[kind])}</label> ${
      kind === 'file'
        ? html`<input id=${id} name="file" type="file" aria-describedby=${`${id}-error`} />
            ${shape.inputTypes.includes('text') ? renderText(`${id}-text`, '', locale) : nothing}`
        : renderText(id, complaint, locale, kind === 'json')
    }`;
}

function renderText(id: string, complaint: string, locale: Locale, code = false): TemplateResult {
  return html`<textarea
    id=${id}
    name="text"
    class=${code ? 'code' : ''}
    rows=${code ? 4 : 2}
    dir="auto"
    aria-label=${locale.text(code ? 'requestJson' : 'requestAnswer')}
    aria-invalid=${complaint ? 'true' : 'false'}
    aria-describedby=${`${id}-error`}
    spellcheck=${code ? 'false' : 'true'}
  ></textarea>`;
}

function renderChoices(choices: readonly Choice[], locale: Locale, id: string): TemplateResult {
  return html`<fieldset>
    <legend>${locale.text('requestChoice')}</legend>
    ${choices.map(
      ({ label }, index) =>
        html`<label class="choice"
          ><input type="radio" name="choice" id=${`${id}-${index}`} value=${index} /><bdi
            >${label}</bdi
          ></label
        >`,
    )}
  </fieldset>`;
}

/** The answer in a form, or why there is none yet. */
export function readAnswer(
  form: HTMLFormElement,
  shape: RequestShape,
  locale: Locale,
): Answer | string {
  const data = new FormData(form);
  const field = data.get('text');
  const text = typeof field === 'string' ? field : '';
  switch (findKind(shape)) {
    case 'choice': {
      const chosen = readChoices(shape.options)[Number(data.get('choice') ?? -1)];
      if (!chosen) return locale.text('requestNoChoice');
      const { value } = chosen;
      return typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value };
    }
    case 'file': {
      const file = data.get('file');
      if (!(file instanceof File) || file.name === '') return locale.text('requestNoFile');
      return text.trim() ? { type: 'file', file, text } : { type: 'file', file };
    }
    case 'json':
      return readJson(text, locale);
    case 'text':
      return text.trim() ? { type: 'text', text } : locale.text('requestEmpty');
  }
}

function readJson(text: string, locale: Locale): Answer | string {
  if (!text.trim()) return locale.text('requestEmpty');
  try {
    return { type: 'json', value: JSON.parse(text) as Json };
  } catch (error) {
    return locale.text('requestBadJson', { reason: error instanceof Error ? error.message : '' });
  }
}

function findKind({ inputTypes, options }: RequestShape): FormKind {
  if (readChoices(options).length > 0) return 'choice';
  if (inputTypes.includes('file')) return 'file';
  return inputTypes.includes('json') && !inputTypes.includes('text') ? 'json' : 'text';
}

function readChoices(options: Json): readonly Choice[] {
  if (!Array.isArray(options)) return [];
  return (options as readonly Json[]).flatMap((option): Choice[] => {
    if (typeof option === 'string' || typeof option === 'number') {
      return [{ label: String(option), value: String(option) }];
    }
    if (typeof option !== 'object' || option === null) return [];
    const fields = new Map<string, Json>(Object.entries(option));
    const value = fields.get('value') ?? fields.get('id') ?? fields.get('label') ?? null;
    const label = fields.get('label') ?? fields.get('name') ?? value;
    return label === null || typeof label === 'object' ? [] : [{ label: String(label), value }];
  });
}

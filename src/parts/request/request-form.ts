import { html, type TemplateResult } from 'lit';
import type { Locale, StringName } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';
import type { Answer } from '../part-view.js';

/** What a form asks for. */
export interface RequestShape {
  readonly inputTypes: readonly string[];
  /** Choices, when there are some: texts, or records with `label` and `value`. */
  readonly options: Json;
}

/** What can be asked for. */
type Field = 'choice' | 'file' | 'json' | 'text';

const LABELS: Readonly<Record<Field, StringName>> = {
  choice: 'requestChoice',
  file: 'requestFile',
  json: 'requestJson',
  text: 'requestAnswer',
};

/** The fields for an answer. `id` is that of the complaint, which is shown beside them. */
export function renderFields(
  shape: RequestShape,
  locale: Locale,
  id: string,
  complaint: string,
): readonly TemplateResult[] {
  return findFields(shape).map((field) => {
    const label = locale.text(LABELS[field]);
    if (field === 'choice') return renderChoices(shape.options, label);
    const isCode = field === 'json';
    return html`<label>
      ${label}
      ${
        field === 'file'
          ? html`<input name="file" type="file" aria-describedby=${id} />`
          : html`<textarea
              name="text"
              class=${isCode ? 'code' : ''}
              rows=${isCode ? 4 : 2}
              dir="auto"
              aria-label=${label}
              aria-invalid=${complaint !== ''}
              aria-describedby=${id}
              spellcheck=${!isCode}
            ></textarea>`
      }
    </label>`;
  });
}

function renderChoices(options: Json, label: string): TemplateResult {
  return html`<fieldset>
    <legend>${label}</legend>
    ${readChoices(options).map(
      ([words], index) =>
        html`<label class="choice"
          ><input type="radio" name="choice" value=${index} /><bdi>${words}</bdi></label
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
  const [field] = findFields(shape);
  const text = data.get('text');
  const words = typeof text === 'string' && text.trim() ? text : '';
  if (field === 'choice') {
    const chosen = readChoices(shape.options)[Number(data.get('choice') ?? -1)];
    if (!chosen) return locale.text('requestNoChoice');
    const [, value] = chosen;
    return typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value };
  }
  if (field === 'file') {
    const file = data.get('file');
    if (!(file instanceof File) || !file.name) return locale.text('requestNoFile');
    return { type: 'file', file, ...(words && { text: words }) };
  }
  if (!words) return locale.text('requestEmpty');
  if (field === 'text') return { type: 'text', text: words };
  try {
    return { type: 'json', value: JSON.parse(words) as Json };
  } catch (error) {
    return locale.text('requestBadJson', { reason: (error as Error).message });
  }
}

/** What is asked for; types that we do not know are answered by a text. The first field is the one that must be filled in. */
function findFields({ inputTypes, options }: RequestShape): readonly [Field, ...Field[]] {
  if (readChoices(options).length > 0) return ['choice'];
  const takesText = inputTypes.includes('text');
  if (inputTypes.includes('file')) return takesText ? ['file', 'text'] : ['file'];
  return [inputTypes.includes('json') && !takesText ? 'json' : 'text'];
}

/** Label and value of each answer to choose from. */
function readChoices(options: Json): readonly (readonly [string, Json])[] {
  return (Array.isArray(options) ? (options as readonly Json[]) : []).flatMap((option) => {
    const fields =
      typeof option === 'object' ? (option as Readonly<Record<string, Json>> | null) : null;
    const label = fields ? (fields['label'] ?? fields['value']) : option;
    if (label == null || typeof label === 'object') return [];
    return [[String(label), fields?.['value'] ?? String(label)] as const];
  });
}

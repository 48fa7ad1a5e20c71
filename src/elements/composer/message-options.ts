import { css, html, nothing, render, type TemplateResult } from 'lit';
import { loadingThreadOf } from '../../controller/threads/thread-openings.js';
import { element } from '../../dom/element.js';
import { optionStrings } from '../../locales/en-options.js';
import { addDefaultStrings } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';
import type { MessageSettings } from '../../model/message.js';
import { floatingFieldStyles } from '../styles/floating-field.js';
import { adoptSheets } from '../styles/styles.js';
import type { ComposerHost } from './composer-options.js';
import { ContextChip } from './context-chip.js';
import { setMessageSettings } from './draft.js';
import { InputsForm, type InputsOption } from './inputs-form.js';
import type { LazyMessageOptions } from './lazy-message-options.js';
import { OptionValues } from './option-values.js';

addDefaultStrings(optionStrings);

/** Styles of the context chip, the options below the field, and the form above it. */
const optionStyles = css`
  .context,
  .options {
    display: flex;
    flex: 1 0 100%;
    flex-wrap: wrap;
    gap: calc(0.375 * var(--_ubik-rem));
    min-width: 0;
    padding: calc(0.25 * var(--_ubik-rem)) calc(0.25 * var(--_ubik-rem)) 0;
    font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
    &:empty {
      display: none;
    }
  }
  .context .chip {
    display: flex;
    align-items: center;
    max-width: 100%;
    padding: 0;
    padding-inline-start: calc(0.5 * var(--_ubik-rem));
    background: var(--_tint);
    > span {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    button {
      flex: none;
      min-width: calc(1.75 * var(--_ubik-rem));
      display: grid;
      place-items: center;
      min-height: calc(1.75 * var(--_ubik-rem));
    }
  }
  .options {
    padding-block: 0 calc(0.125 * var(--_ubik-rem));
  }
  .option {
    display: flex;
    align-items: center;
    gap: calc(0.25 * var(--_ubik-rem));
    max-width: 100%;
    min-height: calc(1.875 * var(--_ubik-rem));
    padding-inline: calc(0.625 * var(--_ubik-rem));
    border: var(--_border);
    border-radius: calc(1.375 * var(--_ubik-rem));
    color: var(--_muted);
    font-size: inherit;
    &:hover {
      background: var(--_hover);
    }
    &[aria-pressed='true'] {
      border-color: var(--_accent);
      background: var(--_tint);
      color: var(--_accent);
    }
    &:has(:focus-visible) {
      outline: 2px solid var(--_accent);
      outline-offset: 2px;
    }
    select {
      min-width: 0;
      min-height: inherit;
      padding: 0;
      border: 0;
      outline: 0;
      background: none;
      color: var(--_text);
      font: inherit;
      text-overflow: ellipsis;
    }
    option {
      background: var(--_background);
    }
  }
  .inputs {
    margin-block-end: calc(0.5 * var(--_ubik-rem));
    border: var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
    &:not([open]) {
      margin-block-end: 0;
      border-color: transparent;
      background: none;
      color: var(--_muted);
    }
    > summary {
      display: flex;
      align-items: center;
      gap: calc(0.5 * var(--_ubik-rem));
      min-height: calc(2.25 * var(--_ubik-rem));
      padding-inline: calc(0.75 * var(--_ubik-rem));
      border-radius: inherit;
      list-style: none;
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
      &::-webkit-details-marker {
        display: none;
      }
      .meta {
        flex: 1;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
    }
    &:dir(rtl) > summary .icon-chevron {
      rotate: 180deg;
    }
    &[open] > summary .icon-chevron {
      rotate: 90deg;
    }
    > form {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: calc(0.625 * var(--_ubik-rem));
      max-height: min(calc(16 * var(--_ubik-rem)), 35dvh);
      padding: calc(0.25 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem))
        calc(0.75 * var(--_ubik-rem));
      overflow: hidden auto;
      overscroll-behavior: contain;
    }
    textarea {
      ${floatingFieldStyles}
    }
    .code {
      font-family: var(--_mono);
    }
    /* Field names and descriptions align with the fields, whatever their direction. */
    :is(label > bdi, .entry .meta) {
      text-align: -webkit-match-parent;
      text-align: match-parent;
    }
  }
  @media (pointer: coarse) {
    .option,
    .inputs > summary {
      min-height: calc(2.75 * var(--_ubik-rem));
    }
    .context .chip button {
      min-width: calc(2.75 * var(--_ubik-rem));
      min-height: calc(2.75 * var(--_ubik-rem));
    }
  }
  @media (forced-colors: active) {
    .option[aria-pressed='true'] {
      border-color: Highlight;
      outline: 1px solid Highlight;
    }
    .inputs > summary {
      color: ButtonText;
    }
  }
`;

/** A value of a menu. */
type Choice = string | number | boolean;

/** An option with a control below the message field. */
interface RowOption {
  readonly name: string;
  /** The title in the schema of the option; empty when it has none. */
  readonly title: string;
  /** The default: the value that the service uses when the option is not sent; undefined when it is unknown. */
  readonly initial: Json | undefined;
  /** The values of a menu; null for a toggle. */
  readonly choices: readonly Choice[] | null;
}

/** The options of a service, grouped by their control. */
interface OptionControls {
  readonly row: readonly RowOption[];
  readonly inputs: InputsOption | null;
}

const NO_CONTROLS: OptionControls = { row: [], inputs: null };

/**
 * Controls for the settings of a message: the context of the host page, and the options that the service offers. Loaded by
 * `LazyMessageOptions`.
 */
export class MessageOptions {
  readonly #source: LazyMessageOptions;
  readonly #host: ComposerHost;
  readonly #status = element('p', 'hidden');
  readonly #row = element('div', 'options');
  readonly #chip: ContextChip;
  readonly #values: OptionValues;
  readonly #inputs: InputsForm;
  /** The schema from which the controls were derived. */
  #schema: Json = null;
  #controls = NO_CONTROLS;

  constructor(source: LazyMessageOptions) {
    const { host } = source;
    const { renderRoot } = host.element;
    const update = (): void => {
      this.update();
    };
    this.#source = source;
    this.#host = host;
    this.#chip = new ContextChip(host, { announce: this.#announce, onRemove: update });
    this.#values = new OptionValues(host, update);
    this.#inputs = new InputsForm(host, this.#values);
    this.#row.role = 'group';
    this.#status.role = 'status';
    adoptSheets(renderRoot, [optionStyles]);
    const field = renderRoot.querySelector('.field');
    field?.before(this.#inputs.node);
    field?.prepend(this.#chip.node);
    field?.append(this.#row);
    field?.after(this.#status);
  }

  /** Renders the controls and sets the settings of the next message. */
  update(): void {
    const { controller } = this.#host;
    const schema = controller && this.#source.schema;
    if (schema !== this.#schema) {
      this.#schema = schema;
      this.#controls = deriveControls(schema);
      this.#values.inputs = this.#controls.inputs?.name ?? null;
    }
    this.#values.update();
    this.#chip.update();
    // The form opens in an empty thread, so it is not shown while a thread is loading, which may have messages.
    const isLoading = controller && loadingThreadOf(controller);
    this.#inputs.update(isLoading ? null : this.#controls.inputs);
    this.#renderRow();
    if (controller) setMessageSettings(controller, this.#settings);
    else this.disconnect();
  }

  /**
   * Updates the settings of the next message. Resolves to false when the user has to correct an input first. Rejects when the form for
   * required inputs cannot be loaded.
   */
  async validate(): Promise<boolean> {
    await this.restore();
    return this.#inputs.validate();
  }

  /** Updates the settings of the next message. Resolves when the stored options are among them. */
  async restore(): Promise<void> {
    this.update();
    await this.#values.restored;
  }

  /** Ends the subscriptions; the next `update` adds them again. */
  disconnect(): void {
    this.#values.disconnect();
  }

  /**
   * The settings of the next message. `options` is set whenever the service offers any: an empty object means the defaults, while a missing one
   * would mean the options of the last message.
   */
  get #settings(): MessageSettings {
    const { row, inputs } = this.#controls;
    const context = this.#chip.value;
    const options: (readonly [string, Json])[] = row.flatMap((option) => {
      const value = this.#valueOf(option);
      return value === undefined || value === option.initial ? [] : [[option.name, value] as const];
    });
    const values = inputs && this.#values.get(inputs.name);
    if (inputs && values !== undefined && values !== null) options.push([inputs.name, values]);
    return {
      ...(row.length > 0 || inputs ? { options: Object.fromEntries(options) } : {}),
      ...(context === undefined ? {} : { context }),
    };
  }

  /** Returns the chosen value of an option if the service still offers it, else the default. */
  #valueOf({ name, initial, choices }: RowOption): Json | undefined {
    const value = this.#values.get(name);
    const isOffered = choices
      ? choices.some((choice) => choice === value)
      : typeof value === 'boolean';
    return isOffered ? value : initial;
  }

  #choose({ name, initial }: RowOption, value: Json | undefined): void {
    this.#values.set(name, value === initial ? undefined : value);
  }

  #renderRow(): void {
    const { row } = this.#controls;
    this.#row.ariaLabel = this.#host.context.locale.text('messageOptions');
    render(
      row.map((option) =>
        option.choices ? this.#renderMenu(option, option.choices) : this.#renderToggle(option),
      ),
      this.#row,
    );
  }

  #renderToggle(option: RowOption): TemplateResult {
    const isOn = this.#valueOf(option) === true;
    const toggle = (): void => {
      // Without a default, the service behaves as with `false`.
      this.#choose({ ...option, initial: option.initial ?? false }, !isOn);
    };
    return html`<button
      class="option"
      type="button"
      part="option"
      aria-pressed=${isOn}
      @click=${toggle}
    >
      ${this.#labelOf(option)}
    </button>`;
  }

  #renderMenu(option: RowOption, choices: readonly Choice[]): TemplateResult {
    const { text } = this.#host.context.locale;
    const current = this.#valueOf(option);
    const choose = ({ currentTarget }: Event): void => {
      this.#choose(option, choices[Number((currentTarget as HTMLSelectElement).value)]);
    };
    const isKnown = option.initial !== undefined;
    return html`<label class="option" part="option"
      ><span>${this.#labelOf(option)}</span
      ><select @change=${choose}>
        ${
          isKnown
            ? nothing
            : html`<option value="-1" .selected=${current === undefined}>
                ${text('optionDefault')}
              </option>`
        }
        ${choices.map(
          (choice, index) =>
            html`<option value=${index} .selected=${choice === current}>${String(choice)}</option>`,
        )}
      </select></label
    >`;
  }

  #labelOf({ name, title }: RowOption): string {
    return this.#host.context.locale.find(`option_${name}`) ?? (title || name);
  }

  readonly #announce = (text: string): void => {
    this.#status.textContent = text;
  };
}

const isChoice = (value: Json): value is Choice =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Derives the controls from the schema of a service, which may be any JSON. Skips options without a control. */
function deriveControls(schema: Json): OptionControls {
  // `Object` turns null and primitive values into objects without these properties.
  const { properties } = Object(schema) as { readonly properties?: Json };
  const declared = Object.entries(Object(properties) as { readonly [name: string]: Json }).map(
    ([name, inner]) => ({ name, schema: Object(inner) as { readonly [keyword: string]: Json } }),
  );
  const row = declared.flatMap(({ name, schema: inner }): RowOption[] => {
    const { type, enum: values, title, default: initial } = inner;
    const option = { name, title: typeof title === 'string' ? title : '', initial };
    if (type === 'boolean') return [{ ...option, choices: null }];
    const choices = Array.isArray(values) ? (values as readonly Json[]).filter(isChoice) : [];
    return choices.length > 1 ? [{ ...option, choices }] : [];
  });
  const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
  const inputs = declared.find(
    ({ schema: { type, properties: inner } }) => type === 'object' && isObject(inner),
  );
  return { row, inputs: inputs ?? null };
}

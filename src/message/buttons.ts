import { html, nothing, type TemplateResult } from 'lit';
import { element } from '../dom/element.js';
import { renderIcon, type IconName } from './icons.js';

/** Creates a secondary button. */
export function createButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = element('button', 'quiet', label);
  button.type = 'button';
  button.addEventListener('click', onClick);
  return button;
}

/** The buttons of a form. */
export interface FormOptions {
  readonly className: string;
  readonly submitLabel: string;
  readonly cancelLabel: string;
  readonly onSubmit: (event: SubmitEvent) => void;
  readonly onCancel: () => void;
  /** Whether the form is being submitted, so that neither button can be used. */
  readonly busy?: boolean;
  /** Whether it cannot be submitted; by default the value of `busy`. */
  readonly disabled?: boolean;
}

/** Renders a form with a submit and a cancel button. `extra` follows the buttons. */
export function renderForm(
  options: FormOptions,
  fields: unknown,
  extra: unknown = '',
): TemplateResult {
  const { className, submitLabel, cancelLabel, onSubmit, onCancel, busy = false } = options;
  // A `disabled` button would lose the focus of a user who has just pressed it.
  return html`<form class=${className} novalidate @submit=${onSubmit} aria-busy=${busy}>
    ${fields}
    <div class="buttons">
      <button class="primary" aria-disabled=${options.disabled ?? busy}>${submitLabel}</button>
      <button class="quiet" type="button" aria-disabled=${busy} @click=${onCancel}>
        ${cancelLabel}
      </button>
      ${extra}
    </div>
  </form>`;
}

/** A button that shows an icon. */
export interface IconButtonOptions {
  /** The class for selectors. */
  readonly className: string;
  readonly icon: IconName;
  readonly label: string;
  /** Why the button is disabled; empty or absent when it is enabled. */
  readonly disabledReason?: string;
  readonly onClick: () => void;
}

/**
 * Renders a button that shows an icon. Its `title` is both the tooltip and the accessible name; with an equal `aria-label` it would be
 * announced a second time, as the description. A disabled button remains focusable and has the reason as its description.
 */
export function renderIconButton(options: IconButtonOptions): TemplateResult {
  const { className, icon, label, disabledReason: reason = '', onClick } = options;
  return html`<button
    class="bare ${className}"
    type="button"
    title=${reason || label}
    aria-label=${reason ? label : nothing}
    aria-disabled=${reason !== ''}
    @click=${() => {
      if (!reason) onClick();
    }}
  >
    ${renderIcon(icon)}
  </button>`;
}

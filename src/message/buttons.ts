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
  /** While the form is being submitted, neither button can be used. */
  readonly busy?: boolean;
  /** Whether it cannot be submitted; `busy` by default. */
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
  /** The class by which it is found again. */
  readonly className: string;
  readonly icon: IconName;
  readonly label: string;
  /** Why the button is disabled; empty or absent when it is not. */
  readonly disabledReason?: string;
  readonly onClick: () => void;
}

/**
 * Renders a button that shows an icon. Its `title` is both tooltip and accessible name: beside an equal `aria-label` it would be
 * announced a second time, as the description. A disabled button stays focusable, and its description is the reason.
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

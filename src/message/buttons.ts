import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../dom/element.js';

/** Creates a secondary button. */
export function createButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = element('button', 'quiet', label);
  button.type = 'button';
  button.addEventListener('click', onClick);
  return button;
}

/** Creates a button that shows an icon. The caller sets its `title`, which is its name. */
export function createIconButton(
  className: string,
  icon: TemplateResult,
  onClick: () => void,
): HTMLButtonElement {
  const button = element('button', `bare ${className}`);
  button.type = 'button';
  button.addEventListener('click', onClick);
  render(icon, button);
  return button;
}

/** Options of a form with a submit and a cancel button. */
export interface FormOptions {
  readonly className: string;
  /** Empty for a form whose fields contain the buttons that submit it. */
  readonly submitLabel: string;
  readonly cancelLabel: string;
  readonly onSubmit: (event: SubmitEvent) => void;
  readonly onCancel: () => void;
  /** Whether the form is being submitted. The buttons are then announced as disabled, but still call the callbacks, which must then do nothing. */
  readonly busy?: boolean;
  /** Whether the form cannot be submitted; by default the value of `busy`. */
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
      ${
        submitLabel
          ? html`<button class="primary" aria-disabled=${options.disabled ?? busy}>
              ${submitLabel}
            </button>`
          : nothing
      }
      <button class="quiet" type="button" aria-disabled=${busy} @click=${onCancel}>
        ${cancelLabel}
      </button>
      ${extra}
    </div>
  </form>`;
}

/** Options of a button that shows an icon. */
export interface IconButtonOptions {
  /** The class that distinguishes the button from others in selectors. */
  readonly className: string;
  readonly icon: TemplateResult;
  readonly label: string;
  /** Whether a toggle button is on; absent for other buttons. */
  readonly isPressed?: boolean;
  /** Why the button is disabled, or its label when there is no reason to explain; empty or absent when it is enabled. */
  readonly disabledReason?: string;
  readonly onClick: (button: HTMLElement) => void;
}

/**
 * Renders a button that shows an icon. Its `title` is both the tooltip and the accessible name; with an equal `aria-label` it would be
 * announced a second time, as the description. A disabled button remains focusable; its `title` is the reason, and its `aria-label` the label.
 * With a reason that equals the label there is nothing to explain, and it is named by its `title`, too.
 */
export function renderIconButton(options: IconButtonOptions): TemplateResult {
  const { className, icon, label, isPressed, disabledReason: reason = '', onClick } = options;
  return html`<button
    class="bare ${className}"
    type="button"
    title=${reason || label}
    aria-label=${reason && reason !== label ? label : nothing}
    aria-disabled=${reason !== ''}
    aria-pressed=${isPressed ?? nothing}
    @click=${({ currentTarget }: Event) => {
      if (!reason) onClick(currentTarget as HTMLElement);
    }}
  >
    ${icon}
  </button>`;
}

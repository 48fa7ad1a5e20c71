import { html, nothing, type TemplateResult } from 'lit';
import { element } from '../dom/element.js';
import { renderIcon, type IconName } from './icons.js';

/** A button that does not stand out. */
export function createButton(words: string, act: () => void): HTMLButtonElement {
  const button = element('button', 'quiet', words);
  button.type = 'button';
  button.addEventListener('click', act);
  return button;
}

/** What the buttons of a form say and do. */
export interface FormOptions {
  /** Its class. */
  readonly className: string;
  readonly submitLabel: string;
  readonly cancelLabel: string;
  readonly onSubmit: (event: SubmitEvent) => void;
  readonly onCancel: () => void;
  /** An answer is on its way. */
  readonly busy?: boolean;
  /** It cannot be sent now, but left. */
  readonly disabled?: boolean;
}

/** A form for one answer: its fields, the button that sends it and the one that does not. */
export function renderForm(
  {
    className: name,
    submitLabel: send,
    cancelLabel: leave,
    onSubmit: onSend,
    onCancel: onLeave,
    busy = false,
    disabled: idle = busy,
  }: FormOptions,
  fields: unknown,
  more: unknown = '',
): TemplateResult {
  // Not `disabled`: the button would lose the focus of someone who has just pressed it.
  return html`<form class=${name} novalidate @submit=${onSend} aria-busy=${busy}>
    ${fields}
    <div class="buttons">
      <button class="primary" aria-disabled=${idle}>${send}</button>
      <button class="quiet" type="button" aria-disabled=${busy} @click=${onLeave}>${leave}</button>
      ${more}
    </div>
  </form>`;
}

/** A button that is an icon. */
export interface IconButtonOptions {
  /** Its class, by which it is found again. */
  readonly className: string;
  readonly icon: IconName;
  /** What it does. */
  readonly label: string;
  /** Why it does nothing now; empty when it does. */
  readonly disabledReason?: string;
  readonly onClick: () => void;
}

/**
 * Shows a button that is an icon. Its `title` is tooltip and name in one: beside an equal `aria-label` it would be announced a second
 * time, as the description. One that does nothing now keeps its place and the focus, and its description says why.
 */
export function renderIconButton(button: IconButtonOptions): TemplateResult {
  const { className: name, icon, label: words, disabledReason: reason = '', onClick: act } = button;
  return html`<button
    class="bare ${name}"
    type="button"
    title=${reason || words}
    aria-label=${reason ? words : nothing}
    aria-disabled=${reason !== ''}
    @click=${() => {
      if (!reason) act();
    }}
  >
    ${renderIcon(icon)}
  </button>`;
}

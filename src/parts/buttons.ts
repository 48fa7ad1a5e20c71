import { html, type TemplateResult } from 'lit';
import { element } from '../internal/element.js';

/** A button that does not stand out. */
export function createButton(words: string, act: () => void): HTMLButtonElement {
  const button = element('button', 'quiet', words);
  button.type = 'button';
  button.addEventListener('click', act);
  return button;
}

/** What the buttons of a form say and do. */
export interface FormActs {
  /** Its class. */
  readonly name: string;
  readonly send: string;
  readonly leave: string;
  readonly onSend: (event: SubmitEvent) => void;
  readonly onLeave: () => void;
  /** An answer is on its way. */
  readonly busy?: boolean;
}

/** A form for one answer: its fields, the button that sends it and the one that does not. */
export function renderForm(
  { name, send, leave, onSend, onLeave, busy = false }: FormActs,
  fields: unknown,
  more: unknown = '',
): TemplateResult {
  // Not `disabled`: the button would lose the focus of someone who has just pressed it.
  return html`<form class=${name} novalidate @submit=${onSend} aria-busy=${busy}>
    ${fields}
    <div class="buttons">
      <button class="primary" aria-disabled=${busy}>${send}</button>
      <button class="quiet" type="button" aria-disabled=${busy} @click=${onLeave}>${leave}</button>
      ${more}
    </div>
  </form>`;
}

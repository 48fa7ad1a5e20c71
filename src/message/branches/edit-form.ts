import { css, html, nothing, type TemplateResult } from 'lit';
import type { EnterKey } from '../../dom/enter-key.js';
import { addSheets } from '../../dom/sheets.js';
import { renderForm } from '../buttons.js';
import { langOfContent } from '../content-lang.js';
import type { ViewContext } from '../part-view.js';

const editFormStyles = css`
  .edited {
    width: 100% !important;
    > .body,
    > .message-footer {
      display: none;
    }
  }
  .edit {
    display: grid;
    gap: calc(0.5 * var(--_ubik-rem));
    textarea {
      width: 100%;
      min-height: calc(4.5 * var(--_ubik-rem));
      max-height: 50vh;
      padding: calc(0.5 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem));
      border: 1px solid var(--_field-line);
      border-radius: var(--_control-radius);
      background: var(--_background);
      field-sizing: content;
      font-size: max(calc(0.9375 * var(--_ubik-rem)), 16px);
      resize: vertical;
    }
  }
`;

/** Options of the form that edits a user message. */
interface EditFormOptions {
  readonly context: ViewContext;
  readonly enterKey: EnterKey;
  readonly text: string;
  /** Why the text cannot be sent; empty when it can. */
  readonly disabledReason: string;
  onInput(text: string): void;
  onSubmit(): void;
  onCancel(): void;
}

/** Renders the form that edits a user message, in which Enter sends and Escape cancels. Adopts the styles of the form. */
export function renderEditForm(options: EditFormOptions): TemplateResult {
  const { context, enterKey, text, disabledReason, onInput, onSubmit, onCancel } = options;
  const { shadowRoot } = context.host;
  if (shadowRoot) addSheets(shadowRoot, [editFormStyles]);
  const { locale } = context;
  const handleKey = (event: KeyboardEvent): void => {
    const isCancel = event.key === 'Escape' && !enterKey.isComposing(event);
    if (!isCancel && !enterKey.isSendKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (isCancel) onCancel();
    else if (!event.repeat) onSubmit();
  };
  return renderForm(
    {
      className: 'edit',
      submitLabel: locale.text('send'),
      cancelLabel: locale.text('cancel'),
      onSubmit: (event) => {
        event.preventDefault();
        onSubmit();
      },
      onCancel,
      disabled: disabledReason !== '' || text.trim() === '',
    },
    html`<textarea
      dir="auto"
      lang=${langOfContent(locale)}
      enterkeyhint="send"
      aria-label=${locale.text('editField')}
      .value=${text}
      @input=${(event: Event) => onInput((event.currentTarget as HTMLTextAreaElement).value)}
      @keydown=${handleKey}
      @beforeinput=${handleKey}
      @compositionend=${enterKey.handleCompositionEnd}
    ></textarea>`,
    disabledReason === '' ? nothing : html`<span class="meta">${disabledReason}</span>`,
  );
}

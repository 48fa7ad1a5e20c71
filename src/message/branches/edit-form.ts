import { html, nothing, type TemplateResult } from 'lit';
import type { EnterKey } from '../../dom/enter-key.js';
import { renderForm } from '../buttons.js';
import type { ViewContext } from '../part-view.js';
import { langOfContent } from '../content-lang.js';

/** What the form for another version of a question needs. */
export interface EditFormOptions {
  readonly context: ViewContext;
  readonly enter: EnterKey;
  /** What stands in the field at first. */
  readonly text: string;
  /** Why it cannot be sent now; empty when it can. */
  readonly disabledReason: string;
  onInput(text: string): void;
  onSubmit(): void;
  onCancel(): void;
}

/** The form in which a question gets another text: Enter sends, Escape leaves. */
export function renderEditForm(form: EditFormOptions): TemplateResult {
  const {
    context,
    enter,
    text,
    disabledReason: reason,
    onInput,
    onSubmit: onSend,
    onCancel: onLeave,
  } = form;
  const { locale } = context;
  const handleKey = (event: KeyboardEvent): void => {
    const leaves = event.key === 'Escape' && !enter.isComposing(event);
    if (!leaves && !enter.sends(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (leaves) onLeave();
    else if (!event.repeat) onSend();
  };
  return renderForm(
    {
      className: 'edit',
      submitLabel: locale.text('send'),
      cancelLabel: locale.text('cancel'),
      onSubmit: (event) => {
        event.preventDefault();
        onSend();
      },
      onCancel: onLeave,
      disabled: reason !== '' || text.trim() === '',
    },
    html`<textarea
      dir="auto"
      lang=${langOfContent(locale)}
      enterkeyhint="send"
      aria-label=${locale.text('editField')}
      .value=${text}
      @input=${(event: Event) => onInput((event.currentTarget as HTMLTextAreaElement).value)}
      @keydown=${handleKey}
      @compositionend=${enter.composed}
    ></textarea>`,
    reason === '' ? nothing : html`<span class="meta">${reason}</span>`,
  );
}

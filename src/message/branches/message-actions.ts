import { element } from '../../dom/element.js';
import { EnterKey } from '../../dom/enter-key.js';
import { isUbikError } from '../../errors.js';
import { branchStrings } from '../../locales/en-branches.js';
import { addDefaultStrings } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import { renderForm, renderIconButton, type IconButtonOptions } from '../buttons.js';
import { langOfContent } from '../content-lang.js';
import { explainCode } from '../explain-error.js';
import { renderIcon } from '../icons.js';
import type { MessageScope, ViewContext } from '../part-view.js';
import { isRunning } from '../thread-selectors.js';
import { adoptMessageActionsStyles } from './message-actions-styles.js';
import { VersionPager } from './version-pager.js';
import { html, nothing, render, type TemplateResult } from 'lit';

addDefaultStrings(branchStrings);

/** What can be done with a message of a conversation: edit a question, ask for another answer, step through the versions. */
export class MessageActions {
  readonly scope: MessageScope;
  readonly #message: HTMLElement;
  readonly #box = element('span', 'acts');
  /** The form, and below it what went wrong: in the message, since they need its width. */
  readonly #form = element('div', 'editing');
  readonly #told = element('div', 'told');
  readonly #memory: ActionState;
  readonly #pager: VersionPager;
  readonly #enter = new EnterKey();
  #pending = false;

  /** `message` is the box of the message, `foot` its end. */
  constructor(scope: MessageScope, message: HTMLElement, foot: HTMLElement) {
    this.scope = scope;
    this.#message = message;
    this.#memory = actionStateOf(scope.context);
    this.#memory.mounted.set(scope.message.key, this);
    this.#pager = new VersionPager(this);
    adoptMessageActionsStyles(scope.context.host);
    foot.append(this.#box);
    foot.before(this.#form, this.#told);
    if (this.#memory.focus?.place === scope.message.parent) {
      scope.context.frames.schedule(this.#takeFocus);
    }
  }

  /** Why nothing can be done now; empty when it can. */
  disabledReason(act: string): string {
    const { actions: acts, locale } = this.scope.context;
    return this.#pending || isRunning(acts.thread) ? locale.text('notWhileRunning', { act }) : '';
  }

  /** Shows what can be done now. */
  readonly render = (): void => {
    const { message, context } = this.scope;
    const { edit, regenerate } = context.actions;
    const { locale } = context;
    const isUser = message.role === 'user';
    const own: Omit<IconButtonOptions, 'reason'> | null =
      isUser && edit
        ? {
            className: 'edit-act',
            icon: 'pencil',
            label: locale.text('editMessage'),
            onClick: this.#open,
          }
        : !isUser && regenerate
          ? {
              className: 'again-act',
              icon: 'again',
              label: locale.text('regenerate'),
              onClick: this.#again,
            }
          : null;
    const button =
      own && renderIconButton({ ...own, disabledReason: this.disabledReason(own.label) });
    render([button ?? nothing, this.#pager.render()], this.#box);
    this.#pager.loadWhenVisible(this.#box);
    const text = this.#memory.drafts.get(message.key);
    this.#message.classList.toggle('edited', text !== undefined);
    render(text === undefined ? nothing : this.#renderForm(text), this.#form);
    render([this.#pager.renderNotice(), this.#renderFailure()], this.#told);
  };

  dispose(): void {
    const { mounted: shown } = this.#memory;
    if (shown.get(this.scope.message.key) === this) shown.delete(this.scope.message.key);
    this.#pager.dispose();
  }

  /** What comes in the place of the message takes the focus of one of its controls. */
  focusAfterReplace(control: string): void {
    this.#memory.focus = { place: this.scope.message.parent, control };
  }

  /** Does an act that replaces the message. Where it fails is told wherever the message is shown by then. */
  async runAction(control: string, act: () => Promise<boolean>): Promise<boolean> {
    const { key } = this.scope.message;
    const memory = this.#memory;
    memory.errorCodes.delete(key);
    this.focusAfterReplace(control);
    this.#pending = true;
    this.render();
    let done = false;
    try {
      done = await act();
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (error.code !== 'aborted') memory.errorCodes.set(key, error.code);
      // What stood in its place until now has taken the focus and is about to go.
      this.focusAfterReplace(control);
    }
    this.#pending = false;
    (memory.mounted.get(key) ?? this).render();
    return done;
  }

  #renderForm(text: string): TemplateResult {
    const { context, message } = this.scope;
    return renderEditForm({
      context,
      text,
      enter: this.#enter,
      disabledReason: this.#reasonToKeep(text),
      onInput: (typed) => {
        this.#memory.drafts.set(message.key, typed);
        this.render();
      },
      onSubmit: () => void this.#send(),
      onCancel: () => {
        this.#memory.errorCodes.delete(message.key);
        this.#close();
        this.#focus('.edit-act');
      },
    });
  }

  /** Why what is written cannot be sent now; empty when it can. */
  #reasonToKeep(text: string): string {
    const { actions: acts, locale } = this.scope.context;
    return this.disabledReason(locale.text('send')) || (acts.validateMessage?.(text) ?? '');
  }

  #renderFailure(): TemplateResult | typeof nothing {
    const code = this.#memory.errorCodes.get(this.scope.message.key);
    if (code === undefined) return nothing;
    return html`<p class="complaint" role="alert">
      ${renderIcon('alert')}<span>${explainCode(code, this.scope.context.locale)}</span>
    </p>`;
  }

  readonly #open = (): void => {
    const { key, parts } = this.scope.message;
    const texts = parts.children(null).map((part) => parts.get(part)?.text?.read() ?? '');
    this.#memory.drafts.set(key, texts.join(''));
    this.render();
    const field = this.#form.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  };

  #close(): void {
    this.#memory.drafts.delete(this.scope.message.key);
    this.render();
  }

  async #send(): Promise<void> {
    const { context, message } = this.scope;
    const { edit } = context.actions;
    const text = this.#memory.drafts.get(message.key) ?? '';
    if (!edit || !text.trim() || this.#reasonToKeep(text)) return;
    if (await this.runAction('.edit-act', () => edit(message.key, text))) this.#close();
  }

  readonly #again = (): void => {
    const { context, message } = this.scope;
    const { regenerate } = context.actions;
    if (regenerate) void this.runAction('.again-act', () => regenerate(message.key));
  };

  /** What took the place of a message takes its focus, unless the person has gone elsewhere. */
  readonly #takeFocus = (): void => {
    const { focus } = this.#memory;
    const held = this.scope.context.host.shadowRoot?.activeElement;
    if (!focus) return;
    if (held ? !held.classList.contains('scroller') : document.activeElement !== document.body) {
      return;
    }
    this.#memory.focus = null;
    this.#focus(this.#memory.drafts.has(this.scope.message.key) ? 'textarea' : focus.control);
  };

  #focus(control: string): void {
    this.#message.querySelector<HTMLElement>(control)?.focus({ preventScroll: true });
  }
}

/** What the acts of messages must not lose when the messages are drawn anew, as every act makes happen. */
export interface ActionState {
  /** The acts that are shown, by message. */
  readonly mounted: Map<Key, MessageActions>;
  /** Texts that were begun and are not sent, by message. */
  readonly drafts: Map<Key, string>;
  /** Code of what went wrong last, by message. */
  readonly errorCodes: Map<Key, string>;
  /** Where the focus was when an act replaced its message: the message before, and the control. */
  focus: { readonly place: Key | null; readonly control: string } | null;
}

const memories = new WeakMap<ViewContext, ActionState>();

/** The memory that all messages of one element share. */
export function actionStateOf(context: ViewContext): ActionState {
  const memory = memories.get(context) ?? {
    mounted: new Map(),
    drafts: new Map(),
    errorCodes: new Map(),
    focus: null,
  };
  memories.set(context, memory);
  return memory;
}

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
    if (!leaves && !enter.isSendKey(event)) return;
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
      @compositionend=${enter.handleCompositionEnd}
    ></textarea>`,
    reason === '' ? nothing : html`<span class="meta">${reason}</span>`,
  );
}

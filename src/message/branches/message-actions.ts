import { html, nothing, render, type TemplateResult, css } from 'lit';
import { element } from '../../dom/element.js';
import { EnterKey } from '../../dom/enter-key.js';
import { isUbikError, type UbikError } from '../../errors.js';
import { actionStrings } from '../../locales/en-actions.js';
import { addDefaultStrings } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import { renderIconButton, type IconButtonOptions } from '../buttons.js';
import { createLazyModule } from '../create-lazy-module.js';
import { explainError } from '../explain-error.js';
import { renderIcon } from '../icons.js';
import { feedbackOf, type Rating } from '../message-feedback.js';
import { hasMarkdown } from '../message-formats.js';
import type { UsageLine } from '../usage-line.js';
import type { MessageScope, ViewContext } from '../part-view.js';
import { isRunning } from '../thread-selectors.js';
import { renderActionIcon } from './action-icons.js';
import { lazyActionTools, type ActionTools } from './lazy-action-tools.js';
import type { VersionPager } from './version-pager.js';
import { addSheets } from '../../dom/sheets.js';

/** The chunk with the line that shows the seconds and tokens of an answer, loaded with the first answer that has any. */
export const lazyUsageLine = createLazyModule(() => import('../usage-line.js'));

/** The chunk with the control that switches between versions, loaded with the first message that has several. */
export const lazyVersionPager = createLazyModule(() => import('./version-pager.js'));

const messageActionsStyles = css`
  .action-bar,
  .versions {
    display: inline-flex;
    align-items: center;
  }
  .action-bar {
    gap: inherit;
  }
  .good-button[aria-pressed='true'] .icon,
  .bad-button[aria-pressed='true'] .icon {
    fill: currentColor;
  }
  .versions {
    color: var(--_muted);
    font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
    .previous-button .icon {
      rotate: 180deg;
    }
    .icon-chevron:dir(rtl) {
      rotate: 180deg;
    }
    .previous-button .icon:dir(rtl) {
      rotate: 0deg;
    }
  }
  .action-notices:not(:empty) {
    margin-block-start: calc(0.5 * var(--_ubik-rem));
  }
`;

/** Adopts the styles of message actions, which are loaded with them. */
function adoptMessageActionsStyles({ shadowRoot }: Element): void {
  if (shadowRoot) addSheets(shadowRoot, [messageActionsStyles]);
}

addDefaultStrings(actionStrings);

/** Loads what a press of a button needs, before the press. */
const prefetchTools = (): void => {
  lazyActionTools.prefetch();
};

/** Whether the browser supports speech synthesis. */
const canReadAloud = (): boolean =>
  'speechSynthesis' in window && 'SpeechSynthesisUtterance' in window;

/**
 * State that outlives the views of messages, because an action replaces its message together with the view. The key is the `parts` of the
 * message, because messages of several controllers can have the same key.
 */
interface ActionState {
  /** The newest actions view of each message. */
  readonly mounted: WeakMap<Message['parts'], MessageActions>;
  /** Unsent texts of the edit forms. */
  readonly drafts: WeakMap<Message['parts'], string>;
  /** The errors of the latest actions. */
  readonly errors: WeakMap<Message['parts'], UbikError>;
  /** Selector of the control that had the focus when an action replaced its message, with the thread and the parent of that message; null otherwise. */
  focus: {
    readonly thread: Thread | null | undefined;
    readonly parent: Key | null;
    readonly control: string;
  } | null;
}

const states = new WeakMap<ViewContext, ActionState>();

/** Returns the state that all messages of one element share. */
function actionStateOf(context: ViewContext): ActionState {
  const state = states.get(context) ?? {
    mounted: new WeakMap(),
    drafts: new WeakMap(),
    errors: new WeakMap(),
    focus: null,
  };
  states.set(context, state);
  return state;
}

/**
 * The actions of a message in a thread: edit a user message; regenerate, rate or read aloud an answer; switch between the versions. An answer
 * that is being written, or that waits for input, has none.
 */
export class MessageActions {
  readonly scope: MessageScope;
  readonly #message: HTMLElement;
  readonly #bar = element('span', 'action-bar');
  /** The edit form and the notices below it, which need the width of the message instead of that of the footer. */
  readonly #form = element('div', 'editing');
  readonly #notices = element('div', 'action-notices');
  readonly #state: ActionState;
  readonly #enterKey = new EnterKey();
  readonly #footer: HTMLElement;
  #usage: UsageLine | undefined;
  #pager: VersionPager | undefined;
  #isPending = false;
  /** Whether the answer was being written, or waited for input, at the last render. */
  #wasBeingWritten = false;

  /**
   * Inserts the actions into `footer`, before the menu button, and the edit form before the footer. `message` is the element of the message.
   */
  constructor(scope: MessageScope, message: HTMLElement, footer: HTMLElement) {
    this.scope = scope;
    this.#message = message;
    this.#footer = footer;
    this.#state = actionStateOf(scope.context);
    this.#state.mounted.set(scope.message.parts, this);
    adoptMessageActionsStyles(scope.context.host);
    for (const type of ['pointerenter', 'focusin']) this.#bar.addEventListener(type, prefetchTools);
    footer.insertBefore(this.#bar, footer.querySelector(':scope > .more'));
    footer.before(this.#form, this.#notices);
    if (this.#isFocusPending) scope.context.frames.schedule(this.#restoreFocus);
  }

  /** Returns the reason why the action with this label is disabled; empty when it is enabled. */
  disabledReason(label: string): string {
    const { locale } = this.scope.context;
    return this.isDisabled() ? locale.text('notWhileRunning', { act: label }) : '';
  }

  /** Whether actions are disabled: one is pending, or a run is in progress. */
  isDisabled(): boolean {
    return this.#isPending || isRunning(this.scope.context.actions.thread);
  }

  readonly render = (): void => {
    const { message } = this.scope;
    const isBeingWritten = this.#isBeingWritten;
    const pager = this.#findPager();
    render(
      isBeingWritten ? nothing : [this.#renderButtons(), pager?.render() ?? nothing],
      this.#bar,
    );
    if (!isBeingWritten) pager?.loadWhenVisible(this.#bar);
    if (!isBeingWritten && this.#isFocusPending) {
      // While the message had no actions, the message itself had the focus, unless the user has moved the focus.
      if (this.#focused === this.#message) this.scope.context.frames.schedule(this.#restoreFocus);
      else if (this.#wasBeingWritten) this.#state.focus = null;
    }
    this.#wasBeingWritten = isBeingWritten;
    this.#renderUsage();
    const draft = this.#state.drafts.get(message.parts);
    this.#message.classList.toggle('edited', draft !== undefined);
    render(draft === undefined ? nothing : this.#renderForm(draft), this.#form);
    render([pager?.renderNotice() ?? nothing, this.#renderError()], this.#notices);
  };

  dispose(): void {
    const { mounted } = this.#state;
    const { parts } = this.scope.message;
    if (mounted.get(parts) === this) mounted.delete(parts);
    this.#pager?.dispose();
  }

  /** Sets the control, by its selector, that gets the focus in the message that replaces this one. */
  focusAfterReplace(control: string): void {
    const { context, message } = this.scope;
    this.#state.focus = { thread: context.actions.thread, parent: message.parent, control };
  }

  /**
   * Runs an action that replaces the message, then focuses the control with the selector `control` in the replacement. Shows an error at the
   * view that the message has when the action fails.
   */
  async runAction(control: string, action: () => Promise<boolean>): Promise<boolean> {
    const { parts } = this.scope.message;
    const state = this.#state;
    state.errors.delete(parts);
    const { actions } = this.scope.context;
    const { thread } = actions;
    this.focusAfterReplace(control);
    this.#isPending = true;
    this.render();
    let isDone = false;
    try {
      isDone = await action();
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (error.code !== 'aborted') state.errors.set(parts, error);
      // The optimistic replacement had the focus and is removed now, so the original message gets it back, unless another thread is shown.
      if (actions.thread === thread) this.focusAfterReplace(control);
      else state.focus = null;
      const mounted = state.mounted.get(parts);
      if (mounted) mounted.scope.context.frames.schedule(mounted.#restoreFocus);
    } finally {
      this.#isPending = false;
      this.#renderMounted();
    }
    return isDone;
  }

  /** Returns the pager of a message with several versions; undefined until its code is loaded. */
  #findPager(): VersionPager | undefined {
    const { message } = this.scope;
    if (this.#pager || message.siblingIds.every((id) => id === message.id)) return this.#pager;
    const loaded = lazyVersionPager.value;
    if (loaded) this.#pager = new loaded.VersionPager(this);
    // A later render tries again.
    else lazyVersionPager.load().then(this.render, () => undefined);
    return this.#pager;
  }

  /** Shows the seconds and tokens of a finished answer at the end of the footer, if the service sends any. */
  readonly #renderUsage = (): void => {
    const { message, live, context } = this.scope;
    const { usage } = message;
    const loaded = lazyUsageLine.value;
    if (live || !usage) this.#usage?.node.remove();
    else if (loaded) {
      this.#usage ??= new loaded.UsageLine(context);
      this.#usage.render(usage);
      const { node } = this.#usage;
      if (this.#footer.lastElementChild !== node) this.#footer.append(node);
    } else {
      // The line is optional; the next answer tries to load its code again.
      lazyUsageLine.load().then(this.#renderUsage, () => undefined);
    }
  };

  #renderButtons(): readonly unknown[] {
    const { message, context } = this.scope;
    const isRated = message.role === 'assistant' && context.actions.openMenu !== undefined;
    return [
      this.#renderMainButton(),
      isRated ? [this.#renderRatingButton('up'), this.#renderRatingButton('down')] : nothing,
      isRated && canReadAloud() && hasMarkdown(message, context.renderers)
        ? this.#renderReadButton()
        : nothing,
    ];
  }

  #renderRatingButton(rating: Rating): TemplateResult {
    const { message, context } = this.scope;
    const name = rating === 'up' ? 'good' : 'bad';
    return renderIconButton({
      className: `${name}-button`,
      icon: renderActionIcon(name),
      label: context.locale.text(`${name}Answer`),
      isPressed: feedbackOf(message).rating === rating,
      onClick: (button) => context.actions.openMenu?.(message.key, button, rating, this.render),
    });
  }

  #renderReadButton(): TemplateResult {
    const { message, context } = this.scope;
    const { locale } = context;
    const isOn = lazyActionTools.value?.isReading(message.parts) ?? false;
    return renderIconButton({
      className: 'read-button',
      icon: isOn ? renderIcon('stop') : renderActionIcon('speaker'),
      label: locale.text(isOn ? 'stopReading' : 'readAloud'),
      onClick: () =>
        void this.#useTools(({ isReading, readMessageAloud, stopReading }) => {
          if (!isOn) readMessageAloud(this.scope, this.#message, this.#renderMounted);
          // Another message may be read by now.
          else if (isReading(message.parts)) stopReading();
          this.render();
        }),
    });
  }

  /** Renders the view that the message has now. */
  readonly #renderMounted = (): void => {
    (this.#state.mounted.get(this.scope.message.parts) ?? this).render();
  };

  /** Renders the button for the message's role; below a failed last answer, as a Retry button with a label. */
  #renderMainButton(): TemplateResult | typeof nothing {
    const { message, context } = this.scope;
    const button = this.#findButton();
    if (!button) return nothing;
    const disabledReason = this.disabledReason(button.label);
    const isFailed = message.status === 'failed' && context.actions.thread?.head === message.key;
    if (!isFailed) return renderIconButton({ ...button, disabledReason });
    return html`<button
      class="quiet retry-button ${button.className}"
      type="button"
      title=${disabledReason || nothing}
      aria-disabled=${disabledReason !== ''}
      @click=${() => {
        if (!disabledReason) this.#regenerate();
      }}
    >
      ${context.locale.text('retry')}
    </button>`;
  }

  /** Returns the button for the message's role if the service supports its action; null otherwise. */
  #findButton(): IconButtonOptions | null {
    const { message, context } = this.scope;
    const { actions, locale } = context;
    const isUser = message.role === 'user';
    if (isUser && actions.edit) {
      return {
        className: 'edit-button',
        icon: renderIcon('pencil'),
        label: locale.text('editMessage'),
        onClick: this.#startEditing,
      };
    }
    if (isUser || !actions.regenerate) return null;
    return {
      className: 'regenerate-button',
      icon: renderActionIcon('regenerate'),
      label: locale.text('regenerate'),
      onClick: this.#regenerate,
    };
  }

  #renderForm(text: string): TemplateResult | undefined {
    const { context, message } = this.scope;
    // The code is loaded before there is a draft.
    return lazyActionTools.value?.renderEditForm({
      context,
      text,
      enterKey: this.#enterKey,
      disabledReason: this.#submitDisabledReason(text),
      onInput: (value) => {
        this.#state.drafts.set(message.parts, value);
        this.render();
      },
      onSubmit: () => void this.#submitEdit(),
      onCancel: () => {
        this.#state.errors.delete(message.parts);
        this.#stopEditing();
        this.#focus('.edit-button');
      },
    });
  }

  #submitDisabledReason(text: string): string {
    const { actions, locale } = this.scope.context;
    return this.disabledReason(locale.text('send')) || (actions.validateMessage?.(text) ?? '');
  }

  #renderError(): TemplateResult | typeof nothing {
    const error = this.#state.errors.get(this.scope.message.parts);
    if (!error) return nothing;
    return html`<p class="error-text" role="alert">
      ${renderIcon('alert')}<span dir="auto"
        >${explainError(error, this.scope.context.locale)}</span
      >
    </p>`;
  }

  /**
   * Calls `use` with the code that a button needs when it is pressed: at once when it is loaded, so that the press may open a virtual keyboard
   * or start speech. When it cannot be loaded, shows the reason.
   */
  async #useTools(use: (tools: ActionTools) => void): Promise<void> {
    const { parts } = this.scope.message;
    const { errors } = this.#state;
    errors.delete(parts);
    try {
      const tools = lazyActionTools.value ?? (await lazyActionTools.load());
      // The message may have been removed meanwhile.
      if (this.#message.isConnected) use(tools);
    } catch (error) {
      if (!isUbikError(error)) throw error;
      errors.set(parts, error);
      this.#renderMounted();
    }
  }

  readonly #startEditing = (): void => {
    void this.#useTools(() => {
      this.#showForm();
    });
  };

  #showForm(): void {
    const { parts } = this.scope.message;
    const texts = parts.children(null).map((part) => parts.get(part)?.text?.read() ?? '');
    this.#state.drafts.set(parts, texts.join(''));
    this.render();
    const field = this.#form.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }

  #stopEditing(): void {
    this.#state.drafts.delete(this.scope.message.parts);
    this.render();
  }

  async #submitEdit(): Promise<void> {
    const { context, message } = this.scope;
    const { edit } = context.actions;
    const text = this.#state.drafts.get(message.parts) ?? '';
    if (!edit || !text.trim() || this.#submitDisabledReason(text)) return;
    if (await this.runAction('.edit-button', () => edit(message.key, text))) this.#stopEditing();
  }

  readonly #regenerate = (): void => {
    const { context, message } = this.scope;
    const { regenerate } = context.actions;
    if (regenerate) void this.runAction('.regenerate-button', () => regenerate(message.key));
  };

  /** Whether the message is an answer that is being written or waits for input. */
  get #isBeingWritten(): boolean {
    const { live, message } = this.scope;
    return live && message.role === 'assistant';
  }

  /** The element that has the focus in the chat. */
  get #focused(): Element | null | undefined {
    return this.scope.context.host.shadowRoot?.activeElement;
  }

  /** Whether a control of this message is to be focused. */
  get #isFocusPending(): boolean {
    const { focus } = this.#state;
    const { context, message } = this.scope;
    return focus?.parent === message.parent && focus.thread === context.actions.thread;
  }

  /**
   * Focuses the control that `focusAfterReplace` has set, unless the user has moved the focus elsewhere. A message without actions gets the
   * focus itself until it has them.
   */
  readonly #restoreFocus = (): void => {
    const { focus } = this.#state;
    const active = this.#focused;
    if (!focus) return;
    // The list or the newest message got the focus when the message with the control was removed.
    const isElsewhere = active
      ? active !== this.#message && !active.matches('.scroller, .message')
      : document.activeElement !== document.body;
    if (isElsewhere) this.#state.focus = null;
    else if (this.#isBeingWritten) {
      this.#message.tabIndex = -1;
      this.#message.focus({ preventScroll: true });
    } else {
      this.#state.focus = null;
      // The answer may have been completed since the last render, in which it had no controls.
      this.render();
      this.#focus(this.#state.drafts.has(this.scope.message.parts) ? 'textarea' : focus.control);
    }
  };

  #focus(control: string): void {
    this.#message.querySelector<HTMLElement>(control)?.focus({ preventScroll: true });
  }
}

import { render, type TemplateResult } from 'lit';
import { copyWithFeedback } from '../dom/copy-text.js';
import { element } from '../dom/element.js';
import type { MessageActions } from './branches/message-actions.js';
import { createIconButton } from './buttons.js';
import { createLazyModule } from './create-lazy-module.js';
import { drawIcon, renderIcon } from './icons.js';
import { hasMarkdown, messageMarkdown } from './message-formats.js';
import type { MessageScope } from './part-view.js';

const renderCopyIcon = (): TemplateResult => drawIcon('copy', 'M6 5.5h7v8H6zM10 5.5v-3H3v8h3');

/** The chunk with the buttons of a message. It loads the edit form, Read aloud, the version pager, and the line with seconds and tokens. */
export const lazyMessageActions = createLazyModule(() => import('./branches/message-actions.js'));

/**
 * The row of icon buttons below a message: Copy, the actions of a lazy-loaded chunk, and the menu. That chunk also loads the line with the
 * seconds and tokens of a finished answer. A message that is being written, or that waits for input, has no buttons.
 */
export class MessageFooter {
  readonly node = element('div', 'message-footer');
  readonly #scope: MessageScope;
  readonly #message: HTMLElement;
  readonly #copyButton: HTMLElement;
  readonly #menuButton: HTMLElement;
  #isCopied = false;
  /** Whether the chunk with the actions was requested. */
  #areActionsRequested = false;
  #actions: MessageActions | undefined;
  #isDisposed = false;

  /** Appends the footer to `message`, the element of the message. */
  constructor(scope: MessageScope, message: HTMLElement) {
    this.#scope = scope;
    this.#message = message;
    this.#copyButton = createIconButton('copy', renderCopyIcon(), () => {
      const text = messageMarkdown(scope.message, scope.context.renderers);
      const failure = scope.context.locale.text('copyFailed');
      copyWithFeedback(this.#copyButton, text, failure, this.#showCopied);
    });
    message.append(this.node);
    const { edit, regenerate, switchBranch, openMenu } = scope.context.actions;
    this.#menuButton = createIconButton('more', renderIcon('more'), () =>
      openMenu?.(scope.message.key, this.#menuButton),
    );
    this.#menuButton.ariaHasPopup = 'menu';
    this.#menuButton.ariaExpanded = 'false';
    if (openMenu) {
      this.node.append(this.#menuButton);
      message.classList.add('has-actions');
    }
    const action = scope.message.role === 'user' ? edit : (regenerate ?? openMenu);
    if (action ?? switchBranch) this.#loadActions();
  }

  readonly render = (): void => {
    const { live, context } = this.#scope;
    this.#menuButton.hidden = live;
    this.#menuButton.title = context.locale.text('messageMore');
    this.#renderCopyButton();
    if (this.#scope.message.usage) this.#loadActions();
    this.#actions?.render();
  };

  dispose(): void {
    this.#isDisposed = true;
    this.#actions?.dispose();
  }

  #loadActions(): void {
    if (this.#areActionsRequested) return;
    this.#areActionsRequested = true;
    // Reserves the height before the actions are loaded, so that they do not shift the layout.
    this.#message.classList.add('has-actions');
    lazyMessageActions.whenLoaded(this.#addActions);
    // The actions are optional; the next message tries to load them again.
    lazyMessageActions.load().catch(() => undefined);
  }

  readonly #addActions = (): void => {
    if (!lazyMessageActions.value || this.#isDisposed) return;
    const { MessageActions } = lazyMessageActions.value;
    this.#actions = new MessageActions(this.#scope, this.#message, this.node);
    this.#actions.render();
  };

  /** Shows the Copy button on a finished message that has text or data; on a message of the user, only where there is a menu. */
  #renderCopyButton(): void {
    const { message, context, live } = this.#scope;
    const isOffered = message.role === 'assistant' || context.actions.openMenu !== undefined;
    if (live || !isOffered || !hasMarkdown(message, context.renderers)) this.#copyButton.remove();
    else if (!this.#copyButton.parentNode) this.node.prepend(this.#copyButton);
    this.#copyButton.title = context.locale.text(this.#isCopied ? 'copied' : 'copyAnswer');
  }

  readonly #showCopied = (isCopied: boolean): void => {
    const { context, message } = this.#scope;
    this.#isCopied = isCopied;
    if (isCopied) context.actions.reportCopied?.(message.key);
    render(isCopied ? renderIcon('check') : renderCopyIcon(), this.#copyButton);
    this.#renderCopyButton();
  };
}

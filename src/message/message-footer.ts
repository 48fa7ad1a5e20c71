import { render } from 'lit';
import { copyText } from '../dom/copy-text.js';
import { element } from '../dom/element.js';
import type { MessageActions } from './branches/message-actions.js';
import { createButton } from './buttons.js';
import { createLazyModule } from './create-lazy-module.js';
import { renderIcon } from './icons.js';
import { hasMarkdown, messageMarkdown } from './message-formats.js';
import type { MessageScope } from './part-view.js';

/** The chunk for editing messages and switching between their versions. */
export const lazyMessageActions = createLazyModule(() => import('./branches/message-actions.js'));

/**
 * The buttons below a message: Copy, the menu, and the actions of a lazy-loaded chunk if the service supports any. That chunk also renders
 * the totals of a finished answer.
 */
export class MessageFooter {
  readonly node = element('div', 'message-footer');
  readonly #scope: MessageScope;
  readonly #message: HTMLElement;
  readonly #copyButton: HTMLElement;
  readonly #menuButton: HTMLElement;
  #copyLabel = '';
  #hasActions = false;
  #actions: MessageActions | undefined;
  #isDisposed = false;

  /** Appends the footer to `message`, the element of the message. */
  constructor(scope: MessageScope, message: HTMLElement) {
    this.#scope = scope;
    this.#message = message;
    this.#copyButton = createButton('', () => {
      const confirmation = scope.context.locale.text('copied');
      copyText(this.#copyButton, messageMarkdown(scope.message), confirmation);
    });
    this.#copyButton.classList.add('copy');
    message.append(this.node);
    const { edit, regenerate, switchBranch, openMenu } = scope.context.actions;
    this.#menuButton = createButton('', () => openMenu?.(scope.message.key, this.#menuButton));
    this.#menuButton.classList.add('more');
    this.#menuButton.ariaHasPopup = 'menu';
    this.#menuButton.ariaExpanded = 'false';
    render(renderIcon('more'), this.#menuButton);
    if (openMenu) {
      this.node.append(this.#menuButton);
      message.classList.add('has-actions');
    }
    if (switchBranch || (scope.message.role === 'user' ? edit : regenerate)) this.#loadActions();
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
    if (this.#hasActions) return;
    this.#hasActions = true;
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

  /** Shows the Copy button on an answer that has text and is no longer being written. */
  #renderCopyButton(): void {
    const { message, context, live } = this.#scope;
    const canCopy = !live && message.role === 'assistant' && hasMarkdown(message);
    const label = canCopy ? context.locale.text('copyAnswer') : '';
    if (label === this.#copyLabel) return;
    this.#copyButton.textContent = this.#copyLabel = label;
    if (label) this.node.prepend(this.#copyButton);
    else this.#copyButton.remove();
  }
}

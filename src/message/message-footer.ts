import { render } from 'lit';
import { copyText } from '../dom/copy-text.js';
import { element } from '../dom/element.js';
import type { MessageActions } from './branches/message-actions.js';
import { createButton } from './buttons.js';
import { createLazyModule } from './create-lazy-module.js';
import { renderIcon } from './icons.js';
import { messageMarkdown, hasMarkdown } from './message-formats.js';
import type { MessageScope } from './part-view.js';

/** The chunk for editing messages and switching between their versions. */
export const lazyMessageActions = createLazyModule(() => import('./branches/message-actions.js'));

/** Below a message, what can be done with it: an answer can be copied; the rest is fetched where the service allows any of it. */
export class MessageFooter {
  readonly node = element('div', 'foot');
  readonly #scope: MessageScope;
  readonly #message: HTMLElement;
  readonly #copy: HTMLElement;
  readonly #more: HTMLElement;
  #copyWords = '';
  #acts: MessageActions | undefined;
  #disposed = false;

  /** `message` is the box that the foot is put into. */
  constructor(scope: MessageScope, message: HTMLElement) {
    this.#scope = scope;
    this.#message = message;
    this.#copy = createButton('', () => {
      copyText(this.#copy, messageMarkdown(scope.message), scope.context.locale.text('copied'));
    });
    this.#copy.classList.add('copy');
    message.append(this.node);
    const { edit, regenerate, switchBranch: navigate, openMenu } = scope.context.actions;
    this.#more = createButton('', () => openMenu?.(scope.message.key, this.#more));
    this.#more.classList.add('more');
    this.#more.ariaHasPopup = 'menu';
    this.#more.ariaExpanded = 'false';
    render(renderIcon('more'), this.#more);
    if (openMenu) {
      this.node.append(this.#more);
      message.classList.add('able');
    }
    if (!navigate && !(scope.message.role === 'user' ? edit : regenerate)) return;
    // The place is there before the acts are, so that nothing moves when they come.
    message.classList.add('able');
    lazyMessageActions.whenLoaded(this.#addActs);
    // Without them messages can be read; the next one tries again.
    lazyMessageActions.load().catch(() => undefined);
  }

  readonly render = (): void => {
    const { live, context } = this.#scope;
    this.#more.hidden = live;
    this.#more.title = context.locale.text('messageMore');
    this.#drawCopy();
    this.#acts?.render();
  };

  dispose(): void {
    this.#disposed = true;
    this.#acts?.dispose();
  }

  readonly #addActs = (): void => {
    if (!lazyMessageActions.value || this.#disposed) return;
    this.#acts = new lazyMessageActions.value.MessageActions(this.#scope, this.#message, this.node);
    this.#acts.render();
  };

  /** The answer can be taken along when it is whole. */
  #drawCopy(): void {
    const { message, context, live } = this.#scope;
    const isWhole = !live && message.role === 'assistant' && hasMarkdown(message);
    const words = isWhole ? context.locale.text('copyAnswer') : '';
    if (words === this.#copyWords) return;
    this.#copy.textContent = this.#copyWords = words;
    if (words) this.node.prepend(this.#copy);
    else this.#copy.remove();
  }
}

import { type ReactiveController, css } from 'lit';
import { element } from '../../dom/element.js';
import { EnterKey } from '../../dom/enter-key.js';
import type { LazyModule } from '../../dom/lazy-module.js';
import type { UbikError } from '../../errors.js';
import { composerStrings } from '../../locales/en-composer.js';
import { addDefaultStrings } from '../../locales/locale.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import { adoptSheets } from '../styles/styles.js';
import { lazyViews } from '../transcript/lazy-views.js';
import type { ComposerContext } from './composer-context.js';
import { InputHistory } from './input-history.js';
import { FollowUpList } from './follow-up-list.js';
import { KeyboardInset } from './keyboard-inset.js';
import { CharacterCounter } from './character-counter.js';
import { LongPaste } from './long-paste.js';
import { findRecognition } from './speech-recognition.js';
import type { Dictation } from './dictation.js';
import type { SuggestionPopup } from './suggestion-popup.js';
import type { LazyComposerTools } from './lazy-composer-tools.js';

/** Styles of the composer tools: character counter, follow-up questions, button of the dictation, inset for the virtual keyboard. */
const composerToolsStyles = css`
  .ubik {
    padding-block-end: var(--_keyboard, 0);
  }
  .count {
    align-self: center;
    margin-inline: calc(0.25 * var(--_ubik-rem));
    font-variant-numeric: tabular-nums;
    &:empty {
      display: none;
    }
    &[data-state='over'] {
      color: var(--_danger);
      font-weight: 600;
    }
  }
  .follow-ups {
    display: flex;
    flex-wrap: wrap;
    gap: calc(0.375 * var(--_ubik-rem));
    /* Many or long questions must not push the field out of a small window. The padding has room for focus rings. */
    max-height: min(calc(14 * var(--_ubik-rem)), 25dvh);
    margin: calc(-0.25 * var(--_ubik-rem)) calc(-0.25 * var(--_ubik-rem)) 0;
    padding: calc(0.25 * var(--_ubik-rem)) calc(0.25 * var(--_ubik-rem))
      calc(0.5 * var(--_ubik-rem));
    overflow: hidden auto;
    overscroll-behavior: contain;
    .quiet {
      text-align: start;
    }
  }
  .beside:empty {
    display: none;
  }
  .beside button {
    color: var(--_muted);
    &[aria-pressed='true'] {
      background: var(--_tint);
      color: var(--_danger);
    }
  }
`;

addDefaultStrings(composerStrings);

/** The module for suggestions after `/` and `@`. */
export const lazySuggestions = createLazyModule(() => import('./suggestion-popup.js'));

/** The module for dictation. */
export const lazyDictation = createLazyModule(() => import('./dictation.js'));

/**
 * The tools of a composer that are not needed to render it: character counter, input history, long pastes, follow-up questions, inset for the
 * virtual keyboard, details of errors. Loaded by `LazyComposerTools`. Suggestions and dictation are loaded when the host page offers them.
 */
export class ComposerTools implements ReactiveController {
  readonly #status = element('p', 'hidden');
  readonly #enter = new EnterKey();
  readonly #history: InputHistory;
  readonly #counter: CharacterCounter;
  readonly #followUps: FollowUpList;
  readonly #inset: KeyboardInset;
  readonly #context: ComposerContext;
  #dictation: Dictation | undefined;
  #suggestions: SuggestionPopup | undefined;
  /** The modules that were requested since the field got the focus. */
  readonly #requested = new Set<unknown>();
  /** The reason of the failed action that is shown below the field, and its details; null when no details are shown. */
  #error: { readonly message: string; readonly details: HTMLElement } | null = null;

  constructor(composer: LazyComposerTools) {
    const { host, field, files } = composer;
    const { renderRoot } = host.element;
    const context = (this.#context = { host, field, announce: this.#announce });
    const above = element('div');
    adoptSheets(renderRoot, [composerToolsStyles]);
    this.#status.role = 'status';
    this.#history = new InputHistory(context);
    this.#counter = new CharacterCounter(context);
    this.#followUps = new FollowUpList(context, above);
    this.#inset = new KeyboardInset(host.element);
    composer.validate = (text) => this.#counter.validate(text);
    composer.describeError = (error, reason) => void this.#showErrorDetails(error, reason);
    renderRoot.querySelector('.field')?.before(above);
    renderRoot.querySelector('.field > .send')?.before(this.#counter.node);
    renderRoot.querySelector('.below')?.prepend(this.#status);
    if (field.node) this.#listen(field.node, new LongPaste(context, files));
  }

  hostConnected(): void {
    this.#inset.start();
  }

  hostDisconnected(): void {
    this.#inset.stop();
    this.#suggestions?.close();
    this.#followUps.stop();
    this.#dictation?.stop();
  }

  hostUpdated(): void {
    // Before the counter, whose announcement it would clear: text that ends dictation may reach the limit.
    this.#dictation?.update();
    this.#counter.update();
    // An update that was requested before the element was removed must not call the source again.
    if (this.#context.host.element.isConnected) this.#followUps.update();
    this.#updateErrorDetails();
    const { speech, commands, mentions } = this.#context.host.element;
    if (!this.#dictation && speech && findRecognition()) this.#loadDictation();
    if (!this.#suggestions && (commands ?? mentions)) this.#loadSuggestions();
  }

  /** Recalls the user's last message. */
  recallMessage(): void {
    this.#history.recallLast();
  }

  /**
   * Shows the service's code of an error below the reason until the reason is removed. A view that cannot be loaded is ignored, because the
   * reason is complete without the code.
   */
  async #showErrorDetails({ serviceError }: UbikError, message: string): Promise<void> {
    if (!serviceError?.code) return;
    const { code } = serviceError;
    const loading = lazyViews.load().then(({ lazyErrorDetails }) => lazyErrorDetails.load());
    const loaded = await loading.catch(() => null);
    if (!loaded) return;
    const details = new loaded.ErrorDetails(this.#context.host.context);
    details.render({ message, code, details: null });
    this.#error?.details.remove();
    this.#error = { message, details: details.node };
    this.#updateErrorDetails();
  }

  #updateErrorDetails(): void {
    if (!this.#error) return;
    const { message, details } = this.#error;
    // Found by its text, because dictation shows its errors there, too.
    const shown = this.#context.host.element.renderRoot.querySelectorAll('.below > .error-text');
    const reason = [...shown].find(({ textContent }) => textContent.trim() === message);
    if (reason) reason.after(details);
    else {
      details.remove();
      this.#error = null;
    }
  }

  /** Calls `use` with a module. One that cannot be loaded is requested again after the field has got the focus, not with each update. */
  #load<M>(module: LazyModule<M>, use: (loaded: M) => void): void {
    if (this.#requested.has(module)) return;
    this.#requested.add(module);
    module.load().then(use, this.#context.host.context.report);
  }

  #loadDictation(): void {
    this.#load(lazyDictation, ({ Dictation }) => {
      this.#dictation ??= new Dictation(this.#context, findRecognition);
      this.#dictation.update();
    });
  }

  #loadSuggestions(): void {
    const { field } = this.#context;
    const textBefore = field.text;
    this.#load(lazySuggestions, ({ SuggestionPopup }) => {
      if (this.#suggestions) return;
      const popup = (this.#suggestions = new SuggestionPopup(this.#context));
      for (const type of ['input', 'compositionend', 'click', 'keyup', 'blur'] as const) {
        field.node?.addEventListener(type, popup.handleEvent);
      }
      // The user has typed while the code was loading.
      if (field.text !== textBefore) popup.handleEvent(new InputEvent('input'));
    });
  }

  #listen(node: HTMLTextAreaElement, paste: LongPaste): void {
    // Captures the event before the listener of the field, so that a key that is handled here does not send.
    node.addEventListener('keydown', this.#handleKey, true);
    node.addEventListener('beforeinput', this.#handleKey as EventListener, true);
    node.addEventListener('focus', () => {
      this.#requested.clear();
    });
    node.addEventListener('keydown', paste.handleKey);
    node.addEventListener('paste', paste.handlePaste);
    node.addEventListener('compositionend', this.#enter.handleCompositionEnd);
  }

  readonly #announce = (text: string): void => {
    this.#status.textContent = text;
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    const isSendKey = this.#enter.isSendKey(event);
    const isInput = event.type === 'beforeinput';
    if (isInput ? !isSendKey : this.#enter.isComposing(event)) return;
    const key = isInput ? new KeyboardEvent('keydown', { key: 'Enter' }) : event;
    const handlers = [this.#suggestions, this.#history, this.#dictation];
    if (!handlers.some((handler) => handler?.handleKey(key))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
}

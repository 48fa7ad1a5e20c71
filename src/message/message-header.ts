import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../dom/element.js';
import type { Attachment } from '../model/message.js';
import { renderContentText } from './content-lang.js';
import { createLazyModule } from './create-lazy-module.js';
import type { MessageScope } from './part-view.js';
import type { RestoreOriginNote } from './restore-origin.js';

/** The chunk that shows from which checkpoint an answer was restored. */
export const lazyRestoreOrigin = createLazyModule(() => import('./restore-origin.js'));

/**
 * The start of a message: the checkpoint from which its branch was restored, with the hint of the user and buttons for the previous branch;
 * the title of the context; and the attachments.
 */
export class MessageHeader {
  readonly node = element('div', 'message-header');
  readonly #scope: MessageScope;
  #origin: RestoreOriginNote | undefined;
  #isOriginRequested = false;

  constructor(scope: MessageScope) {
    this.#scope = scope;
    this.render();
  }

  render(): void {
    const { message } = this.#scope;
    const { attachments, contextTitle } = message;
    render(
      html`${this.#renderOrigin()} ${contextTitle ? this.#renderContext(contextTitle) : nothing}
      ${this.#renderAttachments(attachments)}`,
      this.node,
    );
  }

  #renderContext(title: string): TemplateResult {
    return html`<p class="chips">
      <span class="chip">${renderContentText(title, this.#scope.context.locale)}</span>
    </p>`;
  }

  #renderAttachments(attachments: readonly Attachment[]): TemplateResult | typeof nothing {
    if (attachments.length === 0) return nothing;
    const { locale } = this.#scope.context;
    return html`<ul class="chips" aria-label=${locale.text('attachments')}>
      ${attachments.map(({ name }) => html`<li class="chip">${renderContentText(name, locale)}</li>`)}
    </ul>`;
  }

  /** Renders where a restored answer comes from. The chunk for that is loaded with the first such answer. */
  #renderOrigin(): TemplateResult | typeof nothing {
    if (!this.#scope.message.restoredFrom) return nothing;
    const { value } = lazyRestoreOrigin;
    if (value) {
      this.#origin ??= new value.RestoreOriginNote(this.#scope, this.node, () => {
        this.render();
      });
      return this.#origin.render();
    }
    if (!this.#isOriginRequested) {
      this.#isOriginRequested = true;
      lazyRestoreOrigin.whenLoaded(() => {
        this.render();
      });
      // The answer can be read without it; the next restored answer tries to load it again.
      lazyRestoreOrigin.load().catch(() => undefined);
    }
    return nothing;
  }
}

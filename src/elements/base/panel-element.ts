import { html, nothing, type CSSResult, type LitElement } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import { isUbikError } from '../../errors.js';
import type { Deferred } from '../../dom/deferred.js';
import type { Change } from '../../model/change.js';
import { explainCode } from '../../message/explain-error.js';
import { adoptSheets } from '../styles/styles.js';
import type { ConnectedHost } from './connected-host.js';
import { ConversationElement } from './conversation-element.js';

/** What an element beside the messages shows, in a file of its own that is fetched when the element is first in a page. */
export interface Panel {
  readonly node: HTMLElement;
  /** Its own style sheet, beside those that all elements share. */
  readonly styles: CSSResult;
  /** There is another conversation, or a part of it was missed: what is shown is to be read anew. */
  connected(conversation: StreamController): void;
  /** The shown thread has changed. */
  changed?(change: Change): void;
  /** Draws everything again: properties, the language or the conversation's state have changed. */
  update(): void;
  /** Gives back what it holds beyond its nodes. */
  dispose?(): void;
}

/** A file with the inside of an element. */
export interface PanelFile<E extends LitElement, P extends Panel> {
  readonly createPanel: (host: ConnectedHost<E>) => P;
}

/** An element beside the messages whose inside is fetched with it. What it is called with before that is made up for. */
export abstract class PanelElement<P extends Panel = Panel> extends ConversationElement {
  /** The file with the inside. */
  protected abstract readonly file: Deferred<PanelFile<this, P>>;
  /** The inside, once it is there. */
  protected panel: P | undefined;
  #failure = '';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.panel?.dispose?.();
  }

  protected override connected(conversation: StreamController): void {
    if (this.panel) this.panel.connected(conversation);
    else void this.#load();
  }

  protected override changed(change: Change): void {
    this.panel?.changed?.(change);
    super.changed(change);
  }

  protected override renderContent(): unknown {
    if (this.panel) {
      this.panel.update();
      return this.panel.node;
    }
    const { locale } = this.context;
    if (!this.#failure) return nothing;
    return html`<p class="line">
      <span class="words" dir="auto">${explainCode(this.#failure, locale)}</span>
      <button class="quiet" type="button" @click=${this.#load}>${locale.text('retry')}</button>
    </p>`;
  }

  readonly #load = async (): Promise<void> => {
    this.#failure = '';
    try {
      const { createPanel } = await this.file.load();
      this.panel ??= createPanel(this.host);
      adoptSheets(this.renderRoot, [this.panel.styles]);
      if (this.conversation) this.panel.connected(this.conversation);
    } catch (error) {
      if (!isUbikError(error)) throw error;
      this.#failure = error.code;
      this.context.report(error);
    }
    this.refresh();
  };
}

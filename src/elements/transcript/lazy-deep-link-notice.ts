import { element } from '../../dom/element.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { DeepLinkNotice } from './deep-link-notice.js';
import type { TranscriptView } from './transcript-view.js';

const lazyNotice = createLazyModule(() => import('./deep-link-notice.js'));

/** The notice about a linked message that is not shown. Its code is loaded with the first such message. */
export class LazyDeepLinkNotice {
  readonly node = element('div', 'deep-link');
  readonly #host: ConnectedHost;
  readonly #transcript: TranscriptView;
  #notice: DeepLinkNotice | undefined;
  #missingId: string | null = null;

  constructor(host: ConnectedHost, transcript: TranscriptView) {
    this.#host = host;
    this.#transcript = transcript;
    this.node.role = 'status';
    transcript.pendingReveal.onMissing = this.#handleMissing;
  }

  /** Renders the notice again, for example in another language. */
  redraw(): void {
    this.#notice?.render();
  }

  readonly #handleMissing = (id: string | null): void => {
    this.#missingId = id;
    if (id === null) this.#notice?.close();
    else void this.#host.attempt(this.#open(id), this.#host.context.report);
  };

  async #open(id: string): Promise<void> {
    const { DeepLinkNotice } = await lazyNotice.load();
    if (this.#missingId !== id) return;
    this.#notice ??= new DeepLinkNotice(this.#host, this.node, (found) => {
      this.#transcript.reveal(found);
    });
    this.#notice.open(id);
  }
}

import { element } from '../../dom/element.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { LinkNotice } from './link-notice.js';
import type { TranscriptView } from './transcript-view.js';

const file = createLazyModule(() => import('./link-notice.js'));

/** What is said of a message that the page names and that is not among those shown. It is fetched with the first of them. */
export class LinkedMessage {
  readonly node = element('div', 'linked');
  readonly #host: ConnectedHost;
  readonly #transcript: TranscriptView;
  #notice: LinkNotice | undefined;
  #missing: string | null = null;

  constructor(host: ConnectedHost, transcript: TranscriptView) {
    this.#host = host;
    this.#transcript = transcript;
    this.node.role = 'status';
    transcript.wanted.missing = this.#miss;
  }

  /** Writes all words again. */
  redraw(): void {
    this.#notice?.draw();
  }

  readonly #miss = (id: string | null): void => {
    this.#missing = id;
    if (id === null) this.#notice?.close();
    else void this.#host.attempt(this.#tell(id), this.#host.context.report);
  };

  async #tell(id: string): Promise<void> {
    const { LinkNotice } = await file.load();
    if (this.#missing !== id) return;
    this.#notice ??= new LinkNotice(this.#host, this.node, (found) => {
      this.#transcript.reveal(found);
    });
    this.#notice.open(id);
  }
}

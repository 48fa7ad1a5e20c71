import { nothing } from 'lit';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { DebugPanel, DebuggedHost } from './debug-panel.js';

const lazyPanel = createLazyModule(() => import('./debug-panel.js'));

/** The panel of a chat with the attribute `debug`. Its code is loaded with the first such chat. */
export class LazyDebugPanel {
  readonly #host: DebuggedHost;
  #panel: DebugPanel | undefined;
  /** Whether the chat has to wait with its first request, so that the panel sees the result. Undefined before it is loaded. */
  isLoading: boolean | undefined;

  constructor(host: DebuggedHost) {
    this.#host = host;
  }

  /** Renders the panel, and loads it first. */
  render(): unknown {
    if (!this.#host.element.debug) return nothing;
    if (this.isLoading === undefined) void this.#load();
    return this.#panel?.render();
  }

  async #load(): Promise<void> {
    this.isLoading = true;
    // Without the panel, the chat works as usual.
    await this.#host.attempt(
      lazyPanel.load().then(({ DebugPanel }) => {
        this.#panel = new DebugPanel(this.#host);
      }),
      this.#host.context.report,
    );
    this.isLoading = false;
    this.#host.requestUpdate();
  }
}

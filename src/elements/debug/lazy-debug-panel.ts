import { nothing } from 'lit';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { DebugPanel, DebuggedHost } from './debug-panel.js';

const lazyPanel = createLazyModule(() => import('./debug-panel.js'));

/** The panel of a chat with the attribute `debug`. Its code is loaded with the first such chat. */
export class LazyDebugPanel {
  readonly #host: DebuggedHost;
  #panel: DebugPanel | undefined;
  /**
   * Whether the panel is loading. The chat connects only afterwards, so that the panel observes the result of the chat's first request.
   * Undefined before the loading begins.
   */
  isLoading: boolean | undefined;

  constructor(host: DebuggedHost) {
    this.#host = host;
  }

  /** Renders the panel; nothing while it is loading. The first call loads it. */
  render(): unknown {
    if (!this.#host.element.debug) return nothing;
    if (this.isLoading === undefined) void this.#load();
    return this.#panel?.render();
  }

  async #load(): Promise<void> {
    this.isLoading = true;
    // If the panel cannot be loaded, the chat works without it.
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

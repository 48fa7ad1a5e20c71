import type { LitElement, ReactiveController } from 'lit';
import type { PartContext, RendererRule } from '../../message/parts/renderer-types.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { lazyViews } from '../transcript/lazy-views.js';
import type { PageTools } from './page-tool-types.js';

/** An element whose host page has tools. */
export type PageToolsHost = ConnectedHost<LitElement & { readonly tools: PageTools | null }>;

/** Loads the module that executes the tools, through the views, without which no call is shown anyway. */
const loadPageTools = async () => (await lazyViews.load()).lazyPageTools.load();

/** Executes the calls of tools that the host page has set, and shows them. The code for that is loaded once the thread has messages. */
export class LazyPageTools implements ReactiveController {
  readonly #host: PageToolsHost;

  constructor(host: PageToolsHost) {
    this.#host = host;
    host.element.addController(this);
  }

  /** Sets the rule before the chat connects, because a connected chat may show its messages at once. */
  hostUpdate(): void {
    if (this.#host.element.tools) this.#host.context.pageToolRule ??= this.#rule;
  }

  hostUpdated(): void {
    const { context, controller, element } = this.#host;
    if (!element.tools || !controller?.thread?.head) return;
    loadPageTools().then(({ startCalls }) => {
      startCalls(this.#host);
    }, context.report);
  }

  /** Shows the calls of tools of the page instead of the form of the built-in view, so that the user cannot answer instead of the tool. */
  readonly #rule: RendererRule = {
    kind: 'request-activity',
    renderer: {
      root: 'shadow',
      mount: async (box: HTMLElement, context: PartContext<'request-activity'>) =>
        (await loadPageTools()).mountCall(this.#host, box, context),
    },
  };
}

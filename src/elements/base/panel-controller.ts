import { html, nothing, type CSSResult, type LitElement, type ReactiveController } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import type { LazyModule } from '../../dom/lazy-module.js';
import type { Change } from '../../model/change.js';
import { explainCode } from '../../message/explain-error.js';
import { adoptSheets } from '../styles/styles.js';
import type { ElementContext } from './view-context.js';
import type { ConnectedHost } from './connected-host.js';
import {
  ControllerConnection,
  type ConnectedElement,
  type ConnectionHooks,
} from './controller-connection.js';

/** The content of a companion element. Its code is loaded when the first such element connects to a controller. */
export interface Panel {
  readonly node: HTMLElement;
  /** The style sheet of the panel, in addition to those that all elements share. */
  readonly styles: CSSResult;
  /** Called when another controller was connected, or when changes were missed: read and render everything. */
  handleConnect(controller: StreamController): void;
  /** Called for a change of the shown thread. */
  handleChange?(change: Change): void;
  /** Called when properties, the locale or the state of the controller have changed: render everything again. */
  update(): void;
  /** Releases timers, observers and subscriptions. Called whenever the element is removed from the document, or has no controller any more. */
  dispose?(): void;
}

/** The module that contains the panel of an element. */
export interface PanelModule<E extends LitElement, P extends Panel> {
  readonly createPanel: (host: ConnectedHost<E>) => P;
}

/** Connects an element to a controller, loads its panel and renders it. Renders an error with a Retry button when loading fails. */
export class PanelController<
  E extends ConnectedElement,
  P extends Panel = Panel,
> implements ReactiveController {
  /** The panel; undefined until it is loaded. */
  panel: P | undefined;
  readonly #module: LazyModule<PanelModule<E, P>>;
  readonly #host: ControllerConnection<E>;
  /** Code of the error with which loading the panel has failed; empty when it has not. */
  #failure = '';
  /** Whether the element was removed while the code of its panel was loading, so that the panel is connected when the element is added again. */
  #isConnectDue = false;

  /**
   * By default, a change is passed to the panel; it updates the panel in the next frame unless it only appends text, and so does a notice.
   * `hooks` replace this.
   */
  constructor(
    element: E,
    context: ElementContext,
    module: LazyModule<PanelModule<E, P>>,
    hooks: Pick<ConnectionHooks, 'onChange' | 'onNotice'> = {},
  ) {
    this.#module = module;
    this.#host = new ControllerConnection(element, context, {
      onConnect: (controller) => {
        if (!controller) this.hostDisconnected();
        else if (this.panel) this.#connect();
        else void this.#load();
        this.#host.requestUpdate();
      },
      onChange: (change) => {
        this.panel?.handleChange?.(change);
        if (change.type !== 'text') context.frames.schedule(this.#updateInFrame);
      },
      onNotice: () => {
        context.frames.schedule(this.#updateInFrame);
      },
      ...hooks,
    });
    element.addController(this);
  }

  /** Renders within the time budget of the frame, because some panels list all messages of a thread of any length. */
  readonly #updateInFrame = (): void => {
    if (this.#host.controller) this.panel?.update();
  };

  /** Renders the panel; nothing while it is loading, and without a controller. */
  render(): unknown {
    if (!this.#host.controller) return nothing;
    if (this.panel) {
      this.panel.update();
      return this.panel.node;
    }
    const { locale } = this.#host.context;
    if (!this.#failure) return nothing;
    return html`<p class="line">
      <span class="words" dir="auto">${explainCode(this.#failure, locale)}</span>
      <button class="quiet" type="button" @click=${this.#load}>${locale.text('retry')}</button>
    </p>`;
  }

  hostUpdated(): void {
    if (this.#isConnectDue) this.#connect();
  }

  hostDisconnected(): void {
    this.panel?.dispose?.();
  }

  #connect(): void {
    const { controller, element } = this.#host;
    this.#isConnectDue = !element.isConnected;
    if (controller && !this.#isConnectDue) this.panel?.handleConnect(controller);
  }

  readonly #load = async (): Promise<void> => {
    const { element, context } = this.#host;
    this.#failure = '';
    const loading = this.#module.load().then(({ createPanel }) => {
      this.panel ??= createPanel(this.#host);
      adoptSheets(element.renderRoot, [this.panel.styles]);
      this.#connect();
    });
    await this.#host.attempt(loading, (error) => {
      this.#failure = error.code;
      context.report(error);
    });
    this.#host.requestUpdate();
  };
}

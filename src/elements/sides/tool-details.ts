import { render } from 'lit';
import { isRendered } from '../../dom/focusable.js';
import type { ViewContext } from '../../message/part-view.js';
import { shownBranch } from '../../message/thread-selectors.js';
import type { ToolDetailsView } from '../../message/tool/tool-details-view.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { lazyViews } from '../transcript/lazy-views.js';
import { DetailsArea } from './details-area.js';

/** The details of each element, created when the first tool call is opened. */
const openedDetails = new WeakMap<ConnectedHost, ToolDetails>();

/**
 * Opens the details of a tool call beside the messages, replacing those of another call, unless the button is no longer shown. Rejects when
 * the code of the details cannot be loaded.
 */
export async function openToolDetails(
  host: ConnectedHost,
  message: Key,
  tool: Key,
  button: HTMLElement,
): Promise<void> {
  const { lazyToolDetailsView } = await lazyViews.load();
  const { ToolDetailsView: View } = await lazyToolDetailsView.load();
  const details = openedDetails.get(host) ?? new ToolDetails(host);
  openedDetails.set(host, details);
  const found = details.findMessage(message);
  if (found && isRendered(button)) details.open(new View(found, tool, details.context), button);
}

/**
 * The details of one tool call. They are updated with the call, and close when its message is no longer shown or no longer contains the
 * call.
 */
class ToolDetails {
  /**
   * The context of the element with another `prefix`: if the host page renders the same part here and in the message, each needs a slot with
   * a different name.
   */
  readonly context: ViewContext;
  readonly #host: ConnectedHost;
  readonly #area: DetailsArea;
  #view: ToolDetailsView | null = null;
  #unsubscribe: (() => void) | undefined;

  constructor(host: ConnectedHost) {
    this.#host = host;
    this.context = Object.create(host.context, {
      prefix: { value: host.context.createId() },
    }) as ViewContext;
    this.#area = new DetailsArea(host, {
      onClose: () => {
        this.#release();
      },
      onLocaleChange: () => {
        this.#view?.redraw();
        this.#render();
      },
    });
    this.#area.node.classList.add('tool-details');
    this.#area.node.part.add('tool-details');
    host.element.addController({
      hostDisconnected: this.#area.close,
      // Another controller or another `head` removes the message without a change to listen to.
      hostUpdated: () => {
        this.#closeIfNotShown();
      },
    });
  }

  /** Returns a message of the current thread; undefined when it is not on the shown branch. */
  findMessage(key: Key): Message | undefined {
    const { controller, element } = this.#host;
    const thread = controller?.thread;
    // A transcript may show another branch than the current one.
    const { head } = element as { readonly head?: Key | null };
    const path = thread ? shownBranch(thread, head ?? thread.head) : [];
    return path.find((message) => message.key === key);
  }

  open(view: ToolDetailsView, button: HTMLElement): void {
    this.#release();
    this.#view = view;
    this.#render();
    this.#area.open(button);
    view.adoptStyles();
    this.#area.content.scrollTop = 0;
    this.#unsubscribe = this.#host.controller?.subscribe({ thread: true }, this.#handleChange);
  }

  #render(): void {
    const { label = '', node } = this.#view ?? {};
    render([this.#area.renderHead(label), node], this.#area.content);
  }

  #release(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#view?.dispose();
    this.#view = null;
  }

  #closeIfNotShown(): void {
    const { message } = this.#view ?? {};
    // A message of another controller can have the same key.
    if (message && this.findMessage(message.key)?.parts !== message.parts) this.#area.close();
  }

  readonly #handleChange = (change: Change): void => {
    const view = this.#view;
    if (!view) return;
    const { key } = view.message;
    const message = this.#host.controller?.thread?.messages.get(key);
    if (!message) return this.#area.close();
    if ('message' in change && change.message === key) {
      if (!view.apply(change, message)) this.#area.close();
      else if (change.type !== 'text') this.#render();
    }
    if (change.type === 'thread' || change.type === 'message') this.#closeIfNotShown();
  };
}

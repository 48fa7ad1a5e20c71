import type { ControllerNotice } from '../../controller/controller-types.js';
import {
  UbikChatClosedEvent,
  UbikChatCloseEvent,
  UbikChatOpenedEvent,
  UbikChatOpenEvent,
} from '../../events/index.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { ChatWindow, WindowHost } from './chat-window.js';

/** What draws the button and the window. */
const deferredWindow = createLazyModule(() => import('./chat-window.js'));

/** A chat that may stand in a window of its own. What draws that is fetched when the page asks for it. */
export class LazyWindow {
  readonly #host: ConnectedHost<WindowHost>;
  #window: ChatWindow | undefined;
  #isOpen = false;
  #wasOpen = false;

  constructor(host: ConnectedHost<WindowHost>) {
    this.#host = host;
  }

  /** Whether the chat need not connect to anything yet: nobody has opened it. */
  get isAsleep(): boolean {
    this.#wasOpen ||= this.#host.element.open;
    return this.#isWindow && !this.#wasOpen;
  }

  /** Opens or closes the window as the user does: the host page may cancel it. */
  toggle(open: boolean): void {
    const { element } = this.#host;
    if (open === element.open) return;
    if (element.dispatchEvent(open ? new UbikChatOpenEvent() : new UbikChatCloseEvent())) {
      element.open = open;
    }
  }

  /** The element has been drawn. */
  update(): void {
    const { element, context } = this.#host;
    if (element.open !== this.#isOpen) {
      this.#isOpen = element.open;
      element.dispatchEvent(element.open ? new UbikChatOpenedEvent() : new UbikChatClosedEvent());
    }
    if (!this.#isWindow) {
      this.#window?.dispose();
      this.#window = undefined;
    } else if (this.#window) this.#window.update();
    else {
      deferredWindow.load().then(({ ChatWindow }) => {
        if (this.#isWindow) this.#window ??= new ChatWindow(this.#host);
      }, context.report);
    }
  }

  /** Something has happened in the conversation. */
  noticed(notice: ControllerNotice): void {
    this.#window?.noticed(notice);
  }

  /** The chat is disconnected. */
  disconnected(): void {
    this.#window?.disconnected();
  }

  get #isWindow(): boolean {
    return /^(bubble|panel)$/.test(this.#host.element.layout);
  }
}

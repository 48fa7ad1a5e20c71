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

/** The module that renders launcher and window. */
export const chatWindowModule = createLazyModule(() => import('./chat-window.js'));

/** Opens and closes the window of a chat with the layout `bubble` or `panel`. Its code is loaded with the first such layout. */
export class LazyChatWindow {
  readonly #host: ConnectedHost<WindowHost>;
  #window: ChatWindow | undefined;
  /** Whether the chat had an open window at the last update. */
  #isOpen = false;
  #wasOpened = false;
  /** Whether the code was requested. After a failure, it is requested again when the window is opened or closed, not with each update. */
  #isRequested = false;

  constructor(host: ConnectedHost<WindowHost>) {
    this.#host = host;
  }

  /** Whether the chat has a window that was never opened, so that it needs no connection yet. */
  get isNeverOpened(): boolean {
    this.#wasOpened ||= this.#host.element.open;
    return this.#hasWindow && !this.#wasOpened;
  }

  /** Opens or closes the window as the user does, so that the host page can cancel it. Without a window, only sets `open`. */
  toggle(open: boolean): void {
    const { element } = this.#host;
    if (open === element.open) return;
    const event = open ? new UbikChatOpenEvent() : new UbikChatCloseEvent();
    if (!this.#hasWindow || element.dispatchEvent(event)) element.open = open;
  }

  /** Called after each update of the element: reports that the window was opened or closed, and creates, updates or removes it. */
  update(): void {
    const { element, context } = this.#host;
    const isOpen = this.#hasWindow && element.open;
    if (isOpen !== this.#isOpen) {
      this.#isOpen = isOpen;
      this.#isRequested = false;
      element.dispatchEvent(isOpen ? new UbikChatOpenedEvent() : new UbikChatClosedEvent());
    }
    if (!this.#hasWindow) {
      this.#window?.dispose();
      this.#window = undefined;
      this.#isRequested = false;
    } else if (this.#window) this.#window.update();
    else if (!this.#isRequested) {
      this.#isRequested = true;
      chatWindowModule.load().then(({ ChatWindow }) => {
        if (this.#hasWindow) this.#window ??= new ChatWindow(this.#host);
      }, context.report);
    }
  }

  /** Forwards a notice of the controller. */
  handleNotice(notice: ControllerNotice): void {
    this.#window?.handleNotice(notice);
  }

  /** Called when the element is removed from the document. */
  handleDisconnect(): void {
    this.#window?.handleDisconnect();
  }

  get #hasWindow(): boolean {
    return /^(bubble|panel)$/.test(this.#host.element.layout);
  }
}

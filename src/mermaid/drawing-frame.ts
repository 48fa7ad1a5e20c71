import type { DrawRequest, FrameReply, FrameStart } from './drawing.js';

/** Where the files are; addresses relative to the page. */
export interface FrameOptions {
  readonly script: string;
  readonly frame: string;
}

/** How long the frame may take to load, and how long Mermaid may then take to load, in ms. */
const LOAD_TIMEOUT = 60_000;
/** How long Mermaid may take to draw one diagram, in ms. */
const DRAW_TIMEOUT = 10_000;
/** How long a loaded frame may take to reply, in ms. A page that a server sends in place of a missing file never replies. */
const START_TIMEOUT = 5000;
/** How often it is checked whether the frame is still in its place, in ms. No event is dispatched when it is removed or moved. */
const CHECK_INTERVAL = 500;

/**
 * The hidden frame in which Mermaid runs. It is sandboxed without an origin of its own, so that code that a source might smuggle through
 * Mermaid reaches neither the page nor its data, and the styles of page and diagram do not affect each other. Draws one diagram at a time.
 */
export class DrawingFrame {
  readonly #options: FrameOptions;
  /** The window of this module. The window of a text, such as a picture-in-picture window, may be closed, and then its timers never fire. */
  readonly #view: Window = window;
  #frame: HTMLIFrameElement | undefined;
  /** The window of the frame. */
  #window: Window | null = null;
  #port: MessagePort | undefined;
  /** Settles when the last requested diagram is drawn. The next one waits for it. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: FrameOptions) {
    this.#options = options;
  }

  /** Draws a diagram for an element. Resolves to undefined when drawing takes too long. Rejects when the files cannot be loaded or used. */
  draw(request: DrawRequest, near: Element): Promise<FrameReply | undefined> {
    const drawing = this.#last.then(() => this.#draw(request, near));
    this.#last = drawing.catch(() => undefined);
    return drawing;
  }

  async #draw(request: DrawRequest, near: Element): Promise<FrameReply | undefined> {
    const port = await this.#open(near);
    if (!port) return undefined;
    const reply = this.#waitForReply(port, DRAW_TIMEOUT);
    port.postMessage(request);
    const received = await reply;
    if (received !== undefined) return received;
    // A frame that was removed or moved cannot reply, so the diagram is drawn in a new one.
    return this.#close() ? undefined : this.#draw(request, near);
  }

  /** Opens the frame, unless it is open. Resolves to undefined when the element is in no window. */
  async #open(near: Element): Promise<MessagePort | undefined> {
    if (!near.ownerDocument.defaultView) return undefined;
    // In a frame without a box, texts have no size.
    if (this.#port && this.#isThere && hasBox(this.#frame)) return this.#port;
    this.#close();
    const frame = createFrame(near.ownerDocument);
    const channel = new MessageChannel();
    this.#frame = frame;
    this.#port = channel.port1;
    const base = near.ownerDocument.baseURI;
    frame.src = new URL(this.#options.frame, base).href;
    const start: FrameStart = { script: new URL(this.#options.script, base).href };
    placeFrame(frame, near);
    this.#window = frame.contentWindow;
    const refused = watchPolicy(near.ownerDocument, frame.src);
    const received = await Promise.race([this.#start(start, frame, channel), refused.promise]);
    refused.stop();
    if (typeof received === 'object' && received.kind === 'ready') return channel.port1;
    if (!this.#close()) return this.#open(near);
    throw new Error(explainFailure(received, frame.src, start.script));
  }

  /** Lets the frame load its document and then Mermaid. Resolves to its last reply; to undefined when it does not reply. */
  async #start(
    start: FrameStart,
    frame: HTMLIFrameElement,
    channel: MessageChannel,
  ): Promise<FrameReply | undefined> {
    const isLoaded = await this.#wait<true>(LOAD_TIMEOUT, (end) => {
      frame.onload = () => {
        end(true);
      };
    });
    if (!isLoaded) return undefined;
    // To any origin, because the opaque origin of a sandboxed frame cannot be named.
    frame.contentWindow?.postMessage(start, '*', [channel.port2]);
    const reply = await this.#waitForReply(channel.port1, START_TIMEOUT);
    return reply?.kind === 'started' ? this.#waitForReply(channel.port1, LOAD_TIMEOUT) : reply;
  }

  /** Whether the frame is still in its place. One that was moved has another window, which knows nothing of the port. */
  get #isThere(): boolean {
    const { contentWindow } = this.#frame ?? {};
    return contentWindow != null && contentWindow === this.#window;
  }

  /** Removes the frame. Returns whether it was still in its place. */
  #close(): boolean {
    const isThere = this.#isThere;
    this.#port?.close();
    this.#frame?.remove();
    this.#port = this.#frame = undefined;
    this.#window = null;
    return isThere;
  }

  #waitForReply(port: MessagePort, timeout: number): Promise<FrameReply | undefined> {
    return this.#wait(timeout, (end) => {
      port.onmessage = ({ data }: MessageEvent<FrameReply>) => {
        end(data);
      };
    });
  }

  /** Resolves to the value that `listen` passes to `end`; to undefined after `timeout` ms, or when the frame is no longer in its place. */
  #wait<T>(timeout: number, listen: (end: (value: T) => void) => void): Promise<T | undefined> {
    return new Promise((resolve) => {
      const end = (value?: T): void => {
        this.#view.clearTimeout(timer);
        this.#view.clearInterval(check);
        resolve(value);
      };
      const timer = this.#view.setTimeout(() => {
        end();
      }, timeout);
      const check = this.#view.setInterval(() => {
        if (!this.#isThere) end();
      }, CHECK_INTERVAL);
      listen(end);
    });
  }
}

function createFrame(document: Document): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.setAttribute('aria-hidden', 'true');
  frame.setAttribute('referrerpolicy', 'no-referrer');
  frame.tabIndex = -1;
  // Rendered, because a browser measures no text in a frame without boxes.
  Object.assign(frame.style, {
    position: 'fixed',
    insetBlockStart: '0',
    insetInlineStart: '0',
    inlineSize: '800px',
    blockSize: '600px',
    border: '0',
    visibility: 'hidden',
    pointerEvents: 'none',
    zIndex: '-1',
  });
  return frame;
}

const hasBox = (frame: Element | undefined): boolean => (frame?.getClientRects().length ?? 0) > 0;

/**
 * Places a frame in the outermost shadow root around an element, where it outlives the messages; in the body of the page if the
 * element is hidden or removed.
 */
function placeFrame(frame: HTMLIFrameElement, near: Element): void {
  const { body } = near.ownerDocument;
  let container: HTMLElement | ShadowRoot = body;
  let root = near.getRootNode();
  while (root instanceof ShadowRoot) {
    container = root;
    root = root.host.getRootNode();
  }
  container.append(frame);
  if (!hasBox(frame)) body.append(frame);
}

/** Observes whether the policy of the page refuses the frame: `promise` resolves then, and never otherwise. `stop` ends it. */
function watchPolicy(
  document: Document,
  address: string,
): { readonly promise: Promise<'refused'>; stop(): void } {
  let stop = (): void => undefined;
  const promise = new Promise<'refused'>((resolve) => {
    const listener = ({ blockedURI }: SecurityPolicyViolationEvent): void => {
      if (blockedURI === address) resolve('refused');
    };
    document.addEventListener('securitypolicyviolation', listener);
    stop = () => {
      document.removeEventListener('securitypolicyviolation', listener);
    };
  });
  return { promise, stop };
}

function explainFailure(
  reply: FrameReply | 'refused' | undefined,
  frame: string,
  script: string,
): string {
  if (reply === 'refused') {
    return `Diagrams cannot be drawn: the Content-Security-Policy of the page must allow ${frame} in \`frame-src\`.`;
  }
  if (reply?.kind !== 'unusable') {
    return `Diagrams cannot be drawn: ${frame} did not answer. It must be the file mermaid.html of ubik-elements, served as text/html.`;
  }
  return reply.reason === 'script'
    ? `Diagrams cannot be drawn: ${script} was not loaded or does not define \`mermaid\`. It must be the classic script of Mermaid, such as mermaid.min.js.`
    : `Diagrams cannot be drawn: ${frame} must be served without a Content-Security-Policy that forbids inline styles or requires Trusted Types.`;
}

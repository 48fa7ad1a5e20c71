import type { DrawRequest, FrameReply, FrameStart } from './drawing.js';

/** Where the files are; addresses relative to the page. */
export interface FrameOptions {
  readonly script: string;
  readonly frame: string;
}

/** How long the frame and Mermaid may take to load, and to draw one diagram, in ms. */
const LOAD_TIMEOUT = 60_000;
const DRAW_TIMEOUT = 10_000;
/** How often it is checked whether the frame is still in its place, in ms. No event is dispatched when it is removed or moved. */
const CHECK_INTERVAL = 500;

/**
 * The hidden frame in which Mermaid runs. It is sandboxed without an origin of its own, so that code that a source might smuggle through
 * Mermaid reaches neither the page nor its data, and the styles of page and diagram do not affect each other. Draws one diagram at a time.
 */
export class DrawingFrame {
  readonly #options: FrameOptions;
  #frame: HTMLIFrameElement | undefined;
  /** The window of the frame. */
  #window: Window | null = null;
  #port: MessagePort | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: FrameOptions) {
    this.#options = options;
  }

  /**
   * Draws a diagram for an element. Resolves to undefined when it takes too long. Rejects when the files cannot be loaded or used.
   */
  draw(request: DrawRequest, near: Element): Promise<FrameReply | undefined> {
    const drawing = this.#last.then(() => this.#draw(request, near));
    this.#last = drawing.catch(() => undefined);
    return drawing;
  }

  async #draw(request: DrawRequest, near: Element): Promise<FrameReply | undefined> {
    const view = near.ownerDocument.defaultView;
    if (!view) return undefined;
    const port = await this.#open(near, view);
    const reply = this.#waitForReply(port, view, DRAW_TIMEOUT);
    port.postMessage(request);
    const received = await reply;
    if (received !== undefined) return received;
    return this.#close() ? undefined : this.#draw(request, near);
  }

  async #open(near: Element, view: Window): Promise<MessagePort> {
    // In a frame without a box, texts have no size.
    if (this.#port && this.#isThere && hasBox(this.#frame)) return this.#port;
    this.#close();
    const frame = createFrame(near.ownerDocument);
    const { port1, port2 } = new MessageChannel();
    this.#frame = frame;
    this.#port = port1;
    const { script, frame: address } = this.#options;
    const base = near.ownerDocument.baseURI;
    frame.src = new URL(address, base).href;
    const start: FrameStart = { script: new URL(script, base).href };
    placeFrame(frame, near);
    this.#window = frame.contentWindow;
    frame.onload = () => {
      frame.onload = null;
      // Any origin, because that of a sandboxed frame has no name.
      frame.contentWindow?.postMessage(start, '*', [port2]);
    };
    const refused = watchPolicy(near.ownerDocument, frame.src);
    const reply = this.#waitForReply(port1, view, LOAD_TIMEOUT);
    const received = await Promise.race([reply, refused.promise]);
    refused.stop();
    if (typeof received === 'object' && received.kind === 'ready') return port1;
    if (!this.#close()) return this.#open(near, view);
    throw new Error(explainFailure(received, frame.src, start.script));
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

  /** Resolves to the next message, or to undefined after a time or when the frame is not in its place any more. */
  #waitForReply(port: MessagePort, view: Window, timeout: number): Promise<FrameReply | undefined> {
    return new Promise((resolve) => {
      const end = (reply?: FrameReply): void => {
        view.clearTimeout(timer);
        view.clearInterval(check);
        resolve(reply);
      };
      const timer = view.setTimeout(() => {
        end();
      }, timeout);
      const check = view.setInterval(() => {
        if (!this.#isThere) end();
      }, CHECK_INTERVAL);
      port.onmessage = ({ data }: MessageEvent<FrameReply>) => {
        end(data);
      };
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

/** Resolves when the policy of the page refuses the frame. */
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

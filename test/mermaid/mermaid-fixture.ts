import { createMermaidRenderer } from '../../src/mermaid/mermaid.js';
import type {
  DrawnElement,
  DrawRequest,
  FrameReply,
  FrameStart,
} from '../../src/mermaid/drawing.js';
import { waitFor } from '../helpers/wait-for.js';
import { setupViewInPage } from '../markdown/setup-page-view.js';
import type { ViewSetup } from '../markdown/setup-view.js';

/**
 * Replaces `mermaid.html`: forwards the messages of the page to the test, and those of the test to the page. Posts to `top`, where the test
 * listens, because the text may be in a frame.
 */
const FRAME = `data:text/html,${encodeURIComponent(`<script>
  let link;
  onmessage = ({ data, ports: [port] }) => {
    if (!port) return link.postMessage(data);
    link = port;
    link.postMessage({ kind: 'started' });
    port.onmessage = (request) => top.postMessage(request.data, '*');
    top.postMessage(data, '*');
  };
</script>`)}`;

/** Number of pages so far. Each has a script of its own, and so a frame of its own. */
let pageCount = 0;

/** What the frame has received: the address of Mermaid, or a diagram to draw. */
type Received = FrameStart | DrawRequest;

/** A message that the frame has received, and its reply. */
interface Taken {
  readonly data: Received;
  answer(reply: FrameReply): void;
}

/** A text with diagrams, of which the test decides when and how they are drawn. */
export interface DiagramPage extends ViewSetup {
  /** The element around the shadow tree with the text. */
  readonly host: HTMLElement;
  /** Takes the next message that the frame receives or has received. */
  take(): Promise<Taken>;
  /** Takes the next message, and replies to it. */
  answer(reply: FrameReply): Promise<void>;
  /** Waits until at least a number of diagrams are drawn or explained. */
  waitForDiagrams(count: number): Promise<void>;
  remove(): void;
}

/** Shows a text whose diagrams are drawn by the test. */
export function setupDiagramPage(text: string): DiagramPage {
  pageCount += 1;
  const renderFence = createMermaidRenderer({ script: `/mermaid-${pageCount}.js`, frame: FRAME });
  const { root, remove, ...setup } = setupViewInPage(text, { renderFence });
  const events: MessageEvent<Received>[] = [];
  const listener = (event: MessageEvent<Received>): void => {
    // The origin of the sandboxed frame.
    if (event.origin === 'null') events.push(event);
  };
  addEventListener('message', listener);
  const take = async (): Promise<Taken> => {
    const { data, source } = await waitFor(() => events.shift());
    return { data, answer: (reply) => source?.postMessage(reply, { targetOrigin: '*' }) };
  };
  return {
    ...setup,
    host: root.host as HTMLElement,
    take,
    async answer(reply) {
      (await take()).answer(reply);
    },
    async waitForDiagrams(count) {
      await waitFor(() => setup.box.querySelectorAll('.ubik-mermaid').length >= count);
    },
    remove() {
      removeEventListener('message', listener);
      remove();
    },
  };
}

/** A drawing with a rectangle and further elements. */
export function draw(
  width: number,
  height: number,
  ...children: readonly DrawnElement[]
): FrameReply {
  const size = { width: String(width), height: String(height) };
  const fill = 'light-dark(rgb(1, 2, 3), rgb(250, 251, 252))';
  const rect: DrawnElement = {
    name: 'rect',
    attributes: Object.entries({ ...size, fill }),
    children: [],
  };
  const attributes = [['viewBox', `0 0 ${width} ${height}`]] as const;
  const svg = { name: 'svg', attributes, children: [rect, ...children] };
  return { kind: 'drawn', drawing: { svg, isThemed: true, title: '', description: '' } };
}

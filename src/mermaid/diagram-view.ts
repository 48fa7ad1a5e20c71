import { element } from '../dom/element.js';
import { findLanguage } from '../dom/language.js';
import { findDiagramStrings, type DiagramStrings } from '../locales/diagram-strings.js';
import { createStyleInserter } from '../markdown/extras/insert-styles.js';
import { buildSvg } from './build-svg.js';
import { DiagramQuota } from './diagram-quota.js';
import { MAX_SOURCE_LENGTH, type Drawing, type DrawRequest, type FrameReply } from './drawing.js';
import { DrawingFrame, type FrameOptions } from './drawing-frame.js';

/** Number of drawings that are kept, so that a text that is rendered again does not flicker. */
const MAX_KEPT = 50;
/** Width and height of a drawing, in px, beyond which it is not shown. */
const MAX_SIZE = 30_000;
/** Maximum number of characters of an error of Mermaid that are shown. */
const MAX_ERROR_LENGTH = 200;

const CSS = `
.ubik-mermaid { padding: var(--_m-space, 0.75rem); }
/* A drawing shrinks to the width of the text, to half of its size at most, and is scrolled beyond that. */
.ubik-mermaid > svg { display: block; margin-inline: auto; inline-size: clamp(calc(var(--_m-inline-size) / 2), 100%, var(--_m-inline-size)); block-size: auto; direction: ltr; }
.ubik-mermaid-light { color-scheme: light; background: #fff; }
.ubik-mermaid text { unicode-bidi: plaintext; }
.ubik-mermaid > details { margin-block: var(--_m-space, 0.75rem) 0; font-size: max(12px, 0.875em); }
.ubik-mermaid summary { inline-size: fit-content; min-block-size: 24px; cursor: pointer; color: var(--_m-muted, inherit); }
.ubik-mermaid summary:focus-visible { outline: 2px solid var(--ubik-focus, var(--ubik-accent, Highlight)); outline-offset: 2px; }
.ubik-mermaid > p { margin: 0 0 var(--_m-space, 0.75rem); }
.ubik-mermaid > pre { padding: 0; }
@media (forced-colors: active) { .ubik-mermaid > svg { forced-color-adjust: none; color-scheme: light; background: #fff; } }
@media print { .ubik-mermaid > svg { color-scheme: light; inline-size: auto; max-inline-size: 100%; max-block-size: 95vh; } .ubik-mermaid > details:not([open]) { display: none; } }
`;

const insertStyles = createStyleInserter(CSS);

/** The renderers by the addresses of their files, so that all chats of a page share one frame. */
const renderers = new Map<string, DiagramRenderer>();

/** Returns the renderer that uses these files. */
export function findRenderer(options: FrameOptions): DiagramRenderer {
  const key = `${options.script}\n${options.frame}`;
  const renderer = renderers.get(key) ?? new DiagramRenderer(options);
  renderers.set(key, renderer);
  return renderer;
}

/** A drawing that is kept, or being drawn. */
interface KeptDrawing {
  readonly source: string;
  readonly fontFamily: string;
  /** Resolves to undefined when drawing takes too long. */
  readonly whenDrawn: Promise<FrameReply | undefined>;
  /** The result of `whenDrawn`; undefined until then. */
  reply?: FrameReply | undefined;
}

/** Draws diagrams into boxes that replace code blocks. A source whose drawing in the same fonts is kept is not drawn again. */
export class DiagramRenderer {
  readonly #frame: DrawingFrame;
  readonly #quota = new DiagramQuota();
  #kept: readonly KeptDrawing[] = [];

  constructor(options: FrameOptions) {
    this.#frame = new DrawingFrame(options);
  }

  /**
   * Fills a box with the drawing and its source, or with the source and the reason why it is not drawn. Leaves it empty if its text has too
   * many diagrams. Rejects when diagrams cannot be drawn at all, for example because a file is missing.
   */
  async render(source: string, box: HTMLElement): Promise<void> {
    if (!this.#quota.add(box)) return;
    const show = (reply: FrameReply | undefined): void => {
      const content = this.#createContent(reply, source, box);
      insertStyles(box);
      box.replaceChildren(element('div', 'ubik-mermaid', ...content));
    };
    if (source.length > MAX_SOURCE_LENGTH) {
      show({ kind: 'large' });
      return;
    }
    const fontFamily = findInstalledFonts(box);
    const kept = this.#kept.filter((one) => one.source === source);
    const drawing =
      kept.find((one) => one.fontFamily === fontFamily) ?? this.#draw({ source, fontFamily }, box);
    const whenShown = drawing.whenDrawn.then(show);
    const other = drawing.reply ? undefined : kept.find(({ reply }) => reply);
    if (other) {
      // Meanwhile the drawing in other fonts is shown: if the source were shown instead, the text below would move.
      show(other.reply);
      whenShown.catch(reportError);
    } else await whenShown;
  }

  #draw(request: DrawRequest, box: Element): KeptDrawing {
    const whenDrawn = this.#frame.draw(request, box);
    const drawing: KeptDrawing = { ...request, whenDrawn };
    this.#kept = [...this.#kept.slice(1 - MAX_KEPT), drawing];
    const keep = (reply?: FrameReply): void => {
      drawing.reply = reply;
      if (!reply) this.#kept = this.#kept.filter((one) => one !== drawing);
    };
    whenDrawn.then(keep, () => {
      keep();
    });
    return drawing;
  }

  #createContent(reply: FrameReply | undefined, source: string, box: HTMLElement): Node[] {
    const strings = findDiagramStrings(findLanguage(box));
    if (reply?.kind === 'drawn') {
      try {
        const drawing = createDrawing(reply.drawing, strings);
        const size = drawing.querySelectorAll('*').length;
        return this.#quota.setSize(box, size)
          ? [drawing, createDisclosure(source, strings)]
          : explain(strings.tooLarge, source);
      } catch (error) {
        // The data comes from a frame that has run the source.
        return explain(error instanceof RangeError ? strings.tooLarge : strings.invalid, source);
      }
    }
    if (reply?.kind === 'large') return explain(strings.tooLarge, source);
    if (reply?.kind !== 'invalid') return explain(strings.tooSlow, source);
    const [reason = ''] = String(reply.message).split('\n');
    return explain(strings.invalid, source, reason.slice(0, MAX_ERROR_LENGTH));
  }
}

/** Returns the fonts of an element without those that the page loads: the frame lacks these, so it would measure other widths of texts. */
function findInstalledFonts(box: Element): string {
  const { fonts, defaultView } = box.ownerDocument;
  const unquote = (name: string): string => name.trim().replace(/^["']|["']$/g, '');
  const loaded = new Set([...fonts].map(({ family }) => unquote(family).toLowerCase()));
  const families = defaultView?.getComputedStyle(box).fontFamily.split(',') ?? [];
  const installed = families.filter((family) => !loaded.has(unquote(family).toLowerCase()));
  return [...installed.map((family) => family.trim()), 'sans-serif'].join();
}

function createDrawing(
  { svg, isThemed, title, description }: Drawing,
  strings: DiagramStrings,
): SVGSVGElement {
  const drawing = buildSvg(document, svg);
  const { width, height } = drawing.viewBox.baseVal;
  if (!(width > 0 && height > 0 && width < MAX_SIZE && height < MAX_SIZE)) {
    throw new RangeError('size of a drawing');
  }
  drawing.setAttribute('role', 'img');
  drawing.setAttribute('aria-label', title || strings.diagram);
  drawing.classList.toggle('ubik-mermaid-light', !isThemed);
  if (description) drawing.setAttribute('aria-description', description);
  drawing.setAttribute('width', String(width));
  drawing.setAttribute('height', String(height));
  drawing.style.setProperty('--_m-inline-size', `${String(width)}px`);
  return drawing;
}

const createDisclosure = (source: string, { source: label }: DiagramStrings): HTMLElement =>
  element('details', '', element('summary', '', label), showSource(source));

function explain(sentence: string, source: string, reason = ''): Node[] {
  const paragraphs = [element('p', '', sentence)];
  if (reason) {
    // An error of Mermaid is English and may quote the source.
    const detail = element('p', '', reason);
    detail.lang = 'en';
    detail.dir = 'auto';
    paragraphs.push(detail);
  }
  return [...paragraphs, showSource(source)];
}

function showSource(source: string): HTMLElement {
  const code = element('code', 'language-mermaid', source);
  code.setAttribute('translate', 'no');
  const block = element('pre', '', code);
  block.tabIndex = 0;
  return block;
}

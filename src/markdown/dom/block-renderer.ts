import type {
  Block,
  Container,
  HtmlBlock,
  Leaf,
  ListBlock,
  ParagraphBlock,
  TableBlock,
} from '../blocks/block.js';
import type { BlockSink } from '../blocks/block-sink.js';
import { pipeAt } from '../blocks/table-syntax.js';
import { MAX_MARKER_LINE } from '../syntax/limits.js';
import { CodeView } from './code-view.js';
import type { BlockGroups } from './groups.js';
import { InlineRegion } from './inline-region.js';
import { make, type RenderContext } from './render-context.js';
import { TableView } from './table-view.js';

interface ContainerView {
  readonly kind: 'container';
  readonly element: HTMLElement;
  /** The paragraphs that stand in the items of a tight list without an element of their own. */
  readonly tight: TextView[];
}

interface TextView {
  readonly kind: 'text';
  readonly region: InlineRegion;
  /** The paragraph or heading; null in tight lists, where the text stands in the item itself. */
  element: HTMLElement | null;
  /** Whether the element is in its place. It waits until there is something to show. */
  placed: boolean;
  /** How many pieces of a paragraph have been taken. */
  taken: number;
}

interface PlainView {
  readonly kind: 'plain';
  readonly text: Text;
}

type View =
  | ContainerView
  | TextView
  | PlainView
  | { readonly kind: 'code'; readonly code: CodeView }
  | { readonly kind: 'table'; readonly table: TableView };

/** Draws blocks as the parser finds them. A block that is closed is not looked at again. */
export class BlockRenderer implements BlockSink {
  readonly #context: RenderContext;
  readonly #groups: BlockGroups;

  constructor(context: RenderContext, groups: BlockGroups) {
    this.#context = context;
    this.#groups = groups;
  }

  open(block: Block): void {
    if (block.parent?.kind === 'document') this.#groups.open(block.start);
    switch (block.kind) {
      case 'document':
        return;
      case 'quote':
        return this.#openContainer(block, make(this.#context, 'blockquote'));
      case 'list':
        return this.#openContainer(block, this.#listElement(block));
      case 'item':
        return this.#openContainer(block, make(this.#context, 'li'));
      case 'rule':
        return this.#place(block, make(this.#context, 'hr'));
      case 'paragraph':
        return this.#openParagraph(block);
      case 'heading': {
        const element = make(this.#context, `h${block.level}`);
        const region = new InlineRegion(this.#context, element, block.start);
        region.append(block.text);
        block.view = { kind: 'text', region, element, placed: true, taken: 0 } satisfies View;
        return this.#place(block, element);
      }
      case 'code': {
        const code = new CodeView(this.#context, block.info.split(/\s/, 1)[0] ?? '');
        block.view = { kind: 'code', code } satisfies View;
        return this.#place(block, code.element);
      }
      case 'html':
        return this.#openHtml(block);
      case 'table': {
        const table = new TableView(this.#context, block);
        block.view = { kind: 'table', table } satisfies View;
        return this.#place(block, table.element);
      }
    }
  }

  grow(leaf: Leaf, text: string): void {
    const view = viewOf(leaf);
    if (view?.kind === 'code') view.code.append(text);
    else if (view?.kind === 'plain') view.text.appendData(text);
    else if (leaf.kind === 'heading' && view?.kind === 'text') view.region.append(text);
  }

  row(table: TableBlock): void {
    const view = viewOf(table);
    if (view?.kind === 'table') view.table.closeRow();
  }

  close(block: Block): void {
    const view = viewOf(block);
    if (view?.kind === 'code') view.code.draw();
    if (view?.kind === 'text') {
      if (block.kind === 'paragraph') this.#takePieces(block, view);
      const closing = block.kind === 'heading' ? closingLength(block.text) : 0;
      if (block.kind === 'heading' && closing > 0) {
        view.region.reset(block.text.slice(0, block.text.length - closing));
      }
      view.region.close();
      this.#show(block, view);
      if (block.kind === 'paragraph') block.pieces = [];
    }
    block.view = null;
  }

  drop(block: ParagraphBlock): void {
    const view = viewOf(block);
    if (view?.kind !== 'text') return;
    if (block.parent?.kind === 'document') this.#groups.drop();
    else if (view.element !== null) view.element.remove();
    else for (const node of view.region.nodes) node.parentNode?.removeChild(node);
    const list = tightList(block);
    if (list !== null) viewOfContainer(list)?.tight.pop();
  }

  loosen(list: ListBlock): void {
    for (const paragraph of viewOfContainer(list)?.tight.splice(0) ?? []) {
      this.#wrap(paragraph);
    }
  }

  define(label: string): void {
    this.#context.references.change(label);
  }

  /** Draws the block that is open. */
  drawOpen(block: Block): void {
    const view = viewOf(block);
    if (view?.kind === 'code') view.code.draw();
    else if (view?.kind === 'table') view.table.draw();
    else if (view?.kind === 'text') {
      if (block.kind === 'paragraph') this.#takePieces(block, view);
      view.region.draw(heldLength(block));
      this.#show(block, view);
    }
  }

  #openContainer(block: Container, element: HTMLElement): void {
    block.view = { kind: 'container', element, tight: [] } satisfies View;
    this.#place(block, element);
  }

  /** Raw HTML is text. */
  #openHtml(block: HtmlBlock): void {
    const element = make(this.#context, 'p', 'ubik-html');
    const text = this.#context.document.createTextNode('');
    element.append(text);
    block.view = { kind: 'plain', text } satisfies View;
    this.#place(block, element);
  }

  #listElement(list: ListBlock): HTMLElement {
    const element = make(this.#context, list.marker.ordered ? 'ol' : 'ul');
    if (list.marker.ordered && list.marker.start !== 1) {
      element.setAttribute('start', String(list.marker.start));
    }
    return element;
  }

  #openParagraph(block: ParagraphBlock): void {
    const list = tightList(block);
    const item = list === null || block.parent === null ? undefined : viewOfContainer(block.parent);
    const element = item === undefined ? make(this.#context, 'p') : null;
    const parent = item?.element ?? element;
    if (parent === null) return;
    const region = new InlineRegion(this.#context, parent, block.start, block.mayBeTask);
    const view: TextView = { kind: 'text', region, element, placed: element === null, taken: 0 };
    block.view = view;
    if (list !== null) viewOfContainer(list)?.tight.push(view);
  }

  /** Gives the region the pieces that are new. A paragraph that lost its last line begins anew. */
  #takePieces(block: ParagraphBlock, view: TextView): void {
    const { pieces } = block;
    if (pieces.length < view.taken) view.region.reset(pieces.join(''));
    else for (const piece of pieces.slice(view.taken)) view.region.append(piece);
    view.taken = pieces.length;
  }

  /** Puts a paragraph into its place as soon as there is something to see. */
  #show(block: Block, view: TextView): void {
    if (view.element === null || block.kind === 'heading') return;
    if (view.placed !== view.region.isEmpty) return;
    view.placed = !view.placed;
    if (view.placed) this.#place(block, view.element);
    else view.element.remove();
  }

  /** The list has turned loose: the text gets a paragraph around it. */
  #wrap(view: TextView): void {
    const { region } = view;
    const element = make(this.#context, 'p');
    const first = region.nodes[0];
    view.element = element;
    view.placed = first !== undefined;
    first?.parentNode?.insertBefore(element, first);
    region.moveTo(element);
  }

  #place(block: Block, element: HTMLElement): void {
    const { parent } = block;
    if (parent === null) return;
    if (parent.kind === 'document') this.#groups.place(element);
    else viewOfContainer(parent)?.element.append(element);
  }
}

function viewOf(block: Block): View | null {
  return block.view as View | null;
}

function viewOfContainer(block: Container): ContainerView | undefined {
  const view = viewOf(block);
  return view?.kind === 'container' ? view : undefined;
}

/** The list in whose items paragraphs are bare, if the paragraph stands in one. */
function tightList(block: ParagraphBlock): ListBlock | null {
  const list = block.parent?.kind === 'item' ? block.parent.parent : null;
  return list?.kind === 'list' && list.tight ? list : null;
}

/** How much of an open block's end is not shown yet. */
function heldLength(block: Block): number {
  if (block.kind === 'heading') return closingLength(block.text);
  if (block.kind !== 'paragraph' || block.line.length > MAX_MARKER_LINE) return 0;
  // A line with a pipe may be the header of a table: the next line decides.
  const pipe = pipeAt(block.line);
  return pipe < 0 ? 0 : block.line.length - pipe;
}

/** The length of the row of `#` that may close a heading, with the spaces around it. */
function closingLength(text: string): number {
  let end = text.length;
  while (end > 0 && isBlank(text.charAt(end - 1))) end -= 1;
  let start = end;
  while (start > 0 && text.charAt(start - 1) === '#') start -= 1;
  if (start === end || (start > 0 && !isBlank(text.charAt(start - 1)))) return 0;
  while (start > 0 && isBlank(text.charAt(start - 1))) start -= 1;
  return text.length - start;
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t';
}

import type { Block, BlockOf, BlockSink, BlockView } from '../parser/block.js';
import type { Definition } from '../parser/links.js';
import { CodeBlockView, HtmlView } from './literal-views.js';
import type { BlockContainer } from './block-groups.js';
import { InlineRegion } from './inline-region.js';
import { createElement, type RenderContext } from './render-context.js';
import { TableBlockView } from './table-view.js';

const ELEMENTS = { document: 'div', item: 'li', 'thematic-break': 'hr' };

/** The view of a container block. */
class ContainerView implements BlockView, BlockContainer {
  readonly element: Element;
  /** In a tight list, the paragraphs in its items, which have no `<p>` elements. */
  readonly texts: TextView[] = [];

  constructor(element: Element) {
    this.element = element;
  }

  addBlock(element: Element): void {
    this.element.append(element);
  }

  removeBlock(element: Element): void {
    element.remove();
  }

  /** Does nothing: the children are rendered by their own views. */
  render(): void {}
}

/** Number of items before the first group of a list, and per group. */
const ITEMS_PER_GROUP = 100;

/**
 * The view of a list. From the 101st item on, its items are in groups, so that browsers skip the layout of those outside of the viewport.
 * The groups affect neither assistive technology nor the numbering.
 */
class ListView extends ContainerView {
  readonly #context: RenderContext;
  readonly #firstNumber: number | null;
  #group: Element | null = null;
  #count = 0;

  constructor(context: RenderContext, block: BlockOf<'list'>) {
    super(createList(context, block));
    this.#context = context;
    this.#firstNumber = this.element.localName === 'ol' ? block.number : null;
  }

  override addBlock(item: Element): void {
    const index = this.#count;
    this.#count += 1;
    if (index > 0 && index % ITEMS_PER_GROUP === 0) {
      this.#group?.classList.add('ubik-complete');
      this.#group = createElement(this.#context, 'div', { class: 'ubik-items', role: 'none' });
      this.element.append(this.#group);
      // CSS containment scopes counters, so the numbering would restart in each group.
      if (this.#firstNumber !== null) item.setAttribute('value', `${this.#firstNumber + index}`);
    }
    if (this.#group) item.setAttribute('role', 'listitem');
    (this.#group ?? this.element).append(item);
  }
}

/** Renders blocks as the parser emits them. Closed blocks are not visited again, except for the texts of a list that becomes loose. */
export class BlockRenderer implements BlockSink {
  readonly #context: RenderContext;
  readonly #root: BlockContainer;
  readonly #onTopLevel: ((start: number) => void) | undefined;

  /** `root` contains the blocks that are in no other block. `onTopLevel` is called before such a block opens. */
  constructor(context: RenderContext, root: BlockContainer, onTopLevel?: (start: number) => void) {
    this.#context = context;
    this.#root = root;
    this.#onTopLevel = onTopLevel;
  }

  open(block: Block): BlockView {
    const context = this.#context;
    const parent = this.#containerOf(block.parent);
    if (block.parent?.kind === 'document') this.#onTopLevel?.(block.start);
    const attach = <V extends BlockView & { readonly element: Element }>(view: V): V => {
      parent.addBlock(view.element, block.start);
      return view;
    };
    switch (block.kind) {
      case 'paragraph':
        return this.#openParagraph(block, parent);
      case 'summary':
      case 'heading': {
        const tag = block.kind === 'heading' ? `h${block.level}` : block.kind;
        const element = createElement(context, tag);
        parent.addBlock(element, block.start);
        return new TextView(context, parent, new InlineRegion(context, element, block.start), null);
      }
      case 'code':
        return attach(new CodeBlockView(context, null));
      case 'fence':
        return attach(new CodeBlockView(context, block.info));
      case 'table':
        return attach(new TableBlockView(context, block));
      case 'html':
        return attach(new HtmlView(context));
      case 'list':
        return attach(new ListView(context, block));
      case 'quote':
        return attach(new ContainerView(createQuote(context, block)));
      case 'details': {
        const open = block.isOpen ? '' : undefined;
        return attach(new ContainerView(createElement(context, block.kind, { open })));
      }
      case 'footnote': {
        const body = this.#openFootnote(block);
        return body
          ? new ContainerView(body)
          : attach(new ContainerView(createElement(context, 'div', {}, block.source)));
      }
      default:
        return attach(new ContainerView(createElement(context, ELEMENTS[block.kind])));
    }
  }

  makeLoose(list: BlockOf<'list'>): void {
    if (!(list.view instanceof ContainerView)) return;
    for (const text of list.view.texts.splice(0)) text.wrapInParagraph();
  }

  define(definition: Definition, start: number): void {
    this.#context.references.define(definition, start);
  }

  /** Creates the element for the content of a footnote; returns null when there are too many footnotes. */
  #openFootnote({ label, start }: BlockOf<'footnote'>): Element | null {
    const { footnotes, references } = this.#context;
    const body = footnotes.define(label, start);
    if (body) references.define({ label, destination: '', title: '', footnote: label }, start);
    return body;
  }

  #openParagraph(block: Block, container: BlockContainer): TextView {
    const { parent } = block;
    const context = this.#context;
    const item = parent?.kind === 'item' ? parent : null;
    const list = item?.parent?.view;
    const isTight = item?.parent?.kind === 'list' && item.parent.tight;
    const element = isTight ? null : createElement(context, 'p');
    const target =
      element ??
      (container instanceof ContainerView ? container.element : createElement(context, 'p'));
    // Only the first block of a list item can begin with the checkbox of a task.
    const region = new InlineRegion(context, target, block.start, item?.last === null);
    const view = new TextView(context, container, region, element);
    if (isTight && list instanceof ContainerView) list.texts.push(view);
    return view;
  }

  #containerOf(block: Block | null): BlockContainer {
    return block?.view instanceof ContainerView ? block.view : this.#root;
  }
}

function createList(context: RenderContext, { character, number }: BlockOf<'list'>): Element {
  const isOrdered = /[.)]/.test(character);
  const start = isOrdered && number !== 1 ? `${number}` : undefined;
  return createElement(context, isOrdered ? 'ol' : 'ul', { start });
}

/** Creates a quote, or an alert with its title. An alert is not a quotation, nor does it have the role `alert`, which would interrupt the user. */
function createQuote(context: RenderContext, { alert }: BlockOf<'quote'>): Element {
  if (alert === null) return createElement(context, 'blockquote');
  const { strings } = context;
  const title = { class: 'ubik-alert-title', lang: strings.lang };
  return createElement(
    context,
    'div',
    { class: `ubik-alert ubik-alert-${alert}`, role: 'note' },
    createElement(context, 'p', title, strings.alert(alert)),
  );
}

/** A paragraph, summary or heading. The element of a paragraph is attached as soon as it has content, the others by `BlockRenderer`. */
export class TextView implements BlockView {
  readonly #context: RenderContext;
  readonly #container: BlockContainer;
  readonly #region: InlineRegion;
  /** Null when the text is in an element that is already attached: a heading, a summary, or the item of a tight list. */
  #element: Element | null;

  constructor(
    context: RenderContext,
    container: BlockContainer,
    region: InlineRegion,
    element: Element | null,
  ) {
    this.#context = context;
    this.#container = container;
    this.#region = region;
    this.#element = element;
  }

  append(text: string): void {
    this.#region.append(text);
  }

  render(pendingLength: number): void {
    this.#region.render(pendingLength);
    this.#attach();
  }

  close(dropped: number): void {
    this.#region.close(dropped);
    this.#attach();
  }

  toHeading(level: number): void {
    this.#wrap(`h${level}`);
  }

  /** Wraps the text in a paragraph, because its list has become loose. */
  wrapInParagraph(): void {
    if (this.#element === null) this.#wrap('p');
  }

  #wrap(tag: string): void {
    const element = createElement(this.#context, tag);
    this.#region.moveTo(element, this.#element === null);
    if (this.#element !== null) this.#container.removeBlock(this.#element);
    this.#element = element;
  }

  #attach(): void {
    const element = this.#element;
    if (element === null) return;
    if (!this.#region.first) this.#container.removeBlock(element);
    else if (element.parentNode === null) this.#container.addBlock(element, this.#region.start);
  }
}

import type { Block, BlockOf, BlockSink, BlockView } from '../blocks/block.js';
import type { Definition } from '../blocks/definitions.js';
import { CodeView } from './code-view.js';
import type { BlockGroups, Holder } from './groups.js';
import { HtmlView } from './html-view.js';
import { InlineRegion } from './inline-region.js';
import { make, type RenderContext } from './render-context.js';
import { TableView } from './table-view.js';
import { TextView } from './text-view.js';

const ELEMENTS = { document: 'div', quote: 'blockquote', item: 'li', rule: 'hr' };

/** A block that holds blocks. */
class ContainerView implements BlockView, Holder {
  readonly element: Element;
  /** Of a tight list: the paragraphs in its items, which have no element of their own. */
  readonly texts: TextView[] = [];

  constructor(element: Element) {
    this.element = element;
  }

  place(element: Element): void {
    this.element.append(element);
  }

  remove(element: Element): void {
    element.remove();
  }

  /** It is drawn with what is in it. */
  draw(): void {}
}

/** Draws blocks as the parser finds them. A block that is closed is not looked at again. */
export class BlockRenderer implements BlockSink {
  readonly #context: RenderContext;
  readonly #groups: BlockGroups;

  constructor(context: RenderContext, groups: BlockGroups) {
    this.#context = context;
    this.#groups = groups;
  }

  open(block: Block): BlockView {
    const context = this.#context;
    const holder = this.#holderOf(block.parent);
    const place = <V extends BlockView & { readonly element: Element }>(view: V): V => {
      holder.place(view.element, block.start);
      return view;
    };
    switch (block.kind) {
      case 'paragraph':
        return this.#openParagraph(block, holder);
      case 'heading': {
        const element = make(context, `h${block.level}`);
        holder.place(element, block.start);
        return new TextView(context, holder, new InlineRegion(context, element, block.start), null);
      }
      case 'code':
        return place(new CodeView(context, ''));
      case 'fence':
        return place(new CodeView(context, block.info.split(/\s/, 1)[0] ?? ''));
      case 'table':
        return place(new TableView(context, block));
      case 'html':
        return place(new HtmlView(context));
      case 'list':
        return place(new ContainerView(makeList(context, block)));
      case 'footnote': {
        const body = this.#openFootnote(block);
        return body
          ? new ContainerView(body)
          : place(new ContainerView(make(context, 'div', {}, block.sign)));
      }
      default:
        return place(new ContainerView(make(context, ELEMENTS[block.kind])));
    }
  }

  loosen(list: BlockOf<'list'>): void {
    if (!(list.view instanceof ContainerView)) return;
    for (const text of list.view.texts.splice(0)) text.loosen();
  }

  define(definition: Definition, start: number): void {
    this.#context.references.define(definition, start);
  }

  /** The place of a footnote's content; null when there are too many. */
  #openFootnote({ label, start }: BlockOf<'footnote'>): Element | null {
    const { footnotes, references } = this.#context;
    const body = footnotes.define(label, start);
    if (body) references.define({ label, destination: '', title: '', footnote: label }, start);
    return body;
  }

  #openParagraph(block: Block, holder: Holder): TextView {
    const { parent } = block;
    const context = this.#context;
    const item = parent?.kind === 'item' ? parent : null;
    const list = item?.parent?.view;
    const isTight = item?.parent?.kind === 'list' && item.parent.tight;
    const element = isTight ? null : make(context, 'p');
    const into = element ?? (holder instanceof ContainerView ? holder.element : make(context, 'p'));
    const region = new InlineRegion(context, into, block.start, item?.last === null);
    const view = new TextView(context, holder, region, element);
    if (isTight && list instanceof ContainerView) list.texts.push(view);
    return view;
  }

  #holderOf(block: Block | null): Holder {
    return block?.view instanceof ContainerView ? block.view : this.#groups;
  }
}

function makeList(context: RenderContext, { sign, number }: BlockOf<'list'>): Element {
  const isOrdered = /[.)]/.test(sign);
  const start = isOrdered && number !== 1 ? `${number}` : undefined;
  return make(context, isOrdered ? 'ol' : 'ul', { start });
}

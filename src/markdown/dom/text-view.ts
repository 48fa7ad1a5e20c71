import type { BlockView } from '../blocks/block.js';
import type { Holder } from './groups.js';
import type { InlineRegion } from './inline-region.js';
import { make, type RenderContext } from './render-context.js';

/** A paragraph or heading. It is put into its place as soon as there is something to see. */
export class TextView implements BlockView {
  readonly #context: RenderContext;
  readonly #holder: Holder;
  readonly #region: InlineRegion;
  /** Null when the text stands in an element that is there without it: in a heading, in an item of a tight list. */
  #element: Element | null;

  constructor(
    context: RenderContext,
    holder: Holder,
    region: InlineRegion,
    element: Element | null,
  ) {
    this.#context = context;
    this.#holder = holder;
    this.#region = region;
    this.#element = element;
  }

  append(text: string): void {
    this.#region.append(text);
  }

  draw(held: number): void {
    this.#region.draw(held);
    this.#show();
  }

  close(dropped: number): void {
    this.#region.close(dropped);
    this.#show();
  }

  raise(level: number): void {
    this.#wrap(`h${level}`);
  }

  /** The list around it has turned loose. */
  loosen(): void {
    if (this.#element === null) this.#wrap('p');
  }

  #wrap(tag: string): void {
    const element = make(this.#context, tag);
    if (this.#element === null) this.#region.first?.before(element);
    else this.#holder.remove(this.#element);
    this.#region.moveTo(element);
    this.#element = element;
  }

  #show(): void {
    const element = this.#element;
    if (element === null) return;
    if (!this.#region.first) this.#holder.remove(element);
    else if (element.parentNode === null) this.#holder.place(element, this.#region.start);
  }
}

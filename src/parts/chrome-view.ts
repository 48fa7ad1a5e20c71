import { render, type TemplateResult } from 'lit';
import { element } from '../internal/element.js';
import type { Part, PartKind, PartOf } from '../model/part.js';
import type { MessageScope, PartView } from './part-view.js';

/**
 * A part whose looks are drawn by Lit into one shell, once a frame at most. What is inside the part goes into `content`, which
 * Lit never sees.
 */
export abstract class ChromeView<Kind extends PartKind> implements PartView {
  abstract readonly node: HTMLElement;
  readonly content: HTMLElement | null = null;
  protected readonly scope: MessageScope;
  /** Lit draws into this one. */
  protected abstract readonly shell: HTMLElement;
  #part: PartOf<Kind>;
  #disposed = false;

  constructor(part: PartOf<Kind>, scope: MessageScope) {
    this.#part = part;
    this.scope = scope;
  }

  /** The part as it is now. */
  get part(): PartOf<Kind> {
    return this.#part;
  }

  update(part: Part, _what: 'text' | 'fields' | 'parts'): void {
    this.#part = part as PartOf<Kind>;
    this.invalidate();
  }

  dispose(): void {
    this.#disposed = true;
  }

  /** Asks for a drawing in the coming frame. */
  readonly invalidate = (): void => {
    this.scope.context.frames.schedule(this.draw);
  };

  /** Draws now. */
  protected readonly draw = (): void => {
    if (this.#disposed) return;
    render(this.template(), this.shell);
    this.drawn();
  };

  protected abstract template(): TemplateResult;

  /** After a drawing: what Lit does not do. */
  protected drawn(): void {
    // Nothing by default.
  }
}

/** A foldable part: its shell is the line that is always seen. */
export abstract class FoldView<Kind extends PartKind> extends ChromeView<Kind> {
  override readonly node: HTMLDetailsElement;
  override readonly content: HTMLElement = element('div', 'content');
  protected override readonly shell = element('summary');
  /** What the person chose; null while they have not. */
  #chosen: boolean | null = null;
  #set = false;

  constructor(part: PartOf<Kind>, scope: MessageScope, className: string) {
    super(part, scope);
    this.node = element('details', `fold ${className}`, this.shell, this.content);
    // The click comes before the fold moves, so that a drawing in between does not undo it.
    this.shell.addEventListener('click', this.#handleClick);
    this.node.addEventListener('toggle', this.#handleToggle);
  }

  /** Whether the person has opened or closed it. */
  protected get isChosen(): boolean {
    return this.#chosen !== null;
  }

  /** Opens or closes it, unless the person has decided otherwise. */
  protected fold(open: boolean): void {
    this.#set = this.#chosen ?? open;
    this.node.open = this.#set;
  }

  /** It was opened, by whomever. */
  protected opened(): void {
    // Nothing by default.
  }

  readonly #handleClick = (): void => {
    this.#chosen = this.#set = !this.node.open;
  };

  // A change that was neither ours nor a click came from the browser's search in the page.
  readonly #handleToggle = (): void => {
    const { open } = this.node;
    if (open !== this.#set) this.#chosen = this.#set = open;
    if (open) this.opened();
  };
}

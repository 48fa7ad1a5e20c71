import { UbikError } from '../../errors.js';
import { element } from '../../dom/element.js';
import type { Part, PartKind, PartOf } from '../../model/part.js';
import { BasePartView } from './base-part-view.js';
import type { MessageScope } from '../part-view.js';
import { setLang } from '../content-lang.js';
import { PlainTextView } from './text-view.js';

/** What a host's renderer gives back for one part. */
export interface MountedPart<Kind extends PartKind = PartKind> {
  /** The part has changed: its fields are in `part`, its text is live behind `part.text`. At most once a frame. */
  update?(part: PartOf<Kind>): void;
  /** The part is gone, or the view that showed it. */
  unmount?(): void;
}

/**
 * A host's own looks for a kind of part. `box` is an element in the page's own tree, outside the shadow root: the page's styles
 * and frameworks work in it. It lives as long as the view shows the part.
 */
export interface PartRenderer<Kind extends PartKind = PartKind> {
  mount(box: HTMLElement, part: PartOf<Kind>): MountedPart<Kind> | undefined;
}

/** Shows a part through a renderer of the host. If that throws, the part is shown as plain text and the rest goes on. */
export class HostPartView extends BasePartView<PartKind> {
  override readonly content = element('div', 'content');
  readonly #box = element('div');
  readonly #slot = element('slot');
  #mounted: MountedPart | undefined;
  #plain: PlainTextView | null = null;

  constructor(part: Part, scope: MessageScope, renderer: PartRenderer) {
    super(part, scope, element('div', 'host'));
    const { context, message } = scope;
    this.#slot.name = this.#box.slot = `${context.prefix}-${message.key}-${part.key}`;
    this.node.append(this.#slot, this.content);
    this.redraw();
    context.host.append(this.#box);
    this.#attempt(() => (this.#mounted = renderer.mount(this.#box, part)));
  }

  redraw(): void {
    setLang(this.#slot, this.context.locale.contentLang);
    this.#plain?.redraw();
  }

  override dispose(): void {
    super.dispose();
    this.#attempt(() => this.#mounted?.unmount?.());
    this.#box.remove();
  }

  protected override render(): void {
    if (this.#plain) this.#plain.update(this.part);
    else this.#attempt(() => this.#mounted?.update?.(this.part));
  }

  #attempt(act: () => unknown): void {
    if (this.#plain) return;
    const { part, scope } = this;
    try {
      act();
    } catch (cause) {
      scope.context.report(new UbikError('renderer', { offender: part.kind, cause }));
      this.#plain = new PlainTextView(part, scope);
      this.#slot.replaceWith(this.#plain.node);
      this.#box.remove();
    }
  }
}

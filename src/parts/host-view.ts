import { UbikError } from '../errors.js';
import { element } from '../internal/element.js';
import type { Part, PartKind, PartOf } from '../model/part.js';
import { PlainView } from './plain-views.js';
import type { MessageScope, PartView } from './part-view.js';

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
export class HostView implements PartView {
  readonly node = element('div', 'host');
  readonly content = element('div', 'content');
  readonly #box = element('div');
  readonly #scope: MessageScope;
  readonly #slot = element('slot');
  #part: Part;
  #mounted: MountedPart | undefined;
  #plain: PlainView | null = null;
  #disposed = false;

  constructor(part: Part, scope: MessageScope, renderer: PartRenderer) {
    this.#part = part;
    this.#scope = scope;
    const { context, message } = scope;
    this.#slot.name = this.#box.slot = `${context.prefix}-${message.key}-${part.key}`;
    this.node.append(this.#slot, this.content);
    context.host.append(this.#box);
    this.#attempt(() => (this.#mounted = renderer.mount(this.#box, part)));
  }

  update(part: Part): void {
    this.#part = part;
    this.#scope.context.frames.schedule(this.#draw);
  }

  dispose(): void {
    this.#disposed = true;
    if (!this.#plain) this.#attempt(() => this.#mounted?.unmount?.());
    this.#box.remove();
  }

  readonly #draw = (): void => {
    if (this.#disposed) return;
    if (this.#plain) this.#plain.update(this.#part);
    else this.#attempt(() => this.#mounted?.update?.(this.#part));
  };

  #attempt(act: () => unknown): void {
    try {
      act();
    } catch (cause) {
      this.#scope.context.report(
        new UbikError(
          'renderer',
          `The page's renderer for "${this.#part.kind}" threw. The part is shown as plain text.`,
          { offender: this.#part.kind, cause },
        ),
      );
      if (this.#plain || this.#disposed) return;
      this.#plain = new PlainView(this.#part, this.#scope);
      this.#slot.replaceWith(this.#plain.node);
      this.#box.remove();
    }
  }
}

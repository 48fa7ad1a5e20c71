import { UbikError } from '../errors.js';
import { element } from '../dom/element.js';
import type { Message } from '../model/message.js';
import type { Part, PartKind, PartOf } from '../model/part.js';
import { setLang } from './content-lang.js';
import type { MessageScope, ViewContext } from './part-view.js';
import { BasePartView } from './parts/base-part-view.js';
import { PlainTextView } from './parts/text-view.js';

/** A part that a renderer of the host page has mounted. */
export interface MountedPart<Kind extends PartKind = PartKind> {
  /** Called at most once per frame after the part has changed. `part` has its fields, `part.text` its live text. */
  update?(part: PartOf<Kind>): void;
  /** Called when the part, or the view that shows it, is removed. */
  unmount?(): void;
}

/**
 * Renders a kind of part for the host page. `box` is a light DOM child of the element, so that the style sheets and frameworks of the page
 * apply to it. It exists as long as the view of the part, or until the renderer throws.
 */
export interface PartRenderer<Kind extends PartKind = PartKind> {
  mount(box: HTMLElement, part: PartOf<Kind>): MountedPart<Kind> | undefined;
}

/**
 * Renders content of the host page at a message: its avatar or its actions. `box` is a light DOM child of the element. Called once for each
 * message that is shown; the returned function is called when the message is no longer shown.
 */
export type MessageRenderer = (box: HTMLElement, message: Message) => (() => void) | undefined;

/** A slot, and the light DOM child of the outermost element that is assigned to it. */
class LightDomBox {
  readonly slot = element('slot');
  readonly box = element('div');
  readonly #context: ViewContext;

  /** `name` must be unique in the element. */
  constructor(context: ViewContext, name: string) {
    this.#context = context;
    this.slot.name = this.box.slot = `${context.prefix}-${name}`;
    this.updateLang();
    context.host.append(this.box);
  }

  updateLang(): void {
    setLang(this.slot, this.#context.locale.contentLang);
  }
}

/** A place at a message that the host page renders. */
export interface HostSlot {
  readonly node: HTMLElement;
  /** Updates the language after that of the interface has changed. */
  redraw(): void;
  dispose(): void;
}

/** Creates a slot at a message and calls the renderer. An error of the renderer is reported and leaves the slot empty. */
export function createHostSlot(
  name: 'avatar' | 'actions',
  { context, message }: MessageScope,
  renderer: MessageRenderer,
): HostSlot {
  const host = new LightDomBox(context, `${message.key}-${name}`);
  let unmount: (() => void) | undefined;
  const runSafely = (callback: () => void): void => {
    try {
      callback();
    } catch (cause) {
      context.report(new UbikError('renderer', { offender: name, cause }));
    }
  };
  runSafely(() => (unmount = renderer(host.box, message)));
  return {
    node: element('div', name, host.slot),
    redraw: () => {
      host.updateLang();
    },
    dispose: () => {
      runSafely(() => unmount?.());
      host.box.remove();
    },
  };
}

/** Shows a part with a renderer of the host page. If the renderer throws, the error is reported and the part is shown as plain text. */
export class HostPartView extends BasePartView<PartKind> {
  override readonly content = element('div', 'content');
  readonly #host: LightDomBox;
  #mounted: MountedPart | undefined;
  #fallback: PlainTextView | null = null;

  constructor(part: Part, scope: MessageScope, renderer: PartRenderer) {
    super(part, scope, element('div', 'host'));
    this.#host = new LightDomBox(scope.context, `${scope.message.key}-${part.key}`);
    const { slot, box } = this.#host;
    this.node.append(slot, this.content);
    this.#runSafely(() => (this.#mounted = renderer.mount(box, part)));
  }

  redraw(): void {
    this.#host.updateLang();
    this.#fallback?.redraw();
  }

  override dispose(): void {
    super.dispose();
    this.#runSafely(() => this.#mounted?.unmount?.());
    this.#host.box.remove();
  }

  protected override render(): void {
    if (this.#fallback) this.#fallback.update(this.part);
    else this.#runSafely(() => this.#mounted?.update?.(this.part));
  }

  #runSafely(callback: () => unknown): void {
    if (this.#fallback) return;
    const { part, scope } = this;
    try {
      callback();
    } catch (cause) {
      scope.context.report(new UbikError('renderer', { offender: part.kind, cause }));
      this.#fallback = new PlainTextView(part, scope);
      const { slot, box } = this.#host;
      slot.replaceWith(this.#fallback.node);
      box.remove();
    }
  }
}

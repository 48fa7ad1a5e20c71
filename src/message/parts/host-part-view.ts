import { element } from '../../dom/element.js';
import { UbikError } from '../../errors.js';
import type { Key } from '../../model/json.js';
import type { Part } from '../../model/part.js';
import type { MessageScope, PartView } from '../part-view.js';
import { findToolActivity } from '../tool/tool-state.js';
import { onThemeChange } from './part-context.js';
import { findRenderers } from './host-formats.js';
import { createStandardView } from './part-views.js';
import { RendererBox, type AnyRenderer } from './renderer-box.js';
import type { RendererRule } from './renderer-types.js';

export { formatPart } from './host-formats.js';

/** How often a renderer whose promise is rejected, for example because its code could not be loaded, is asked for the same part. */
const MAX_ATTEMPTS = 3;

/** The views of each message by the key of their part, so that the view of a tool call can take over the box from the view of its activity. */
const viewsOfMessages = new WeakMap<MessageScope, Map<Key, HostPartView>>();

/** Creates the view of a part that renderers of the host page match; null when none does. */
export function createHostPartView(
  part: Part,
  scope: MessageScope,
  rules: readonly RendererRule[],
): PartView | null {
  const renderers = findRenderers(part, rules, (cause) => {
    scope.context.report(new UbikError('renderer', { offender: 'renderers', cause }));
  });
  return renderers.length > 0 ? new HostPartView(part, scope, renderers) : null;
}

/**
 * Shows a part with the first renderer of the host page that does not decline it. While there is none, because all have declined or failed,
 * or one is still loading, the part has its built-in view, and `node` is the node of the built-in view.
 */
class HostPartView implements PartView {
  readonly #scope: MessageScope;
  readonly #renderers: readonly AnyRenderer[];
  readonly #frame = element('div', 'host');
  /** Contains the views of child parts while there is no built-in view. */
  readonly #children = element('div', 'content');
  readonly #failures = new Map<AnyRenderer, number>();
  readonly #siblings: Map<Key, HostPartView>;
  readonly #stopObservingTheme: () => void;
  /** The renderer that shows the part, or that is loading. */
  #box: RendererBox | null = null;
  /** A renderer with precedence over `#box`, which goes on showing the part until the candidate is loaded. */
  #candidate: RendererBox | null = null;
  /** The built-in view, while it is shown by itself or in a box. */
  #standard: PartView | null = null;
  /** Whether the frame is shown, not the built-in view by itself. */
  #isFramed = true;
  #part: Part;
  /** Whether fields have changed since the renderers were asked. */
  #hasNewFields = false;
  #isDisposed = false;

  constructor(part: Part, scope: MessageScope, renderers: readonly AnyRenderer[]) {
    this.#part = part;
    this.#scope = scope;
    this.#renderers = renderers;
    this.#siblings = viewsOfMessages.get(scope) ?? new Map<Key, HostPartView>();
    viewsOfMessages.set(scope, this.#siblings);
    this.#stopObservingTheme = onThemeChange(scope.context.host, this.#scheduleRender);
    if (!this.#adoptBox()) this.#ask();
    this.#siblings.set(part.key, this);
    this.#arrange();
  }

  get node(): HTMLElement {
    // The node of the built-in view of a question changes when its code is loaded.
    return (this.#isFramed ? null : this.#standard?.node) ?? this.#frame;
  }

  get content(): HTMLElement {
    return this.#standard?.content ?? this.#children;
  }

  get focus(): (() => void) | undefined {
    const box = this.#isShown ? this.#box : null;
    const focus = box?.focus;
    if (box && !box.isOver) {
      return (
        focus &&
        (() => {
          focus();
          // The renderer has failed, and another view shows the part.
          if (box.isOver) this.focus?.();
        })
      );
    }
    const standard = this.#standard;
    return standard?.focus && (() => standard.focus?.());
  }

  update(part: Part, what: 'text' | 'fields' | 'parts'): void {
    this.#part = part;
    this.#hasNewFields ||= what === 'fields';
    this.#standard?.update(part, what);
    this.#scheduleRender();
  }

  redraw(): void {
    this.#standard?.redraw?.();
    this.#box?.updateLang();
    this.#candidate?.updateLang();
    this.#scheduleRender();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#stopObservingTheme();
    this.#scope.context.frames.cancel(this.#render);
    if (this.#siblings.get(this.#part.key) === this) this.#siblings.delete(this.#part.key);
    this.#box?.end();
    this.#candidate?.end();
    this.#standard?.dispose();
  }

  /** Whether a renderer shows the part. */
  get #isShown(): boolean {
    return this.#box?.state === 'shown';
  }

  readonly #scheduleRender = (): void => {
    this.#scope.context.frames.schedule(this.#render);
  };

  readonly #render = (): void => {
    if (this.#isDisposed) return;
    const box = this.#box;
    box?.update();
    this.#candidate?.update();
    if (box?.isOver) this.#leave(box);
    else if (this.#hasNewFields) this.#ask();
    this.#hasNewFields = false;
    this.#arrange();
  };

  /** Takes over the box from the view of the call's activity, so that it survives the arrival of the content part. */
  #adoptBox(): boolean {
    const part = this.#part;
    // Not `linkedPartOf`, because the scope knows the activity only after all changes of the batch were applied to it.
    const activity = part.kind === 'tool' ? findToolActivity(this.#scope.message, part) : undefined;
    const view = activity && this.#siblings.get(activity.key);
    const box = view ? view.#box : null;
    if (!view || !box || !this.#renderers.includes(box.renderer)) return false;
    view.#box = null;
    // This view asks the renderer of the candidate again.
    view.#candidate?.end();
    view.#candidate = null;
    view.#scope.context.frames.cancel(view.#render);
    // The built-in view in the box is replaced by that of this view.
    view.#standard?.node.remove();
    box.owner = this.#owner;
    this.#box = box;
    this.#hasNewFields = true;
    this.#scheduleRender();
    return true;
  }

  /**
   * Asks the renderers from `from` on, in order, until one shows the part or is loading. While the part has a current renderer, asks only those
   * before it.
   */
  #ask(from = 0): void {
    const current = this.#candidate ?? this.#box;
    const end = current ? this.#indexOf(current) : this.#renderers.length;
    for (const renderer of this.#renderers.slice(from, end)) {
      if ((this.#failures.get(renderer) ?? 0) >= MAX_ATTEMPTS) continue;
      const box = new RendererBox(renderer, this.#owner);
      this.#frame.prepend(box.node);
      box.mount();
      if (box.isOver) continue;
      this.#candidate?.end();
      this.#candidate = box;
      this.#promoteCandidate();
      return;
    }
  }

  /** Replaces the current renderer by the candidate, unless the candidate is still loading and the current renderer shows the part. */
  #promoteCandidate(): void {
    const candidate = this.#candidate;
    if (!candidate || (this.#isShown && candidate.state === 'loading')) return;
    this.#box?.end();
    this.#box = candidate;
    this.#candidate = null;
  }

  /** Asks the renderers after one that has declined or failed. */
  #leave(box: RendererBox): void {
    if (box === this.#box) this.#box = null;
    else this.#candidate = null;
    this.#promoteCandidate();
    this.#ask(this.#indexOf(box) + 1);
  }

  #indexOf({ renderer }: RendererBox): number {
    return this.#renderers.indexOf(renderer);
  }

  /** Puts the nodes where the state of the renderer requires them, and creates or disposes the built-in view. */
  #arrange(): void {
    const box = this.#isShown ? this.#box : null;
    const wrapper = box?.standard ?? null;
    const shown = this.node;
    if (box && !wrapper) this.#removeStandard();
    else this.#standard ??= this.#createStandard();
    this.#isFramed = box !== null;
    if (box) this.#frame.prepend(box.node);
    const { node } = this;
    if (node !== shown) {
      shown.replaceWith(node);
      this.#scope.updateParent?.(this.#part);
    }
    if (wrapper && this.#standard) wrapper.show(this.#standard.node);
    box?.describe(this.#frame);
  }

  #createStandard(): PartView {
    const standard = createStandardView(this.#part, this.#scope);
    standard.content?.append(...this.#children.childNodes);
    this.#children.remove();
    return standard;
  }

  #removeStandard(): void {
    this.#children.append(...(this.#standard?.content?.childNodes ?? []));
    this.#frame.append(this.#children);
    this.#standard?.dispose();
    // `#arrange` replaces the node by the frame, unless the node was in a box.
    this.#standard = null;
  }

  /** The interface of this view for the boxes of its renderers. */
  readonly #owner = {
    scope: (): MessageScope => this.#scope,
    part: (): Part => this.#part,
    onChange: (box: RendererBox): void => {
      if (this.#isDisposed || (box !== this.#box && box !== this.#candidate)) return;
      if (box.isOver) this.#leave(box);
      else this.#promoteCandidate();
      this.#arrange();
    },
    onFailure: ({ renderer }: RendererBox, cause: unknown, canRetry: boolean): void => {
      const failures = canRetry ? (this.#failures.get(renderer) ?? 0) + 1 : MAX_ATTEMPTS;
      this.#failures.set(renderer, failures);
      const { kind } = this.#part;
      this.#scope.context.report(new UbikError('renderer', { offender: kind, cause }));
    },
  };
}

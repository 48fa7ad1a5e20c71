import { element } from '../../dom/element.js';
import type { Part } from '../../model/part.js';
import { LightDomBox } from '../host-content.js';
import type { MessageScope } from '../part-view.js';
import { createPartContext } from './part-context.js';
import { isToolPart } from './part-facts.js';
import type { MountedPart, PartContext, PartFacts } from './renderer-types.js';
import { StandardNode } from './standard-node.js';

/** A renderer of the host page for any kind of part. It gets a context of the type that it expects, because its rule matches the part. */
export interface AnyRenderer {
  readonly root?: 'page' | 'shadow';
  mount(box: HTMLElement, context: PartContext): unknown;
  toMarkdown?(facts: PartFacts): string | undefined;
  toText?(facts: PartFacts): string | undefined;
}

/** The view that has a box. */
export interface BoxOwner {
  scope(): MessageScope;
  part(): Part;
  /** Called when a renderer has loaded, declined, failed or requested the built-in view after it was mounted. */
  onChange(box: RendererBox): void;
  /** Called when a renderer has failed. `canRetry`: its promise was rejected, so it may be asked again. */
  onFailure(box: RendererBox, cause: unknown, canRetry: boolean): void;
}

/**
 * One renderer that was asked to show one part, and the box that it draws into. No error of the renderer leaves this class.
 */
export class RendererBox {
  readonly renderer: AnyRenderer;
  /** The view that has the box. */
  owner: BoxOwner;
  /** `loading`: the promise of the renderer is pending, or the renderer was not asked yet. */
  state: 'loading' | 'shown' | 'declined' | 'failed' = 'loading';
  /** The node that shows the box: the box, or the slot that it is assigned to. */
  readonly node: HTMLElement;
  /** Contains the built-in view; null until the renderer has requested it. */
  standard: StandardNode | null = null;
  readonly #box: HTMLElement;
  readonly #light: LightDomBox | null;
  readonly #abort = new AbortController();
  #mounted: MountedPart | undefined;
  /** The state of the tool call that the renderer shows; empty for other parts. */
  #toolState = '';
  /** Whether the part has changed while the renderer was loading. */
  #isOutdated = false;
  /**
   * Whether a function of the renderer is being called. `onChange` is not called meanwhile, because the caller reads the state afterwards.
   */
  #isCalling = false;

  constructor(renderer: AnyRenderer, owner: BoxOwner) {
    this.renderer = renderer;
    this.owner = owner;
    const { context } = owner.scope();
    this.#light = renderer.root === 'shadow' ? null : new LightDomBox(context, context.createId());
    this.#box = this.#light?.box ?? element('div');
    this.node = this.#light?.slot ?? this.#box;
  }

  /** Whether the renderer does not show the part, and will not. */
  get isOver(): boolean {
    return this.state === 'declined' || this.state === 'failed';
  }

  /** Asks the renderer. Afterwards it shows the part, is loading, or is over. */
  mount(): void {
    const result = this.#call(() => {
      const value = this.renderer.mount(this.#box, this.#createContext());
      // Copies a promise of another library, whose `then` may throw.
      return isPromise(value) ? Promise.resolve(value) : value;
    });
    if (!(result instanceof Promise)) {
      this.#show(result);
      return;
    }
    // What has shown the part so far stays until the renderer has loaded. The owner then inserts the node again.
    this.node.remove();
    result.then(
      (mounted) => {
        this.#show(mounted);
        this.owner.onChange(this);
      },
      (cause: unknown) => {
        if (this.isOver) return;
        this.#fail(cause, true);
        this.owner.onChange(this);
      },
    );
  }

  /** Updates what the renderer shows. */
  update(): void {
    if (this.state === 'loading') this.#isOutdated = true;
    else if (this.state === 'shown') {
      const context = this.#createContext();
      this.#call(() => this.#mounted?.update?.(context));
    }
  }

  /** Moves the focus into the box; undefined if the renderer cannot. */
  get focus(): (() => void) | undefined {
    const canFocus = this.#callBetweenUpdates(() => typeof this.#mounted?.focus === 'function');
    if (canFocus !== true) return undefined;
    return () => void this.#callBetweenUpdates(() => this.#mounted?.focus?.());
  }

  /** Updates the language of the box. */
  updateLang(): void {
    this.#light?.updateLang();
  }

  /** Marks the frame around the box as a tool call in its state, because steps and the summary of a run count the tool calls in a state. */
  describe(frame: HTMLElement): void {
    const part = this.owner.part();
    if (!isToolPart(part)) return;
    frame.classList.add('tool');
    frame.dataset['state'] = this.#toolState;
  }

  /** Ends the renderer and removes the box. */
  end(): void {
    this.#close('declined');
  }

  #createContext(): PartContext {
    const context = createPartContext(this.owner.part(), this.owner.scope(), this.#actions);
    this.#toolState = context.tool?.state ?? '';
    return context;
  }

  readonly #actions = {
    signal: this.#abort.signal,
    standard: (): HTMLElement => {
      this.standard ??= new StandardNode(this.owner.scope().context.host, this.#light !== null);
      if (this.state === 'shown' && !this.#isCalling) this.owner.onChange(this);
      return this.standard.node;
    },
    decline: (): undefined => {
      if (this.isOver) return;
      this.#close('declined');
      if (!this.#isCalling) this.owner.onChange(this);
    },
  };

  #show(result: unknown): void {
    // `mount` may return a node, for example one that it has appended. Methods of a node with the same names, such as `focus`, are not meant.
    const mounted = this.#call(() => (isNode(result) ? undefined : (result ?? undefined))) as
      | MountedPart
      | undefined;
    if (this.isOver) {
      // The renderer has declined, or the part was removed while it was loading.
      this.#call(() => mounted?.unmount?.());
      return;
    }
    this.state = 'shown';
    this.#mounted = mounted;
    if (this.#isOutdated) this.update();
  }

  /** Calls the renderer. Whatever it throws ends it. */
  #call(callback: () => unknown): unknown {
    const wasCalling = this.#isCalling;
    this.#isCalling = true;
    try {
      return callback();
    } catch (cause) {
      this.#fail(cause, false);
      return undefined;
    } finally {
      this.#isCalling = wasCalling;
    }
  }

  /** Calls the renderer and notifies the owner if the renderer is over then. Not for `mount` and `update`: the owner reads the state after them. */
  #callBetweenUpdates(callback: () => unknown): unknown {
    const result = this.#call(callback);
    if (this.isOver) this.owner.onChange(this);
    return result;
  }

  #fail(cause: unknown, canRetry: boolean): void {
    this.owner.onFailure(this, cause, canRetry);
    this.#close('failed');
  }

  #close(state: 'declined' | 'failed'): void {
    if (this.isOver) return;
    this.state = state;
    const mounted = this.#mounted;
    this.#mounted = undefined;
    // Code of the renderer that still awaits something must not draw any more.
    this.#abort.abort();
    this.#call(() => mounted?.unmount?.());
    this.node.remove();
    this.#box.remove();
  }
}

/** Whether a value is a node, also one of another document. */
function isNode(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'nodeType' in value;
}

/** Whether a value is a promise, also one of another realm or library. */
function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

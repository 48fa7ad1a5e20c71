import type { Locale } from '../../locales/locale.js';
import type { ActivityKind, Part, PartKind, PartOf } from '../../model/part.js';
import type { MessageScope, PartView, ViewContext } from '../part-view.js';

/** The base of views that render as a whole, at most once per frame, after their part or its activity has changed. */
export abstract class BasePartView<Kind extends PartKind> implements PartView {
  readonly node: HTMLElement;
  readonly content: HTMLElement | null = null;
  protected readonly scope: MessageScope;
  protected readonly context: ViewContext;
  /** The part in its current state. */
  protected part: PartOf<Kind>;
  #stopTicking: (() => void) | null = null;
  #isDisposed = false;

  /** `cssPart` is the name of the node for `::part()`. Subclasses call `renderNow` at the end of their constructor. */
  constructor(part: PartOf<Kind>, scope: MessageScope, node: HTMLElement, cssPart?: string) {
    this.part = part;
    this.scope = scope;
    this.context = scope.context;
    this.node = node;
    if (cssPart) node.part.add(cssPart);
  }

  update(part: Part, _what?: 'text' | 'fields' | 'parts'): void {
    this.part = part as PartOf<Kind>;
    this.scheduleRender();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.setTicking(false);
  }

  /** Renders in the next frame, once for any number of calls. */
  readonly scheduleRender = (): void => {
    this.context.frames.schedule(this.renderNow);
  };

  /** Renders synchronously, unless the view is disposed. */
  protected readonly renderNow = (): void => {
    if (!this.#isDisposed) this.render();
  };

  protected abstract render(): void;

  /** Returns a text of the interface in the current language. */
  protected readonly text: Locale['text'] = (...args) => this.context.locale.text(...args);

  /** Starts or stops rendering every second, for views that show an elapsed time. */
  protected setTicking(on: boolean): void {
    if (!on) this.#stopTicking?.();
    this.#stopTicking = on
      ? (this.#stopTicking ?? this.context.clock.everySecond(this.scheduleRender))
      : null;
  }

  /** Returns the activity of the part; the part itself if it is activity of that kind. */
  protected findActivity<K extends ActivityKind>(kind: K): PartOf<K> | undefined {
    const part: Part = this.part;
    const found = part.kind === kind ? part : this.scope.linkedPartOf(part);
    return found?.kind === kind ? (found as PartOf<K>) : undefined;
  }
}

/** Memoizes the result for the latest input only. */
export function memoizeLast<Input, Result>(
  compute: (input: Input) => Result,
): (input: Input) => Result {
  let last: { readonly input: Input; readonly result: Result } | null = null;
  return (input) => {
    if (!last || last.input !== input) last = { input, result: compute(input) };
    return last.result;
  };
}

/** Memoizes the element for the latest input until the language changes, so that what the user has expanded in it stays expanded. */
export function memoizeElement<Input>(
  context: ViewContext,
  create: (input: Input, locale: Locale) => HTMLElement,
): (input: Input) => HTMLElement {
  const createFor = memoizeLast((locale: Locale) =>
    memoizeLast((input: Input) => create(input, locale)),
  );
  return (input) => createFor(context.locale)(input);
}

import type { Locale } from '../../locales/locale.js';
import type { ActivityFields, Part, PartKind, PartOf } from '../../model/part.js';
import type { MessageScope, PartView, ViewContext } from '../part-view.js';

/** A part whose looks are drawn anew, once a frame at most, when something about it has changed. */
export abstract class BasePartView<Kind extends PartKind> implements PartView {
  readonly node: HTMLElement;
  readonly content: HTMLElement | null = null;
  protected readonly scope: MessageScope;
  protected readonly context: ViewContext;
  /** The part as it is now. */
  protected part: PartOf<Kind>;
  #stopTicking: (() => void) | null = null;
  #disposed = false;

  /** `name` is what style sheets of the page call it. */
  constructor(part: PartOf<Kind>, scope: MessageScope, node: HTMLElement, name?: string) {
    this.part = part;
    this.scope = scope;
    this.context = scope.context;
    this.node = node;
    if (name) node.part.add(name);
  }

  update(part: Part, _what?: 'text' | 'fields' | 'parts'): void {
    this.part = part as PartOf<Kind>;
    this.scheduleRender();
  }

  dispose(): void {
    this.#disposed = true;
    this.setTicking(false);
  }

  /** Asks for a drawing in the coming frame. */
  readonly scheduleRender = (): void => {
    this.context.frames.schedule(this.renderNow);
  };

  /** Draws now. */
  protected readonly renderNow = (): void => {
    if (!this.#disposed) this.render();
  };

  protected abstract render(): void;

  /** Words of the page's language. */
  protected readonly text: Locale['text'] = (...ask) => this.context.locale.text(...ask);

  /** Draws each second, or no longer. */
  protected setTicking(on: boolean): void {
    if (!on) this.#stopTicking?.();
    this.#stopTicking = on
      ? (this.#stopTicking ?? this.context.clock.everySecond(this.scheduleRender))
      : null;
  }

  /** What events told about the part, which may be just that. */
  protected findActivity<K extends ActivityFields['kind']>(kind: K): PartOf<K> | undefined {
    const part: Part = this.part;
    const found = part.kind === kind ? part : this.scope.activityOf(part);
    return found?.kind === kind ? (found as PartOf<K>) : undefined;
  }
}

/** Asked the same twice in a row, it gives the first answer again, as long as `by` is the same. */
export function memoizeLast<Ask, Answer>(
  answer: (ask: Ask) => Answer,
  by: () => unknown = () => null,
): (ask: Ask) => Answer {
  let last: { readonly ask: Ask; readonly by: unknown; readonly answer: Answer } | null = null;
  return (ask) => {
    const now = by();
    if (last?.ask !== ask || last.by !== now) last = { ask, by: now, answer: answer(ask) };
    return last.answer;
  };
}

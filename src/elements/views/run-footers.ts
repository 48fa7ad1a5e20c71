import type { Frame } from '../../dom/frames.js';
import type { MessageView } from '../../message/message-view.js';
import type { ViewContext } from '../../message/part-view.js';

/** Draws the ends of messages again when a run begins or is over: what can be done with a message depends on that. */
export class RunFooters {
  readonly #context: ViewContext;
  /** A run was on when they were drawn last. */
  #busy = false;
  /** Those that are to be drawn because that has changed. */
  #views: MessageView[] = [];

  constructor(context: ViewContext) {
    this.#context = context;
  }

  /** Whether a run is on now; `views` are the messages that are rich. */
  look(busy: boolean, views: () => MessageView[]): void {
    if (busy === this.#busy) return;
    this.#busy = busy;
    this.#views = views();
    this.#context.frames.schedule(this.#draw);
  }

  /** The newest first, as many as the frame has time for. */
  readonly #draw = (frame: Frame): boolean => {
    do this.#views.pop()?.updateActions();
    while (this.#views.length > 0 && frame.hasTime());
    return this.#views.length > 0;
  };
}

import type { LitElement, ReactiveController } from 'lit';
import {
  UbikMessageQueuedEvent,
  UbikMessageQueueEvent,
  UbikMessageSendEvent,
  UbikRunStopEvent,
} from '../../events/index.js';
import { element } from '../../dom/element.js';
import type { StringName } from '../../locales/locale.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import { isRunning } from '../../message/thread-selectors.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { createDraft } from '../composer/message-field.js';
import { describeRun, describeThread } from '../base/controller-events.js';
import type { QueueView } from './queue-view.js';

/** What Enter does with a text while a run is on, with the words that say so. */
const HINTS = {
  queue: 'hintQueue',
  stop: 'hintStop',
  draft: 'hintDraft',
} as const satisfies Record<string, StringName>;

/** An element in which messages are written, as far as those that wait need it. */
export type QueueHost = ConnectedHost<
  LitElement & {
    /** As the page has it: it may be anything. */
    readonly whileRunning: string;
  }
>;

/** What shows the messages that wait. */
export const lazyQueueView = createLazyModule(() => import('./queue-view.js'));

/** Messages that were written while a run is on: what becomes of a new one, and those that wait, above the field. */
export class MessageQueue implements ReactiveController {
  readonly node = element('div', 'waiting');
  readonly #host: QueueHost;
  readonly #isRejected: (text: string) => boolean;
  #view: QueueView | undefined;

  /** `refuses` tells what cannot be sent. */
  constructor(host: QueueHost, refuses: (text: string) => boolean) {
    this.#host = host;
    this.#isRejected = refuses;
    host.element.addController(this);
  }

  /** What Enter does while a run is on: as the page says, as far as the service can. */
  get sendMode(): keyof typeof HINTS {
    const { whileRunning } = this.#host.element;
    if (whileRunning === 'draft') return whileRunning;
    return whileRunning === 'stop' && this.canStop ? whileRunning : 'queue';
  }

  /** Whether a run is on. */
  get isRunning(): boolean {
    return isRunning(this.#host.controller?.thread);
  }

  /** Whether a run can be stopped for a message. */
  get canStop(): boolean {
    return this.#host.controller?.backend.capabilities.has('stop') ?? false;
  }

  /** Name of the words about what Enter does. */
  get hint(): StringName {
    return HINTS[this.sendMode];
  }

  /** Keeps a text until the run is over; `now`: stops the run for it. */
  async enqueue(text: string, now = this.sendMode === 'stop'): Promise<void> {
    const host = this.#host;
    const { controller } = host;
    if (!controller || !text.trim() || this.#isRejected(text)) return;
    const draft = createDraft(controller, text);
    const detail = { ...describeThread(controller), ...draft };
    const before = now
      ? [new UbikMessageSendEvent(detail), new UbikRunStopEvent(describeRun(controller))]
      : [new UbikMessageQueueEvent(detail)];
    // That a message was sent is told when the service has taken it.
    const after = now ? undefined : () => new UbikMessageQueuedEvent(detail);
    await host.attempt(host.performAction(before, () => controller.enqueue(draft, now), after));
  }

  hostUpdated(): void {
    const { controller, context } = this.#host;
    const waits = (controller?.thread?.list('queue').size ?? 0) > 0;
    if (this.#view) this.#view.update();
    else if (waits || (this.isRunning && controller?.getDraft().text.trim())) {
      lazyQueueView.load().then(({ QueueView }) => {
        this.#view ??= new QueueView(this.#host, this);
        this.#view.update();
      }, context.report);
    }
  }
}

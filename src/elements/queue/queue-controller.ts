import type { LitElement, ReactiveController } from 'lit';
import {
  UbikMessageQueueEvent,
  UbikMessageSendEvent,
  UbikRunStopEvent,
} from '../../events/index.js';
import type { StreamController } from '../../controller/controller-types.js';
import { writtenDrafts } from '../../controller/messages/written-drafts.js';
import { element } from '../../dom/element.js';
import type { StringName } from '../../locales/locale.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import { isRunning } from '../../message/thread-selectors.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { createDraft, getMessageSettings } from '../composer/draft.js';
import { describeRun, describeThread } from '../base/controller-events.js';
import type { QueueView } from './queue-view.js';

/** The hint for each effect that Enter can have during a run. */
const HINTS = {
  queue: 'hintQueue',
  stop: 'hintStop',
  draft: 'hintDraft',
} as const satisfies Record<string, StringName>;

/** The connected host of the element that contains the composer. */
export type QueueHost = ConnectedHost<
  LitElement & {
    /** As set by the host page; may be any string. */
    readonly whileRunning: string;
  }
>;

/** The list of queued messages and the buttons for a text that is written during a run, loaded when one of them is first shown. */
export const lazyQueueView = createLazyModule(() => import('./queue-view.js'));

/** Reactive controller for messages that are written during a run: enqueues new ones and shows the queue above the field. */
export class QueueController implements ReactiveController {
  readonly node = element('div', 'queue');
  readonly #host: QueueHost;
  readonly #refuse: (text: string) => boolean;
  readonly #prepareOptions: () => Promise<boolean>;
  #view: QueueView | undefined;
  /** The texts that are being queued, each with its thread. */
  readonly #pending = new Set<{
    readonly text: string;
    readonly thread: StreamController['thread'];
    /** Whether the text has left the field. */
    isTaken: boolean;
  }>();
  /**
   * Whether the view has been requested since it became necessary. After a failure, it is not requested with each update, but the next time that
   * it becomes necessary.
   */
  #isRequested = false;

  /**
   * `refuse` returns whether a text cannot be sent, and shows the reason. `prepareOptions` updates the settings of the next message, and
   * resolves to false when the user has to correct one first.
   */
  constructor(
    host: QueueHost,
    refuse: (text: string) => boolean,
    prepareOptions: () => Promise<boolean>,
  ) {
    this.#host = host;
    this.#refuse = refuse;
    this.#prepareOptions = prepareOptions;
    host.element.addController(this);
  }

  /** The effect of Enter during a run: the mode that the host page has set, if it is known and the service supports it, else `queue`. */
  get sendMode(): keyof typeof HINTS {
    const { whileRunning } = this.#host.element;
    if (whileRunning === 'draft') return whileRunning;
    return whileRunning === 'stop' && this.canStop ? whileRunning : 'queue';
  }

  /** Whether a run is active. */
  get isRunning(): boolean {
    return isRunning(this.#host.controller?.thread);
  }

  /** Whether the service can stop a run. */
  get canStop(): boolean {
    return this.#host.controller?.backend.capabilities.has('stop') ?? false;
  }

  /** Name of the string that describes the effect of Enter. */
  get hint(): StringName {
    return HINTS[this.sendMode];
  }

  /**
   * Queues a text until the run ends; with `now`, stops the run and sends the text. Resolves to false when the text was not queued, for example
   * because it is invalid or already being queued, another thread was opened, the host page has cancelled it, or it has failed.
   */
  async enqueue(text: string, now = this.sendMode === 'stop'): Promise<boolean> {
    const host = this.#host;
    const { controller } = host;
    if (!controller || !text.trim() || this.isPending(text)) return false;
    if (this.#refuse(text)) return false;
    const { thread } = controller;
    const pending = { text, thread, isTaken: false };
    this.#pending.add(pending);
    const stop = controller.onNotice(() => {
      pending.isTaken ||= !controller.getDraft(thread?.key).text.startsWith(text);
    });
    try {
      // No event after the action: `ubik-message-sent` follows when the service has accepted the message.
      return await host.attempt(this.#enqueue(controller, text, now));
    } finally {
      stop();
      this.#pending.delete(pending);
    }
  }

  /**
   * Whether a text is being queued in the shown thread, or begins with one that is: while options or code are loading for the queuing, the queued
   * text stays in the field, before what is written meanwhile.
   */
  isPending(text: string): boolean {
    const thread = this.#host.controller?.thread;
    return [...this.#pending].some(
      (each) =>
        each.thread === thread &&
        (text === each.text || (!each.isTaken && text.startsWith(each.text))),
    );
  }

  async #enqueue(controller: StreamController, text: string, now: boolean): Promise<boolean> {
    const host = this.#host;
    const { thread } = controller;
    const writtenDraft = controller.getDraft();
    const { attachments } = createDraft(controller, text);
    const isPrepared = await this.#prepareOptions();
    // The user may open another thread while the options are loading.
    if (!isPrepared || controller !== host.controller || controller.thread !== thread) return false;
    const draft = { text, attachments, ...getMessageSettings(controller) };
    // The user may continue writing while the options are loading.
    writtenDrafts.set(draft, writtenDraft);
    const detail = { ...describeThread(controller), ...draft };
    const before = now
      ? [new UbikMessageSendEvent(detail), new UbikRunStopEvent(describeRun(controller))]
      : [new UbikMessageQueueEvent(detail)];
    return host.performAction(before, () => controller.enqueue(draft, now));
  }

  hostUpdated(): void {
    const { controller, context } = this.#host;
    const hasQueued = (controller?.thread?.list('queue').size ?? 0) > 0;
    if (this.#view) this.#view.update();
    else if (!hasQueued && !(this.isRunning && controller?.getDraft().text.trim())) {
      this.#isRequested = false;
    } else if (!this.#isRequested) {
      this.#isRequested = true;
      lazyQueueView.load().then(({ QueueView }) => {
        this.#view ??= new QueueView(this.#host, this);
        this.#view.update();
      }, context.report);
    }
  }
}

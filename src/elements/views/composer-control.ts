import type { ControllerNotice } from '../../conversation/controller-types.js';
import { isUbikError } from '../../errors.js';
import type { Key } from '../../model/json.js';
import type { PartOf } from '../../model/part.js';
import { explainError } from '../../parts/explain-error.js';
import { armedRequests } from '../../parts/thread-path.js';
import type { ConversationLink } from '../connection/conversation-link.js';
import { ComposerView } from './composer-view.js';

/** States of a run in which nothing new can be sent. */
const RUNNING = new Set(['sending', 'streaming', 'stopping', 'stalled', 'broken', 'rejoining']);

/** A request that waits for an answer of the person. */
export interface Armed {
  readonly message: Key;
  readonly request: PartOf<'request-activity'>;
}

/** A composer at a conversation: sends, stops, answers the agent's open question, keeps what is unsent. */
export class ComposerControl {
  readonly view: ComposerView;
  readonly #link: ConversationLink;
  readonly #onSend: () => void;
  #sending = false;

  /** `onSend` is told when something is about to be sent. */
  constructor(link: ConversationLink, onSend: () => void = () => undefined) {
    this.#link = link;
    this.#onSend = onSend;
    this.view = new ComposerView(link.context, {
      send: (text) => void this.send(text),
      stop: () => void this.attempt(link.session?.stop()),
      edit: (text) => link.session?.controller.setDraft({ text, attachments: [] }),
    });
  }

  /** Sends a text; it answers the agent's open question when there is one. False when it was not sent. */
  async send(text: string): Promise<boolean> {
    const { session, context } = this.#link;
    if (!session || this.#sending) return false;
    const armed = this.findArmed();
    this.#sending = true;
    this.view.set({ error: '' });
    this.#onSend();
    try {
      if (armed?.request.level !== 'agent') return await session.send({ text, attachments: [] });
      await session.provideInput(armed.message, armed.request.key, { type: 'text', text });
      session.controller.setDraft({ text: '', attachments: [] });
      return true;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      this.view.set({ error: explainError(error, context.locale) });
      return false;
    } finally {
      this.#sending = false;
    }
  }

  /** Waits for an act whose failure the page has been told; here the person is told. */
  async attempt(act: Promise<unknown> | undefined): Promise<void> {
    try {
      await act;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (error.code === 'aborted') return;
      this.view.set({ error: explainError(error, this.#link.context.locale) });
    }
  }

  /** Brings the view in line with the run. */
  readonly refresh = (): void => {
    const controller = this.#link.session?.controller;
    const run = controller?.thread?.run ?? null;
    const armed = this.findArmed();
    this.view.set({
      running: run !== null && RUNNING.has(run.state),
      stopping: run?.state === 'stopping',
      canStop: run?.state !== 'sending' && (controller?.backend.capabilities.has('stop') ?? false),
      disabled: !controller,
      question: armed?.request.level === 'agent' ? armed.request.prompt : '',
    });
  };

  /** Shows the unsent text of the conversation. */
  showDraft(): void {
    this.view.value = this.#link.session?.controller.draft().text ?? '';
  }

  /** Takes what the conversation tells. */
  noticed({ type }: ControllerNotice): void {
    if (type === 'draft-changed' || type === 'thread-changed') this.showDraft();
    if (type === 'thread-changed') this.view.set({ error: '' });
  }

  /** The oldest request of the newest message that waits for an answer here. */
  findArmed(): Armed | null {
    const { session } = this.#link;
    const thread = session?.controller.thread;
    const message = thread?.messages.get(thread.head ?? '');
    if (!session || !message) return null;
    const request = armedRequests(message).find(({ key }) => !session.isTaken(message.key, key));
    return request ? { message: message.key, request } : null;
  }
}

import type { Timer } from '../../../transport/environment.js';
import type { TabChannel } from './tab-channel.js';
import { PATIENCE } from './takeover-timeout.js';
import type { TabMessage } from '../wire/message.js';

/** What a tab was answered; `silent`: nothing, or the thread is this tab's own now. */
export interface Answer {
  readonly code: string;
  readonly message: string;
}

const SILENT: Answer = { code: 'silent', message: '' };

/** A call to the tab that reads a thread. */
interface Waiting {
  readonly thread: string;
  readonly resolve: (answer: Answer) => void;
  /** Somebody is at it. */
  wait(): void;
}

/** Calls of this tab to others. */
export class Calls {
  readonly #channel: TabChannel;
  readonly #waiting = new Map<string, Waiting>();

  constructor(channel: TabChannel) {
    this.#channel = channel;
  }

  /**
   * Asks whoever reads a thread. Without an answer, or without another tab that reads, it is `silent`. Whoever answers that it takes
   * longer is asked again until it is done, and so is the tab that has taken the thread over from it: a tab that dies says nothing.
   */
  make(thread: string, ask: (call: string) => TabMessage, signal?: AbortSignal): Promise<Answer> {
    const { environment, post } = this.#channel;
    const call = environment.uuid();
    return new Promise((settle) => {
      const resolve = (answer: Answer) => {
        environment.clearTimer(timer);
        signal?.removeEventListener('abort', giveUp);
        this.#waiting.delete(call);
        settle(answer);
      };
      const giveUp = () => resolve(SILENT);
      signal?.addEventListener('abort', giveUp);
      const message = ask(call);
      let timer: Timer;
      const request = () => {
        timer = environment.setTimer(() => resolve(SILENT), 2 * PATIENCE);
        post(message);
      };
      const wait = () => {
        environment.clearTimer(timer);
        timer = environment.setTimer(request, PATIENCE);
      };
      this.#waiting.set(call, { thread, resolve, wait });
      request();
    });
  }

  /** An answer has come. */
  answer({ call, code, message }: Extract<TabMessage, { do: 'reply' }>): void {
    const waiting = this.#waiting.get(call);
    if (code === 'wait') waiting?.wait();
    else waiting?.resolve({ code, message });
  }

  /** Nobody else will answer for a thread any more. */
  give(thread: string): void {
    for (const waiting of [...this.#waiting.values()]) {
      if (waiting.thread === thread) waiting.resolve(SILENT);
    }
  }
}

import { createFieldChange } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Part } from '../../model/part.js';
import type { Timer } from '../../transport/environment.js';
import type { ControllerContext } from '../controller-context.js';
import { isPending } from './input-requests.js';

/** Longest time that timers can wait, in ms. */
const LONGEST_WAIT = 2 ** 31 - 1;

/** Where a request stands. */
export interface RequestPlace {
  readonly thread: Key;
  readonly message: Key;
  readonly request: Key;
}

/** Closes requests when their time has run out, unless they were answered before. */
export class Deadlines {
  readonly #conversation: ControllerContext;
  readonly #timers = new Map<string, Timer>();

  constructor(conversation: ControllerContext) {
    this.#conversation = conversation;
  }

  /** Watches the deadline of an armed request. Longer than timers go, nobody waits. */
  watch(place: RequestPlace): void {
    const { environment } = this.#conversation;
    this.leave(place);
    const deadline = this.#read(place);
    const wait = (deadline ?? Infinity) - environment.now();
    if (wait > LONGEST_WAIT) return;
    const expire = (): void => {
      this.#timers.delete(nameOf(place));
      if (this.#read(place) !== deadline) return;
      const { thread, message, request } = place;
      this.#conversation.commit(thread, [createFieldChange(message, request, 'state', 'expired')]);
      this.#conversation.onExpired(thread);
    };
    this.#timers.set(nameOf(place), environment.setTimer(expire, Math.max(0, wait)));
  }

  /** A request is not armed any more. */
  leave(place: RequestPlace): void {
    const name = nameOf(place);
    const timer = this.#timers.get(name);
    if (timer) this.#conversation.environment.clearTimer(timer);
    this.#timers.delete(name);
  }

  /** Waits for nothing any more. */
  close(): void {
    for (const timer of this.#timers.values()) this.#conversation.environment.clearTimer(timer);
    this.#timers.clear();
  }

  #read({ thread, message, request }: RequestPlace): number | null {
    const { store } = this.#conversation;
    return deadlineOf(store.threads.get(thread)?.messages.get(message)?.parts.get(request));
  }
}

function nameOf({ thread, message, request }: RequestPlace): string {
  return JSON.stringify([thread, message, request]);
}

function deadlineOf(part: Part | undefined): number | null {
  return isPending(part) ? part.deadline : null;
}

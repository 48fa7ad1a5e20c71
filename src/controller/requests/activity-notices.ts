import { createFieldChange } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { ACTIVITY, type Part } from '../../model/part.js';
import type { Thread } from '../../model/thread.js';
import type { Timer } from '../../transport/environment.js';
import type { ControllerContext } from '../controller-context.js';
import { isPending } from './input-requests.js';

/** The longest delay of a timer, in ms. */
const MAX_DELAY = 2 ** 31 - 1;

/** The address of a request. */
interface RequestAddress {
  readonly thread: Key;
  readonly message: Key;
  readonly request: Key;
}

/**
 * Emits `input-required` and `step-completed` for the current thread, once for each request and step, and expires requests at their
 * deadline.
 */
export class ActivityNotices {
  readonly #context: ControllerContext;
  /** Requests that were notified and are still pending. */
  readonly #requests = new Set<string>();
  /** Steps that were notified and are still completed. */
  readonly #steps = new Set<string>();
  /** Timers of deadlines, by request. */
  readonly #timers = new Map<string, Timer>();

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  /** Notifies of a request that has become pending. One that was closed and becomes pending again is notified again. */
  updateRequest(thread: Key, message: Key, request: Key): void {
    const { currentThread, environment } = this.#context;
    const address = { thread, message, request };
    const id = JSON.stringify([thread, message, request]);
    const part = this.#findPart(thread, message, request);
    if (!isPending(part)) {
      this.#requests.delete(id);
      this.#clearTimer(id);
    } else if (thread === currentThread?.key && !this.#requests.has(id)) {
      this.#requests.add(id);
      const { deadline } = part;
      // An expired request cannot be answered any more.
      if (deadline === null || deadline > environment.now()) {
        this.#context.notify({ type: 'input-required', ...address });
      }
      this.#scheduleExpiry(id, address);
    }
  }

  /** Notifies of all pending requests of a thread. */
  updateRequestsOf({ key: thread, messages }: Thread): void {
    for (const { key, parts } of messages.values()) {
      for (const part of parts.children(ACTIVITY)) this.updateRequest(thread, key, part);
    }
  }

  /** Notifies of a step that is completed. One that starts again is notified again. */
  updateStep(thread: Key, message: Key, step: Key): void {
    const part = this.#findPart(thread, message, step);
    if (part?.kind !== 'step-activity') return;
    const id = JSON.stringify([thread, message, step]);
    if (part.state !== 'completed') this.#steps.delete(id);
    else if (thread === this.#context.currentThread?.key && !this.#steps.has(id)) {
      this.#steps.add(id);
      this.#context.notify({ type: 'step-completed', thread, message, step });
    }
  }

  /** Clears all timers and the memory. */
  close(): void {
    for (const id of [...this.#timers.keys()]) this.#clearTimer(id);
    this.#requests.clear();
    this.#steps.clear();
  }

  #findPart(thread: Key, message: Key, part: Key): Part | undefined {
    return this.#context.store.threads.get(thread)?.messages.get(message)?.parts.get(part);
  }

  /** The deadline of a pending request; null when there is none. */
  #deadlineOf({ thread, message, request }: RequestAddress): number | null {
    const part = this.#findPart(thread, message, request);
    return isPending(part) ? part.deadline : null;
  }

  /** Does nothing when the deadline is further away than a timer can wait. */
  #scheduleExpiry(id: string, address: RequestAddress): void {
    const { environment } = this.#context;
    this.#clearTimer(id);
    const deadline = this.#deadlineOf(address);
    const delay = (deadline ?? Infinity) - environment.now();
    if (delay > MAX_DELAY) return;
    const expire = (): void => {
      this.#timers.delete(id);
      if (this.#deadlineOf(address) !== deadline) return;
      const { thread, message, request } = address;
      this.#context.commit(thread, [createFieldChange(message, request, 'state', 'expired')]);
      this.#context.onRequestExpired(thread);
    };
    this.#timers.set(id, environment.setTimer(expire, Math.max(0, delay)));
  }

  #clearTimer(id: string): void {
    const timer = this.#timers.get(id);
    if (timer) this.#context.environment.clearTimer(timer);
    this.#timers.delete(id);
  }
}

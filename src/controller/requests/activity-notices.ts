import { createFieldChange } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { ACTIVITY, type Part } from '../../model/part.js';
import { isPending } from '../../model/pending-requests.js';
import type { Thread } from '../../model/thread.js';
import type { Timer } from '../../transport/environment.js';
import type { ControllerContext } from '../controller-context.js';
import { requestId } from './notified-requests.js';

/** The longest delay that timers support, in ms. */
const MAX_DELAY = 2 ** 31 - 1;

/** The address of a request. */
interface RequestAddress {
  readonly thread: Key;
  readonly message: Key;
  readonly request: Key;
}

/**
 * Emits `input-required` and `step-completed` for the current thread, once for each request and step, and sets requests to `expired` at
 * their deadline.
 */
export class ActivityNotices {
  readonly #context: ControllerContext;
  /** Pending requests whose notice was emitted. */
  readonly requests = new Set<string>();
  /** Completed steps whose notice was emitted. */
  readonly #steps = new Set<string>();
  /** Timers of deadlines, by request. */
  readonly #timers = new Map<string, Timer>();

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  /**
   * Emits `input-required` for a request that has become pending, unless its deadline has passed, and again if it is closed and becomes
   * pending again. Ignores other parts.
   */
  updateRequest(thread: Key, message: Key, request: Key): void {
    const part = this.#findPart(thread, message, request);
    if (part && part.kind !== 'request-activity') return;
    const { currentThread, environment } = this.#context;
    const address = { thread, message, request };
    const id = requestId(thread, message, request);
    if (!isPending(part)) {
      this.requests.delete(id);
      this.#clearTimer(id);
    } else if (thread === currentThread?.key) {
      // An expired request cannot be answered.
      if (!this.requests.has(id) && (part.deadline ?? Infinity) > environment.now()) {
        this.requests.add(id);
        this.#context.notify({ type: 'input-required', ...address });
      }
      // The deadline of a known request may have changed.
      this.#scheduleExpiry(id, address);
    }
  }

  /** Emits `input-required` for the pending requests of a thread, each once. */
  updateRequestsOf({ key: thread, messages }: Thread): void {
    for (const { key, parts } of messages.values()) {
      for (const part of parts.children(ACTIVITY)) this.updateRequest(thread, key, part);
    }
  }

  /** Emits `step-completed` for a step that has completed, and again if it restarts and completes again. */
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
    this.requests.clear();
    this.#steps.clear();
  }

  #findPart(thread: Key, message: Key, part: Key): Part | undefined {
    return this.#context.store.threads.get(thread)?.messages.get(message)?.parts.get(part);
  }

  /** Returns the deadline of a pending request; null when there is none. */
  #deadlineOf({ thread, message, request }: RequestAddress): number | null {
    const part = this.#findPart(thread, message, request);
    return isPending(part) ? part.deadline : null;
  }

  /** Schedules the expiry of a request, or cancels it when there is no deadline or the deadline is beyond the longest delay of a timer. */
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

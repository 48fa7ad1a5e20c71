import type { Key } from '../../../model/json.js';
import type { Timer } from '../../../transport/environment.js';
import { loadExecution } from '../api/executions.js';
import type { RunContext } from './ubik-run.js';
import type { TaskState } from './task-state.js';

/** Whether an execution no longer waits for input. False when it cannot be loaded. */
export async function isExecutionAnswered(
  { client, signal }: RunContext,
  executionId: string,
): Promise<boolean> {
  const execution = await loadExecution(client, executionId, signal).catch(() => null);
  return execution !== null && execution.status !== 'waiting_for_input';
}

/** Longest time, in ms, that lookups delay the events of a stream. An input request whose lookup has no response by then is shown as open. */
const LOOKUP_TIMEOUT = 1000;

/**
 * Looks up the input requests of tools in a run that was rejoined. The stream replays these requests, but while any tool still waits, it
 * does not say which of the other requests were answered. Each request is looked up once.
 */
export class RequestLookups {
  readonly #context: RunContext;
  readonly #task: TaskState;
  readonly #known = new Set<Key>();
  readonly #pending = new Set<Promise<void>>();

  constructor(context: RunContext, task: TaskState) {
    this.#context = context;
    this.#task = task;
  }

  /** Looks up the new requests. Resolves when all have a response, or after a second; later responses are applied when they arrive. */
  async start(): Promise<void> {
    const requests = this.#task.listPendingExecutions().filter(([key]) => !this.#known.has(key));
    if (requests.length === 0) return;
    for (const [key, execution] of requests) {
      this.#known.add(key);
      const pending = this.#lookup(key, execution).finally(() => this.#pending.delete(pending));
      this.#pending.add(pending);
    }
    const { environment } = this.#context.client;
    let timer: Timer | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = environment.setTimer(resolve, LOOKUP_TIMEOUT);
    });
    await Promise.race([this.done(), timeout]);
    if (timer) environment.clearTimer(timer);
  }

  /** Resolves with the next response; null when no lookup is pending. */
  get next(): Promise<void> | null {
    return this.#pending.size > 0 ? Promise.race(this.#pending) : null;
  }

  /** Resolves when all lookups that are pending now have finished. */
  async done(): Promise<void> {
    await Promise.all(this.#pending);
  }

  async #lookup(key: Key, execution: string): Promise<void> {
    if (await isExecutionAnswered(this.#context, execution)) this.#task.recordAnswer(key, null);
  }
}

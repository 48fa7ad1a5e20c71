import { isUbikError, UbikError } from '../../../errors.js';
import type { Key } from '../../../model/json.js';
import type { Timer } from '../../../transport/environment.js';
import { loadExecution } from '../api/executions.js';
import { loadActiveBranch } from '../api/messages.js';
import type { RunContext } from './ubik-run.js';
import type { TaskState } from './task-state.js';

/** Whether an execution that has asked asks no more. What cannot be read tells nothing. */
async function isExecutionAnswered(
  { client, signal }: RunContext,
  executionId: string,
): Promise<boolean> {
  const execution = await loadExecution(client, executionId, signal).catch(() => null);
  return execution !== null && execution.status !== 'waiting_for_input';
}

/** How long the events of a stream may be held back by a look-up, in ms. A question whose tool says nothing by then is shown. */
const LOOKUP_TIMEOUT = 1000;

/**
 * The questions of tools in a run that was joined. A stream tells what tools have asked, but not that somebody has answered while
 * another tool still asks: each question that was asked before is looked up, once.
 */
export class RequestLookups {
  readonly #place: RunContext;
  readonly #memory: TaskState;
  readonly #known = new Set<Key>();
  readonly #pending = new Set<Promise<void>>();

  constructor(context: RunContext, memory: TaskState) {
    this.#place = context;
    this.#memory = memory;
  }

  /** Looks up the questions that are new. Resolves when that is done, or after a second: then the answer is taken when it comes. */
  async start(): Promise<void> {
    const asking = this.#memory.listPendingExecutions().filter(([key]) => !this.#known.has(key));
    if (asking.length === 0) return;
    for (const [key, execution] of asking) {
      this.#known.add(key);
      const pending = this.#lookup(key, execution).finally(() => this.#pending.delete(pending));
      this.#pending.add(pending);
    }
    const { environment } = this.#place.client;
    let timer: Timer | undefined;
    const late = new Promise<void>((resolve) => {
      timer = environment.setTimer(resolve, LOOKUP_TIMEOUT);
    });
    await Promise.race([this.done(), late]);
    if (timer) environment.clearTimer(timer);
  }

  /** Resolves with the next answer; null when none is awaited. */
  get next(): Promise<void> | null {
    return this.#pending.size > 0 ? Promise.race(this.#pending) : null;
  }

  /** Resolves when every answer is there that is awaited now. */
  async done(): Promise<void> {
    await Promise.all(this.#pending);
  }

  async #lookup(key: Key, execution: string): Promise<void> {
    if (await isExecutionAnswered(this.#place, execution)) this.#memory.answer(key, null);
  }
}

/** Why an execution does not take an answer: when it asks no more, somebody was quicker. */
export async function explainRejection(
  context: RunContext,
  executionId: string,
  error: unknown,
): Promise<unknown> {
  const isRefusal = isUbikError(error) && (error.status === 409 || error.status === 404);
  if (!isRefusal || !(await isExecutionAnswered(context, executionId))) return error;
  return new UbikError('not-open', { cause: error });
}

/**
 * Rejects when an agent's question, asked in a message, was answered from elsewhere: then the conversation has gone on behind it, and
 * the answer would be a message that nobody has asked for. What cannot be read tells nothing.
 */
export async function assertRequestOpen(context: RunContext, message: Key): Promise<void> {
  const { client, session, state, signal } = context;
  const task = state.runs.get(message)?.status.taskId ?? state.head?.taskId;
  if (task == null) return;
  const items = await loadActiveBranch(client, session, { signal }).catch(() => []);
  const at = items.map(({ taskId }) => taskId).lastIndexOf(task);
  const later = at < 0 ? [] : items.slice(at + 1);
  if (later.some(({ role }) => role === 'user')) throw new UbikError('not-open');
}

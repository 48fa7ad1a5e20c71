import { isUbikError, UbikError } from '../../../errors.js';
import type { Key } from '../../../model/json.js';
import type { Timer } from '../../../transport/environment.js';
import { getExecution } from '../api/executions.js';
import { getBranch } from '../api/messages.js';
import type { RunPlace } from './run.js';
import type { TaskMemory } from './task-state.js';

/** Whether an execution that has asked asks no more. What cannot be read tells nothing. */
async function isAnswered({ service, signal }: RunPlace, executionId: string): Promise<boolean> {
  const execution = await getExecution(service, executionId, signal).catch(() => null);
  return execution !== null && execution.status !== 'waiting_for_input';
}

/** How long the events of a stream may be held back by a look-up, in ms. A question whose tool says nothing by then is shown. */
const LOOK_UP_PATIENCE = 1000;

/**
 * The questions of tools in a run that was joined. A stream tells what tools have asked, but not that somebody has answered while
 * another tool still asks: each question that was asked before is looked up, once.
 */
export class QuestionLookUps {
  readonly #place: RunPlace;
  readonly #memory: TaskMemory;
  readonly #known = new Set<Key>();
  readonly #pending = new Set<Promise<void>>();

  constructor(place: RunPlace, memory: TaskMemory) {
    this.#place = place;
    this.#memory = memory;
  }

  /** Looks up the questions that are new. Resolves when that is done, or after a second: then the answer is taken when it comes. */
  async begin(): Promise<void> {
    const asking = this.#memory.listAsking().filter(([key]) => !this.#known.has(key));
    if (asking.length === 0) return;
    for (const [key, execution] of asking) {
      this.#known.add(key);
      const pending = this.#lookUp(key, execution).finally(() => this.#pending.delete(pending));
      this.#pending.add(pending);
    }
    const { environment } = this.#place.service;
    let timer: Timer | undefined;
    const late = new Promise<void>((resolve) => {
      timer = environment.setTimer(resolve, LOOK_UP_PATIENCE);
    });
    await Promise.race([this.settled(), late]);
    if (timer) environment.clearTimer(timer);
  }

  /** Resolves with the next answer; null when none is awaited. */
  get next(): Promise<void> | null {
    return this.#pending.size > 0 ? Promise.race(this.#pending) : null;
  }

  /** Resolves when every answer is there that is awaited now. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  async #lookUp(key: Key, execution: string): Promise<void> {
    if (await isAnswered(this.#place, execution)) this.#memory.answer(key, null);
  }
}

/** Why an execution does not take an answer: when it asks no more, somebody was quicker. */
export async function explainRefusal(
  place: RunPlace,
  executionId: string,
  error: unknown,
): Promise<unknown> {
  const isRefusal = isUbikError(error) && (error.status === 409 || error.status === 404);
  if (!isRefusal || !(await isAnswered(place, executionId))) return error;
  return new UbikError('not-open', { cause: error });
}

/**
 * Rejects when an agent's question, asked in a message, was answered from elsewhere: then the conversation has gone on behind it, and
 * the answer would be a message that nobody has asked for. What cannot be read tells nothing.
 */
export async function checkOpen(place: RunPlace, message: Key): Promise<void> {
  const { service, session, notes, signal } = place;
  const task = notes.runs.get(message)?.run.taskId ?? notes.head?.taskId;
  if (task == null) return;
  const items = await getBranch(service, session, { signal }).catch(() => []);
  const at = items.map(({ taskId }) => taskId).lastIndexOf(task);
  const later = at < 0 ? [] : items.slice(at + 1);
  if (later.some(({ role }) => role === 'user')) throw new UbikError('not-open');
}

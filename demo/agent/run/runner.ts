import { randomUUID } from 'node:crypto';
import { formatTimestamp } from '../clock.js';
import type { Json } from '../json.js';
import {
  findExecution,
  finishExecution,
  listOpenExecutions,
  type ToolAnswer,
} from '../store/executions.js';
import { setMessageTask, type MessageRow } from '../store/messages.js';
import { nextRunNumber, getSession, updateSession, type SessionRow } from '../store/sessions.js';
import {
  findTask,
  insertTask,
  listRunningTasks,
  newestTask,
  type TaskRow,
} from '../store/tasks.js';
import type { Block } from './block.js';
import { executeRun, expireQuestion } from './execute-run.js';
import type { RunContext } from './run-context.js';
import { failInterruptedTask, finishTask } from './finish.js';
import { LiveRun } from './live-run.js';
import type { Progress } from './progress.js';
import { EXPIRED, listQuestionsWithDeadline } from './close-question.js';
import { readEvents, TaskLog } from './task-log.js';

/** Initial state of a run. */
export interface RunStart {
  readonly progress: Progress;
  /** Content before the run; empty for a new answer. */
  readonly base: readonly Block[];
}

/** Starts, resumes and stops runs, and gives access to their event logs. */
export class Runner {
  readonly #context: RunContext;
  readonly #live = new Map<string, LiveRun>();
  /** One promise for each run that is being executed. */
  readonly #pending = new Set<Promise<void>>();
  /** The runs of `#live` that are being executed. The others have waited for input since before the server was restarted. */
  readonly #executing = new WeakSet<LiveRun>();

  /** @param context Dependencies that all runs share. */
  constructor(context: RunContext) {
    this.#context = context;
  }

  /**
   * After a restart: fails the runs that were in progress, sets the deadlines of open questions again, and lets those expire whose deadline
   * has passed. A run that waits for input of a tool is restored when it is needed.
   */
  recover(): void {
    const { clock, database, deadlines } = this.#context;
    for (const task of listRunningTasks(database)) failInterruptedTask(this.#context, task);
    for (const { task, owner, executionId, deadline } of listQuestionsWithDeadline(database)) {
      const expire = (): void => {
        if (executionId === null) expireQuestion(this.#context, task.id);
        else this.answerTool(executionId, EXPIRED);
      };
      if (deadline <= clock.now()) expire();
      else deadlines.set(owner, deadline, expire);
    }
  }

  /** Starts a run for a question. The caller has checked that the session is idle. */
  start(session: SessionRow, question: MessageRow, start: RunStart): TaskRow {
    const { database } = this.#context;
    const task: TaskRow = {
      id: randomUUID(),
      session_id: session.id,
      number: nextRunNumber(database, session.id),
      user_message_id: question.id,
      message_id: randomUUID(),
      state: 'running',
      base: start.base,
      progress: start.progress,
      open_request: null,
      created_at: formatTimestamp(this.#context.clock.now()),
    };
    database.transaction(() => {
      insertTask(database, task);
      setMessageTask(database, question.id, task.id);
      updateSession(database, session.id, { active_head: question.id }, task.created_at);
    });
    const log = new TaskLog(database, task.id);
    this.#execute(new LiveRun(this.#context, task, session.owner, log), null);
    return task;
  }

  /** The active task of a session, or null. A task that waits for a message is not active. */
  activeTask(sessionId: string): TaskRow | null {
    const task = newestTask(this.#context.database, sessionId);
    return task !== null && (task.state === 'running' || task.state === 'tool_waiting')
      ? task
      : null;
  }

  /** The event log of a running task, or of one that waits for input of a tool; null for a task that has ended or waits for a message. */
  logOf(task: TaskRow): TaskLog | null {
    const live = this.#live.get(task.id);
    if (live !== undefined) return live.log;
    return task.state === 'tool_waiting' ? this.#revive(task).log : null;
  }

  /**
   * Requests that the active task of a session stop. A task that has waited for input since before a restart ends at once.
   *
   * @returns The task; null if none is active.
   */
  stop(sessionId: string): TaskRow | null {
    const task = this.activeTask(sessionId);
    if (task === null) return null;
    const run = this.#live.get(task.id) ?? this.#revive(task);
    run.requestStop();
    if (!this.#executing.has(run)) this.#finishRevived(run);
    return task;
  }

  /**
   * Passes the user's answer to the waiting tool.
   *
   * @returns False if the execution is not waiting.
   */
  answerTool(
    executionId: string,
    answer: { readonly input: Json; readonly type: string },
  ): boolean {
    const execution = findExecution(this.#context.database, executionId);
    if (execution?.status !== 'waiting_for_input') return false;
    const task = findTask(this.#context.database, execution.task_id);
    if (task === null) return false;
    const run = this.#live.get(task.id) ?? this.#revive(task);
    if (this.#executing.has(run)) return run.answer(executionId, answer);
    this.#execute(run, { executionId, answer });
    return true;
  }

  /** Ends the runs of a session without storing anything. Call it before the session is deleted. */
  discardSession(sessionId: string): void {
    for (const run of this.#live.values()) if (run.task.session_id === sessionId) run.discard();
  }

  /** Stops executing without ending the runs, and waits until nothing is written any more. */
  async close(): Promise<void> {
    for (const run of this.#live.values()) run.close();
    await Promise.allSettled([...this.#pending]);
    for (const { log } of this.#live.values()) {
      try {
        log.endWithoutEvent();
      } catch (error) {
        this.#context.onError(error);
        log.discard();
      }
    }
    this.#live.clear();
  }

  #execute(run: LiveRun, resumed: { executionId: string; answer: ToolAnswer } | null): void {
    this.#live.set(run.task.id, run);
    this.#executing.add(run);
    const pending = executeRun(this.#context, run, resumed).finally(() => {
      this.#pending.delete(pending);
      if (!this.#context.closed) this.#live.delete(run.task.id);
    });
    this.#pending.add(pending);
  }

  /** Restores a task that has waited for input since before a restart. */
  #revive(task: TaskRow): LiveRun {
    const known = this.#live.get(task.id);
    if (known !== undefined) return known;
    const written = readEvents(this.#context.database, task.id);
    const owner = getSession(this.#context.database, task.session_id).owner;
    const log = new TaskLog(this.#context.database, task.id, written);
    const run = new LiveRun(this.#context, task, owner, log, written);
    this.#live.set(task.id, run);
    return run;
  }

  #finishRevived(run: LiveRun): void {
    const { database, clock } = this.#context;
    for (const { id } of listOpenExecutions(database, run.task.id)) {
      finishExecution(
        database,
        id,
        { error: 'Stopped by the user.' },
        formatTimestamp(clock.now()),
      );
    }
    finishTask(this.#context, run, 'stopped');
    this.#live.delete(run.task.id);
  }
}

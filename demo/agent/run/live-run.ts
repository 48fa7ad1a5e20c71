import { formatTimestamp } from '../clock.js';
import type { Json } from '../json.js';
import { copyBlocks, type Block } from './block.js';
import { applyEvent, serializeBlocks } from './content.js';
import type { RunContext } from './run-context.js';
import type { Progress } from './progress.js';
import type { SessionEvent } from './session-event.js';
import { ServerClosedError, RunStoppedError } from './run-errors.js';
import type { TaskLog } from './task-log.js';
import type { ToolAnswer } from '../store/executions.js';
import type { TaskRow } from '../store/tasks.js';
import { splitIntoChunks } from './split-into-chunks.js';

/** A task in progress: emits its events and maintains its content. */
export class LiveRun {
  /** The task as it was when this object was created: its `state` and `progress` are not updated. */
  readonly task: TaskRow;
  /** The owner of the session. */
  readonly owner: string | null;
  /** Progress of the plan, updated by the steps. */
  readonly progress: Progress;
  /** The current content. */
  readonly blocks: Block[];
  /** The events of the task. */
  readonly log: TaskLog;
  /** Number of the open step, or null. */
  step: number | null = null;
  readonly #context: RunContext;
  #isStopping = false;
  #discarded = false;
  readonly #abort = new AbortController();
  readonly #pending = new Map<string, (answer: ToolAnswer) => void>();

  /** @param written Stored events from before a restart of the server. */
  constructor(
    context: RunContext,
    task: TaskRow,
    owner: string | null,
    log: TaskLog,
    written: readonly SessionEvent[] = [],
  ) {
    this.#context = context;
    this.task = task;
    this.owner = owner;
    this.log = log;
    this.progress = structuredClone(task.progress);
    this.blocks = copyBlocks(task.base);
    for (const event of written) applyEvent(this.blocks, event);
  }

  /** Whether a stop was requested. */
  get isStopRequested(): boolean {
    return this.#isStopping;
  }

  /** Aborted when a stop is requested, the server closes or the session is deleted. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the session was deleted during the run. */
  get isDiscarded(): boolean {
    return this.#discarded;
  }

  /** Ends the run without storing anything, because its session is deleted. */
  discard(): void {
    this.#discarded = true;
    this.close();
    this.log.discard();
  }

  /** The current content in its stored form. */
  get content(): string {
    return serializeBlocks(this.blocks);
  }

  /**
   * Applies an event to the content, appends it to the log, and returns its timestamp. Throws `ServerClosedError` if the server is closing
   * or the session was deleted.
   */
  emit(type: string, fields: { readonly [name: string]: Json }, timeField = 'timestamp'): string {
    if (this.#context.closed || this.#discarded) throw new ServerClosedError();
    const time = formatTimestamp(this.#context.clock.now());
    const event: SessionEvent = { type, ...fields, [timeField]: time };
    applyEvent(this.blocks, event);
    this.log.append(event);
    return time;
  }

  /** Writes text without a delay, into the open step if there is one. */
  write(text: string): void {
    if (text === '') return;
    this.emit(
      'response_chunk',
      this.step === null ? { content: text } : { content: text, step: this.step },
    );
  }

  /** Streams text in chunks, at the pace of a language model. */
  async streamText(text: string): Promise<void> {
    for (const piece of splitIntoChunks(text)) {
      await this.#context.pausePoints.reach(this.owner, 'text');
      this.write(piece);
      await this.pause(30);
    }
  }

  /** Writes text that begins on a new line, such as a tag. The line stays open. */
  writeOnNewLine(text: string): void {
    this.write(`${this.#lineBreak()}${text}`);
  }

  /** Streams text that begins on a new line. */
  async streamOnNewLine(text: string): Promise<void> {
    await this.streamText(`${this.#lineBreak()}${text}`);
  }

  /** Waits, at the pace of the server. Throws `RunStoppedError` if a stop was requested. */
  async pause(milliseconds: number): Promise<void> {
    await this.#context.pace.pause(milliseconds);
    this.throwIfStopped();
  }

  /** Waits and ignores stop requests, because a running tool is not interrupted. */
  async pauseUnstoppable(milliseconds: number): Promise<void> {
    await this.#context.pace.pause(milliseconds);
  }

  /** Throws `RunStoppedError` if a stop was requested. */
  throwIfStopped(): void {
    if (this.#isStopping) throw new RunStoppedError();
  }

  /** Requests that the run stop at its next check. Tools that wait for the user get null as the answer. Idempotent. */
  requestStop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.emit('agent_stop_requested', { task_id: this.task.id });
    this.#abort.abort();
    for (const resolve of this.#pending.values()) resolve(null);
    this.#pending.clear();
  }

  /**
   * Waits for the user's answer to a tool; null if the run is stopped. Rejects with `ServerClosedError` if the server closes or the session is
   * deleted.
   */
  waitForAnswer(executionId: string): Promise<ToolAnswer> {
    return new Promise((resolve, reject) => {
      this.#pending.set(executionId, (answer) => {
        this.#pending.delete(executionId);
        if (this.#context.closed || this.#discarded) reject(new ServerClosedError());
        else resolve(answer);
      });
    });
  }

  /** Passes an answer to a waiting tool. Returns false if the tool is not waiting. */
  answer(executionId: string, answer: ToolAnswer): boolean {
    const resolve = this.#pending.get(executionId);
    resolve?.(answer);
    return resolve !== undefined;
  }

  /** Whether a tool waits for an answer. */
  get waitsForTool(): boolean {
    return this.#pending.size > 0;
  }

  /** Aborts `signal` and ends all waiting calls of `waitForAnswer`, which reject. Called when the server is closed or the run is discarded. */
  close(): void {
    this.#abort.abort();
    for (const resolve of [...this.#pending.values()]) resolve(null);
  }

  #lineBreak(): string {
    const text = this.#openText();
    return text === '' || text.endsWith('\n') ? '' : '\n';
  }

  #openText(): string {
    if (this.step === null) {
      const last = this.blocks.at(-1);
      return last?.kind === 'text' ? last.text : '';
    }
    const step = this.blocks.findLast((block) => block.kind === 'step' && block.step === this.step);
    return step?.kind === 'step' ? step.text : '';
  }
}

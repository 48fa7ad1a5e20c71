import { printInstant } from '../clock.js';
import type { Json } from '../json.js';
import { copyBlocks, type Block } from './block.js';
import { foldEvent, printBlocks } from './content.js';
import type { Engine } from './engine.js';
import type { Progress } from './progress.js';
import type { SessionEvent } from './session-event.js';
import { Closed, Stopped } from './signals.js';
import type { TaskLog } from './task-log.js';
import type { TaskRow } from '../store/tasks.js';
import { cutIntoPieces } from './stream-pieces.js';

/** What the person has answered to a tool; null when it was called off. */
export type ToolAnswer = { readonly input: Json; readonly type: string } | null;

/** A task while it is being worked on: it tells its events and knows what its content is so far. */
export class LiveRun {
  /** The stored task. */
  readonly task: TaskRow;
  /** The user whose session it is. */
  readonly owner: string | null;
  /** How far it is; changed by the steps. */
  readonly progress: Progress;
  /** The content so far. */
  readonly blocks: Block[];
  /** Its events. */
  readonly log: TaskLog;
  /** The step that is open, or null. */
  step: number | null = null;
  readonly #engine: Engine;
  #stopping = false;
  #dropped = false;
  readonly #pending = new Map<string, (answer: ToolAnswer) => void>();

  /** @param written The events that an earlier life of this task has told. */
  constructor(
    engine: Engine,
    task: TaskRow,
    owner: string | null,
    log: TaskLog,
    written: readonly SessionEvent[] = [],
  ) {
    this.#engine = engine;
    this.task = task;
    this.owner = owner;
    this.log = log;
    this.progress = structuredClone(task.progress);
    this.blocks = copyBlocks(task.base);
    for (const event of written) foldEvent(this.blocks, event);
  }

  /** Whether a person has asked to stop. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** Whether the session was deleted under it. */
  get dropped(): boolean {
    return this.#dropped;
  }

  /** Lets the run end without a trace, because its session is gone. */
  drop(): void {
    this.#dropped = true;
    this.abandon();
    this.log.discard();
  }

  /** The stored form of the content so far. */
  get content(): string {
    return printBlocks(this.blocks);
  }

  /** Tells an event; its time is added. Returns that time as text. */
  tell(type: string, fields: { readonly [name: string]: Json }, timeField = 'timestamp'): string {
    if (this.#engine.closed || this.#dropped) throw new Closed();
    const time = printInstant(this.#engine.clock.now());
    const event: SessionEvent = { type, ...fields, [timeField]: time };
    foldEvent(this.blocks, event);
    this.log.add(event);
    return time;
  }

  /** Writes text at once. In a step it belongs to the step. */
  write(text: string): void {
    if (text === '') return;
    this.tell(
      'response_chunk',
      this.step === null ? { content: text } : { content: text, step: this.step },
    );
  }

  /** Writes text piece by piece, at the pace of somebody who is thinking. */
  async say(text: string): Promise<void> {
    for (const piece of cutIntoPieces(text)) {
      await this.#engine.gate.pass(this.owner, 'text');
      this.write(piece);
      await this.pause(30);
    }
  }

  /** Writes something that stands on a line of its own, such as a tag. */
  writeLine(text: string): void {
    this.write(`${this.#lineBreak()}${text}`);
  }

  /** Says something that begins on a line of its own. */
  async sayLine(text: string): Promise<void> {
    await this.say(`${this.#lineBreak()}${text}`);
  }

  /** Waits, at the pace of the server; throws `Stopped` when the person has asked to stop. */
  async pause(milliseconds: number): Promise<void> {
    await this.#engine.pace.pause(milliseconds);
    this.checkStop();
  }

  /** Waits without hearing a stop: a tool that has begun is not torn. */
  async pauseUnstoppable(milliseconds: number): Promise<void> {
    await this.#engine.pace.pause(milliseconds);
  }

  /** Throws `Stopped` when the person has asked to stop. */
  checkStop(): void {
    if (this.#stopping) throw new Stopped();
  }

  /** Asks the run to end after what it is doing. Asking twice changes nothing. */
  requestStop(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.tell('agent_stop_requested', { task_id: this.task.id });
    for (const resolve of this.#pending.values()) resolve(null);
    this.#pending.clear();
  }

  /** Waits until a person has answered a tool. */
  waitForAnswer(executionId: string): Promise<ToolAnswer> {
    return new Promise((resolve, reject) => {
      this.#pending.set(executionId, (answer) => {
        this.#pending.delete(executionId);
        if (this.#engine.closed || this.#dropped) reject(new Closed());
        else resolve(answer);
      });
    });
  }

  /** Gives a waiting tool its answer; false when no such tool waits here. */
  answer(executionId: string, answer: ToolAnswer): boolean {
    const resolve = this.#pending.get(executionId);
    resolve?.(answer);
    return resolve !== undefined;
  }

  /** Whether a tool waits for a person. */
  get waitsForTool(): boolean {
    return this.#pending.size > 0;
  }

  /** Lets go of everything that waits, because the server closes. */
  abandon(): void {
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

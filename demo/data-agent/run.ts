import { ServerClosedError, RunStoppedError } from '../agent/run/run-errors.js';
import type { PausePoints, PausePoint } from '../agent/run/pause-points.js';
import type { Pace } from '../agent/run/pace.js';
import { textOf, type Json, type JsonObject } from '../agent/json.js';
import type { AnswerLanguage } from '../agent/query/languages.js';
import type { ServiceLanguage } from './errors.js';
import type { Reply, SkillInfo, Step } from './reply.js';
import { createUlid } from './ulid.js';

/** How the executor of a run fails on request of a test. */
export interface ExecutorFault {
  /** `blank-message` empties the reply before its error, as an internal failure does; `executor-death` ends the run without an error. */
  readonly kind: 'blank-message' | 'executor-death';
  /** Frames before it fails. */
  readonly frames: number;
}

/** The run ends because the executor failed in the way that the fault names. */
export class ExecutorFailure extends Error {
  /** The kind of the injected fault. */
  readonly kind: ExecutorFault['kind'];

  /** @param kind The kind of the injected fault. */
  constructor(kind: ExecutorFault['kind']) {
    super(kind);
    this.kind = kind;
  }
}

/** Settings of a run. */
export interface RunOptions {
  readonly reply: Reply;
  readonly owner: string;
  readonly pace: Pace;
  readonly pausePoints: PausePoints;
  /** Number of frames, which are the units of work of a run (see `frame`), after which a snapshot is published. */
  readonly publishEvery: number;
  /** Language of the answer. */
  readonly language: AnswerLanguage;
  /** Language of error texts. */
  readonly errorLanguage: ServiceLanguage;
  /** Whether `progress` of the reply contains the steps; always when a tool waits for approval. */
  readonly needsProgress: boolean;
  readonly deepThinking: boolean;
  readonly fault: ExecutorFault | null;
}

/** A published state of a run. */
export interface PublishedReply {
  /** Counts the published states from 1; 0 before the first one. */
  readonly version: number;
  readonly snapshot: Json;
  readonly ended: boolean;
}

/** One run: it changes the reply frame by frame and publishes a snapshot every few frames. It does not depend on readers. */
export class DataAgentRun {
  /** The current reply; readers see it only as published snapshots. */
  readonly reply: Reply;
  /** The steps so far, also when the reply leaves them out. */
  readonly steps: Step[];
  readonly options: RunOptions;
  readonly #startedAt = Date.now();
  #published: PublishedReply = { version: 0, snapshot: {}, ended: false };
  #frames = 0;
  #waiting: (() => void)[] = [];
  readonly #abort = new AbortController();
  readonly #aborted: Promise<void>;

  /** @param options Its reply may contain the steps of an interrupted run. */
  constructor(options: RunOptions) {
    this.options = options;
    this.reply = options.reply;
    this.steps = [...(options.reply.message.content?.middle_answer.progress ?? [])];
    this.#aborted = new Promise((resolve) => {
      this.#abort.signal.addEventListener('abort', () => resolve());
    });
  }

  /** The newest published state. */
  get published(): PublishedReply {
    return this.#published;
  }

  /** Whether the run was asked to stop. */
  get terminated(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Aborted when the run is asked to stop. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Returns the text in the language of the question; the English one where a language has none. */
  text(
    english: string,
    chinese: string,
    more: { readonly de?: string; readonly fr?: string } = {},
  ): string {
    const texts = { en: english, zh: chinese, ...more };
    return texts[this.options.language] ?? english;
  }

  /** Resolves when a state after `version` is published. */
  changed(version: number): Promise<void> {
    if (this.#published.version > version) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Asks the run to stop; it ends at its next frame. */
  terminate(): void {
    this.#abort.abort();
  }

  /** Resolves when the run has ended. */
  async ended(): Promise<void> {
    while (!this.#published.ended) await this.changed(this.#published.version);
  }

  /**
   * Ends a frame: waits as long as the work would take; publishes a snapshot after the first frame and after every `publishEvery` frames. Throws
   * `RunStoppedError` after a termination, `ServerClosedError` when the server closes, and `ExecutorFailure` for an injected fault.
   */
  async frame(milliseconds: number, point: PausePoint = 'step'): Promise<void> {
    await Promise.race([this.options.pausePoints.reach(this.options.owner, point), this.#aborted]);
    await Promise.race([this.options.pace.pause(milliseconds), this.#aborted]);
    if (this.terminated) throw new RunStoppedError();
    this.#frames += 1;
    const { fault } = this.options;
    if (fault !== null && this.#frames > fault.frames) throw new ExecutorFailure(fault.kind);
    if (this.#frames === 1 || this.#frames % this.options.publishEvery === 0) this.#publish(false);
  }

  /** Publishes the last snapshot. */
  end(): void {
    this.#publish(true);
  }

  /**
   * Opens a step of the model and writes its text in pieces. The answer of the reply becomes this text. The thought is written only with deep
   * thinking.
   */
  async write(text: string, thought = ''): Promise<void> {
    const step = await this.openText();
    if (this.options.deepThinking) {
      for (const piece of pieces(thought)) await this.appendThought(step, piece);
    }
    for (const piece of pieces(text)) await this.appendText(step, piece);
    await this.closeText(step);
  }

  /** Opens a step of the model without text. The text of the reply is emptied, because it becomes the text of this step. */
  async openText(): Promise<Step> {
    const step = this.#open('llm', 'main', null, '');
    const final = this.reply.message.content?.final_answer;
    if (final !== undefined) final.answer.text = '';
    await this.frame(120);
    return step;
  }

  /** Appends to the reasoning of a step of the model. */
  async appendThought(step: Step, piece: string): Promise<void> {
    step.think += piece;
    const final = this.reply.message.content?.final_answer;
    if (final !== undefined) final.thinking += piece;
    await this.frame(25, 'text');
  }

  /** Appends to the text of a step of the model. */
  async appendText(step: Step, piece: string): Promise<void> {
    step.answer = textOf(step.answer) + piece;
    const { content, ext } = this.reply.message;
    if (content !== null) content.final_answer.answer.text += piece;
    if (ext !== null) ext.ttft ??= Math.max(1, Date.now() - this.#startedAt);
    await this.frame(25, 'text');
  }

  /** Closes a step of the model and estimates its tokens. */
  async closeText(step: Step): Promise<void> {
    const query = this.reply.message.content?.final_answer.query ?? '';
    step.token_usage = countTokens(
      query.length + 400,
      textOf(step.answer).length + step.think.length,
    );
    this.close(step, 'completed');
    await this.frame(30);
  }

  /** Opens a step of a skill; its answer is null until the caller sets it. */
  async openSkill(
    name: string,
    args: SkillInfo['args'],
    type: SkillInfo['type'] = 'TOOL',
  ): Promise<Step> {
    const step = this.#open('skill', name, { type, name, args, checked: true }, null);
    await this.frame(200, 'tool');
    return step;
  }

  /** Closes a step. */
  close(step: Step, status: Step['status']): void {
    step.status = status;
    step.end_time = Date.now() / 1000;
  }

  /** Sets the totals, which only a run that was completed has. */
  addTotals(): void {
    const { ext } = this.reply.message;
    if (ext === null) return;
    const first = this.steps[0]?.start_time ?? this.#startedAt / 1000;
    const last = this.steps.at(-1)?.end_time ?? Date.now() / 1000;
    ext.total_time = Math.max(0.01, Math.round((last - first) * 100) / 100);
    ext.total_tokens = this.steps.reduce((sum, step) => sum + step.token_usage.total_tokens, 0);
  }

  #open(stage: Step['stage'], agent: string, skill: SkillInfo | null, answer: Json): Step {
    const step: Step = {
      id: createUlid(),
      stage,
      agent_name: agent,
      status: 'processing',
      answer,
      think: '',
      skill_info: skill,
      input_message: '',
      interrupted: false,
      flags: '',
      start_time: Date.now() / 1000,
      end_time: 0,
      token_usage: countTokens(0, 0),
    };
    this.steps.push(step);
    const middle = this.reply.message.content?.middle_answer;
    if (middle !== undefined && this.options.needsProgress) middle.progress = this.steps;
    return step;
  }

  #publish(ended: boolean): void {
    this.#published = {
      version: this.#published.version + 1,
      snapshot: JSON.parse(JSON.stringify(this.reply)) as JsonObject,
      ended,
    };
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Whether an error means that the server closes. */
export function isClosing(error: unknown): boolean {
  return error instanceof ServerClosedError;
}

function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,9}/gu) ?? [];
}

function countTokens(promptLength: number, textLength: number): Step['token_usage'] {
  const prompt = Math.ceil(promptLength / 4);
  const completion = Math.ceil(textLength / 4);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}

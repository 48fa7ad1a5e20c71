import type { Change } from '../../../model/change.js';
import type { Key } from '../../../model/json.js';
import type { StepFields, ToolActivityFields } from '../../../model/part.js';
import { UbikError } from '../../../errors.js';
import type { ContentSink } from '../tags/content-sink.js';
import { createKeyMaker, type KeyMaker, type KeyMakerSnapshot } from '../tags/keys.js';
import { createLiveConstructs } from './live-constructs.js';
import { KnownConstructs, type KnownConstructsState } from './known-constructs.js';
import { Outline, type OutlineState } from './outline.js';
import { createOutlineSink } from './outline-sink.js';
import { RequestBook, type RequestBookState } from './request-book.js';
import { STARTED, type RunStanding } from './run-standing.js';
import { TextLanes, type TextLanesState } from './text-lanes.js';
import { keyOfTool, ToolBook, type ToolBookState } from './tool-book.js';

/** What a fold is made from. */
export interface MessageFoldOptions {
  /** The message that is written. */
  readonly message: Key;
  /** Units of text that one message may have: 8 Mi. */
  readonly maxText?: number | undefined;
  readonly onDiagnostic: (error: UbikError) => void;
}

/** The block of a step in the content. `byEvent`: its own event has come. */
export interface StepBlock {
  readonly key: Key;
  readonly byEvent: boolean;
  /** How many blocks of its number there are. */
  readonly count: number;
}

/** A state of a fold, to go on from. Costs the number of parts. */
export interface FoldState {
  readonly outline: OutlineState;
  readonly keys: { readonly maker: KeyMaker; readonly at: KeyMakerSnapshot };
  readonly texts: { readonly lanes: TextLanes; readonly at: TextLanesState };
  readonly tools: ToolBookState;
  readonly requests: RequestBookState;
  readonly constructs: KnownConstructsState;
  readonly steps: ReadonlyMap<number, StepBlock>;
  readonly run: RunStanding;
}

/**
 * One message as it grows from events: cursors, not content. The rows of the event table act on it; what they do comes out as
 * {@link Change}s.
 */
export class MessageFold {
  readonly message: Key;
  readonly outline: Outline;
  readonly tools: ToolBook;
  readonly requests: RequestBook;
  readonly constructs = new KnownConstructs();
  readonly #options: MessageFoldOptions;
  #keys: KeyMaker = createKeyMaker();
  #texts: TextLanes;
  #steps = new Map<number, StepBlock>();
  #run: RunStanding = STARTED;
  #isFull = false;

  constructor(options: MessageFoldOptions) {
    this.#options = options;
    this.message = options.message;
    this.outline = new Outline(options.message);
    this.tools = new ToolBook(this.outline);
    this.requests = new RequestBook(this.outline);
    this.#texts = this.#createTexts();
  }

  /** Names of the parts of the present content. */
  get keys(): KeyMaker {
    return this.#keys;
  }

  /** The texts of the present content. */
  get texts(): TextLanes {
    return this.#texts;
  }

  get run(): RunStanding {
    return this.#run;
  }

  /** Rises when something was done that depends on what came before it in other lanes. */
  get orderMatters(): number {
    return this.tools.moves + this.constructs.asked;
  }

  /** The newest block of a step. */
  step(number: number): StepBlock | undefined {
    return this.#steps.get(number);
  }

  /** The newest block of each step, in the order of their first ones. */
  steps(): IterableIterator<StepBlock> {
    return this.#steps.values();
  }

  /** Makes a part the newest block of a step. */
  setStep(number: number, key: Key, byEvent: boolean): void {
    const known = this.#steps.get(number);
    const count = known?.key === key ? known.count : (known?.count ?? 0) + 1;
    this.#steps.set(number, { key, byEvent, count });
  }

  /** The content is about to be replaced: nothing of its names, texts and steps is known any more. */
  clearContent(): void {
    this.#keys = createKeyMaker();
    this.#texts = this.#createTexts();
    this.#steps = new Map();
  }

  /** Opens a step at the end of the main text. */
  openStep(fields: StepFields, byEvent: boolean): Key {
    let key: Key = '';
    this.texts.place(() => {
      key = this.keys.named(`step:${fields.number ?? '?'}`);
      this.outline.put(key, null, fields);
      return key;
    });
    if (fields.number !== null) this.setStep(fields.number, key, byEvent);
    return key;
  }

  /** Whether so much more text may come. Tells once when it may not. */
  hasRoomFor(units: number): boolean {
    if (this.outline.textLength + units <= (this.#options.maxText ?? 1 << 23)) return true;
    if (!this.#isFull) {
      this.#isFull = true;
      const text = 'The answer is longer than a message may be; the rest is left out.';
      this.#options.onDiagnostic(new UbikError('message-too-large', text));
    }
    return false;
  }

  /** Notes how the run stands, and tells what of it is seen. */
  setRun(set: Partial<RunStanding>): void {
    const before = this.#run;
    const run = { ...before, ...set };
    this.#run = run;
    if (run.status !== before.status) this.outline.setMessage('status', run.status);
    if (run.taskId !== before.taskId) this.outline.setMessage('taskId', run.taskId);
    if (run.messageId !== before.messageId) this.outline.setMessage('id', run.messageId);
    if (run.state === before.state && run.taskId === before.taskId) return;
    this.outline.tell({ do: 'thread', set: { run: { state: run.state, id: run.taskId } } });
  }

  /** Tells the standing once more: a connection was made, and others may have noted something else meanwhile. */
  tellStanding(): void {
    const { state, status, taskId } = this.#run;
    this.outline.setMessage('status', status);
    if (taskId !== null) this.outline.setMessage('taskId', taskId);
    this.outline.tell({ do: 'thread', set: { run: { state, id: taskId } } });
  }

  /** While a question is open the run waits, whatever else it does. */
  updateWaiting(): void {
    if (this.#run.ended && this.#run.state !== 'waiting') return;
    if (this.requests.isWaiting) this.setRun({ state: 'waiting', status: 'waiting' });
    else if (this.#run.ended) this.setRun({ state: 'complete', status: 'complete' });
    else this.setRun({ state: 'streaming', status: 'streaming' });
  }

  /** Takes over what another fold of the same message knows beside its events. */
  adoptFacts(other: MessageFold): void {
    this.constructs.adoptExpected(other.constructs);
    this.requests.adoptAnswers(other.requests);
  }

  /** Changes fields of an execution's activity. */
  setTool(toolId: string, set: Partial<ToolActivityFields>): void {
    const key = keyOfTool(toolId);
    for (const [name, value] of Object.entries(set)) this.outline.set(key, name, value);
  }

  takeChanges(): Change[] {
    return this.outline.takeChanges();
  }

  snapshot(): FoldState {
    return {
      outline: this.outline.snapshot(),
      keys: { maker: this.#keys, at: this.#keys.snapshot() },
      texts: { lanes: this.#texts, at: this.#texts.snapshot() },
      tools: this.tools.snapshot(),
      requests: this.requests.snapshot(),
      constructs: this.constructs.snapshot(),
      steps: new Map(this.#steps),
      run: this.#run,
    };
  }

  /** Goes back to a state of its own, telling nothing. States between that one and now are no longer good. */
  restore(state: FoldState): void {
    this.outline.restore(state.outline);
    this.#keys = state.keys.maker;
    this.#keys.restore(state.keys.at);
    this.#texts = state.texts.lanes;
    this.#texts.restore(state.texts.at);
    this.tools.restore(state.tools);
    this.requests.restore(state.requests);
    this.constructs.restore(state.constructs);
    this.#steps = new Map(state.steps);
    this.#run = state.run;
  }

  #createTexts(): TextLanes {
    return new TextLanes({
      keys: this.#keys,
      createSink: (parent) => this.createSink(parent),
      createConstructs: (parent) => createLiveConstructs(this, parent),
    });
  }

  /** A sink for text that stands in a part, or in the message itself (null). */
  createSink(parent: Key | null): ContentSink {
    return createOutlineSink({
      outline: this.outline,
      tools: this.tools,
      parent,
      onToolDone: (execution) => this.#toolDone(execution),
    });
  }

  /** A card's end ends its execution, and any question that it asked. */
  #toolDone(execution: string): void {
    const fields = this.outline.get(keyOfTool(execution))?.fields;
    if (fields?.kind === 'tool-activity' && fields.state === 'running') {
      this.outline.set(keyOfTool(execution), 'state', 'done');
    }
    const request = this.requests.armedFor(execution);
    if (request === null) return;
    this.requests.close(request);
    this.updateWaiting();
  }
}

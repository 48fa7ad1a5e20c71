import { UbikError } from '../../../errors.js';
import type { Change } from '../../../model/change.js';
import type { Json, Key } from '../../../model/json.js';
import type { ContentFields } from '../../../model/part.js';
import type { RunState } from '../../../model/thread.js';
import type {
  ContentParser,
  ContentParserSnapshot,
  WithheldText,
} from '../content/content-parser-types.js';
import {
  createKeyGenerator,
  getBaseKey,
  type KeyGenerator,
  type KeySnapshot,
} from '../content/keys.js';
import { toJson, type Fields } from '../../fields.js';
import { measureJson } from '../events/wire-event.js';
import { createLiveParser, getConstructId } from './live-text.js';
import { MessageBuilder } from './message-builder.js';
import { hasPendingRequest } from './input-requests.js';

/** Status of the run according to its events. The status of the message is the state of the run. */
export interface RunStatus {
  readonly state: RunState & ('streaming' | 'waiting' | 'complete' | 'stopped' | 'failed');
  /** Whether the message has ended, so that no event changes it (UBIK R3). */
  readonly ended: boolean;
  readonly stopRequested: boolean;
  readonly taskId: string | null;
  readonly messageId: string | null;
  /** Why the run failed; null when it has not. */
  readonly failure: { readonly code: string; readonly message: string } | null;
  /** Number of full contents so far, including those that were dropped because a later one has replaced them. */
  readonly fullContents: number;
}

/** Status of a run before its first event. */
export const INITIAL_STATUS: RunStatus = {
  state: 'streaming',
  ended: false,
  stopRequested: false,
  taskId: null,
  messageId: null,
  failure: null,
  fullContents: 0,
};

/** Maximum length of the text of one message, in UTF-16 units. */
export const MAX_TEXT = 1 << 23;

/** Maximum length of one report of a step, a phase or the run, as `measureJson` counts it. A longer report is dropped. */
const MAX_REPORT = 1 << 16;
/** Maximum length of all reports of a message, as `measureJson` counts it. Further reports are dropped. */
const MAX_REPORTS = 1 << 20;

/** Options of a message reducer. */
export interface MessageReducerOptions {
  /** Key of the message. */
  readonly message: Key;
  /** Maximum length of the text of one message, in UTF-16 units; 8 Mi by default. */
  readonly maxText?: number | undefined;
  readonly onDiagnostic: (error: UbikError) => void;
}

/** State that does not depend on the order of events. A rebuilt message adopts it. */
export interface CarriedState {
  /** Ids of constructs that events represent: their tags in text are dropped (UBIK R7). */
  readonly expected: Set<string>;
  /** Answers that were given on this page, by the key of the request. */
  readonly answers: Map<Key, string | null>;
  /** Increases when an event represents a construct that was shown as text, which makes older snapshots outdated. */
  generation: number;
  /** Whether the exceeded limit of text was reported. */
  hasReportedOverflow: boolean;
  /** Whether a diagnostic was emitted for a dropped report. */
  hasDroppedReport: boolean;
}

/** Snapshot of a reducer. Its size is proportional to the number of parts. */
export interface ReducerState {
  readonly builder: MessageBuilder;
  readonly status: RunStatus;
  readonly steps: ReadonlyMap<number, Key>;
  readonly sources: ReadonlyMap<string, ConstructSource>;
  readonly boundParts: ReadonlySet<Key>;
  /** Snapshots of an older generation show constructs as text that are parts by now. */
  readonly generation: number;
  readonly keys: KeyGenerator;
  readonly keysSnapshot: KeySnapshot;
  readonly parsers: ReadonlyMap<Key | null, ContentParserSnapshot>;
}

/**
 * Where a construct was found: in an event; in a text, which has added the part; or in a text that shows it as text, because no event
 * represented it.
 */
export type ConstructSource = 'event' | 'text' | 'literal';

/** Builds one message from events. The handlers of the event table modify it; the modifications are recorded as {@link Change}s. */
export class MessageReducer {
  readonly builder: MessageBuilder;
  status: RunStatus;
  carried: CarriedState = {
    expected: new Set(),
    answers: new Map(),
    generation: 0,
    hasReportedOverflow: false,
    hasDroppedReport: false,
  };
  /** Key of the newest part of each step. */
  steps: Map<number, Key>;
  /** Counts operations that depend on earlier events of other groups. A late event with such an operation cannot be appended. */
  orderSensitiveOps = 0;
  readonly #options: MessageReducerOptions;
  /** Where each construct was found, by its id. */
  readonly sources: Map<string, ConstructSource>;
  /** Parts that an event represents. A second event of the same kind represents another part. */
  readonly #boundParts: Set<Key>;
  /** Generates the keys of the current content. */
  keys: KeyGenerator;
  /** Parsers of the main text (null) and of each step's text. They are separate, so that no tag spans two texts (UBIK 7.2). */
  readonly #parsers = new Map<Key | null, ContentParser>();
  /** The status that was emitted last. */
  #emittedStatus: Readonly<Record<string, Json>> = {};

  /**
   * @param predecessor see {@link adoptCarriedState}
   * @param snapshot the state of a reducer that is no longer used
   */
  constructor(
    options: MessageReducerOptions,
    predecessor?: MessageReducer,
    snapshot?: ReducerState,
  ) {
    this.#options = options;
    this.builder = new MessageBuilder(options.message, snapshot?.builder);
    this.status = snapshot?.status ?? INITIAL_STATUS;
    if (predecessor) this.adoptCarriedState(predecessor);
    this.steps = new Map(snapshot?.steps);
    this.sources = new Map(snapshot?.sources);
    this.#boundParts = new Set(snapshot?.boundParts);
    this.keys = snapshot?.keys ?? createKeyGenerator();
    if (!snapshot) return;
    this.keys.restore(snapshot.keysSnapshot);
    for (const [parent, state] of snapshot.parsers) this.parserFor(parent).restore(state);
  }

  snapshot(): ReducerState {
    return {
      builder: new MessageBuilder(this.builder.message, this.builder),
      status: this.status,
      steps: new Map(this.steps),
      sources: new Map(this.sources),
      boundParts: new Set(this.#boundParts),
      generation: this.carried.generation,
      keys: this.keys,
      keysSnapshot: this.keys.snapshot(),
      parsers: new Map([...this.#parsers].map(([parent, parser]) => [parent, parser.snapshot()])),
    };
  }

  /** Adopts the carried state, the emitted status, and ids that are unknown here, of another reducer of the same message. */
  adoptCarriedState(other: MessageReducer): void {
    const { taskId, messageId } = this.status;
    this.updateStatus({
      taskId: taskId ?? other.status.taskId,
      messageId: messageId ?? other.status.messageId,
    });
    this.carried = other.carried;
    this.#emittedStatus = other.#emittedStatus;
  }

  /** Returns the parser of the main text (null) or of a step's text. */
  parserFor(parent: Key | null): ContentParser {
    const parser = this.#parsers.get(parent) ?? createLiveParser(this, parent);
    this.#parsers.set(parent, parser);
    return parser;
  }

  /** Lists the text that the parsers withhold, by the key of the step; null for the main text. */
  listWithheldText(): (readonly [Key | null, WithheldText])[] {
    return [...this.#parsers].flatMap(([parent, { withheldText: withheld }]) =>
      withheld ? [[parent, withheld] as const] : [],
    );
  }

  /** Removes the content, with its keys, parsers and steps, before it is replaced. */
  clearContent(): void {
    this.builder.clearContent();
    this.keys = createKeyGenerator();
    this.#parsers.clear();
    this.steps = new Map();
    this.#boundParts.clear();
  }

  /** Closes all open parts, because no more text follows. */
  closeContent(): void {
    for (const parser of this.#parsers.values()) parser.end();
    this.#parsers.clear();
    for (const key of this.steps.values()) {
      if (this.builder.get(key, 'step')?.state === 'running') {
        this.builder.set(key, { state: 'open-ended' });
      }
    }
  }

  /** Adds a part to the content at the end of its parent. */
  openPart(parent: Key | null, fields: ContentFields): Key {
    const key = this.keys.createKey(getBaseKey(fields));
    this.putPart(key, parent, fields);
    return key;
  }

  /** Adds a part to the content under a given key. */
  putPart(key: Key, parent: Key | null, fields: ContentFields): void {
    this.builder.put(key, parent, fields);
    // The full content contains the part of an earlier event, so the next event of its kind represents another part.
    if (this.builder.isReplacingContent && this.sources.get(getConstructId(fields)) === 'event')
      this.#boundParts.add(key);
    if (fields.kind === 'step' && fields.number !== null) this.steps.set(fields.number, key);
  }

  /** Adds a part at the current position of the main text, or of a step's text. */
  insertPart(fields: ContentFields, parent: Key | null = null): Key {
    let key: Key = '';
    this.parserFor(parent).insertPart(() => (key = this.openPart(parent, fields)));
    return key;
  }

  /** Returns the part that an event represents: one that a text or a full content has added, or a new one. */
  resolvePart(fields: ContentFields): Key {
    const baseKey = getBaseKey(fields);
    this.sources.set(getConstructId(fields), 'event');
    const newest = this.builder
      .list(fields.kind)
      .filter(([, part]) => getBaseKey(part) === baseKey)
      .at(-1);
    const isDone = newest?.[1].kind === 'step' && newest[1].state === 'completed';
    const isUnbound = newest && !isDone && !this.#boundParts.has(newest[0]);
    const key = isUnbound ? newest[0] : this.insertPart(fields);
    this.#boundParts.add(key);
    return key;
  }

  /** Registers that an event represents a construct, whose tags are dropped from now on. Returns whether they were shown as text before. */
  expectPart(fields: ContentFields): boolean {
    const { carried, sources } = this;
    const id = getConstructId(fields);
    const isNew = !carried.expected.has(id);
    carried.expected.add(id);
    const isLiteral = isNew && sources.get(id) === 'literal';
    if (isLiteral) carried.generation += 1;
    return isLiteral;
  }

  /** Counts text towards the limit. Returns false when it exceeds the limit, which is reported once. */
  reserveText(units: number, kind: 'content' | 'output' = 'content'): boolean {
    const { usage } = this.builder;
    if (usage.content + usage.output + units <= (this.#options.maxText ?? MAX_TEXT)) {
      usage[kind] += units;
      return true;
    }
    if (!this.carried.hasReportedOverflow)
      this.#options.onDiagnostic(new UbikError('message-too-large'));
    this.carried.hasReportedOverflow = true;
    return false;
  }

  /** Returns free-form data of an event as JSON; null when it is empty or exceeds the limit, which is reported once. */
  acceptReport(report: Fields | null): Json {
    if (!report || Object.keys(report).length === 0) return null;
    const units = measureJson(report);
    const { usage } = this.builder;
    if (units > MAX_REPORT || usage.reports + units > MAX_REPORTS) {
      if (!this.carried.hasDroppedReport)
        this.#options.onDiagnostic(new UbikError('message-too-large'));
      this.carried.hasDroppedReport = true;
      return null;
    }
    usage.reports += units;
    return toJson(report);
  }

  updateStatus(set: Partial<RunStatus>): void {
    this.status = { ...this.status, ...set };
  }

  /**
   * Sets the state to `waiting` while a request is pending, else to `streaming`, or to `complete` after the end. A run that has ended without
   * a pending request keeps its state.
   */
  updateRunState(): void {
    const { ended, state } = this.status;
    if (ended && state !== 'waiting') return;
    this.updateStatus({
      state: hasPendingRequest(this) ? 'waiting' : ended ? 'complete' : 'streaming',
    });
  }

  /** Includes the status in the next changes again, because the controller may have set another one meanwhile. */
  repeatStatus(): void {
    this.#emittedStatus = {};
  }

  /** Returns the changes since the last call. */
  drainChanges(): Change[] {
    return [...this.builder.drainChanges(), ...this.#drainStatus()];
  }

  #drainStatus(): Change[] {
    const { state, taskId, messageId, failure } = this.status;
    const before = this.#emittedStatus;
    this.#emittedStatus = { status: state, runId: taskId, id: messageId, failure };
    const updates = Object.entries(this.#emittedStatus).filter(
      ([name, value]) => value !== null && value !== before[name],
    );
    const changes = updates.map(([name, value]): Change => ({
      type: 'set',
      message: this.builder.message,
      part: null,
      path: [name],
      value,
    }));
    if (updates.length === 0) return [];
    const run = { state, id: taskId, ...(failure && { error: failure }) };
    return [...changes, { type: 'thread', set: { run } }];
  }
}

import { UbikError } from '../../../errors.js';
import type { Change } from '../../../model/change.js';
import type { Json, Key } from '../../../model/json.js';
import type { ContentFields } from '../../../model/part.js';
import type { RunState } from '../../../model/thread.js';
import type {
  ContentParser,
  ContentParserSnapshot,
  HeldText,
} from '../content/content-parser-types.js';
import {
  createKeyGenerator,
  getBaseKey,
  type KeyGenerator,
  type KeySnapshot,
} from '../content/keys.js';
import { toJson, type Fields } from '../events/fields.js';
import { measureJson } from '../events/wire-event.js';
import { createLiveParser, getConstructId } from './live-text.js';
import { MessageDraft } from './message-draft.js';
import { hasPendingRequest } from './input-requests.js';

/** How the run stands, as far as events told. The message's status is the run's state. */
export interface RunStatus {
  readonly state: RunState & ('streaming' | 'waiting' | 'complete' | 'stopped' | 'failed');
  /** Nothing changes any more. */
  readonly ended: boolean;
  readonly stopRequested: boolean;
  readonly taskId: string | null;
  readonly messageId: string | null;
  /** Why it failed. */
  readonly failure: { readonly code: string; readonly message: string } | null;
  /** Full contents that were taken in. */
  readonly fullContents: number;
}

/** A run of which nothing is known but that it is on. */
export const INITIAL_STATUS: RunStatus = {
  state: 'streaming',
  ended: false,
  stopRequested: false,
  taskId: null,
  messageId: null,
  failure: null,
  fullContents: 0,
};

/** Units of text that one message may have. */
export const MAX_TEXT = 1 << 23;

/** Units of data that one report of a step, of a phase or of the run may have, and all reports of one message together. */
const MAX_REPORT = 1 << 16;
const MAX_REPORTS = 1 << 20;

/** What a reducer is made from. */
export interface MessageReducerOptions {
  /** The message that is written. */
  readonly message: Key;
  /** Units of text that one message may have: 8 Mi. */
  readonly maxText?: number | undefined;
  readonly onDiagnostic: (error: UbikError) => void;
}

/** What holds in whatever order the events stand. */
export interface CarriedState {
  /** Names of constructs that events tell of: text that spells one out gives way to it. */
  readonly expected: Set<string>;
  /** Answers that the person gave in this page, by the key of the request. */
  readonly answers: Map<Key, string | null>;
  /** Rises when an event tells of what has been shown as text. */
  generation: number;
  /** The bound was passed, and that was told. */
  hasReportedOverflow: boolean;
  /** A report was left out because of its size, and that was told. */
  hasDroppedReport: boolean;
}

/** A state of a reducer, to go on from. Costs the number of parts. */
export interface ReducerState {
  readonly draft: MessageDraft;
  readonly status: RunStatus;
  readonly steps: ReadonlyMap<number, Key>;
  readonly sources: ReadonlyMap<string, ConstructSource>;
  readonly boundParts: ReadonlySet<Key>;
  /** States of an older one show as text what is a part by now. */
  readonly generation: number;
  readonly keys: KeyGenerator;
  readonly keysSnapshot: KeySnapshot;
  readonly parsers: ReadonlyMap<Key | null, ContentParserSnapshot>;
}

/**
 * Who told of a construct: an event; a text, which made the part at its place; or a text that is shown as text, for no event was known.
 */
export type ConstructSource = 'event' | 'text' | 'literal';

/** One message as it grows from events. The rows of the event table act on it; what they do comes out as {@link Change}s. */
export class MessageReducer {
  readonly draft: MessageDraft;
  status: RunStatus;
  carried: CarriedState = {
    expected: new Set(),
    answers: new Map(),
    generation: 0,
    hasReportedOverflow: false,
    hasDroppedReport: false,
  };
  /** Newest block of each step. */
  steps: Map<number, Key>;
  /** Rises when something was done that depends on what came before it in other groups. */
  orderSensitiveOps = 0;
  readonly #options: MessageReducerOptions;
  /** Who told of a construct, by its name. */
  readonly sources: Map<string, ConstructSource>;
  /** Parts that an event has told of: another event tells of another part. */
  readonly #boundParts: Set<Key>;
  /** Names of the parts of the present content. */
  keys: KeyGenerator;
  /** A parser for the main text (null) and for that of each step, so that no tag spans two. */
  readonly #parsers = new Map<Key | null, ContentParser>();
  /** What was told of the run. */
  #emittedStatus: Readonly<Record<string, Json>> = {};

  /** `from`: a state to go on from, of a reducer that is not used any more. `like`: see {@link adoptCarriedState}. */
  constructor(options: MessageReducerOptions, like?: MessageReducer, from?: ReducerState) {
    this.#options = options;
    if (like) this.adoptCarriedState(like);
    this.draft = new MessageDraft(options.message, from?.draft);
    this.status = from?.status ?? INITIAL_STATUS;
    this.steps = new Map(from?.steps);
    this.sources = new Map(from?.sources);
    this.#boundParts = new Set(from?.boundParts);
    this.keys = from?.keys ?? createKeyGenerator();
    if (!from) return;
    this.keys.restore(from.keysSnapshot);
    for (const [parent, state] of from.parsers) this.parserFor(parent).restore(state);
  }

  snapshot(): ReducerState {
    return {
      draft: new MessageDraft(this.draft.message, this.draft),
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

  /** Takes over what another reducer of the same message knows beside its events, and what it has told of the run. */
  adoptCarriedState(other: MessageReducer): void {
    this.carried = other.carried;
    this.#emittedStatus = other.#emittedStatus;
  }

  /** The parser of the main text (null) or of a step's. */
  parserFor(parent: Key | null): ContentParser {
    const parser = this.#parsers.get(parent) ?? createLiveParser(this, parent);
    this.#parsers.set(parent, parser);
    return parser;
  }

  /** What the parsers hold, by the part whose text each reads; null for the main text. */
  listHeldText(): (readonly [Key | null, HeldText])[] {
    return [...this.#parsers].flatMap(([parent, { heldText: held }]) =>
      held ? [[parent, held] as const] : [],
    );
  }

  /** The content is about to be replaced: nothing of its parts, names and texts is known any more. */
  clearContent(): void {
    this.draft.clearContent();
    this.keys = createKeyGenerator();
    this.#parsers.clear();
    this.steps = new Map();
    this.#boundParts.clear();
  }

  /** The text is over: what is open in it is closed as it stands. */
  closeContent(): void {
    for (const parser of this.#parsers.values()) parser.end();
    this.#parsers.clear();
    for (const key of this.steps.values()) {
      if (this.draft.get(key, 'step')?.state === 'running') {
        this.draft.set(key, { state: 'open-ended' });
      }
    }
  }

  /** Opens a part of the content at the end of its parent. */
  openPart(parent: Key | null, fields: ContentFields): Key {
    const key = this.keys.named(getBaseKey(fields));
    this.putPart(key, parent, fields);
    return key;
  }

  /** A part of the content under a key that was made for it. */
  putPart(key: Key, parent: Key | null, fields: ContentFields): void {
    this.draft.put(key, parent, fields);
    // What is in a full content and was told of before is not told of again.
    if (this.draft.isMuted && this.sources.get(getConstructId(fields)) === 'event')
      this.#boundParts.add(key);
    if (fields.kind === 'step' && fields.number !== null) this.steps.set(fields.number, key);
  }

  /** Opens a part at this place of the main text. */
  insertPart(fields: ContentFields): Key {
    let key: Key = '';
    this.parserFor(null).insertPart(() => (key = this.openPart(null, fields)));
    return key;
  }

  /** An event tells of a part: one that text or a full content has made already, else it opens here. */
  resolvePart(fields: ContentFields): Key {
    const nature = getBaseKey(fields);
    this.sources.set(getConstructId(fields), 'event');
    const newest = this.draft
      .list(fields.kind)
      .filter(([, part]) => getBaseKey(part) === nature)
      .at(-1);
    const isDone = newest?.[1].kind === 'step' && newest[1].state === 'completed';
    const isFree = newest && !isDone && !this.#boundParts.has(newest[0]);
    const key = isFree ? newest[0] : this.insertPart(fields);
    this.#boundParts.add(key);
    return key;
  }

  /** An event tells of a construct: from now on text gives way to it. Whether text has shown it as text before. */
  expectPart(fields: ContentFields): boolean {
    const { carried, sources: told } = this;
    const name = getConstructId(fields);
    const isNew = !carried.expected.has(name);
    carried.expected.add(name);
    const isLiteral = isNew && told.get(name) === 'literal';
    if (isLiteral) carried.generation += 1;
    return isLiteral;
  }

  /** Takes so much more text, if it may come. Tells once when it may not. */
  reserveText(units: number, kind: 'content' | 'output' = 'content'): boolean {
    const { usage } = this.draft;
    if (usage.content + usage.output + units <= (this.#options.maxText ?? MAX_TEXT)) {
      usage[kind] += units;
      return true;
    }
    if (!this.carried.hasReportedOverflow)
      this.#options.onDiagnostic(new UbikError('message-too-large'));
    this.carried.hasReportedOverflow = true;
    return false;
  }

  /** Free-form data of an event, as plain data; null when it is empty or larger than it may be. */
  acceptReport(report: Fields | null): Json {
    if (!report || Object.keys(report).length === 0) return null;
    const units = measureJson(report);
    const { usage } = this.draft;
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

  /** While a question is open the run waits, whatever else it does. */
  updateRunState(): void {
    const { ended, state } = this.status;
    if (ended && state !== 'waiting') return;
    this.updateStatus({
      state: hasPendingRequest(this) ? 'waiting' : ended ? 'complete' : 'streaming',
    });
  }

  /** Lets the next changes tell the standing once more: others may have noted something else meanwhile. */
  repeatStatus(): void {
    this.#emittedStatus = {};
  }

  /** What has happened since the last call. */
  drainChanges(): Change[] {
    return [...this.draft.drainChanges(), ...this.#drainStatus()];
  }

  #drainStatus(): Change[] {
    const { state, taskId, messageId, failure } = this.status;
    const before = this.#emittedStatus;
    this.#emittedStatus = { status: state, taskId, id: messageId, failure };
    const news = Object.entries(this.#emittedStatus).filter(
      ([name, value]) => value !== null && value !== before[name],
    );
    const changes = news.map(([name, value]): Change => ({
      type: 'set',
      message: this.draft.message,
      part: null,
      path: [name],
      value,
    }));
    if (news.length === 0) return [];
    const run = { state, id: taskId, ...(failure && { error: failure }) };
    return [...changes, { type: 'thread', set: { run } }];
  }
}

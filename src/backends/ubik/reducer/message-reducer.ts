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
import { createKeyMaker, natureOf, type KeyMaker, type KeyMakerSnapshot } from '../content/keys.js';
import { toJson, type Fields } from '../events/fields.js';
import { countUnits } from '../events/wire-event.js';
import { createLiveText, nameOf } from './live-text.js';
import { MessageDraft } from './message-draft.js';
import { isWaiting } from './input-requests.js';

/** How the run stands, as far as events told. The message's status is the run's state. */
export interface RunStanding {
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
export const STARTED: RunStanding = {
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
export interface Facts {
  /** Names of constructs that events tell of: text that spells one out gives way to it. */
  readonly expected: Set<string>;
  /** Answers that the person gave in this page, by the key of the request. */
  readonly answers: Map<Key, string | null>;
  /** Rises when an event tells of what has been shown as text. */
  generation: number;
  /** The bound was passed, and that was told. */
  isFull: boolean;
  /** A report was left out because of its size, and that was told. */
  hasLeftOut: boolean;
}

/** A state of a reducer, to go on from. Costs the number of parts. */
export interface ReducerState {
  readonly draft: MessageDraft;
  readonly run: RunStanding;
  readonly steps: ReadonlyMap<number, Key>;
  readonly told: ReadonlyMap<string, Teller>;
  readonly claimed: ReadonlySet<Key>;
  /** States of an older one show as text what is a part by now. */
  readonly generation: number;
  readonly keys: KeyMaker;
  readonly keysAt: KeyMakerSnapshot;
  readonly texts: ReadonlyMap<Key | null, ContentParserSnapshot>;
}

/**
 * Who told of a construct: an event; a text, which made the part at its place; or a text that is shown as text, for no event was known.
 */
export type Teller = 'event' | 'text' | 'literal';

/** One message as it grows from events. The rows of the event table act on it; what they do comes out as {@link Change}s. */
export class MessageReducer {
  readonly draft: MessageDraft;
  run: RunStanding;
  facts: Facts = {
    expected: new Set(),
    answers: new Map(),
    generation: 0,
    isFull: false,
    hasLeftOut: false,
  };
  /** Newest block of each step. */
  steps: Map<number, Key>;
  /** Rises when something was done that depends on what came before it in other groups. */
  crossings = 0;
  readonly #options: MessageReducerOptions;
  /** Who told of a construct, by its name. */
  readonly told: Map<string, Teller>;
  /** Parts that an event has told of: another event tells of another part. */
  readonly #claimed: Set<Key>;
  /** Names of the parts of the present content. */
  keys: KeyMaker;
  /** A parser for the main text (null) and for that of each step, so that no tag spans two. */
  readonly #texts = new Map<Key | null, ContentParser>();
  /** What was told of the run. */
  #standing: Readonly<Record<string, Json>> = {};

  /** `from`: a state to go on from, of a reducer that is not used any more. `like`: see {@link adoptFacts}. */
  constructor(options: MessageReducerOptions, like?: MessageReducer, from?: ReducerState) {
    this.#options = options;
    if (like) this.adoptFacts(like);
    this.draft = new MessageDraft(options.message, from?.draft);
    this.run = from?.run ?? STARTED;
    this.steps = new Map(from?.steps);
    this.told = new Map(from?.told);
    this.#claimed = new Set(from?.claimed);
    this.keys = from?.keys ?? createKeyMaker();
    if (!from) return;
    this.keys.restore(from.keysAt);
    for (const [parent, state] of from.texts) this.text(parent).restore(state);
  }

  snapshot(): ReducerState {
    return {
      draft: new MessageDraft(this.draft.message, this.draft),
      run: this.run,
      steps: new Map(this.steps),
      told: new Map(this.told),
      claimed: new Set(this.#claimed),
      generation: this.facts.generation,
      keys: this.keys,
      keysAt: this.keys.snapshot(),
      texts: new Map([...this.#texts].map(([parent, parser]) => [parent, parser.snapshot()])),
    };
  }

  /** Takes over what another reducer of the same message knows beside its events, and what it has told of the run. */
  adoptFacts(other: MessageReducer): void {
    this.facts = other.facts;
    this.#standing = other.#standing;
  }

  /** The parser of the main text (null) or of a step's. */
  text(parent: Key | null): ContentParser {
    const parser = this.#texts.get(parent) ?? createLiveText(this, parent);
    this.#texts.set(parent, parser);
    return parser;
  }

  /** What the parsers hold, by the part whose text each reads; null for the main text. */
  listHeld(): (readonly [Key | null, HeldText])[] {
    return [...this.#texts].flatMap(([parent, { held }]) =>
      held ? [[parent, held] as const] : [],
    );
  }

  /** The content is about to be replaced: nothing of its parts, names and texts is known any more. */
  clearContent(): void {
    this.draft.clearContent();
    this.keys = createKeyMaker();
    this.#texts.clear();
    this.steps = new Map();
    this.#claimed.clear();
  }

  /** The text is over: what is open in it is closed as it stands. */
  closeContent(): void {
    for (const parser of this.#texts.values()) parser.end();
    this.#texts.clear();
    for (const key of this.steps.values()) {
      if (this.draft.read(key, 'step')?.state === 'running') {
        this.draft.set(key, { state: 'open-ended' });
      }
    }
  }

  /** Opens a part of the content at the end of its parent. */
  open(parent: Key | null, fields: ContentFields): Key {
    const key = this.keys.named(natureOf(fields));
    this.put(key, parent, fields);
    return key;
  }

  /** A part of the content under a key that was made for it. */
  put(key: Key, parent: Key | null, fields: ContentFields): void {
    this.draft.put(key, parent, fields);
    // What is in a full content and was told of before is not told of again.
    if (this.draft.quiet && this.told.get(nameOf(fields)) === 'event') this.#claimed.add(key);
    if (fields.kind === 'step' && fields.number !== null) this.steps.set(fields.number, key);
  }

  /** Opens a part at this place of the main text. */
  place(fields: ContentFields): Key {
    let key: Key = '';
    this.text(null).place(() => (key = this.open(null, fields)));
    return key;
  }

  /** An event tells of a part: one that text or a full content has made already, else it opens here. */
  tell(fields: ContentFields): Key {
    const nature = natureOf(fields);
    this.told.set(nameOf(fields), 'event');
    const newest = this.draft
      .list(fields.kind)
      .filter(([, part]) => natureOf(part) === nature)
      .at(-1);
    const isDone = newest?.[1].kind === 'step' && newest[1].state === 'completed';
    const isFree = newest && !isDone && !this.#claimed.has(newest[0]);
    const key = isFree ? newest[0] : this.place(fields);
    this.#claimed.add(key);
    return key;
  }

  /** An event tells of a construct: from now on text gives way to it. Whether text has shown it as text before. */
  expect(fields: ContentFields): boolean {
    const { facts, told } = this;
    const name = nameOf(fields);
    const isNew = !facts.expected.has(name);
    facts.expected.add(name);
    const isLiteral = isNew && told.get(name) === 'literal';
    if (isLiteral) facts.generation += 1;
    return isLiteral;
  }

  /** Takes so much more text, if it may come. Tells once when it may not. */
  takeRoom(units: number, kind: 'content' | 'output' = 'content'): boolean {
    const { taken } = this.draft;
    if (taken.content + taken.output + units <= (this.#options.maxText ?? MAX_TEXT)) {
      taken[kind] += units;
      return true;
    }
    if (!this.facts.isFull) this.#options.onDiagnostic(new UbikError('message-too-large'));
    this.facts.isFull = true;
    return false;
  }

  /** Free-form data of an event, as plain data; null when it is empty or larger than it may be. */
  takeReport(report: Fields | null): Json {
    if (!report || Object.keys(report).length === 0) return null;
    const units = countUnits(report);
    const { taken } = this.draft;
    if (units > MAX_REPORT || taken.reports + units > MAX_REPORTS) {
      if (!this.facts.hasLeftOut) this.#options.onDiagnostic(new UbikError('message-too-large'));
      this.facts.hasLeftOut = true;
      return null;
    }
    taken.reports += units;
    return toJson(report);
  }

  setRun(set: Partial<RunStanding>): void {
    this.run = { ...this.run, ...set };
  }

  /** While a question is open the run waits, whatever else it does. */
  updateWaiting(): void {
    const { ended, state } = this.run;
    if (ended && state !== 'waiting') return;
    this.setRun({ state: isWaiting(this) ? 'waiting' : ended ? 'complete' : 'streaming' });
  }

  /** Lets the next changes tell the standing once more: others may have noted something else meanwhile. */
  tellStanding(): void {
    this.#standing = {};
  }

  /** What has happened since the last call. */
  takeChanges(): Change[] {
    return [...this.draft.takeChanges(), ...this.#tellRun()];
  }

  #tellRun(): Change[] {
    const { state, taskId, messageId, failure } = this.run;
    const before = this.#standing;
    this.#standing = { status: state, taskId, id: messageId, failure };
    const news = Object.entries(this.#standing).filter(
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

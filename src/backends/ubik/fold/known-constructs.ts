import type { Key } from '../../../model/json.js';
import type { Construct, ConstructKind } from '../tags/content-sink.js';

/** What names a construct, whether it was told by an event or spelled out in text. */
export interface ConstructName {
  readonly kind: ConstructKind;
  readonly name: string;
}

/** A state of {@link KnownConstructs}. */
export interface KnownConstructsState {
  readonly told: ReadonlyMap<ConstructKind, ReadonlySet<string>>;
  readonly literals: ReadonlySet<string>;
  readonly claimed: ReadonlySet<Key>;
}

/**
 * Steps, checkpoints, requests and errors that events have told of, and those that text has spelled out: what is in both is one
 * thing.
 */
export class KnownConstructs {
  /** Told by an event at its place in the order. */
  #told = new Map<ConstructKind, ReadonlySet<string>>();
  /** Spelled out in text and shown as text, for no event was known. */
  #literals: ReadonlySet<string> = new Set();
  /** Parts that an event has told of. */
  #claimed: ReadonlySet<Key> = new Set();
  /** How often text has asked: what it was told depends on the order. */
  asked = 0;
  /** Constructs in text of which an event further on in the order is known. Never taken back: events do not go away. */
  readonly #expected = new Map<ConstructKind, Set<string>>();

  /** An event told of it. */
  tell({ kind, name }: ConstructName): void {
    const known = this.#told.get(kind);
    if (!known?.has(name)) this.#told.set(kind, new Set([...(known ?? []), name]));
  }

  isTold({ kind, name }: ConstructName): boolean {
    return this.#told.get(kind)?.has(name) ?? false;
  }

  isExpected({ kind, name }: ConstructName): boolean {
    return this.#expected.get(kind)?.has(name) ?? false;
  }

  /** From now on text that spells it out gives way to its event. */
  expect({ kind, name }: ConstructName): void {
    const known = this.#expected.get(kind) ?? new Set();
    this.#expected.set(kind, known.add(name));
  }

  /** Expects all that another one expects. */
  adoptExpected(other: KnownConstructs): void {
    for (const [kind, names] of other.#expected)
      for (const name of names) this.expect({ kind, name });
  }

  /** Text that spells it out was shown as text. */
  showLiteral(name: ConstructName): void {
    this.#literals = new Set([...this.#literals, print(name)]);
  }

  isLiteral(name: ConstructName): boolean {
    return this.#literals.has(print(name));
  }

  /** An event has told of this part. False when one had before. */
  claim(part: Key): boolean {
    if (this.#claimed.has(part)) return false;
    this.#claimed = new Set([...this.#claimed, part]);
    return true;
  }

  /** The content was replaced: these of its parts were told of before. */
  setClaimed(parts: Iterable<Key>): void {
    this.#claimed = new Set(parts);
  }

  snapshot(): KnownConstructsState {
    return { told: new Map(this.#told), literals: this.#literals, claimed: this.#claimed };
  }

  restore({ told, literals, claimed }: KnownConstructsState): void {
    this.#told = new Map(told);
    this.#literals = literals;
    this.#claimed = claimed;
  }
}

/** The name of a construct that text spells out. A request is named by its checkpoint, or by its question when it has none. */
export function nameOf(construct: Construct): ConstructName {
  switch (construct.kind) {
    case 'step':
      return { kind: 'step', name: String(construct.number) };
    case 'checkpoint':
      return { kind: 'checkpoint', name: construct.name };
    case 'request':
      return nameOfRequest(construct.checkpointName, construct.prompt);
    case 'error':
      return { kind: 'error', name: construct.message.trim() };
  }
}

/** The name of a request. */
export function nameOfRequest(checkpointName: string | null, prompt: string): ConstructName {
  return { kind: 'request', name: checkpointName ?? `?${prompt.trim()}` };
}

function print({ kind, name }: ConstructName): string {
  return `${kind} ${name}`;
}

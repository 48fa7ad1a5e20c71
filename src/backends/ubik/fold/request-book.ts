import type { Key } from '../../../model/json.js';
import { ACTIVITY, type RequestActivityFields } from '../../../model/part.js';
import type { Outline } from './outline.js';

/** What a request asks; its place and state are the book's. */
export type RequestData = Omit<RequestActivityFields, 'kind' | 'part' | 'state'>;

/** A state of a {@link RequestBook}. */
export type RequestBookState = ReadonlySet<Key>;

/** The requests for input that events have armed. */
export class RequestBook {
  readonly #outline: Outline;
  /** Given by the person in this page. Facts of ours, not of the service's events: no state of the book takes them back. */
  readonly #answers = new Map<Key, string>();
  #armed = new Set<Key>();

  constructor(outline: Outline) {
    this.#outline = outline;
  }

  /** Whether one waits for an answer. */
  get isWaiting(): boolean {
    return this.#armed.size > 0;
  }

  /** Arms a request, or renews one that is still armed. `part`: the question in the content. */
  arm(request: RequestData, part: Key | null): Key {
    const key = this.#keyFor(request);
    const answer = this.#answers.get(key);
    const state = answer === undefined ? 'armed' : 'answered';
    if (state === 'armed') this.#armed.add(key);
    this.#outline.put(key, ACTIVITY, { kind: 'request-activity', ...request, part, state });
    if (answer !== undefined && part !== null) this.#outline.set(part, 'answer', answer);
    return key;
  }

  /** The question of this checkpoint that stands armed, if there is one. */
  armedAt(checkpointName: string | null, prompt: string): Key | null {
    for (const key of this.#armed) {
      const fields = this.#read(key);
      if (fields?.level !== 'agent') continue;
      const sameName = checkpointName !== null && fields.checkpointName === checkpointName;
      if (sameName || (checkpointName === null && fields.prompt === prompt)) return key;
    }
    return null;
  }

  /** The question of this execution that stands armed, if there is one. */
  armedFor(executionId: string): Key | null {
    for (const key of this.#armed) if (this.#read(key)?.executionId === executionId) return key;
    return null;
  }

  /** The person answered. */
  answer(key: Key, answer: string): void {
    this.#answers.set(key, answer);
    this.#end(key, 'answered');
    const part = this.#read(key)?.part ?? null;
    if (part !== null) this.#outline.set(part, 'answer', answer);
  }

  /** The service went on without it. */
  close(key: Key): void {
    this.#end(key, 'closed');
  }

  /** No request can be answered any more. */
  closeAll(): void {
    for (const key of [...this.#armed]) this.close(key);
  }

  /** The content was replaced: finds each question's part again, and takes the answers that stand in the content. */
  rebind(): void {
    for (const entry of [...this.#outline.entries()]) {
      if (entry.fields.kind !== 'request-activity' || entry.fields.level !== 'agent') continue;
      const { checkpointName, prompt, part } = entry.fields;
      const found = this.#findPart(checkpointName, prompt, part);
      this.#outline.set(entry.key, 'part', found);
      const fields = found === null ? undefined : this.#outline.get(found)?.fields;
      if (fields?.kind !== 'input-request') continue;
      const answer = this.#answers.get(entry.key);
      if (fields.answer !== null) this.#end(entry.key, 'answered');
      else if (answer !== undefined && found !== null) this.#outline.set(found, 'answer', answer);
    }
  }

  /** Takes the person's answers over. */
  adoptAnswers(other: RequestBook): void {
    for (const [key, answer] of other.#answers) this.#answers.set(key, answer);
  }

  snapshot(): RequestBookState {
    return new Set(this.#armed);
  }

  restore(state: RequestBookState): void {
    this.#armed = new Set(state);
  }

  #keyFor(request: RequestData): Key {
    const nature =
      request.level === 'tool'
        ? `@request:tool:${request.executionId ?? ''}`
        : `@request:${request.checkpointName ?? '?'}`;
    let key = nature;
    for (let count = 2; this.#isOver(key); count += 1) key = `${nature}#${count}`;
    return key;
  }

  /** A new question at the place of an old one is another question. One that we answered is met again when the run is built again. */
  #isOver(key: Key): boolean {
    const fields = this.#read(key);
    return fields !== null && !this.#armed.has(key);
  }

  #end(key: Key, state: RequestActivityFields['state']): void {
    this.#armed.delete(key);
    const fields = this.#read(key);
    if (fields?.state === 'armed') this.#outline.set(key, 'state', state);
  }

  #findPart(checkpointName: string | null, prompt: string, known: Key | null): Key | null {
    if (known !== null && this.#outline.get(known)?.fields.kind === 'input-request') return known;
    for (const { key, fields } of this.#outline.entries()) {
      if (fields.kind !== 'input-request') continue;
      const sameName = checkpointName !== null && fields.checkpointName === checkpointName;
      if (sameName || fields.prompt === prompt) return key;
    }
    return null;
  }

  #read(key: Key): RequestActivityFields | null {
    const fields = this.#outline.get(key)?.fields;
    return fields?.kind === 'request-activity' ? fields : null;
  }
}

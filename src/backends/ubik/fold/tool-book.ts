import type { Key } from '../../../model/json.js';
import { ACTIVITY, type ToolActivityFields, type ToolFields } from '../../../model/part.js';
import type { Outline } from './outline.js';

/** A card: a tool part in the content. */
interface Card {
  readonly toolId: string;
  readonly name: string;
  readonly running: boolean;
  /** Id of the execution whose events belong to it. */
  readonly boundTo: string | null;
}

/** A state of a {@link ToolBook}. */
export interface ToolBookState {
  readonly cards: ReadonlyMap<Key, Card>;
  readonly executions: ReadonlyMap<string, Key | null>;
}

/**
 * Which events belong to which card: by the same id, else to the oldest running card of that name which has none yet. Whatever
 * comes first, events or card, the other finds it.
 */
export class ToolBook {
  readonly #outline: Outline;
  #cards = new Map<Key, Card>();
  /** Card of each execution that events told of. */
  #executions = new Map<string, Key | null>();
  /** Rises with each card that is opened or closed: what that does depends on what came before. */
  moves = 0;

  constructor(outline: Outline) {
    this.#outline = outline;
  }

  /** Whether events told of an execution, and its card has the same id. */
  isExact(toolId: string): boolean {
    const card = this.#executions.get(toolId);
    return card !== undefined && card !== null && this.#cards.get(card)?.toolId === toolId;
  }

  /** The activity of an execution, opened when it is new. */
  activity(toolId: string, name: string, at: number | null): ToolActivityFields {
    const key = keyOfTool(toolId);
    const known = this.#outline.get(key)?.fields;
    if (known?.kind === 'tool-activity') return known;
    const part = this.#findCard(toolId, name);
    this.#bind(toolId, part);
    const fields: ToolActivityFields = {
      kind: 'tool-activity',
      toolId,
      name,
      part,
      phase: '',
      status: '',
      message: '',
      data: null,
      state: 'running',
      reason: '',
      startedAt: at,
      endedAt: null,
      subSession: null,
    };
    this.#outline.put(key, ACTIVITY, fields);
    return fields;
  }

  /** A card was opened in the content. */
  cardOpened(key: Key, { toolId, name, state }: ToolFields): void {
    this.moves += 1;
    this.#cards.set(key, { toolId, name, running: state === 'running', boundTo: null });
    const execution = this.#findExecution(toolId, name);
    if (execution === null) return;
    this.#bind(execution, key);
    this.#outline.set(keyOfTool(execution), 'part', key);
  }

  /** A card's own end came. Gives the id of its execution, when events told of one. */
  cardClosed(key: Key): string | null {
    const card = this.#cards.get(key);
    if (!card) return null;
    this.moves += 1;
    this.#cards.set(key, { ...card, running: false });
    return card.boundTo;
  }

  /** The content was replaced: cards are those of the outline now, and what was bound by id or to a card that still stands stays. */
  rebind(): void {
    const before = this.#executions;
    this.#cards = new Map();
    this.#executions = new Map([...before.keys()].map((id) => [id, null]));
    for (const { key, fields } of this.#outline.entries()) {
      if (fields.kind !== 'tool') continue;
      const { toolId, name, state } = fields;
      this.#cards.set(key, { toolId, name, running: state === 'running', boundTo: null });
    }
    for (const [id, card] of before)
      if (card !== null && this.#cards.has(card)) this.#bind(id, card);
    for (const [id, card] of this.#executions) this.#rebindOne(id, card);
  }

  snapshot(): ToolBookState {
    return {
      cards: new Map(this.#cards),
      executions: new Map(this.#executions),
    };
  }

  restore(state: ToolBookState): void {
    this.#cards = new Map(state.cards);
    this.#executions = new Map(state.executions);
  }

  #rebindOne(id: string, card: Key | null): void {
    const name = this.#nameOf(id);
    const part = card ?? this.#findCard(id, name, false);
    if (card === null) this.#bind(id, part);
    this.#outline.set(keyOfTool(id), 'part', part);
  }

  #nameOf(toolId: string): string {
    const fields = this.#outline.get(keyOfTool(toolId))?.fields;
    return fields?.kind === 'tool-activity' ? fields.name : '';
  }

  #findCard(toolId: string, name: string, onlyRunning = true): Key | null {
    let oldest: Key | null = null;
    for (const [key, card] of this.#cards) {
      if (toolId !== '' && card.toolId === toolId) return key;
      const fits = name !== '' && card.name === name && (card.running || !onlyRunning);
      if (fits && card.boundTo === null) oldest ??= key;
    }
    return oldest;
  }

  #findExecution(toolId: string, name: string): string | null {
    if (toolId !== '' && this.#executions.has(toolId)) return toolId;
    for (const [id, card] of this.#executions) {
      if (card === null && name !== '' && this.#nameOf(id) === name) return id;
    }
    return null;
  }

  #bind(execution: string, key: Key | null): void {
    this.#executions.set(execution, key);
    const card = key === null ? undefined : this.#cards.get(key);
    if (!card || key === null) return;
    if (card.boundTo !== null && card.boundTo !== execution) this.#release(card.boundTo);
    this.#cards.set(key, { ...card, boundTo: execution });
  }

  /** The same id wins over a binding by name. */
  #release(execution: string): void {
    this.#executions.set(execution, null);
    this.#outline.set(keyOfTool(execution), 'part', null);
  }
}

/** Key of the activity of one execution. */
export function keyOfTool(toolId: string): Key {
  return `@tool:${toolId}`;
}

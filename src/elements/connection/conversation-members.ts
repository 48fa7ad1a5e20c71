import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import type { Key } from '../../model/json.js';
import { announce, isTakenOver } from './announce.js';

const companies = new WeakMap<StreamController, ConversationMembers>();

const nameRequest = (message: Key, request: Key): string => JSON.stringify([message, request]);

/** The elements at one conversation. */
export class ConversationMembers {
  readonly #conversation: StreamController;
  /** In the order of their coming: the first tells the page what the agent does, so that the page hears it once. */
  readonly #members = new Set<HTMLElement>();
  /** Requests that the page answers in its own way. */
  readonly #taken = new Set<string>();

  private constructor(conversation: StreamController) {
    this.#conversation = conversation;
  }

  /** Those at a conversation. */
  static of(conversation: StreamController): ConversationMembers {
    const company = companies.get(conversation) ?? new ConversationMembers(conversation);
    companies.set(conversation, company);
    return company;
  }

  /** Those that are there. */
  get members(): ReadonlySet<HTMLElement> {
    return this.#members;
  }

  /** Takes an element in; returns the way out. */
  join(host: HTMLElement): () => void {
    this.#members.add(host);
    return () => void this.#members.delete(host);
  }

  /** An element has heard something; `decline` gives our words for a refusal. */
  hear(host: HTMLElement, notice: ControllerNotice, decline: () => string): void {
    const [first] = this.#members;
    if (first !== host) return;
    if (notice.type !== 'input-required') announce(host, this.#conversation, notice);
    else if (isTakenOver(host, this.#conversation, notice, decline)) {
      this.#taken.add(nameRequest(notice.message, notice.request));
    }
  }

  /** Whether the page answers a request in its own way. */
  isTaken(message: Key, request: Key): boolean {
    return this.#taken.has(nameRequest(message, request));
  }
}

import type { Key } from '../../../model/json.js';
import type { DataAgentMessageOptions } from '../options.js';
import type { AnswerState } from './answer-state.js';
import type { Approval } from './approval.js';

/** What this page knows of one conversation. */
export interface ConversationState {
  /** Answers whose runs have not been released, by the key of their message. */
  readonly answers: Map<Key, AnswerState>;
  /** Approvals that stored messages wait for, by the id of the message. */
  readonly approvals: Map<string, StoredApproval>;
  /** Ids of the answers whose runs are over: a record about one of them says nothing of another run. */
  readonly finishedMessages: Set<string>;
  /** Index of the last message that was loaded or received; 0 before. */
  lastIndex: number;
  /** Index of the last message that the service knows as read; 0 while that is unknown. */
  readIndex: number;
  /** False for a conversation without a title: its first question becomes the title. */
  hasTitle: boolean;
  /** Options of the last message that was sent; null before the first. */
  messageOptions: DataAgentMessageOptions | null;
}

/** An approval, with the run and the message that wait for it. */
export interface StoredApproval {
  readonly approval: Approval;
  readonly messageId: string;
  readonly runId: string | null;
}

/** The states of all conversations, by id. */
export class ConversationStates {
  readonly #states = new Map<string, ConversationState>();

  /** The state of a conversation, created when there is none. */
  get(id: string): ConversationState {
    const known = this.#states.get(id) ?? {
      answers: new Map(),
      approvals: new Map(),
      finishedMessages: new Set(),
      lastIndex: 0,
      readIndex: 0,
      hasTitle: true,
      messageOptions: null,
    };
    this.#states.set(id, known);
    return known;
  }

  /** Drops the state of a conversation. */
  delete(id: string): void {
    this.#states.delete(id);
  }
}

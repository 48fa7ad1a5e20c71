import type { Key } from '../../../model/json.js';
import type { DataAgentMessageOptions } from '../options.js';
import type { AnswerState } from './answer-state.js';
import type { Approval } from './approval.js';

/** The state of one conversation, as far as this page knows it. */
export interface ConversationState {
  /** Answers whose runs have not been released, by the key of their message. */
  readonly answers: Map<Key, AnswerState>;
  /** Keys of the answers whose streams this page has read itself. Other answers may have been received from another tab. */
  readonly streamedAnswers: Set<Key>;
  /** Keys of the answers of runs that were requested to stop and are not released yet, and whether the service has accepted the request. */
  readonly stops: Map<Key, boolean>;
  /** Approvals that stored messages wait for, by message id. */
  readonly approvals: Map<string, StoredApproval>;
  /** Ids of answers whose runs have ended, so that such a stored answer is not mistaken for the answer of another run. */
  readonly finishedAnswerIds: Set<string>;
  /** The question that was sent last; null before the first. */
  lastQuestion: SentQuestion | null;
  /**
   * Index of the last message that was loaded or received; initially 0. Infinity while it is unknown, after a run whose stream another tab has
   * read: the thread is then loaded before it is marked as read.
   */
  lastIndex: number;
  /**
   * Index of the last message that the service has marked as read; 0 before the first load. Unless the service reports it, all loaded
   * messages count as read.
   */
  readIndex: number;
  /**
   * Whether the conversation has a title. The first question of a conversation without one becomes its title. True for an unknown
   * conversation, so that an existing title is not overwritten.
   */
  hasTitle: boolean;
  /** Settings of the last message that was sent; null before the first. */
  messageOptions: DataAgentMessageOptions | null;
}

/** A question as it was sent, by which its answer is found when the response of the service was lost. */
export interface SentQuestion {
  /** Key of the message with its answer. */
  readonly answer: Key;
  /** The text that was sent, with its context. */
  readonly query: string;
  /** Ids of the answers that were known before it was sent. */
  readonly earlierAnswerIds: ReadonlySet<string>;
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

  /** Returns the state of a conversation; creates it when there is none. */
  getOrCreate(id: string): ConversationState {
    const state = this.#states.get(id) ?? {
      answers: new Map(),
      streamedAnswers: new Set(),
      stops: new Map(),
      approvals: new Map(),
      finishedAnswerIds: new Set(),
      lastQuestion: null,
      lastIndex: 0,
      readIndex: 0,
      hasTitle: true,
      messageOptions: null,
    };
    this.#states.set(id, state);
    return state;
  }

  /** Deletes the state of a conversation. */
  delete(id: string): void {
    this.#states.delete(id);
  }
}

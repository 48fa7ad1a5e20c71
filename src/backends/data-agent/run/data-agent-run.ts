import { UbikError } from '../../../errors.js';
import type { Batch, Change } from '../../../model/change.js';
import { readJson, sniffBody } from '../../../transport/response.js';
import type { ServerSentEvent } from '../../../transport/sse.js';
import type { RunKeys } from '../../backend.js';
import { createBatch } from '../../event-stream/batch-writer.js';
import { endRun, followStream, type FollowOptions } from '../../event-stream/follow-stream.js';
import type { StreamedRun } from '../../event-stream/streamed-run.js';
import type { DataAgentClient } from '../api/client.js';
import { loadConversation, type ConversationMessage } from '../api/conversations.js';
import { StreamEventReader } from '../stream-events.js';
import { AnswerProjection } from '../projection/answer-projection.js';
import { AnswerState, type ConnectOptions, type Outcome } from './answer-state.js';
import type { ConversationState } from './conversation-state.js';
import {
  findStoredAnswer,
  readStoredFields,
  readStoredOutcome,
  toReply,
  UNEXPECTED_END,
} from './stored-answer.js';

/** The conversation and the keys of a run, and the objects of the backend that it uses. */
export interface RunContext {
  readonly client: DataAgentClient;
  readonly state: ConversationState;
  /** Id of the conversation. */
  readonly conversation: string;
  readonly keys: RunKeys;
  readonly signal: AbortSignal;
}

/** Longest time, in ms, that the end of a run is delayed to load its stored answer. */
const STORED_ANSWER_TIMEOUT = 4000;
/** Default of `limits.maxStreamLength`, in UTF-16 units. */
const MAX_STREAM_LENGTH = 1 << 26;

/** Returns the state of the answer of a run; creates it when there is none. */
export function getAnswer({ client, state, keys }: RunContext): AnswerState {
  const { answer: message, user: question } = keys;
  const { reportDiagnostic: onDiagnostic } = client;
  const { approvals } = state;
  const projection = new AnswerProjection({ message });
  const answer =
    state.answers.get(message) ??
    new AnswerState({ message, question, projection, approvals, onDiagnostic });
  state.answers.set(message, answer);
  state.streamedAnswers.add(message);
  return answer;
}

/** One connection of one run: applies its events to the state of the answer, and emits the changes. */
export class DataAgentRun implements StreamedRun {
  readonly context: RunContext;
  readonly answer: AnswerState;
  readonly #reader: StreamEventReader;
  /** Number of UTF-16 units that this connection has received. */
  #units = 0;

  constructor(context: RunContext) {
    this.context = context;
    this.answer = getAnswer(context);
    this.#reader = new StreamEventReader(context.client.reportDiagnostic);
  }

  readonly isDirty = false;

  get isEnded(): boolean {
    return this.answer.isEnded;
  }

  get isWaiting(): boolean {
    return this.answer.pendingApproval !== null;
  }

  get #isStopConfirmed(): boolean {
    const { state, keys } = this.context;
    return state.stops.get(keys.answer) === true;
  }

  get #options(): FollowOptions {
    const { client, keys, signal } = this.context;
    const { sliceBudget, maxEventBytes } = client.limits;
    const { environment } = client;
    // Proxies drop the line break after the last event (Data Agent 4).
    const limits = { sliceBudget, maxEventBytes, flushAtEnd: true };
    return { thread: keys.thread, environment, signal, ...limits };
  }

  /** Creates a batch of these changes. */
  createBatch(changes: readonly Change[]): Batch {
    return createBatch(this.#options, changes);
  }

  /** Reads a response to the end of the run: a stream, or the whole reply as JSON. See {@link followStream}. */
  async *follow(response: Response, options: ConnectOptions): AsyncGenerator<Batch> {
    this.answer.connect(options);
    const { kind, body } = await sniffBody(response);
    if (kind !== 'json') {
      yield* followStream(body, this, this.#options);
      return;
    }
    const event = this.#reader.readValue(await readJson(new Response(body)));
    if (!event) throw new UbikError('not-an-api');
    this.answer.apply(event);
    this.answer.end();
    if (!this.isEnded) throw new UbikError('interrupted');
    yield* endRun(this, this.#options);
  }

  /** Emits a stored answer and ends the run by its status. Returns false, and emits nothing, while the answer is running. */
  *finishFromStoredAnswer(stored: ConversationMessage): Generator<Batch, boolean> {
    const outcome = readStoredOutcome(stored);
    if (outcome) yield this.createBatch(this.#showStored(stored, outcome));
    return outcome !== null;
  }

  apply(record: ServerSentEvent): void {
    this.#units += record.data.length;
    const { maxStreamLength = MAX_STREAM_LENGTH } = this.context.client.limits;
    if (this.#units > maxStreamLength) throw new UbikError('message-too-large');
    const event = this.#reader.read(record);
    if (event) this.answer.apply(event);
  }

  onStreamClosed(): void {
    // Every patch is complete in its event, so nothing is incomplete when the stream closes.
  }

  tryEndWithoutEvent(): boolean {
    const { answer } = this;
    if (answer.hasError) answer.end();
    return this.#isStopConfirmed || answer.isEnded;
  }

  drainChanges(): readonly Change[] {
    return this.answer.drainChanges();
  }

  repeatStatus(): void {
    this.answer.repeatStatus();
  }

  onEnd(): void {
    this.answer.isEnded = true;
  }

  async loadFinalChanges(): Promise<readonly Change[]> {
    const outcome = this.#readOutcome();
    const { messageId, questionId } = this.answer.reply;
    const hasIds = messageId !== null && (questionId !== null || this.context.keys.user === null);
    if (outcome && hasIds) return this.#finish(outcome);
    const stored = await this.#loadStored();
    if (!outcome && stored && this.#isStillWaiting(stored)) {
      return this.#showStored(stored, 'waiting');
    }
    const ids = stored ? this.answer.setIds(stored.id, stored.replyId) : [];
    const failure = stored && readStoredFields(stored).error;
    return [...ids, ...this.#finish(outcome ?? this.#guessOutcome(stored), failure)];
  }

  /** Whether a stored answer still waits for the approval that was answered, because the service has not continued the run. */
  #isStillWaiting(stored: ConversationMessage): boolean {
    const { approval } = readStoredFields(stored);
    const isWaiting = readStoredOutcome(stored) === 'waiting';
    return isWaiting && approval?.token === this.answer.answeredToken;
  }

  /** Returns the outcome according to the reply; null when it contains none. */
  #readOutcome(): Outcome | null {
    const { reply } = this.answer;
    if (this.#isStopConfirmed) return 'stopped';
    if (reply.error !== null) return 'failed';
    if (this.isWaiting) return 'waiting';
    // Only a completed run has totals (Data Agent 6.2).
    return reply.usage?.seconds == null ? null : 'complete';
  }

  /** Returns the outcome of a run without totals: that of the stored answer. Without one, an open last step means that the executor died. */
  #guessOutcome(stored: ConversationMessage | null): Outcome {
    const status = stored && stored.status !== 'streaming' ? stored.status : null;
    return status ?? (this.answer.reply.hasOpenStep ? 'failed' : 'complete');
  }

  /** Returns the changes that show a stored answer as the end of the run. */
  #showStored(stored: ConversationMessage, outcome: Outcome): Change[] {
    const { answer } = this;
    answer.connect({ buildsOffScreen: true });
    // The service has not received the user's answer to the approval: the run waits as before.
    if (outcome === 'waiting') answer.revokeAnswer();
    // A stored answer without content changes nothing but the approval that it waits for.
    if (stored.content || outcome === 'waiting') answer.replace(toReply(stored));
    return [
      ...answer.drainChanges(),
      ...answer.setIds(stored.id, stored.replyId),
      ...this.#finish(outcome, readStoredFields(stored).error),
    ];
  }

  /** Loads the stored answer of this run; null when it cannot be loaded. */
  async #loadStored(): Promise<ConversationMessage | null> {
    const { client, conversation, signal, state } = this.context;
    const { finishedAnswerIds: otherAnswerIds } = state;
    const loaded = await loadConversation(
      client,
      conversation,
      signal,
      STORED_ANSWER_TIMEOUT,
    ).catch(() => null);
    return findStoredAnswer(loaded?.messages ?? [], {
      ...this.answer.reply,
      otherAnswerIds,
    });
  }

  #finish(outcome: Outcome, failure: string | null = null): Change[] {
    const { state } = this.context;
    const { messageId, index } = this.answer.reply;
    if (messageId !== null && outcome !== 'waiting') state.finishedAnswerIds.add(messageId);
    state.lastIndex = Math.max(state.lastIndex, index ?? 0);
    return this.answer.finish(outcome, failure ?? UNEXPECTED_END);
  }
}

import { isUbikError, type UbikError } from '../../../errors.js';
import { createFieldChange, type Change } from '../../../model/change.js';
import { equalJson, type Json, type Key } from '../../../model/json.js';
import { ACTIVITY } from '../../../model/part.js';
import { PatchedDocument, type Patch, type Touch } from '../document.js';
import type { StreamEvent } from '../stream-events.js';
import { asFields, omitNulls } from '../../fields.js';
import { createApprovalRequest, readToolName, type Approval } from './approval.js';
import { readReplyFields, type ReplyFields } from './reply-fields.js';

/** How a run ends; `waiting`: it goes on after the user's approval. */
export type Outcome = 'complete' | 'waiting' | 'stopped' | 'failed';

/** Derives the parts of a message from its document. */
export interface DocumentView {
  /** The changes of the parts, after the document has changed at these places. */
  update(root: unknown, touches: readonly Touch[] | 'all'): readonly Change[];
  /** The changes of the parts at the end of the run. */
  finish(outcome: Outcome): readonly Change[];
}

/** Options of the state of an answer. */
export interface AnswerStateOptions {
  /** Key of the message that is written. */
  readonly message: Key;
  /** Key of the question; null when the run has none. */
  readonly question: Key | null;
  readonly view: DocumentView;
  readonly onDiagnostic: (error: UbikError) => void;
}

/** How a stream is connected. */
export interface ConnectOptions {
  /** The message may be shown already: the stream is built hidden until its first snapshot is complete (9.6). */
  readonly isResumed: boolean;
  /** Called with the id of the run when a hidden stream is about to be shown. Throws for another run. */
  readonly checkRun?: ((runId: string | null) => void) | undefined;
}

/** Members of a complete snapshot (9.6). */
const SNAPSHOT_NAMES = ['conversation_id', 'assistant_message_id', 'message', 'error'] as const;

/** A document that is built hidden, because another one is shown. */
interface Candidate {
  readonly document: PatchedDocument;
  /** Top-level names that an `upsert` has brought. */
  readonly names: Set<unknown>;
  readonly checkRun: ConnectOptions['checkRun'];
}

/**
 * One answer over all its connections. Each connection builds its document from `{}`; one that resumes replaces the shown document when
 * its first snapshot is complete, so that the text does not flicker back to empty.
 */
export class AnswerState {
  readonly #options: AnswerStateOptions;
  #document = new PatchedDocument();
  #candidate: Candidate | null = null;
  /** Changes that were derived and not drained. */
  readonly #changes: Change[] = [];
  /** What has changed in the document since the last derivation. */
  #touches: Touch[] | 'all' = [];
  #reply: ReplyFields = readReplyFields(null);
  /** Message fields as they were last emitted, by `key field`. */
  readonly #emitted = new Map<string, Json>();
  /** Key of the request that is shown as pending. */
  #pendingRequest: Key | null = null;
  #isStatusDue = false;
  /** No event of this connection has come. */
  #awaitsFirstEvent = true;
  #isShown = false;
  /** The stream has ended the run. */
  isEnded = false;
  /** The service has accepted a request to stop. */
  isStopConfirmed = false;
  /** Token of the approval that was given: the document names it until the run has gone on. */
  answeredToken: string | null = null;

  constructor(options: AnswerStateOptions) {
    this.#options = options;
  }

  /** What the reply says of its message and run. Ids and totals survive a reply that is emptied later. */
  get reply(): ReplyFields {
    return this.#reply;
  }

  /** The approval that the run waits for; null when it waits for none. */
  get pendingApproval(): Approval | null {
    const { approval } = this.#reply;
    return approval && approval.token !== this.answeredToken ? approval : null;
  }

  /** A new connection. */
  connect({ isResumed, checkRun }: ConnectOptions): void {
    this.isEnded = false;
    this.#awaitsFirstEvent = true;
    this.#candidate =
      isResumed || this.#isShown
        ? { document: new PatchedDocument(), names: new Set(), checkRun }
        : null;
  }

  /** Applies an event of the connection. Unsafe patches are reported and skipped. */
  apply(event: StreamEvent): void {
    // The first event shows that the run is in progress; an open connection does not.
    if (this.#awaitsFirstEvent) this.repeatStatus();
    this.#awaitsFirstEvent = false;
    if (event.type === 'snapshot') this.replace(event.root);
    else if (event.type === 'error') {
      this.#applyPatch({ path: ['error'], action: 'upsert', value: event.error });
    } else if (event.patch.action === 'end') {
      const root = asFields(this.#candidate?.document.root);
      if (asFields(root?.['message'])) this.#promote();
      this.#candidate = null;
      this.isEnded = true;
    } else this.#applyPatch(event.patch);
  }

  /** Replaces the whole document, such as by a stored message. */
  replace(root: unknown): void {
    const { document } = this.#candidate ?? { document: this.#document };
    document.replace(root);
    this.#touches = 'all';
    this.#promote();
  }

  /** Includes the state of the run in the next changes once more: the controller may have set another one meanwhile. */
  repeatStatus(): void {
    this.#isStatusDue = true;
  }

  /** Changes since the last call. None of the content while a resumed document is built hidden. */
  drainChanges(): Change[] {
    if (!this.#candidate) this.#derive();
    return [...this.#changes.splice(0), ...this.#drainStatus()];
  }

  /** Changes that end the run. `failure` says why it has failed, unless the reply says it. */
  finish(outcome: Outcome, failure: string | null = null): Change[] {
    const { message, view } = this.#options;
    const { runId: id, error } = this.#reply;
    const reason = outcome === 'failed' ? (error ?? failure) : null;
    const described = reason === null ? null : { code: 'run-failed', message: reason };
    const set = (name: string, value: Json) => createFieldChange(message, null, name, value);
    return [
      ...view.finish(outcome),
      set('status', outcome),
      ...(described ? [set('failure', described)] : []),
      { type: 'thread', set: { run: { state: outcome, id, error: described } } },
    ];
  }

  /** Changes that set ids which the stream has not brought. */
  setIds(messageId: string, questionId: string | null): Change[] {
    const known = { messageId, questionId };
    this.#reply = keepKnown(this.#reply, { ...this.#reply, ...known });
    return this.#createFieldChanges();
  }

  /** Derives the changes that follow from what has been touched. */
  #derive(): void {
    const touches = this.#touches;
    if (touches !== 'all' && touches.length === 0) return;
    this.#touches = [];
    this.#isShown = true;
    const { root } = this.#document;
    this.#changes.push(...this.#options.view.update(root, touches));
    this.#reply = keepKnown(readReplyFields(root), this.#reply);
    this.#changes.push(...this.#createFieldChanges(), ...this.#createRequestChanges());
  }

  #applyPatch(patch: Patch): void {
    const { path, action, value } = patch;
    // An internal failure empties the reply (section 8): what came before it, even in the same chunk, stays.
    const empties = path.length <= 2 && (action === 'remove' || value === null || value === '');
    if (empties && !this.#candidate) this.#derive();
    const candidate = this.#candidate;
    const [name, ...deeper] = path;
    const isTop = deeper.length === 0 && action === 'upsert';
    // The second snapshot of a resumed stream begins: the first one is complete.
    if (candidate && isTop && name !== undefined && candidate.names.has(name)) this.#promote();
    try {
      const touch = (this.#candidate ?? { document: this.#document }).document.apply(patch);
      if (touch && !this.#candidate && this.#touches !== 'all') this.#touches.push(touch);
    } catch (error) {
      if (!isUbikError(error)) throw error;
      this.#options.onDiagnostic(error);
    }
    if (!this.#candidate || !isTop) return;
    this.#candidate.names.add(name);
    const { names } = this.#candidate;
    if (name === undefined || SNAPSHOT_NAMES.every((each) => names.has(each))) this.#promote();
  }

  /** Shows the document that was built hidden. */
  #promote(): void {
    const candidate = this.#candidate;
    if (!candidate) return;
    const { document, checkRun } = candidate;
    checkRun?.(readReplyFields(document.root).runId);
    this.#document = document;
    this.#candidate = null;
    this.#touches = 'all';
    this.#reply = { ...this.#reply, error: null };
    this.repeatStatus();
  }

  #drainStatus(): Change[] {
    if (!this.#isStatusDue || this.isEnded) return [];
    this.#isStatusDue = false;
    const { runId: id } = this.#reply;
    return [{ type: 'thread', set: { run: { state: 'streaming', id } } }];
  }

  #createFieldChanges(): Change[] {
    const { message, question } = this.#options;
    const { messageId, questionId, runId, usage, followUps } = this.#reply;
    if (runId !== null && this.#emitted.get(`${message} runId`) !== runId) this.repeatStatus();
    return [
      ...this.#setField(message, 'id', messageId),
      ...this.#setField(message, 'runId', runId),
      ...this.#setField(message, 'usage', usage && { ...usage }),
      ...this.#setField(message, 'followUps', followUps),
      ...(question === null ? [] : this.#setField(question, 'id', questionId)),
    ];
  }

  #setField(message: Key, name: string, value: Json): Change[] {
    const place = `${message} ${name}`;
    if (value === null || equalJson(this.#emitted.get(place), value)) return [];
    this.#emitted.set(place, value);
    return [createFieldChange(message, null, name, value)];
  }

  #createRequestChanges(): Change[] {
    const { message } = this.#options;
    const approval = this.pendingApproval;
    const {
      key,
      message: _message,
      ...question
    } = approval ? createApprovalRequest(approval, message) : { key: null, message };
    const before = this.#pendingRequest;
    if (key === before) return [];
    this.#pendingRequest = key;
    const changes: Change[] =
      before === null ? [] : [createFieldChange(message, before, 'state', 'answered')];
    if (!approval || key === null || !('level' in question)) return changes;
    const value = {
      kind: 'request-activity',
      ...question,
      toolName: readToolName(approval),
      part: null,
      state: 'pending',
    } as const;
    const place = { message, part: key, parent: ACTIVITY, before: null };
    return [...changes, { type: 'part', ...place, value }];
  }
}

/** The newer fields, with what an emptied reply has lost (section 8). Its approval and its last step are those of the newer one. */
function keepKnown(newer: ReplyFields, known: ReplyFields): ReplyFields {
  return { ...known, ...omitNulls(newer), approval: newer.approval };
}

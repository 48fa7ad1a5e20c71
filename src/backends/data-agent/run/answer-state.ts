import { isUbikError, type UbikError } from '../../../errors.js';
import { createFieldChange, type Change } from '../../../model/change.js';
import { equalJson, type Json, type Key } from '../../../model/json.js';
import { ACTIVITY } from '../../../model/part.js';
import { PatchedReply, type Patch, type ChangedPath } from '../patched-reply.js';
import type { StreamEvent } from '../stream-events.js';
import { asFields, omitNulls } from '../../fields.js';
import { createApprovalRequest, toRequestKey, type Approval } from './approval.js';
import { readReplyFields, type ReplyFields } from './reply-fields.js';

/** Outcome of a run; `waiting` means that it continues after the user's approval. */
export type Outcome = 'complete' | 'waiting' | 'stopped' | 'failed';

/** Derives the parts of a message from its reply. */
export interface ReplyProjection {
  /** Returns the changes of the parts after these paths of the reply have changed. */
  update(root: unknown, changedPaths: readonly ChangedPath[] | 'all'): readonly Change[];
  /** Returns the changes of the parts at the end of the run. */
  finish(): readonly Change[];
}

/** Options of the state of an answer. */
export interface AnswerStateOptions {
  /** Key of the message that is written. */
  readonly message: Key;
  /** Key of the question; null when the run has none. */
  readonly question: Key | null;
  readonly projection: ReplyProjection;
  /**
   * Approvals that stored messages wait for, by message id. The approval of this message is deleted when a reply shows that the message waits
   * no longer.
   */
  readonly approvals: Pick<Map<string, { readonly approval: Approval }>, 'get' | 'delete'>;
  readonly onDiagnostic: (error: UbikError) => void;
}

/** How a stream was opened. */
export interface ConnectOptions {
  /** Whether the message may be shown already: the reply is then built off screen until its first snapshot is complete (Data Agent 9.6). */
  readonly buildsOffScreen: boolean;
  /** Called with the id of the run before the reply that was built off screen is shown. Throws for another run. */
  readonly checkRun?: ((runId: string | null) => void) | undefined;
}

/** Members of a complete snapshot (Data Agent 9.6). */
const SNAPSHOT_NAMES = ['conversation_id', 'assistant_message_id', 'message', 'error'] as const;

/** A reply that is built off screen while another one is shown. */
interface Candidate {
  readonly patchedReply: PatchedReply;
  /** Top-level names that were set by an `upsert`. */
  readonly names: Set<unknown>;
  readonly checkRun: ConnectOptions['checkRun'];
}

/**
 * The state of one answer over all its connections. Each connection builds its reply from `{}`. The reply of a resumed stream replaces the
 * shown one when its first snapshot is complete, so that the text does not flicker back to empty.
 */
export class AnswerState {
  readonly #options: AnswerStateOptions;
  #patchedReply = new PatchedReply();
  #candidate: Candidate | null = null;
  /** Derived changes that were not drained yet. */
  readonly #changes: Change[] = [];
  /** Paths of the reply that have changed since the last derivation. */
  #changedPaths: ChangedPath[] | 'all' = [];
  #reply: ReplyFields = readReplyFields(null);
  /** Message fields as they were emitted last, by the key of the message and the name of the field, with a blank between them. */
  readonly #emitted = new Map<string, Json>();
  /** Key of the input request that is shown as pending. */
  #pendingRequest: Key | null = null;
  /** Whether the next changes include the state of the run. */
  #isStatusDue = false;
  /** Whether this connection has not received an event yet. */
  #awaitsFirstEvent = true;
  /** Whether parts were derived from a reply, so that the answer is shown. */
  #isShown = false;
  /** Whether the stream has ended the run. */
  isEnded = false;
  /** Token of the approval that was answered; null once a reply without it shows that the run has continued. */
  answeredToken: string | null = null;

  constructor(options: AnswerStateOptions) {
    this.#options = options;
  }

  /** The fields of the reply. Ids, index, totals, follow-ups and error are retained when the reply is emptied later. */
  get reply(): ReplyFields {
    return this.#reply;
  }

  /** The approval that the run waits for; null when there is none. */
  get pendingApproval(): Approval | null {
    const { approval } = this.#reply;
    return approval && approval.token !== this.answeredToken ? approval : null;
  }

  /** Whether the reply contains an error, or an error has arrived in place of its continuation. */
  get hasError(): boolean {
    return this.#reply.error !== null || readReplyFields(this.#continuation).error !== null;
  }

  /**
   * The reply that is built off screen from the response to a request of this run. Null for a resumed stream (Data Agent 9.6), which has a
   * `checkRun`: it may be the stream of another run, or a proxy may have cut it off.
   */
  get #continuation(): unknown {
    const { patchedReply, checkRun } = this.#candidate ?? {};
    return checkRun ? null : patchedReply?.root;
  }

  /** Records that the service has not received the answer: the next reply shows its approval as pending again. */
  revokeAnswer(): void {
    this.answeredToken = null;
    this.#pendingRequest = null;
  }

  /** Starts a new connection. */
  connect({ buildsOffScreen, checkRun }: ConnectOptions): void {
    this.isEnded = false;
    this.#awaitsFirstEvent = true;
    this.#candidate =
      buildsOffScreen || this.#isShown
        ? { patchedReply: new PatchedReply(), names: new Set(), checkRun }
        : null;
  }

  /** Applies an event of the connection. Unsafe patches are skipped with a diagnostic. */
  apply(event: StreamEvent): void {
    // Only the first event shows that the run is in progress; an open connection does not.
    if (this.#awaitsFirstEvent) this.repeatStatus();
    this.#awaitsFirstEvent = false;
    if (event.type === 'snapshot') this.replace(event.root);
    else if (event.type === 'error') {
      this.#applyPatch({ path: ['error'], action: 'upsert', value: event.error });
    } else if (event.patch.action === 'end') this.end();
    else this.#applyPatch(event.patch);
  }

  /**
   * Ends the run. A reply that was built off screen replaces the shown one if it has a message; otherwise only the error of a continuation is
   * shown. A resumed stream that contains nothing but an error does not end the run: its error may be that of another run.
   */
  end(): void {
    const { patchedReply, checkRun } = this.#candidate ?? {};
    const { message, error } = asFields(patchedReply?.root) ?? {};
    const hasMessage = asFields(message) !== null;
    if (hasMessage) this.#promote();
    this.#candidate = null;
    if (error && !hasMessage) {
      if (checkRun) return;
      this.#applyPatch({ path: ['error'], action: 'upsert', value: error });
    }
    this.isEnded = true;
  }

  /** Replaces the whole reply, for example by a stored message. */
  replace(root: unknown): void {
    this.#deriveShown();
    const { patchedReply } = this.#candidate ?? { patchedReply: this.#patchedReply };
    patchedReply.replace(root);
    this.#changedPaths = 'all';
    this.#promote();
  }

  /** Includes the state of the run in the next changes again, because the controller may have set another one meanwhile. */
  repeatStatus(): void {
    this.#isStatusDue = true;
  }

  /** Returns the changes since the last call. Contains no content while a reply is built off screen. */
  drainChanges(): Change[] {
    this.#deriveShown();
    return [...this.#changes.splice(0), ...this.#drainStatus()];
  }

  /** Returns the changes that end the run. `failure` is the reason of a failure, unless the reply contains one. */
  finish(outcome: Outcome, failure: string | null = null): Change[] {
    const { message, projection } = this.#options;
    const { runId: id, error } = this.#reply;
    const reason = outcome === 'failed' ? (error ?? failure) : null;
    const described = reason === null ? null : { code: 'run-failed', message: reason };
    const set = (name: string, value: Json) => createFieldChange(message, null, name, value);
    return [
      ...projection.finish(),
      set('status', outcome),
      ...(described ? [set('failure', described)] : []),
      { type: 'thread', set: { run: { state: outcome, id, error: described } } },
    ];
  }

  /** Returns the changes that set ids which the stream has not sent. */
  setIds(messageId: string, questionId: string | null): Change[] {
    const known = { messageId, questionId };
    this.#reply = mergeKnownFields(this.#reply, { ...this.#reply, ...known });
    return this.#createFieldChanges();
  }

  /**
   * Derives the changes of the patches so far, unless a reply is built off screen. Called before a patch that may empty the reply, as the
   * service does when it fails internally (Data Agent 6.1), so that content of the same chunk stays.
   */
  #deriveShown(): void {
    if (!this.#candidate) this.#derive();
  }

  /** Derives the changes for the paths that have changed. */
  #derive(): void {
    const changedPaths = this.#changedPaths;
    if (changedPaths !== 'all' && changedPaths.length === 0) return;
    this.#changedPaths = [];
    this.#isShown = true;
    const { root } = this.#patchedReply;
    this.#changes.push(...this.#options.projection.update(root, changedPaths));
    this.#reply = mergeKnownFields(readReplyFields(root), this.#reply);
    if (this.#reply.approval?.token !== this.answeredToken) this.answeredToken = null;
    this.#changes.push(...this.#createFieldChanges(), ...this.#createRequestChanges());
  }

  #applyPatch(patch: Patch): void {
    const { path, action, value } = patch;
    const candidate = this.#candidate;
    const [name, ...deeper] = path;
    const isTop = deeper.length === 0 && action === 'upsert';
    // The second snapshot of a resumed stream begins, so the first one is complete.
    if (candidate && isTop && name !== undefined && candidate.names.has(name)) this.#promote();
    const isEmpty = action === 'remove' || value === null || value === '';
    if (path.length === 0 || (path.length <= 2 && isEmpty)) this.#deriveShown();
    try {
      const { patchedReply } = this.#candidate ?? { patchedReply: this.#patchedReply };
      const changedPath = patchedReply.apply(patch);
      if (changedPath && !this.#candidate && this.#changedPaths !== 'all')
        this.#changedPaths.push(changedPath);
    } catch (error) {
      if (!isUbikError(error)) throw error;
      this.#options.onDiagnostic(error);
    }
    if (!this.#candidate || !isTop) return;
    this.#candidate.names.add(name);
    const { names } = this.#candidate;
    if (name === undefined || SNAPSHOT_NAMES.every((each) => names.has(each))) this.#promote();
  }

  /** Shows the reply that was built off screen. */
  #promote(): void {
    const candidate = this.#candidate;
    if (!candidate) return;
    const { patchedReply, checkRun } = candidate;
    checkRun?.(readReplyFields(patchedReply.root).runId);
    this.#patchedReply = patchedReply;
    this.#candidate = null;
    this.#changedPaths = 'all';
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
    const fieldKey = `${message} ${name}`;
    if (value === null || equalJson(this.#emitted.get(fieldKey), value)) return [];
    this.#emitted.set(fieldKey, value);
    return [createFieldChange(message, null, name, value)];
  }

  #createRequestChanges(): Change[] {
    const { message } = this.#options;
    const approval = this.pendingApproval;
    if (!approval) this.#pendingRequest ??= this.#takeLoadedRequest();
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
      part: null,
      state: 'pending',
    } as const;
    const position = { message, part: key, parent: ACTIVITY, before: null };
    return [...changes, { type: 'part', ...position, value }];
  }

  /** Returns the key of the request that this page has loaded with the message; null when there is none. */
  #takeLoadedRequest(): Key | null {
    const { approvals } = this.#options;
    const id = this.#reply.messageId ?? '';
    const loaded = approvals.get(id);
    approvals.delete(id);
    return loaded ? toRequestKey(loaded.approval) : null;
  }
}

/**
 * Returns the newer fields, with the ids, index, totals, follow-ups and error that an emptied reply has lost (Data Agent 6.1). `approval` and
 * `hasOpenStep` are those of the newer fields.
 */
function mergeKnownFields(newer: ReplyFields, known: ReplyFields): ReplyFields {
  return { ...known, ...omitNulls(newer), approval: newer.approval };
}

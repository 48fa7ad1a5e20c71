import type {
  Backend,
  CheckpointInfo,
  DocumentInfo,
  Draft,
  InputAnswer,
  Onboarding,
  Page,
  PageRequest,
  ThreadSummary,
} from '../backends/backend.js';
import { UbikError } from '../errors.js';
import type { Batch, Change } from '../model/change.js';
import type { Json, Key } from '../model/json.js';
import type { List, Thread } from '../model/thread.js';
import { hasMoreOfAnswer } from './data/adopt-content.js';
import type {
  ControllerNotice,
  ControllerOptions,
  Scope,
  StreamController,
} from './controller-types.js';
import { ConversationCore } from './conversation-core.js';
import { ListActs } from './acts/list-acts.js';
import { RunActs } from './acts/run-acts.js';
import type { EndState } from './run/run-record.js';
import type { RunSession } from './run/run-session.js';
import { ThreadActs } from './acts/thread-acts.js';

/**
 * Makes a conversation without an interface. Nothing is asked of the service before the first act.
 *
 * @example
 * const controller = createStreamController({ backend: createUbikBackend({ baseUrl: '/ubik', getToken }) });
 * controller.subscribe({ thread: true }, (change) => draw(controller.thread, change));
 * await controller.send({ text: 'How many orders are open?', attachments: [] });
 */
export function createStreamController(options: ControllerOptions): StreamController {
  return new ConversationController(options);
}

class ConversationController implements StreamController {
  readonly #core: ConversationCore;
  readonly #threads: ThreadActs;
  readonly #runs: RunActs;
  readonly #lists: ListActs;
  readonly #keep: boolean;
  #holders = 0;

  constructor(options: ControllerOptions) {
    this.#core = new ConversationCore(options);
    this.#threads = new ThreadActs(this.#core);
    this.#runs = new RunActs(this.#core, this.#threads);
    this.#lists = new ListActs(this.#core, this.#threads);
    this.#keep = options.keep ?? true;
    this.#core.onRunOver = (session, state) => {
      this.#followUp(session, state);
    };
    void this.#restoreDraft();
  }

  get backend(): Backend {
    return this.#core.backend;
  }

  get thread(): Thread | null {
    return this.#core.current;
  }

  get userKey(): string | null {
    return this.#core.userKey;
  }

  subscribe(scope: Scope, listener: (change: Change) => void): () => void {
    return this.#core.notifier.subscribe(scope, listener);
  }

  observe(listener: (batch: Batch) => void): () => void {
    return this.#core.notifier.observe(listener);
  }

  notices(listener: (notice: ControllerNotice) => void): () => void {
    return this.#core.addListener(listener);
  }

  version(scope: Scope): number {
    return this.#core.notifier.version(scope);
  }

  retain(): () => void {
    this.#holders += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holders -= 1;
      if (this.#holders > 0 || this.#keep || this.#core.closed) return;
      // An element that is moved lets go and holds again within the same task.
      this.#core.environment.setTimer(() => {
        if (this.#holders === 0) this.close();
      }, 0);
    };
  }

  draft(thread?: Key): Draft {
    return this.#core.drafts.get(thread ?? this.thread?.key ?? null);
  }

  setDraft(draft: Draft, thread?: Key): void {
    if (!this.#core.closed) this.#core.drafts.set(thread ?? this.thread?.key ?? null, draft);
  }

  openThread(id: string): Promise<void> {
    return this.#core.act(() => this.#threads.open(id));
  }

  openLatest(): Promise<boolean> {
    return this.#core.act(() => this.#threads.openLatest());
  }

  newThread(): void {
    if (!this.#core.closed) this.#threads.leave();
  }

  listThreads(page: PageRequest): Promise<Page<ThreadSummary>> {
    return this.#core.act(() => this.#threads.list(page));
  }

  renameThread(id: string, title: string): Promise<void> {
    return this.#core.act(() => this.#threads.rename(id, title));
  }

  deleteThread(id: string): Promise<void> {
    return this.#core.act(() => this.#threads.delete(id));
  }

  onboarding(): Promise<Onboarding> {
    return this.#core.act(() => this.#lists.onboarding());
  }

  send(draft: Draft): Promise<void> {
    return this.#core.act(() => this.#runs.send(draft));
  }

  stop(): Promise<void> {
    return this.#core.act(() => this.#session()?.stop());
  }

  detach(): void {
    this.#session()?.detach();
  }

  rejoin(): Promise<void> {
    return this.#core.act(() => {
      const session = this.#session();
      const { state } = this.thread?.run ?? {};
      if (session && (session.active || state === 'interrupted')) return session.rejoin();
      throw new UbikError(
        'misuse',
        'No run is interrupted here, so there is nothing to join again.',
      );
    });
  }

  provideInput(message: Key, request: Key, answer: InputAnswer): Promise<void> {
    return this.#core.act(() => this.#runs.provideInput(message, request, answer));
  }

  edit(message: Key, draft: Draft): Promise<void> {
    return this.#core.act(() => this.#runs.edit(message, draft));
  }

  regenerate(message: Key): Promise<void> {
    return this.#core.act(() => this.#runs.regenerate(message));
  }

  navigate(messageId: string): Promise<void> {
    return this.#core.act(() => this.#threads.navigate(messageId));
  }

  listCheckpoints(): Promise<readonly CheckpointInfo[]> {
    return this.#core.act(() => this.#lists.listCheckpoints());
  }

  restore(checkpointName: string, hint: string | null): Promise<void> {
    return this.#core.act(async () => {
      if (this.thread) this.#core.runs.checkFree(this.thread.key);
      await this.#runs.restore(await this.#lists.findCheckpoint(checkpointName), hint);
    });
  }

  listDocuments(page: PageRequest): Promise<Page<DocumentInfo>> {
    return this.#core.act(() => this.#lists.listDocuments(page));
  }

  upload(
    file: File,
    onProgress: (sent: number, total: number) => void = () => undefined,
    signal?: AbortSignal,
  ): Promise<DocumentInfo> {
    return this.#core.act(() => this.#lists.upload(file, onProgress, signal));
  }

  setItem(list: List, key: Key, value: Json | undefined): void {
    const thread = list === 'threads' ? '' : this.thread?.key;
    if (thread === undefined || this.#core.closed) return;
    this.#core.store.commit(thread, [
      value === undefined ? { do: 'item', list, key } : { do: 'item', list, key, value },
    ]);
  }

  close(): void {
    this.#lists.close();
    this.#core.close();
  }

  #session(): RunSession | undefined {
    return this.thread ? this.#core.runs.of(this.thread.key) : undefined;
  }

  async #restoreDraft(): Promise<void> {
    const draft = await this.#core.notes.read('draft');
    if (!this.#core.closed) this.#core.drafts.restore(null, draft);
  }

  /** What has to be read again when a run is over, or was given up: what the service has stored by then may be more. */
  #followUp(session: RunSession, state: EndState | null): void {
    if (state === null) return;
    const { thread, record } = session;
    if (state === 'interrupted') {
      if (record.run.error?.code === 'aborted') return;
      void this.#threads.refresh(thread, (content) => {
        const held = this.#core.store.thread(thread)?.messages.get(record.keys.answer);
        return held !== undefined && hasMoreOfAnswer(content, held, record.run.id);
      });
    } else if (session.rereads) void this.#threads.refresh(thread);
    void this.#lists.refreshCheckpoints(thread);
  }
}

import type { Draft, Onboarding } from '../backends/backend.js';
import { UbikError } from '../errors.js';
import { createItemChange } from '../model/change.js';
import type { Key } from '../model/json.js';
import { isWaiting, type Thread } from '../model/thread.js';
import { ControllerContext } from './controller-context.js';
import { controllersWithoutDrafts, createHostStorage } from './controller-storage.js';
import type { ControllerOptions, StreamController } from './controller-types.js';
import { send } from './messages/message-actions.js';
import { writtenDrafts } from './messages/written-drafts.js';
import { checkpointActions, documentActions, queueActions, storedThreads } from './lazy-actions.js';
import { scopeKey } from './notifier.js';
import { listShownRequests } from './requests/input-requests.js';
import { notifiedRequests } from './requests/notified-requests.js';
import { provideInput } from './requests/provide-input.js';
import type { RunSession } from './run/run-session.js';
import { stopRun } from './run/stop-run.js';
import { threadOpenings } from './threads/thread-openings.js';
import {
  closeCurrentThread,
  deleteThread,
  listThreads,
  openLastThread,
  openThread,
  renameThread,
  schedule,
} from './threads/thread-actions.js';

/** The asynchronous methods of a controller except `loadUploads`, as functions of its context. */
const ACTIONS = {
  openThread,
  openLastThread,
  listThreads,
  renameThread,
  deleteThread,
  loadOnboarding,
  send,
  enqueue,
  updateQueued: queueActions.bind('updateQueued'),
  removeQueued: queueActions.bind('removeQueued'),
  pauseQueued: queueActions.bind('pauseQueued'),
  sendQueued: queueActions.bind('sendQueued'),
  resumeQueue: queueActions.bind('resumeQueue'),
  stop,
  rejoin,
  provideInput,
  edit: storedThreads.bind('edit'),
  regenerate: storedThreads.bind('regenerate'),
  switchBranch: storedThreads.bind('switchBranch'),
  loadVersion: storedThreads.bind('loadVersion'),
  listCheckpoints: checkpointActions.bind('listCheckpoints'),
  restoreCheckpoint: checkpointActions.bind('restoreCheckpoint'),
  listDocuments: documentActions.bind('listDocuments'),
  uploadDocument: documentActions.bind('uploadDocument'),
  linkDocuments: documentActions.bind('linkDocuments'),
  unlinkDocument: documentActions.bind('unlinkDocument'),
  starDocument: documentActions.bind('starDocument'),
  loadDocument: documentActions.bind('loadDocument'),
};

/**
 * Creates a headless chat. Sends no request before the first action.
 *
 * @example
 * const controller = createStreamController({ backend: createUbikBackend({ baseUrl: '/ubik', getToken }) });
 * controller.subscribe({ thread: true }, (change) => render(controller.thread, change));
 * await controller.send({ text: 'How many orders are open?', attachments: [] });
 */
export function createStreamController(options: ControllerOptions): StreamController {
  const context = new ControllerContext(options);
  const { backend, drafts, notifier, storage } = context;
  connectHandlers(context);
  restoreUnsentTexts(context);
  const orCurrent = (thread?: Key) => thread ?? context.currentThread?.key ?? null;
  const controller: StreamController = {
    ...bindActions(context),
    backend,
    environment: context.environment,
    get thread(): Thread | null {
      return context.currentThread;
    },
    getThread: (key) => context.store.threads.get(key) ?? null,
    threads: context.store.threadList,
    storage: createHostStorage(storage),
    userKey: context.options.userKey ?? null,
    subscribe: (scope, listener) => notifier.subscribe(scopeKey(scope), listener),
    onBatch: (listener) => notifier.subscribe('batches', listener),
    onNotice: (listener) => notifier.subscribe('notices', listener),
    revision: (scope) => notifier.revision(scope),
    retain: createRetain(context),
    getDraft: (thread) => drafts.get(orCurrent(thread)),
    setDraft(draft, thread): void {
      if (context.closed) return;
      drafts.set(orCurrent(thread), draft);
      // A message that is written during a run can be queued, so the code of the queue is loaded ahead of time.
      if (context.currentThread && context.isBusy(context.currentThread)) prefetch(queueActions);
    },
    switchToNewThread: () => closeCurrentThread(context),
    detach: () => findRunSession(context)?.detach(),
    setListItem(list, key, value): void {
      // An empty key: a change of the thread list (see `Batch`).
      const thread = list === 'threads' ? '' : orCurrent();
      if (thread !== null) context.commit(thread, [createItemChange(list, key, value)]);
    },
    loadUploads: () =>
      context.runAction(async () => {
        // The actions are loaded too, so that adding a file later calls them synchronously, for the thread that is then current.
        const [{ uploadQueueOf }] = await Promise.all([
          import('./documents/upload-queue.js'),
          documentActions.load(),
        ]);
        // A queue created after the close would miss the `closed` notice.
        if (context.closed) throw new UbikError('aborted');
        const uploads = uploadQueueOf(controller);
        // Composers show the files of the draft while they are uploaded, whoever uploads them.
        context.notify({ type: 'draft-changed', thread: orCurrent() });
        return uploads;
      }),
    close: () => context.close(),
  };
  threadOpenings.set(controller, () => context.latestOpening);
  notifiedRequests.set(controller, context.activityNotices.requests);
  if (options.persistDrafts === false) controllersWithoutDrafts.add(controller);
  return controller;
}

/** How long after the end of a run the code of further actions is loaded, in ms. It is loaded early because the page may go offline later. */
const PREFETCH_DELAY = 1_000;

/**
 * Connects the callbacks of runs, requests, page and backend to the actions that react to them.
 *
 * A thread is reloaded in two ways: by `reloadChanged` when another client has changed it, and by {@link reloadMessages} to complete what a run
 * of this page has delivered. A reload that was postponed because of a run is made at its end: the first if `isStale` is set, else the second
 * if `isReloadPending` is set. `reloadOnReturn`, which reloads the thread when the page is active again, sets `isReloadPending` during a run.
 */
function connectHandlers(context: ControllerContext): void {
  const reloadChanged = (id: string): Promise<void> =>
    storedThreads.use(context, (threads) => threads.reloadAfterExternalChange(context, id));
  const checkExpired = (thread: Thread): void => {
    if (!context.runOf(thread)?.isSuspended) return;
    void storedThreads.use(context, (threads) => threads.checkExpiredRequest(context, thread));
  };
  context.onRequestExpired = (key) => {
    const thread = context.store.threads.get(key);
    if (!thread) return;
    context.stateOf(thread).expiryChecks = 0;
    checkExpired(thread);
  };
  context.onWake = () => {
    if (context.currentThread?.id == null) return;
    void storedThreads.use(context, ({ checkPendingRequests, reloadOnReturn }) => {
      void checkPendingRequests(context);
      void reloadOnReturn(context);
    });
    context.markCurrentRead();
  };
  context.onRunEnd = (runSession) => {
    const { thread } = runSession;
    if (thread === context.currentThread) context.markCurrentRead();
    // A request of the run may have expired while the stream was open.
    checkExpired(thread);
    const reloading = resetStale(context, thread)
      ? reloadChanged(thread.id ?? '').then(() => reloadLostRun(context, thread))
      : reloadAfterRun(context, runSession);
    // The reload may show that another tab has sent the next queued message, so the queue continues after it.
    if (reloading) void reloading.then(() => context.queue?.advance(runSession));
    else context.queue?.advance(runSession);
    if (!storedThreads.value || !queueActions.value)
      schedule(context, PREFETCH_DELAY, () => prefetch(storedThreads, queueActions));
  };
  context.onRunRejected = (runSession, error) => {
    const { thread } = runSession;
    // The request that was to be answered may have expired meanwhile.
    checkExpired(thread);
    context.queue?.advance(runSession, error);
    // `busy`: the service executes the run of another client, or one that continues because its request was answered elsewhere. The reload
    // joins that run. While a request is pending, `checkPendingRequests` finds out whether it was answered elsewhere.
    const isAsking = isWaiting(thread) && listShownRequests(thread).length > 0;
    const isOutdated = error.code === 'not-open' || (error.code === 'busy' && !isAsking);
    const isStale = resetStale(context, thread);
    if (isStale || isOutdated) void reloadChanged(thread.id ?? '');
    else if (context.stateOf(thread).isReloadPending) void reloadMessages(context, thread);
  };
  context.onExternalChange = (id) => void reloadChanged(id);
  context.backend.onExternalChange = context.onExternalChange;
}

/** Loads the code of actions ahead of time. A failure is ignored, because their first call tries again and reports it. */
function prefetch(...all: readonly { load(): Promise<unknown> }[]): void {
  for (const actions of all) actions.load().catch(() => undefined);
}

/** Returns whether a thread has to be reloaded after its run (`isStale`), and resets the flag, because the caller reloads the thread. */
function resetStale(context: ControllerContext, thread: Thread): boolean {
  const state = context.stateOf(thread);
  const { isStale } = state;
  state.isStale = false;
  return isStale;
}

/** Restores the draft and the queued messages of a thread that was never created; they are stored under an empty id. */
function restoreUnsentTexts(context: ControllerContext): void {
  const { drafts, storage } = context;
  void Promise.all([drafts.readStored(''), storage.read('queue', '')]).then(([draft, queued]) => {
    drafts.restore(null, draft);
    // Queued messages stay in the storage when their code cannot be loaded.
    if (queued === null) return;
    void queueActions.use(context, ({ queueOf }) => {
      queueOf(context).restoreAsDraft(queued);
    });
  });
}

/** Binds the actions to a context. */
function bindActions(context: ControllerContext): Pick<StreamController, keyof typeof ACTIONS> {
  const methods = Object.entries(ACTIONS).map(([name, action]) => {
    const run = action as (context: ControllerContext, ...args: unknown[]) => Promise<unknown>;
    return [name, (...args: unknown[]) => context.runAction(() => run(context, ...args))];
  });
  return Object.fromEntries(methods) as Pick<StreamController, keyof typeof ACTIONS>;
}

/**
 * Creates `retain`. The controller closes in a later task, because an element that is moved in the document releases and retains in one
 * task.
 */
function createRetain(context: ControllerContext): () => () => void {
  const { environment, options } = context;
  const retainers = new Set<unknown>();
  return () => {
    const retainer = {};
    retainers.add(retainer);
    return () => {
      if (!retainers.delete(retainer) || (options.keepAlive ?? true) || context.closed) return;
      environment.setTimer(() => {
        if (retainers.size === 0) context.close();
      }, 0);
    };
  };
}

const enqueueLazily = queueActions.bind('enqueue');

function enqueue(context: ControllerContext, draft: Draft, now?: boolean): Promise<unknown> {
  const { currentThread, drafts } = context;
  // What the user types while the code of the queue is loading stays in the field.
  const writtenDraft = writtenDrafts.get(draft) ?? drafts.get(currentThread?.key ?? null);
  return enqueueLazily(context, draft, writtenDraft, now);
}

function findRunSession(context: ControllerContext): RunSession | undefined {
  const { currentThread } = context;
  return currentThread ? context.runOf(currentThread) : undefined;
}

async function loadOnboarding(context: ControllerContext, reload = false): Promise<Onboarding> {
  const { backend, closing } = context;
  if (reload) context.onboarding = undefined;
  const loading = (context.onboarding ??= backend.loadOnboarding?.(closing.signal));
  try {
    return (await loading) ?? { greeting: null, starters: [] };
  } catch (error) {
    if (context.onboarding === loading) context.onboarding = undefined;
    throw error;
  }
}

async function stop(context: ControllerContext): Promise<void> {
  const { currentThread } = context;
  if (currentThread) await stopRun(context, currentThread);
}

async function rejoin(context: ControllerContext): Promise<void> {
  const runSession = findRunSession(context);
  if (!runSession?.isLive && !runSession?.isInterrupted) {
    throw new UbikError('misuse', 'No run is interrupted here.');
  }
  await runSession.rejoin();
}

/** Loads the code of `reloadMessages` in `threads/thread-sync.ts` and calls it. */
function reloadMessages(context: ControllerContext, thread: Thread): Promise<void> {
  return storedThreads.use(context, (threads) => threads.reloadMessages(context, thread));
}

/**
 * Reloads the messages of a thread whose run the service has lost (`isGone`), because only the stored messages can contain its answer. Returns
 * undefined when the run is not lost. `reloadMessages` repeats the reload in the background, and pauses the queue if the answer is not found.
 */
function reloadLostRun(context: ControllerContext, thread: Thread): Promise<void> | undefined {
  return context.runOf(thread)?.isGone ? reloadMessages(context, thread) : undefined;
}

/**
 * Reloads the messages after a run if the service may have stored more than was received, and the checkpoints if they were listed.
 * Returns null when the messages need no reload.
 */
function reloadAfterRun(
  context: ControllerContext,
  { plan, thread, previousRun, keys }: RunSession,
): Promise<void> | null {
  const { call, answersRequest } = plan;
  const { state, error } = thread.run;
  if (context.closed || error?.code === 'aborted') return null;
  const changesOtherMessages = (call && call[0] !== 'send') || answersRequest;
  // By now, the service may have stored the whole answer of an interrupted run.
  const isIncomplete = [state, previousRun.state].includes('interrupted');
  // A service can set the title of a thread after the first message.
  const isUntitled = thread.title === '';
  const lacksId = thread.messages.get(keys.answer)?.id === null;
  const { isReloadPending, hasListedCheckpoints } = context.stateOf(thread);
  const isOutdated = state !== 'waiting' && (lacksId || isReloadPending);
  const needsReload = changesOtherMessages || isIncomplete || isUntitled || isOutdated;
  const reload = needsReload ? reloadMessages(context, thread) : null;
  if (hasListedCheckpoints) {
    void checkpointActions.use(context, (checkpoints) =>
      checkpoints.reloadCheckpoints(context, thread),
    );
  }
  return reload;
}

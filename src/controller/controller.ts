import { UbikError } from '../errors.js';
import { createItemChange } from '../model/change.js';
import type { Key } from '../model/json.js';
import type { Thread } from '../model/thread.js';
import {
  listCheckpoints,
  linkDocuments,
  listDocuments,
  loadOnboarding,
  readCheckpoints,
  loadDocument,
  starDocument,
  unlinkDocument,
  uploadDocument,
} from './documents/document-actions.js';
import {
  edit,
  provideInput,
  regenerate,
  restoreCheckpoint,
  send,
} from './messages/message-actions.js';
import { catchUp, leaveThread, refresh } from './threads/thread-sync.js';
import {
  deleteThread,
  listThreads,
  switchBranch,
  openLastThread,
  openThread,
  renameThread,
} from './threads/thread-actions.js';
import { checkOpenQuestion } from './threads/revalidation.js';
import { readOnReturn } from './actions/return.js';
import { followExpiry } from './actions/expiry.js';
import { loadVersion } from './actions/read-version.js';
import type { ControllerOptions, StreamController } from './controller-types.js';
import { ControllerContext } from './controller-context.js';
import { nameOf } from './notifier.js';
import {
  updateQueued,
  removeQueued,
  followRun,
  pauseQueued,
  enqueue,
  resumeQueue,
  sendQueued,
} from './messages/queue-actions.js';
import type { RunSession } from './run/run-session.js';

/** What can be asked of a conversation and is answered later. */
const ACTS = {
  openThread,
  openLastThread,
  listThreads,
  renameThread,
  deleteThread,
  loadOnboarding,
  send,
  enqueue,
  updateQueued,
  removeQueued,
  pauseQueued,
  sendQueued,
  resumeQueue,
  stop,
  rejoin,
  provideInput,
  edit,
  regenerate,
  switchBranch,
  loadVersion,
  listCheckpoints,
  restoreCheckpoint,
  listDocuments,
  uploadDocument,
  linkDocuments,
  unlinkDocument,
  starDocument,
  loadDocument,
};

/**
 * Makes a conversation without an interface. Nothing is asked of the service before the first act.
 *
 * @example
 * const controller = createStreamController({ backend: createUbikBackend({ baseUrl: '/ubik', getToken }) });
 * controller.subscribe({ thread: true }, (change) => draw(controller.thread, change));
 * await controller.send({ text: 'How many orders are open?', attachments: [] });
 */
export function createStreamController(options: ControllerOptions): StreamController {
  const conversation = new ControllerContext(options);
  const { backend, drafts, notes, notifier } = conversation;
  followRuns(conversation);
  restoreUnsent(conversation);
  const orCurrent = (thread?: Key) => thread ?? conversation.current?.key ?? null;
  const controller: StreamController = {
    ...bindActs(conversation),
    backend,
    environment: conversation.environment,
    get thread(): Thread | null {
      return conversation.current;
    },
    threads: conversation.store.threadList,
    storage: {
      get: (name) => notes.read('host', name),
      set: (name, value) => notes.keep('host', name, value),
    },
    userKey: conversation.options.userKey ?? null,
    subscribe: (scope, listener) => notifier.add(nameOf(scope), listener),
    onBatch: (listener) => notifier.add('batches', listener),
    onNotice: (listener) => notifier.add('notices', listener),
    revision: (scope) => notifier.version(scope),
    retain: createHold(conversation),
    getDraft: (thread) => drafts.get(orCurrent(thread)),
    setDraft(draft, thread): void {
      if (!conversation.closed) drafts.set(orCurrent(thread), draft);
    },
    switchToNewThread: () => leaveThread(conversation),
    detach: () => findSession(conversation)?.detach(),
    setListItem(list, key, value): void {
      const thread = list === 'threads' ? '' : orCurrent();
      if (thread !== null) conversation.commit(thread, [createItemChange(list, key, value)]);
    },
    loadUploads: () =>
      conversation.act(async () => {
        const { uploadQueueOf } = await import('./documents/upload-queue.js');
        // A queue that is created after the close would miss its notice.
        if (conversation.closed) throw new UbikError('aborted');
        return uploadQueueOf(controller);
      }),
    close: () => conversation.close(),
  };
  return controller;
}

/** What waits for the end of a run is looked at when one is over or was refused. */
function followRuns(conversation: ControllerContext): void {
  conversation.onExpired = (key) => {
    const thread = conversation.store.threads.get(key);
    if (thread) void followExpiry(conversation, thread);
  };
  conversation.onReturn = () => {
    void checkOpenQuestion(conversation);
    void readOnReturn(conversation);
  };
  conversation.onRunOver = (session) => {
    // The time of its question may have run out while its stream was open.
    void followExpiry(conversation, session.thread);
    const { key, id } = session.thread;
    const isOld = id !== null && conversation.outdated.delete(key);
    const reading = isOld ? catchUp(conversation, id) : readAgain(conversation, session);
    if (reading) void reading.then(() => followRun(conversation, session));
    else followRun(conversation, session);
  };
  conversation.onRefused = (session, { code }) => {
    followRun(conversation, session, true);
    const { key, id, run } = session.thread;
    // A busy service is at work for another client: its run is shown. An open question has a check of its own.
    const isElsewhere = code === 'busy' && run.state !== 'waiting';
    const isOld = conversation.outdated.delete(key);
    if (id !== null && (isOld || isElsewhere)) void catchUp(conversation, id);
  };
  conversation.hear = (id) => void catchUp(conversation, id);
  conversation.backend.onForeignChange = conversation.hear;
}

/** Brings back what was written earlier for a thread that was never made. */
function restoreUnsent({ drafts, notes, queue: waiting }: ControllerContext): void {
  void Promise.all([drafts.read(''), notes.read('queue', '')]).then(([draft, queued]) => {
    drafts.restore(null, draft);
    waiting.restoreDraft(queued);
  });
}

/** Each act as a method: what it throws is a `UbikError`. */
function bindActs(conversation: ControllerContext): Pick<StreamController, keyof typeof ACTS> {
  const methods = Object.entries(ACTS).map(([name, act]) => {
    const work = act as (conversation: ControllerContext, ...args: unknown[]) => Promise<unknown>;
    return [name, (...args: unknown[]) => conversation.act(() => work(conversation, ...args))];
  });
  return Object.fromEntries(methods) as Pick<StreamController, keyof typeof ACTS>;
}

/** Counts holders. An element that is moved lets go and holds again within the same task. */
function createHold(conversation: ControllerContext): () => () => void {
  const { environment, options } = conversation;
  const holders = new Set<unknown>();
  return () => {
    const holder = {};
    holders.add(holder);
    return () => {
      if (!holders.delete(holder) || (options.keepAlive ?? true) || conversation.closed) return;
      environment.setTimer(() => {
        if (holders.size === 0) conversation.close();
      }, 0);
    };
  };
}

function findSession({ current, runs }: ControllerContext): RunSession | undefined {
  return runs.get(current?.key ?? '');
}

async function stop(conversation: ControllerContext): Promise<void> {
  const session = findSession(conversation);
  if (session) await session.stop();
}

async function rejoin(conversation: ControllerContext): Promise<void> {
  const session = findSession(conversation);
  if (!session?.isLive && !session?.isInterrupted) {
    throw new UbikError('misuse', 'No run is interrupted here.');
  }
  await session.rejoin();
}

/** Reads again what has to be when a run is over, or was given up: what the service has stored by then may be more. */
function readAgain(conversation: ControllerContext, { plan, thread, before, keys }: RunSession) {
  const { call, answersRequest } = plan;
  const { state, error } = thread.run;
  if (conversation.closed || error?.code === 'aborted') return null;
  const changesOthers = (call && call[0] !== 'send') || answersRequest;
  const isUnsure = [state, before.state].includes('interrupted');
  // A service may name a thread after its first question.
  const isUntitled = thread.title === '';
  const isUnnamed = state !== 'waiting' && thread.messages.get(keys.answer)?.id === null;
  const isToRead = changesOthers || isUnsure || isUntitled || isUnnamed;
  const reading = isToRead ? refresh(conversation, thread) : null;
  if (conversation.watched.has(thread.key)) {
    readCheckpoints(conversation, thread).catch(conversation.diagnose);
  }
  return reading;
}

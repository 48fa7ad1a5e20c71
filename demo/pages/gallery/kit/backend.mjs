/** @import * as Ubik from 'ubik-elements/controller.js' */

/**
 * The data and behaviour of the service of one case. Omitted data is empty or not found.
 *
 * @typedef {object} Service
 * @property {Ubik.StoredMessage[]} [messages] messages of its only thread, oldest first
 * @property {string} [title] title of that thread
 * @property {Promise<never>} [threadResult] awaited instead of returning the thread: never settles, or rejects
 * @property {Record<string, Ubik.StoredMessage>} [versions] messages that are not on the shown branch
 * @property {readonly Ubik.Capability[]} [capabilities] capabilities besides those of `ALL`
 * @property {Ubik.Onboarding} [onboarding]
 * @property {readonly Ubik.ThreadSummary[] | Promise<never>} [threads]
 * @property {readonly Ubik.DocumentInfo[] | Promise<never>} [documents]
 * @property {readonly Ubik.DocumentInfo[]} [others] documents of each other thread
 * @property {readonly Ubik.CheckpointInfo[] | Promise<never>} [checkpoints]
 * @property {Ubik.Passage} [passage]
 * @property {Blob} [toolFile] content of every file of a tool
 * @property {Run} [run] the run that every action of the user starts
 * @property {Run} [rejoin] what a rejoined run yields; by default the same as `run`
 */

/**
 * Yields the changes of one run. When the generator returns, the stream stays open and silent, so a run without an end stays in its last state.
 *
 * @typedef {(keys: Ubik.RunKeys) => AsyncIterable<readonly Ubik.Change[]>} Run
 */

/** A promise that never settles. @returns {Promise<never>} */
export const neverSettle = () => new Promise(() => undefined);

/**
 * A failure of the service.
 *
 * @param {string} code @param {string} [message] @returns {Promise<never>}
 */
export function fail(code, message = code) {
  const failing = Promise.reject(Object.assign(new Error(message), { name: 'UbikError', code }));
  // Prevents an unhandled rejection: the promise may be awaited much later.
  failing.catch(() => undefined);
  return failing;
}

const ALL = /** @type {const} */ (['stop', 'rejoin', 'input', 'citations', 'tool-files', 'times']);

/**
 * A service in memory, written against the public contract. It has one thread, with the id `t`.
 *
 * @param {Service} service
 * @returns {Ubik.Backend}
 */
export function createBackend(service) {
  /** @param {Ubik.RunKeys} keys @param {AbortSignal} signal @param {Run} [run] */
  async function* stream(keys, signal, run = service.run) {
    for await (const changes of run?.(keys) ?? []) {
      yield { thread: keys.thread, time: Date.now(), changes };
    }
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
  }
  let isSent = false;
  return {
    name: 'gallery',
    capabilities: new Set([...ALL, ...(service.capabilities ?? [])]),
    idleTimeout: 45_000,
    loadOnboarding: () => Promise.resolve(service.onboarding ?? { greeting: null, starters: [] }),
    createThread: () => Promise.resolve({ id: 't', title: '', createdAt: null, updatedAt: null }),
    // Never loads after a message was sent: sent messages are not stored, so a reload would remove them.
    loadThread: async () =>
      (await (isSent ? neverSettle() : service.threadResult)) ?? toContent(service),
    loadMessage: (_thread, id) => {
      const message = service.versions?.[id];
      return message ? Promise.resolve(message) : fail('not-found');
    },
    listThreads: async () => toPage(await (service.threads ?? [])),
    listDocuments: async (thread) =>
      toPage(await ((thread === 't' ? service.documents : service.others) ?? [])),
    listCheckpoints: async () => await (service.checkpoints ?? []),
    loadDocument: neverSettle,
    uploadDocument: (_thread, file, onProgress) => {
      onProgress(file.size * 0.4, file.size);
      return file.name.startsWith('refused') ? fail('upload-failed') : neverSettle();
    },
    linkDocuments: neverSettle,
    unlinkDocument: neverSettle,
    starDocument: neverSettle,
    loadPassage: () => (service.passage ? Promise.resolve(service.passage) : fail('not-found')),
    loadToolFile: () => (service.toolFile ? Promise.resolve(service.toolFile) : fail('not-found')),
    renameThread: neverSettle,
    deleteThread: neverSettle,
    stop: neverSettle,
    send: (_thread, _draft, keys, signal) => {
      isSent = true;
      return stream(keys, signal);
    },
    rejoin: (_thread, { keys }, signal) => stream(keys, signal, service.rejoin ?? service.run),
    provideInput: (_thread, _request, _answer, keys, signal) => stream(keys, signal),
    edit: (_thread, _id, _draft, keys, signal) => stream(keys, signal),
    regenerate: (_thread, _id, _settings, keys, signal) => stream(keys, signal),
    switchBranch: neverSettle,
    restoreCheckpoint: (_thread, _point, _hint, keys, signal) => stream(keys, signal),
  };
}

/** @template T @param {readonly T[]} items @returns {Ubik.Page<T>} */
const toPage = (items) => ({ items, hasMore: false, total: items.length });

/** @param {Service} service @returns {Ubik.ThreadContent} */
function toContent({ messages = [], title = '' }) {
  return {
    thread: { id: 't', title },
    messages: messages.map((message, at) => ({
      ...message,
      parentId: messages[at - 1]?.id ?? null,
    })),
    headId: messages.at(-1)?.id ?? null,
    unfinishedRun: null,
  };
}

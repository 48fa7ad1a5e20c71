/** @import * as Ubik from 'ubik-elements/controller.js' */

/**
 * What the service of one case knows and does. What is not said here it has not got.
 *
 * @typedef {object} Service
 * @property {Ubik.StoredMessage[]} [messages] of its one thread, oldest first
 * @property {string} [title] of that thread
 * @property {Promise<never>} [reading] in place of the thread: for ever on its way, or a failure
 * @property {Record<string, Ubik.StoredMessage>} [versions] messages that are not on the way that is shown
 * @property {readonly Ubik.Capability[]} [able]
 * @property {Ubik.Onboarding} [onboarding]
 * @property {readonly Ubik.ThreadSummary[] | Promise<never>} [threads]
 * @property {readonly Ubik.DocumentInfo[] | Promise<never>} [documents]
 * @property {readonly Ubik.DocumentInfo[]} [others] documents of each other thread
 * @property {readonly Ubik.CheckpointInfo[] | Promise<never>} [checkpoints]
 * @property {Ubik.Passage} [passage]
 * @property {Blob} [media]
 * @property {Run} [run] what follows a message, an answer or a hint
 * @property {Run} [rejoin] what follows when a run is joined again
 */

/**
 * The way of one run: changes, then an end; it stands where it was left when nothing more comes.
 *
 * @typedef {(keys: Ubik.RunKeys) => AsyncIterable<readonly Ubik.Change[]>} Run
 */

/** Something that is never over. @returns {Promise<never>} */
export const forEver = () => new Promise(() => undefined);

/**
 * A failure, as services tell it.
 *
 * @param {string} code @param {string} [message] @returns {Promise<never>}
 */
export function fail(code, message = code) {
  const failing = Promise.reject(Object.assign(new Error(message), { name: 'UbikError', code }));
  // It may be long before somebody asks for it.
  failing.catch(() => undefined);
  return failing;
}

const ALL = /** @type {const} */ (['stop', 'rejoin', 'input', 'citations', 'tool-files']);

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
    capabilities: new Set([...ALL, ...(service.able ?? [])]),
    idleTimeout: 45_000,
    loadOnboarding: () => Promise.resolve(service.onboarding ?? { greeting: null, starters: [] }),
    createThread: () => Promise.resolve({ id: 't', title: '', createdAt: null, updatedAt: null }),
    // It does not keep what it is sent: whoever reads after that would see a thread without it.
    loadThread: async () => (await (isSent ? forEver() : service.reading)) ?? toContent(service),
    loadMessage: (_thread, id) => {
      const message = service.versions?.[id];
      return message ? Promise.resolve(message) : fail('not-found');
    },
    listThreads: async () => toPage(await (service.threads ?? [])),
    listDocuments: async (thread) =>
      toPage(await ((thread === 't' ? service.documents : service.others) ?? [])),
    listCheckpoints: async () => await (service.checkpoints ?? []),
    loadDocument: forEver,
    uploadDocument: (_thread, file, onProgress) => {
      onProgress(file.size * 0.4, file.size);
      return file.name.startsWith('refused') ? fail('upload-failed') : forEver();
    },
    linkDocuments: forEver,
    unlinkDocument: forEver,
    starDocument: forEver,
    loadPassage: () => (service.passage ? Promise.resolve(service.passage) : fail('not-found')),
    loadToolFile: () => (service.media ? Promise.resolve(service.media) : fail('not-found')),
    renameThread: forEver,
    deleteThread: forEver,
    stop: forEver,
    send: (_thread, _draft, keys, signal) => {
      isSent = true;
      return stream(keys, signal);
    },
    rejoin: (_thread, { keys }, signal) => stream(keys, signal, service.rejoin ?? service.run),
    provideInput: (_thread, _request, _answer, keys, signal) => stream(keys, signal),
    edit: (_thread, _id, _draft, keys, signal) => stream(keys, signal),
    regenerate: (_thread, _id, _settings, keys, signal) => stream(keys, signal),
    switchBranch: forEver,
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

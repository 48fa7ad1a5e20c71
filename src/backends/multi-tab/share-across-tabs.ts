import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { createEnvironment, type Environment } from '../../transport/environment.js';
import { listBackendMethods, type BackendMethodName } from '../backend-methods.js';
import type { Backend, RunKeys, RunRef, RunStream, ThreadContent } from '../backend.js';
import { shareRun } from './leader-election.js';
import type { RunStart, TabRun } from './leader.js';
import { RunMirror } from './run-mirror.js';
import { createRemoteError, TabChannel } from './tab-channel.js';
import type { TabLink } from './tab-link.js';

type AnyMethod = (...args: unknown[]) => unknown;

/**
 * Wraps a backend so that each run is read once for all tabs: one tab reads the stream and publishes it to the others, and another tab
 * takes over when that tab is closed or frozen. The tab that starts a run reads it. Two tabs do not start runs in the same thread at the same
 * time: the second one is rejected with `busy`, or with `not-open` when both answer the same input request. Without a link (null) the given
 * backend is returned unchanged.
 *
 * Runs that another tab has started, and its changes of threads, are reported by `onExternalChange`.
 *
 * @example
 * const link = createTabLink(baseUrl, userKey);
 * const backend = shareAcrossTabs(createUbikBackend({ baseUrl, getToken }), link);
 */
export function shareAcrossTabs(
  backend: Backend,
  link: TabLink | null,
  environment: Environment = createEnvironment(),
): Backend {
  return link ? new BackendSharing(backend, link, environment).shared : backend;
}

class BackendSharing {
  readonly shared: Backend;
  readonly #backend: Backend;
  readonly #channel: TabChannel;
  readonly #mirrors = new Map<string, RunMirror>();
  #onExternalChange: Backend['onExternalChange'];
  #release: (() => void) | null = null;

  constructor(backend: Backend, link: TabLink, environment: Environment) {
    this.#backend = backend;
    this.#channel = new TabChannel(link, environment, {
      onStop: async ({ thread, runId: id, current: { ref, keys } }) => {
        await backend.stop?.(thread, { ...ref, id, keys });
      },
      onChanged: (thread) => this.#onExternalChange?.(thread),
    });
    this.shared = this.#createShared();
  }

  #createShared(): Backend {
    const backend = this.#backend;
    const methods: Partial<Record<BackendMethodName, AnyMethod>> = {};
    for (const [name, { kind, startsRun }] of listBackendMethods()) {
      const method = backend[name] as AnyMethod | undefined;
      if (!method) continue;
      if (startsRun) methods[name] = (...args) => this.#startRun(name, args);
      else if (kind === 'change') methods[name] = (...args) => this.#changeThread(name, args);
      else methods[name] = method.bind(backend);
    }
    const { name, capabilities, idleTimeout, rejoin, stop } = backend;
    const shared: Partial<Backend> = {
      ...(methods as Partial<Backend>),
      ...{ name, capabilities, idleTimeout },
      loadThread: (...args) => this.#loadThread(...args),
      ...(rejoin && { rejoin: (...args) => this.#rejoinRun(...args) }),
      ...(stop && { stop: (...args) => this.#stopRun(...args) }),
      getIncompleteText: (thread, run) => this.#getIncompleteText(thread, run),
      releaseRun: (thread, run) => this.#releaseRun(thread, run),
    };
    return this.#addListeners(shared as Backend);
  }

  /** Forwards listeners to the wrapped backend. Subscribes to the channel while there is a listener for changes. */
  #addListeners(shared: Backend): Backend {
    const backend = this.#backend;
    return Object.defineProperties(shared, {
      onDiagnostic: {
        get: () => backend.onDiagnostic,
        set: (listener: Backend['onDiagnostic']) => (backend.onDiagnostic = listener),
      },
      onExternalChange: {
        get: () => this.#onExternalChange,
        set: (listener: Backend['onExternalChange']) => {
          this.#onExternalChange = backend.onExternalChange = listener;
          const release = this.#release;
          this.#release = listener ? (release ?? this.#channel.retain()) : null;
          if (!listener) release?.();
        },
      },
    });
  }

  #startRun(name: BackendMethodName, args: readonly unknown[]): RunStream {
    const [thread, subject] = args as readonly [string, unknown];
    const [keys, signal] = args.slice(-2) as [RunKeys, AbortSignal];
    const request = name === 'provideInput' ? (subject as { key: Key; level: string }) : null;
    // The answer to a tool continues the run that has requested it.
    const start = { request: request?.key ?? null, continues: request?.level === 'tool' };
    const run = this.#createRun(thread, { id: null, keys, otherRunIds: [] }, signal, start);
    const method = this.#backend[name] as AnyMethod;
    const withoutSignal = args.slice(0, -1);
    return this.#shareRun(
      run,
      (ownSignal) => method.call(this.#backend, ...withoutSignal, ownSignal) as RunStream,
    );
  }

  #rejoinRun(thread: string, run: RunRef, signal: AbortSignal): RunStream {
    return this.#shareRun(this.#createRun(thread, run, signal, null));
  }

  #shareRun(run: TabRun, open?: (signal: AbortSignal) => RunStream): RunStream {
    const { thread, keys, mirror, ref } = run;
    const backend = this.#backend;
    const rejoin = (signal: AbortSignal): RunStream => {
      const id = mirror.shown.run.id ?? ref.id;
      return backend.rejoin?.(thread, { ...ref, id, keys }, signal) as RunStream;
    };
    return shareRun(this.#channel, {
      run,
      open: open ?? rejoin,
      rejoin: backend.rejoin && rejoin,
    });
  }

  #createRun(thread: string, run: RunRef, signal: AbortSignal, start: RunStart | null): TabRun {
    const { keys, id, otherRunIds } = run;
    const name = JSON.stringify([thread, keys.answer]);
    const mirror = this.#mirrors.get(name) ?? new RunMirror(keys);
    this.#mirrors.set(name, mirror);
    return { thread, keys, signal, mirror, start, ref: { id, otherRunIds } };
  }

  /** Returns the withheld text; null while another tab has read more of the run than this tab's backend and therefore has that text. */
  #getIncompleteText(thread: string, run: RunRef): readonly Change[] | null {
    const mirror = this.#mirrors.get(JSON.stringify([thread, run.keys.answer]));
    if (mirror && !mirror.isInSync) return null;
    return this.#backend.getIncompleteText?.(thread, run) ?? null;
  }

  #releaseRun(thread: string, run: RunRef): void {
    this.#mirrors.delete(JSON.stringify([thread, run.keys.answer]));
    this.#backend.releaseRun?.(thread, run);
  }

  /** Lets the leader send the stop request. If it does not reply, this tab sends it. */
  async #stopRun(thread: string, run: RunRef): Promise<void> {
    const isRemote = this.#channel.getRemoteRun(thread) !== undefined;
    if (isRemote && !this.#channel.leaders.has(thread)) {
      const { code, message } = await this.#channel.calls.call(thread, (call) => ({
        type: 'stop',
        thread,
        call,
      }));
      if (code === 'ok') return;
      if (code !== 'no-reply') throw createRemoteError(code, message);
    }
    await this.#backend.stop?.(thread, run);
  }

  async #changeThread(name: BackendMethodName, args: readonly unknown[]): Promise<unknown> {
    const result = await (this.#backend[name] as AnyMethod).call(this.#backend, ...args);
    this.#channel.post({ type: 'changed', thread: args[0] as string });
    return result;
  }

  /** Loads a thread, and queries its leader at the same time, so that the leader's run is known when the thread is loaded. */
  async #loadThread(id: string, signal?: AbortSignal): Promise<ThreadContent> {
    const release = this.#channel.retain();
    const finish = this.#channel.beginLoad(id);
    this.#channel.post({ type: 'query', thread: id, full: false });
    try {
      const content = await this.#backend.loadThread(id, signal);
      finish();
      return addUnfinishedRun(content, this.#channel.getRemoteRun(id));
    } finally {
      release();
    }
  }
}

/**
 * Sets `unfinishedRun` to the run that another tab reads, if its id is known, the history contains no unfinished run, and the newest
 * message has no pending request and is a user's message or was written by this run.
 */
function addUnfinishedRun(content: ThreadContent, runId: string | null | undefined): ThreadContent {
  const { messages, thread, unfinishedRun } = content;
  const newest = messages.at(-1);
  if (unfinishedRun || !runId || !newest || newest.requests.length > 0) return content;
  const { role, runId: newestRunId } = newest.fields;
  if (role !== 'user' && newestRunId !== runId) return content;
  const runIds = messages.flatMap(({ fields }) => fields.runId ?? []);
  const otherRunIds = runIds.filter((id) => id !== runId);
  // Placeholders: the newest message may be a question without an answer, and the controller uses its own keys.
  const keys = { thread: thread.id ?? '', user: null, answer: newest.id };
  return { ...content, unfinishedRun: { id: runId, keys, otherRunIds } };
}

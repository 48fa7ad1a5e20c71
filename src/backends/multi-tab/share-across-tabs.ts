import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { createEnvironment, type Environment } from '../../transport/environment.js';
import type { Backend, RunKeys, RunRef, RunStream, ThreadContent } from '../backend.js';
import { TabChannel, toError } from './tab-channel.js';
import type { TabAct, TabCall } from './leader.js';
import type { TabLink } from './tab-link.js';
import { RunMirror } from './run-mirror.js';
import { shareRun } from './leader-election.js';

/** Methods that ask the service for a run, and end in keys and a signal. */
const ACTS = ['send', 'provideInput', 'edit', 'regenerate', 'restoreCheckpoint'] as const;
/** Methods after which other tabs show what is not so any more. */
const CHANGES = ['navigate', 'renameThread', 'deleteThread'] as const;

/** Methods that other tabs have nothing to do with. All others are named above or made here. */
const PASSED: Readonly<Record<Passed, true>> = {
  onboarding: true,
  listThreads: true,
  createThread: true,
  loadMessage: true,
  listCheckpoints: true,
  listDocuments: true,
  upload: true,
  link: true,
  unlink: true,
  star: true,
  documentStatus: true,
  passage: true,
  findFiles: true,
  media: true,
};
type Passed = Exclude<
  keyof Backend,
  | (typeof ACTS)[number]
  | (typeof CHANGES)[number]
  | ('name' | 'capabilities' | 'idleLimit' | 'onDiagnostic' | 'onForeignChange')
  | ('loadThread' | 'rejoin' | 'stop' | 'incompleteText' | 'forget')
>;

type AnyMethod = (thread: string, ...args: unknown[]) => unknown;

/**
 * A backend whose runs are read once for all tabs: one of them reads the stream and tells the others, and another one goes on where
 * it is closed or frozen. Whoever acts reads; two tabs do not act in the same thread at the same time: the later one is refused
 * with `busy`, or with `not-open` when both answer the same question. Without a link (null) the backend is as it was.
 *
 * What another tab has begun is told by `onForeignChange`.
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
  return link ? new Sharing(backend, link, environment).shared : backend;
}

class Sharing {
  readonly shared: Backend;
  readonly #backend: Backend;
  readonly #channel: TabChannel;
  readonly #mirrors = new Map<string, RunMirror>();
  #onForeignChange: Backend['onForeignChange'];
  #release: (() => void) | null = null;

  constructor(backend: Backend, link: TabLink, environment: Environment) {
    this.#backend = backend;
    this.#channel = new TabChannel(link, environment, {
      stop: async ({ call, thread, run: id }) => {
        await backend.stop?.(thread, { ...call.run, id, keys: call.keys });
      },
      changed: (thread) => this.#onForeignChange?.(thread),
    });
    this.shared = this.#share();
  }

  #share(): Backend {
    const backend = this.#backend;
    const methods: Record<string, AnyMethod> = {};
    for (const name of Object.keys(PASSED) as Passed[]) {
      const method = backend[name] as AnyMethod | undefined;
      if (method) methods[name] = method.bind(backend);
    }
    for (const name of ACTS) {
      if (backend[name]) methods[name] = (...args) => this.#act(name, args);
    }
    for (const name of CHANGES) {
      if (backend[name]) methods[name] = (...args) => this.#change(name, args);
    }
    const { rejoin, stop } = this.#backend;
    const shared: Partial<Backend> = {
      ...(methods as Partial<Backend>),
      loadThread: (...args) => this.#load(...args),
      ...(rejoin && { rejoin: (...args) => this.#join(...args) }),
      ...(stop && { stop: (...args) => this.#stop(...args) }),
      incompleteText: (thread, run) => this.#incompleteText(thread, run),
      forget: (thread, run) => this.#forget(thread, run),
    };
    const { name, capabilities, idleLimit } = this.#backend;
    return this.#withListeners(Object.assign(shared, { name, capabilities, idleLimit }) as Backend);
  }

  /** What the controller listens to is asked of the own backend; other tabs are heard as long as somebody listens. */
  #withListeners(shared: Backend): Backend {
    const backend = this.#backend;
    return Object.defineProperties(shared, {
      onDiagnostic: {
        get: () => backend.onDiagnostic,
        set: (listener: Backend['onDiagnostic']) => (backend.onDiagnostic = listener),
      },
      onForeignChange: {
        get: () => this.#onForeignChange,
        set: (listener: Backend['onForeignChange']) => {
          this.#onForeignChange = backend.onForeignChange = listener;
          const release = this.#release;
          this.#release = listener ? (release ?? this.#channel.hold()) : null;
          if (!listener) release?.();
        },
      },
    });
  }

  #act(name: (typeof ACTS)[number], args: readonly unknown[]): RunStream {
    const [thread, asked] = args as readonly [string, unknown];
    const [keys, signal] = args.slice(-2) as [RunKeys, AbortSignal];
    const request = name === 'provideInput' ? (asked as { key: Key; level: string }) : null;
    const act: TabAct = { request: request?.key ?? null, aside: request?.level === 'tool' };
    const call = this.#call(thread, { id: null, keys, finishedRuns: [] }, signal, act);
    const start = this.#backend[name] as AnyMethod;
    const rest = args.slice(1, -1);
    return this.#run(
      call,
      (ownSignal) => start.call(this.#backend, thread, ...rest, ownSignal) as RunStream,
    );
  }

  #join(thread: string, run: RunRef, signal: AbortSignal): RunStream {
    return this.#run(this.#call(thread, run, signal, null));
  }

  #run(call: TabCall, open?: (signal: AbortSignal) => RunStream): RunStream {
    const { thread, keys, mirror, run } = call;
    const backend = this.#backend;
    const rejoin = (signal: AbortSignal): RunStream => {
      const id = mirror.shown.run.id ?? run.id;
      return backend.rejoin?.(thread, { ...run, id, keys }, signal) as RunStream;
    };
    const canRejoin = backend.rejoin ? rejoin : undefined;
    return shareRun(this.#channel, { call, open: open ?? rejoin, rejoin: canRejoin });
  }

  #call(thread: string, run: RunRef, signal: AbortSignal, act: TabAct | null): TabCall {
    const { keys, id, finishedRuns } = run;
    const name = JSON.stringify([thread, keys.answer]);
    const mirror = this.#mirrors.get(name) ?? new RunMirror(keys);
    this.#mirrors.set(name, mirror);
    return { thread, keys, signal, mirror, act, run: { id, finishedRuns } };
  }

  /** What another tab has read of the run, and the own backend has not, is withheld there. */
  #incompleteText(thread: string, run: RunRef): readonly Change[] | null {
    const mirror = this.#mirrors.get(JSON.stringify([thread, run.keys.answer]));
    if (mirror && !mirror.isOwn) return null;
    return this.#backend.incompleteText?.(thread, run) ?? null;
  }

  #forget(thread: string, run: RunRef): void {
    this.#mirrors.delete(JSON.stringify([thread, run.keys.answer]));
    this.#backend.forget?.(thread, run);
  }

  async #stop(thread: string, run: RunRef): Promise<void> {
    const isElsewhere = this.#channel.runElsewhere(thread) !== undefined;
    if (isElsewhere && !this.#channel.leads.has(thread)) {
      const { code, message } = await this.#channel.calls.make(thread, (call) => ({
        do: 'stop',
        thread,
        call,
      }));
      if (code === 'ok') return;
      if (code !== 'silent') throw toError(code, message);
    }
    await this.#backend.stop?.(thread, run);
  }

  async #change(name: (typeof CHANGES)[number], args: readonly unknown[]): Promise<unknown> {
    const [thread, ...rest] = args as [string, ...unknown[]];
    const result = await (this.#backend[name] as AnyMethod).call(this.#backend, thread, ...rest);
    this.#channel.post({ do: 'changed', thread });
    return result;
  }

  async #load(id: string, signal?: AbortSignal): Promise<ThreadContent> {
    const release = this.#channel.hold();
    const finish = this.#channel.beginReading(id);
    this.#channel.post({ do: 'ask', thread: id, whole: false });
    try {
      const content = await this.#backend.loadThread(id, signal);
      finish();
      return addUnfinished(content, this.#channel.runElsewhere(id));
    } finally {
      release();
    }
  }
}

/** What another tab reads is worth joining, whatever the history says. */
function addUnfinished(content: ThreadContent, run: string | null | undefined): ThreadContent {
  const { messages, thread, unfinished } = content;
  const newest = messages.at(-1);
  if (unfinished || !run || !newest || newest.requests.length > 0) return content;
  const { role, taskId } = newest.fields;
  if (role !== 'user' && taskId !== run) return content;
  const others = messages.flatMap(({ fields }) => fields.taskId ?? []);
  const finishedRuns = others.filter((id) => id !== run);
  const keys = { thread: thread.id ?? '', user: null, answer: newest.id };
  return { ...content, unfinished: { id: run, keys, finishedRuns } };
}

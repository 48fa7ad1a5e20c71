import { isUbikError, UbikError, type UbikErrorCode } from '../../errors.js';
import type { Json, Key } from '../../model/json.js';
import type { Environment, Timer } from '../../transport/environment.js';
import { Leader, type TabRun } from './leader.js';
import { parseTabMessage, type LeaderMessage, type TabMessage } from './messages.js';
import type { LockMode, TabLink, TabLock } from './tab-link.js';
import { QUERY_TIMEOUT, TAKEOVER_TIMEOUT } from './takeover-timeout.js';

/** Handles messages of other tabs that concern the whole backend. */
export interface ChannelListener {
  /** Called when another tab requests to stop the run that this tab reads. */
  onStop(leader: Leader): Promise<void>;
  /** Called when another tab has changed a thread. */
  onChanged(thread: string): void;
}

/** Exchanges messages with other tabs and tracks their state. */
export class TabChannel {
  readonly link: TabLink;
  readonly environment: Environment;
  /** The threads that this tab leads. */
  readonly leaders = new Map<string, Leader>();
  readonly calls: LeaderCalls;
  readonly #listener: ChannelListener;
  /** Listeners for the leaders of threads that this tab follows. */
  readonly #followers = new Map<string, Set<(message: LeaderMessage) => void>>();
  /** Ids of the runs that other tabs read, by thread. */
  readonly #remoteRuns = new Map<string, string | null>();
  /** The highest known term of a leader, by thread. */
  readonly #terms = new Map<string, number>();
  /** Input requests that other tabs have answered, by thread. */
  readonly #answered = new Map<string, Set<Key>>();
  readonly #retainers = new Set<unknown>();
  /** Ids of the calls of other tabs for which a stop request is in progress. */
  readonly #stopping = new Set<string>();
  #unsubscribe: (() => void) | null = null;

  constructor(link: TabLink, environment: Environment, listener: ChannelListener) {
    this.link = link;
    this.environment = environment;
    this.#listener = listener;
    this.calls = new LeaderCalls(this);
  }

  /** Subscribes to the link while at least one caller retains it. Returns the function that releases it. */
  retain(): () => void {
    const retainer = {};
    this.#retainers.add(retainer);
    this.#unsubscribe ??= this.link.subscribe((message) => this.#receive(message));
    return () => {
      if (!this.#retainers.delete(retainer) || this.#retainers.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = null;
    };
  }

  /** Sends a message to the other tabs. A failure is ignored, because a tab that receives nothing reads the stream itself. */
  readonly post = (message: TabMessage): void => {
    try {
      this.link.post(message as unknown as Json);
    } catch {
      // Data that cannot be cloned, or a channel that the browser has closed.
    }
  };

  /** Requests the lock of a thread. */
  requestLock(thread: string, mode: LockMode, signal: AbortSignal): Promise<TabLock | null> {
    return this.link.requestLock(thread, mode, signal).catch(() => null);
  }

  /** Makes this tab the leader of a thread. */
  lead(lock: TabLock, run: TabRun): Leader {
    const { thread } = run;
    // Higher than all terms that this tab has received. Because all tabs share the clock, it is also higher than those of other tabs.
    const term = Math.max((this.#terms.get(thread) ?? 0) + 1, this.environment.now());
    this.#terms.set(thread, term);
    this.#remoteRuns.delete(thread);
    const leader = new Leader(lock, term, run, this.post);
    this.leaders.set(thread, leader);
    this.calls.cancel(thread);
    // After the announcement, tabs that followed another leader query this one. A run that this tab starts is announced by `publish`.
    if (!run.start) leader.announce();
    return leader;
  }

  /** Resigns as the leader after reading a run, unless the leader already reads another run. */
  resign(leader: Leader, run: TabRun): void {
    if (leader.current !== run) return;
    this.#cancelReservation(leader);
    const { thread, term, lock } = leader;
    if (this.leaders.get(thread) === leader) this.leaders.delete(thread);
    if (!lock.lost.aborted) this.post({ type: 'resigned', thread, term });
    lock.release();
  }

  /** Passes the messages of a thread's leader to a listener. Returns the function that unsubscribes. */
  follow(thread: string, listener: (message: LeaderMessage) => void): () => void {
    const all = this.#followers.get(thread) ?? new Set();
    this.#followers.set(thread, all.add(listener));
    return () => {
      all.delete(listener);
      if (all.size === 0) this.#followers.delete(thread);
    };
  }

  /** Returns the id of the run that another tab reads, null while it is unknown; undefined when no other tab reads the thread. */
  getRemoteRun(thread: string): string | null | undefined {
    return this.#remoteRuns.get(thread);
  }

  /** Whether another tab has answered a request since this tab has loaded the thread. */
  isAnswered(thread: string, request: Key): boolean {
    return this.#answered.get(thread)?.has(request) ?? false;
  }

  /**
   * Call this before a thread is loaded and its leader is queried, and call the returned function afterwards: answers that the loaded thread
   * contains are forgotten.
   */
  beginLoad(thread: string): () => void {
    // The leading tab may have been closed without a message; otherwise it replies to the query. A follower detects a silent leader itself.
    if (!this.#followers.has(thread)) this.#remoteRuns.delete(thread);
    const answered = this.#answered.get(thread);
    return () => {
      if (answered && this.#answered.get(thread) === answered) this.#answered.delete(thread);
    };
  }

  #receive(value: unknown): void {
    const message = parseTabMessage(value);
    if (!message) return;
    if (message.type === 'reply') this.calls.resolve(message);
    else if ('term' in message) this.#receiveFromLeader(message);
    else if (message.type === 'changed') this.#listener.onChanged(message.thread);
    else this.#receiveAsLeader(message);
  }

  #receiveAsLeader(message: Extract<TabMessage, { type: 'query' | 'take-over' | 'stop' }>): void {
    const leader = this.leaders.get(message.thread);
    // A tab repeats its request to stop because it cannot know whether this tab is still alive.
    if (message.type === 'stop' && this.#stopping.has(message.call)) {
      this.#reply(message.call, 'pending');
      return;
    }
    if (!leader || leader.lock.lost.aborted) return;
    if (message.type === 'query') {
      if (message.full) leader.publishState();
      else leader.announce();
    } else if (message.type === 'take-over') {
      const refusal = leader.checkTakeOver(message.request, message.continues);
      if (refusal === null) this.#reserve(leader);
      this.#reply(message.call, refusal ?? 'ok');
    } else void this.#stop(leader, message.call);
  }

  async #stop(leader: Leader, call: string): Promise<void> {
    this.#stopping.add(call);
    this.#reply(call, 'pending');
    try {
      await this.#listener.onStop(leader);
      this.#reply(call, 'ok');
    } catch (error) {
      // The stop of a backend of the host page may reject with any value.
      const { code, message } = isUbikError(error) ? error : new UbikError('interrupted');
      this.#reply(call, code, message);
    } finally {
      this.#stopping.delete(call);
    }
  }

  /** Reserves the thread for the tab that requested it, until that tab has had time to steal the lock. */
  #reserve(leader: Leader): void {
    this.#cancelReservation(leader);
    leader.reservation = this.environment.setTimer(
      () => (leader.reservation = null),
      QUERY_TIMEOUT,
    );
  }

  #cancelReservation(leader: Leader): void {
    if (leader.reservation) this.environment.clearTimer(leader.reservation);
    leader.reservation = null;
  }

  #reply(call: string, code: string, message = ''): void {
    this.post({ type: 'reply', call, code, message });
  }

  #receiveFromLeader(message: LeaderMessage): void {
    const { thread, term } = message;
    // Sent by a former leader that has not noticed yet that its lock was stolen.
    if (term < (this.#terms.get(thread) ?? 0)) return;
    this.#terms.set(thread, term);
    if (message.type === 'resigned') this.#remoteRuns.delete(thread);
    else this.#remoteRuns.set(thread, message.run);
    this.#followers.get(thread)?.forEach((listener) => listener(message));
    if (message.type !== 'leader' || !message.started) return;
    if (message.answered !== null) {
      const answered = new Set(this.#answered.get(thread));
      this.#answered.set(thread, answered.add(message.answered));
    }
    this.#listener.onChanged(thread);
  }
}

/** Creates the error that another tab has sent. */
export function createRemoteError(code: string, message: string): UbikError {
  // The reply is untrusted, so a code of another form is replaced, and a long message is cut.
  const known = /^[a-z-]{1,40}$/u.test(code) ? (code as UbikErrorCode) : 'interrupted';
  return new UbikError(known, message === '' ? undefined : message.slice(0, 2000));
}

/** The reply to a call; `no-reply` when none was received, when the call was aborted, or when this tab is the leader by now. */
export interface CallReply {
  readonly code: string;
  readonly message: string;
}

const NO_REPLY: CallReply = { code: 'no-reply', message: '' };

interface PendingCall {
  readonly thread: string;
  readonly resolve: (reply: CallReply) => void;
  /** Schedules the call to be repeated, because the leader has replied that it is still working on it. */
  scheduleRepeat(): void;
}

/** Pending calls of this tab to the leaders of threads. */
export class LeaderCalls {
  readonly #channel: TabChannel;
  readonly #pending = new Map<string, PendingCall>();

  constructor(channel: TabChannel) {
    this.#channel = channel;
  }

  /**
   * Calls the leader of a thread. Resolves with `no-reply` when there is no reply within the takeover timeout. After a reply
   * `pending`, the call is repeated until it is done, because a leader that crashes sends nothing; the tab that takes over then replies.
   */
  call(
    thread: string,
    createMessage: (call: string) => TabMessage,
    signal?: AbortSignal,
  ): Promise<CallReply> {
    const { environment, post } = this.#channel;
    const call = environment.uuid();
    return new Promise((settle) => {
      const resolve = (reply: CallReply) => {
        environment.clearTimer(timer);
        signal?.removeEventListener('abort', cancel);
        this.#pending.delete(call);
        settle(reply);
      };
      const cancel = () => resolve(NO_REPLY);
      signal?.addEventListener('abort', cancel);
      const message = createMessage(call);
      let timer: Timer;
      const send = () => {
        timer = environment.setTimer(() => resolve(NO_REPLY), TAKEOVER_TIMEOUT);
        post(message);
      };
      const scheduleRepeat = () => {
        environment.clearTimer(timer);
        timer = environment.setTimer(send, QUERY_TIMEOUT);
      };
      this.#pending.set(call, { thread, resolve, scheduleRepeat });
      send();
    });
  }

  /** Handles a reply. */
  resolve({ call, code, message }: Extract<TabMessage, { type: 'reply' }>): void {
    const pending = this.#pending.get(call);
    if (code === 'pending') pending?.scheduleRepeat();
    else pending?.resolve({ code, message });
  }

  /** Resolves all calls about a thread with `no-reply`. */
  cancel(thread: string): void {
    for (const pending of [...this.#pending.values()]) {
      if (pending.thread === thread) pending.resolve(NO_REPLY);
    }
  }
}

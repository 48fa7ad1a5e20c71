import { UbikError, type UbikErrorCode } from '../../errors.js';
import type { Json, Key } from '../../model/json.js';
import type { Environment, Timer } from '../../transport/environment.js';
import { LeaderElection, type TabCall } from './leader.js';
import { readTabMessage, type FromLeader, type TabMessage } from './messages.js';
import type { LockWish, TabLink, TabLock } from './tab-link.js';

/** Who is told what comes from other tabs. */
export interface ChannelListener {
  /** The wish to stop the run that this tab reads. */
  stop(lead: LeaderElection): Promise<void>;
  /** Something was done to a thread elsewhere. */
  changed(thread: string): void;
}

/** What one tab knows of the others, and what it tells them. */
export class TabChannel {
  readonly link: TabLink;
  readonly environment: Environment;
  /** What this tab reads, by thread. */
  readonly leads = new Map<string, LeaderElection>();
  readonly calls: Calls;
  readonly #listener: ChannelListener;
  /** Streams that other tabs read and this one shows. */
  readonly #followers = new Map<string, Set<(message: FromLeader) => void>>();
  /** Runs that other tabs read, by thread. */
  readonly #elsewhere = new Map<string, string | null>();
  readonly #terms = new Map<string, number>();
  readonly #answered = new Map<string, Set<Key>>();
  readonly #holders = new Set<unknown>();
  /** Calls of other tabs that want a run stopped, while this one is at it. */
  readonly #stops = new Set<string>();
  #unlisten: (() => void) | null = null;

  constructor(link: TabLink, environment: Environment, listener: ChannelListener) {
    this.link = link;
    this.environment = environment;
    this.#listener = listener;
    this.calls = new Calls(this);
  }

  /** Hears other tabs as long as anybody holds it. Returns the way out. */
  hold(): () => void {
    const holder = {};
    this.#holders.add(holder);
    this.#unlisten ??= this.link.listen((message) => this.#hear(message));
    return () => {
      if (!this.#holders.delete(holder) || this.#holders.size > 0) return;
      this.#unlisten?.();
      this.#unlisten = null;
    };
  }

  /** Tells the other tabs. A link that fails is as good as none: who hears nothing reads for itself. */
  readonly post = (message: TabMessage): void => {
    try {
      this.link.post(message as unknown as Json);
    } catch {
      // What cannot be copied, or a channel that the browser has closed.
    }
  };

  /** A lock that belongs to a thread. */
  lock(thread: string, wish: LockWish, signal: AbortSignal): Promise<TabLock | null> {
    return this.link.lock(thread, wish, signal).catch(() => null);
  }

  /** This tab reads a thread from now on. */
  begin(lock: TabLock, call: TabCall): LeaderElection {
    const { thread } = call;
    // Later than all that this tab has heard of, and than all that others have: they have the same clock.
    const term = Math.max((this.#terms.get(thread) ?? 0) + 1, this.environment.now());
    this.#terms.set(thread, term);
    this.#elsewhere.delete(thread);
    const lead = new LeaderElection(lock, term, call, this.post);
    this.leads.set(thread, lead);
    this.calls.give(thread);
    // Whoever followed another tab asks this one from now on.
    if (!call.act) lead.tell();
    return lead;
  }

  /** A call of this tab reads no more. What took over from it goes on. */
  end(lead: LeaderElection, call: TabCall): void {
    if (lead.call !== call) return;
    this.#forgive(lead);
    if (this.leads.get(lead.thread) === lead) this.leads.delete(lead.thread);
    if (!lead.lock.lost.aborted) this.post({ do: 'left', thread: lead.thread, term: lead.term });
    lead.lock.release();
  }

  /** Hears what is told of a thread that another tab reads. Returns the way out. */
  follow(thread: string, hear: (message: FromLeader) => void): () => void {
    const all = this.#followers.get(thread) ?? new Set();
    this.#followers.set(thread, all.add(hear));
    return () => {
      all.delete(hear);
      if (all.size === 0) this.#followers.delete(thread);
    };
  }

  /** The run that another tab reads, as far as it has told; undefined when there is none. */
  runElsewhere(thread: string): string | null | undefined {
    return this.#elsewhere.get(thread);
  }

  /** Whether another tab has answered a question, and this one has not read the thread since. */
  isAnswered(thread: string, request: Key): boolean {
    return this.#answered.get(thread)?.has(request) ?? false;
  }

  /** The thread is being read: what was noted of it before stands in what comes. Returns what to do when it is there. */
  beginReading(thread: string): () => void {
    const answered = this.#answered.get(thread);
    return () => {
      if (answered && this.#answered.get(thread) === answered) this.#answered.delete(thread);
    };
  }

  #hear(value: unknown): void {
    const message = readTabMessage(value);
    if (!message) return;
    if (message.do === 'reply') this.calls.answer(message);
    else if ('term' in message) this.#hearLeader(message);
    else if (message.do === 'changed') this.#listener.changed(message.thread);
    else this.#serve(message);
  }

  /** Somebody wants something of whoever reads the thread. */
  #serve(message: Extract<TabMessage, { do: 'ask' | 'take' | 'stop' }>): void {
    const lead = this.leads.get(message.thread);
    // Asked again by a tab that does not know whether this one is still there.
    if (message.do === 'stop' && this.#stops.has(message.call)) {
      this.#reply(message.call, 'wait');
      return;
    }
    if (!lead || lead.lock.lost.aborted) return;
    if (message.do === 'ask') {
      if (message.whole) lead.tellAll();
      else lead.tell();
    } else if (message.do === 'take') {
      const code = lead.refusalOf(message.request, message.aside);
      if (code === null) this.#promise(lead);
      this.#reply(message.call, code ?? 'ok');
    } else void this.#stop(lead, message.call);
  }

  async #stop(lead: LeaderElection, call: string): Promise<void> {
    this.#stops.add(call);
    this.#reply(call, 'wait');
    try {
      await this.#listener.stop(lead);
      this.#reply(call, 'ok');
    } catch (error) {
      const { code, message } = error as UbikError;
      this.#reply(call, code, message);
    } finally {
      this.#stops.delete(call);
    }
  }

  /** Whoever was promised the thread takes it at once, or not at all. */
  #promise(lead: LeaderElection): void {
    this.#forgive(lead);
    lead.promise = this.environment.setTimer(() => (lead.promise = null), PATIENCE);
  }

  #forgive(lead: LeaderElection): void {
    if (lead.promise) this.environment.clearTimer(lead.promise);
    lead.promise = null;
  }

  #reply(call: string, code: string, message = ''): void {
    this.post({ do: 'reply', call, code, message });
  }

  #hearLeader(message: FromLeader): void {
    const { thread, term } = message;
    // One that was taken for frozen, and has not noticed yet.
    if (term < (this.#terms.get(thread) ?? 0)) return;
    this.#terms.set(thread, term);
    if (message.do === 'left') this.#elsewhere.delete(thread);
    else this.#elsewhere.set(thread, message.run);
    this.#followers.get(thread)?.forEach((hear) => hear(message));
    if (message.do !== 'lead' || !message.begun) return;
    if (message.answers !== null) {
      const answered = new Set(this.#answered.get(thread));
      this.#answered.set(thread, answered.add(message.answers));
    }
    this.#listener.changed(thread);
  }
}

/** The error that another tab has told. */
export function toError(code: string, message: string): UbikError {
  const known = /^[a-z-]{1,40}$/u.test(code) ? (code as UbikErrorCode) : 'interrupted';
  return new UbikError(known, message === '' ? undefined : message.slice(0, 2000));
}

/** What a tab was answered; `silent`: nothing, or the thread is this tab's own now. */
export interface Answer {
  readonly code: string;
  readonly message: string;
}

const SILENT: Answer = { code: 'silent', message: '' };

/** A call to the tab that reads a thread. */
interface Waiting {
  readonly thread: string;
  readonly resolve: (answer: Answer) => void;
  /** Somebody is at it. */
  wait(): void;
}

/** Calls of this tab to others. */
export class Calls {
  readonly #channel: TabChannel;
  readonly #waiting = new Map<string, Waiting>();

  constructor(channel: TabChannel) {
    this.#channel = channel;
  }

  /**
   * Asks whoever reads a thread. Without an answer, or without another tab that reads, it is `silent`. Whoever answers that it takes
   * longer is asked again until it is done, and so is the tab that has taken the thread over from it: a tab that dies says nothing.
   */
  make(thread: string, ask: (call: string) => TabMessage, signal?: AbortSignal): Promise<Answer> {
    const { environment, post } = this.#channel;
    const call = environment.uuid();
    return new Promise((settle) => {
      const resolve = (answer: Answer) => {
        environment.clearTimer(timer);
        signal?.removeEventListener('abort', giveUp);
        this.#waiting.delete(call);
        settle(answer);
      };
      const giveUp = () => resolve(SILENT);
      signal?.addEventListener('abort', giveUp);
      const message = ask(call);
      let timer: Timer;
      const request = () => {
        timer = environment.setTimer(() => resolve(SILENT), 2 * PATIENCE);
        post(message);
      };
      const wait = () => {
        environment.clearTimer(timer);
        timer = environment.setTimer(request, PATIENCE);
      };
      this.#waiting.set(call, { thread, resolve, wait });
      request();
    });
  }

  /** An answer has come. */
  answer({ call, code, message }: Extract<TabMessage, { do: 'reply' }>): void {
    const waiting = this.#waiting.get(call);
    if (code === 'wait') waiting?.wait();
    else waiting?.resolve({ code, message });
  }

  /** Nobody else will answer for a thread any more. */
  give(thread: string): void {
    for (const waiting of [...this.#waiting.values()]) {
      if (waiting.thread === thread) waiting.resolve(SILENT);
    }
  }
}

/** Silence of the tab that reads a stream, in ms, after which it is asked; after as much again it is taken for frozen. */
export const PATIENCE = 2000;

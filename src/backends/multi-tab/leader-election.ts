import { UbikError } from '../../errors.js';
import type { Batch } from '../../model/change.js';
import { combineSignals } from '../../transport/abort-signals.js';
import type { RunStream } from '../backend.js';
import { Follower, type FollowResult } from './follower.js';
import type { Leader, TabRun } from './leader.js';
import { createRemoteError, type TabChannel } from './tab-channel.js';
import type { TabLock } from './tab-link.js';

/** Opens a stream of this tab's backend. */
type OpenStream = (signal: AbortSignal) => RunStream;

/** A run, and the functions that read it when this tab is the leader. */
export interface SharedRun {
  readonly run: TabRun;
  /** Starts the run, and is called at most once. For a run that is rejoined, it is `rejoin`, which may be called again. */
  readonly open: OpenStream;
  /** Rejoins the run. Without it another tab cannot take over. */
  readonly rejoin: OpenStream | undefined;
}

/**
 * Reads a run in one tab for all tabs, and shows it in this one:
 *
 *     start     the lock is acquired → lead; no locks are granted → unshared
 *     rejoin    the lock is free → lead; else → follow
 *     lead      the run has ended or waits → end; the lock is lost → follow, or `interrupted` if the run has not started or cannot be rejoined
 *     follow    the run has ended or waits → end; the lock is granted, or the leader is silent → lead, by rejoining; the leader reads another run
 *               or cannot send its state, or no locks are granted → unshared
 *     unshared  this tab reads the stream for itself, to its end
 *
 * A run is started only while its tab has the lock, unless the platform grants no locks. Another tab does not repeat the request that
 * started it (UBIK R8).
 */
export async function* shareRun(channel: TabChannel, shared: SharedRun): AsyncGenerator<Batch> {
  const release = channel.retain();
  try {
    yield* leadOrFollow(channel, shared);
  } finally {
    release();
  }
}

async function* leadOrFollow(channel: TabChannel, shared: SharedRun): AsyncGenerator<Batch> {
  const { run, rejoin } = shared;
  let { open } = shared;
  let leader = await (run.start ? electToStart(channel, run) : electIfFree(channel, run));
  for (;;) {
    if (leader === 'unshared') {
      // The content that this tab has followed so far remains shown until this stream has caught up.
      yield* readStream(open, run.signal, run, (...args) => run.mirror.receive(...args).local);
      return;
    }
    if (leader) {
      if ((yield* readAsLeader(channel, leader, run, open)) === 'ended') return;
      const { isStarted, isSettled } = run.mirror.shown;
      if (isSettled) return;
      // The service may have received the request: the controller looks for its run.
      if (!isStarted || !rejoin) throw new UbikError('interrupted');
    }
    open = rejoin ?? open;
    const result: FollowResult = yield* new Follower(channel, run).read();
    if (result === 'ended') return;
    leader = result === 'unshared' ? 'unshared' : channel.lead(result, run);
  }
}

/**
 * Reads a stream, and passes each batch through `receive`. If the mirror still withholds what this tab's backend has read when the stream
 * ends, an empty last batch follows, with which the mirror may show it.
 */
async function* readStream(
  open: OpenStream,
  signal: AbortSignal,
  { mirror }: TabRun,
  receive: (batch: Batch, isLast: boolean) => Batch,
): AsyncGenerator<Batch> {
  let last: Batch | null = null;
  for await (const batch of open(signal)) {
    last = { ...batch, changes: [] };
    yield receive(batch, false);
  }
  if (last && !signal.aborted && !mirror.isInSync) yield receive(last, true);
}

async function* readAsLeader(
  channel: TabChannel,
  leader: Leader,
  run: TabRun,
  open: OpenStream,
): AsyncGenerator<Batch, 'ended' | 'lost'> {
  const { lost } = leader.lock;
  try {
    const signal = combineSignals(run.signal, lost);
    for await (const batch of readStream(open, signal, run, (...args) => leader.publish(...args))) {
      yield batch;
      if (lost.aborted) return 'lost';
    }
    return lost.aborted ? 'lost' : 'ended';
  } catch (error) {
    if (lost.aborted && !run.signal.aborted) return 'lost';
    throw error;
  } finally {
    channel.resign(leader, run);
  }
}

/**
 * Makes this tab the leader if the lock is available or this tab already has it. Otherwise returns null: another tab is the leader, or no
 * locks are granted.
 */
async function electIfFree(channel: TabChannel, run: TabRun): Promise<Leader | null> {
  const current = channel.leaders.get(run.thread);
  if (current && !current.lock.lost.aborted) {
    current.switchTo(run);
    return current;
  }
  const lock = await channel.requestLock(run.thread, 'if-available', run.signal);
  if (run.signal.aborted && !lock) throw new UbikError('aborted');
  return lock && lead(channel, lock, run);
}

/**
 * Makes this tab the leader in order to start a run: it acquires the lock, or takes it over from another tab. Rejects if that tab refuses.
 * Returns `unshared` if the platform grants no locks.
 */
async function electToStart(channel: TabChannel, run: TabRun): Promise<Leader | 'unshared'> {
  const current = channel.leaders.get(run.thread);
  // The thread is reserved for another tab that is about to start a run.
  if (current?.reservation) throw new UbikError('busy');
  const { start, signal, thread } = run;
  const { request = null, continues = false } = start ?? {};
  if (request !== null && channel.isAnswered(thread, request)) throw new UbikError('not-open');
  const elected = await electIfFree(channel, run);
  if (elected) return elected;
  const queue = new AbortController();
  // A leader that is being closed does not reply, but its lock becomes available.
  const granting = channel.requestLock(thread, 'queue', queue.signal);
  const message = { type: 'take-over', thread, request, continues } as const;
  const replying = channel.calls.call(thread, (call) => ({ ...message, call }), signal);
  const first = await Promise.race([granting, replying]);
  queue.abort();
  if (first && 'release' in first) return lead(channel, first, run);
  // If the lock was granted just after the reply, it is released, because it is requested again below.
  void granting.then((lock) => lock?.release());
  if (signal.aborted) throw new UbikError('aborted');
  const { code, message: reason } = first ?? { code: 'no-reply', message: '' };
  if (code !== 'ok' && code !== 'no-reply') throw createRemoteError(code, reason);
  const lock = await channel.requestLock(thread, 'steal', signal);
  return lock ? lead(channel, lock, run) : 'unshared';
}

function lead(channel: TabChannel, lock: TabLock, run: TabRun): Leader {
  if (!run.signal.aborted) return channel.lead(lock, run);
  lock.release();
  throw new UbikError('aborted');
}

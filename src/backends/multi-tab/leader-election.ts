import { UbikError } from '../../errors.js';
import type { Batch } from '../../model/change.js';
import { combineSignals } from '../../transport/combine-signals.js';
import type { RunStream } from '../backend.js';
import { toError, type TabChannel } from './tab-channel.js';
import { Follower } from './follower.js';
import type { LeaderElection, TabCall } from './leader.js';
import type { TabLock } from './tab-link.js';

/** Opens a stream of the own backend. */
type Open = (signal: AbortSignal) => RunStream;

/** A run, and how it is read from the service when it is this tab that reads. */
export interface SharedRun {
  readonly call: TabCall;
  /** By the act, once; else the same as `rejoin`. */
  readonly open: Open;
  /** Joins it by what is known of it by then. Without it a run cannot be handed over. */
  readonly rejoin: Open | undefined;
}

/**
 * One run over all tabs:
 *
 *     act ─→ lock ─→ read ─┬─(over)──────────────→ end
 *     join ─→ lock free? ──┘  ▲ └─(lock lost)─┐
 *                └─ no ─→ follow ←────────────┘
 *                           └─(lock granted | leader silent)─→ read, by joining
 *
 * An act is made while its tab has the lock, and never again.
 */
export async function* shareRun(channel: TabChannel, run: SharedRun): AsyncGenerator<Batch> {
  const release = channel.hold();
  try {
    yield* readOrFollow(channel, run);
  } finally {
    release();
  }
}

async function* readOrFollow(channel: TabChannel, run: SharedRun): AsyncGenerator<Batch> {
  const { call, rejoin } = run;
  let { open } = run;
  let lead = await (call.act ? takeLead(channel, call) : joinLead(channel, call));
  for (;;) {
    if (lead === 'alone') {
      yield* open(call.signal);
      return;
    }
    if (lead) {
      if ((yield* read(channel, lead, call, open)) === 'over') return;
      const { isBegun, isAtRest } = call.mirror.shown;
      if (isAtRest) return;
      // Nobody knows whether the act has arrived: the run is looked for like any other.
      if (!isBegun || !rejoin) throw new UbikError('interrupted');
    }
    open = rejoin ?? open;
    const end: 'over' | 'alone' | TabLock = yield* new Follower(channel, call).batches();
    if (end === 'over') return;
    lead = end === 'alone' ? 'alone' : channel.begin(end, call);
  }
}

/** Reads the stream for all tabs. */
async function* read(
  channel: TabChannel,
  lead: LeaderElection,
  call: TabCall,
  open: Open,
): AsyncGenerator<Batch, 'over' | 'lost'> {
  const { lost } = lead.lock;
  try {
    for await (const batch of open(combineSignals(call.signal, lost))) {
      yield lead.take(batch);
      if (lost.aborted) return 'lost';
    }
    return lost.aborted ? 'lost' : 'over';
  } catch (error) {
    if (lost.aborted && !call.signal.aborted) return 'lost';
    throw error;
  } finally {
    channel.end(lead, call);
  }
}

/** To join a run: this tab reads it unless another one does (null). */
async function joinLead(channel: TabChannel, call: TabCall): Promise<LeaderElection | null> {
  const own = channel.leads.get(call.thread);
  if (own && !own.lock.lost.aborted) {
    own.begin(call);
    return own;
  }
  const lock = await channel.lock(call.thread, 'if-free', call.signal);
  if (call.signal.aborted && !lock) throw new UbikError('aborted');
  return lock && beginWith(channel, lock, call);
}

/** To act: this tab has the thread, or is given it; rejects when another one is at work there. Where locks fail, everybody is alone. */
async function takeLead(channel: TabChannel, call: TabCall): Promise<LeaderElection | 'alone'> {
  const own = channel.leads.get(call.thread);
  if (own?.promise) throw new UbikError('busy');
  const { act, signal, thread } = call;
  const { request = null, aside = false } = act ?? {};
  if (request !== null && channel.isAnswered(thread, request)) throw new UbikError('not-open');
  const joined = await joinLead(channel, call);
  if (joined) return joined;
  const free = new AbortController();
  // A tab that goes at this moment does not answer, but its lock is free.
  const waiting = channel.lock(thread, 'in-turn', free.signal);
  const take = { do: 'take', thread, request, aside } as const;
  const calling = channel.calls.make(thread, (id) => ({ ...take, call: id }), signal);
  const first = await Promise.race([waiting, calling]);
  free.abort();
  if (first && 'release' in first) return beginWith(channel, first, call);
  void waiting.then((lock) => lock?.release());
  if (signal.aborted) throw new UbikError('aborted');
  const { code, message } = first ?? { code: 'silent', message: '' };
  if (code !== 'ok' && code !== 'silent') throw toError(code, message);
  const lock = await channel.lock(thread, 'steal', signal);
  return lock ? beginWith(channel, lock, call) : 'alone';
}

function beginWith(channel: TabChannel, lock: TabLock, call: TabCall): LeaderElection {
  if (!call.signal.aborted) return channel.begin(lock, call);
  lock.release();
  throw new UbikError('aborted');
}

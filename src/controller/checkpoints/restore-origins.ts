import type { CheckpointInfo } from '../../backends/backend.js';
import { createFieldChange, type Change } from '../../model/change.js';
import { equalJson, type Json } from '../../model/json.js';
import type { RestoreOrigin } from '../../model/message.js';
import { pathTo, runIdOf, type Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';

/** Maximum number of stored origins per thread; the oldest are removed. */
const MAX_ORIGINS = 100;

/** The restore origin of the answer of a run; `task` is the id of the run. Stored because the threads of the service do not contain origins. */
interface StoredOrigin extends RestoreOrigin {
  readonly task: string;
}

/** The checkpoints from which answers were restored, known from restores in this browser and from the metadata of checkpoints. */
export interface RestoreOrigins {
  /** Reads the stored origins of a thread by the service's id. */
  load(id: string): Promise<void>;
  /** Adds the stored origins to the messages of a thread, stores the origins that messages have, and looks up unknown ones in its checkpoints. */
  update(thread: Thread): void;
  /** Clears the memory; the storage is unchanged. */
  clear(): void;
}

/** Returns the {@link RestoreOrigins} of a controller. */
export function originsOf(context: ControllerContext): RestoreOrigins {
  return (context.restoreOrigins ??= createRestoreOrigins(context));
}

/** Creates {@link RestoreOrigins} that are stored per service and user. Unknown origins are looked up in the service's checkpoints. */
function createRestoreOrigins(context: ControllerContext): RestoreOrigins {
  const byThread = new Map<string, readonly StoredOrigin[]>();
  /** Ids of runs whose origin was looked up. */
  const requestedRuns = new Set<string>();
  return {
    async load(id) {
      const stored = await context.storage.read('origins', id);
      if (byThread.has(id)) return;
      byThread.set(id, Array.isArray(stored) ? stored.filter(isStoredOrigin) : []);
    },
    update(thread) {
      const { id } = thread;
      if (id === null) return;
      const known = byThread.get(id) ?? [];
      applyOrigins(context, thread, new Map(known.map((origin) => [origin.task, origin])));
      const byRun = new Map([...known, ...listOrigins(thread)].map((each) => [each.task, each]));
      const origins = [...byRun.values()].slice(-MAX_ORIGINS);
      byThread.set(id, origins);
      if (!equalJson(known, origins)) context.storage.write('origins', id, origins);
      const unknown = listRunsWithoutOrigin(thread).filter((run) => !requestedRuns.has(run));
      for (const run of unknown) requestedRuns.add(run);
      if (unknown.length > 0 && context.backend.listCheckpoints) {
        context.runInBackground(() => fetchCheckpoints(context, thread));
      }
    },
    clear() {
      byThread.clear();
      requestedRuns.clear();
    },
  };
}

/** The sequence number of the request whose response was loaded last into the list of each thread. */
const loadedReads = new WeakMap<Thread, number>();

/**
 * Loads the checkpoints of a thread into its list, unless the response to a later request is there already, and the origins that they contain
 * into its messages.
 */
export async function fetchCheckpoints(
  context: ControllerContext,
  thread: Thread,
): Promise<readonly CheckpointInfo[]> {
  const list = context.requireMethod('listCheckpoints');
  const read = context.sequencer.startRead();
  const checkpoints = await list(thread.id ?? '', context.closing.signal);
  if (read < (loadedReads.get(thread) ?? 0)) return checkpoints;
  loadedReads.set(thread, read);
  // Names may repeat, so the keys are the positions in the service's order.
  const entries = checkpoints.map((checkpoint, at) => [`${at}`, toJson(checkpoint)] as const);
  const removed = [...thread.list('checkpoints').keys()].slice(entries.length);
  context.mergeList(thread, 'checkpoints', [...entries, ...removed.map((key) => [key] as const)]);
  const origins = checkpoints.flatMap(({ runId, restoredFrom }) =>
    restoredFrom ? [[runId, restoredFrom] as const] : [],
  );
  applyOrigins(context, thread, new Map(origins));
  return checkpoints;
}

/** Converts the type only: a checkpoint is plain data, but TypeScript does not assign an interface to `Json`. */
function toJson(checkpoint: CheckpointInfo): Json {
  return { ...checkpoint } as unknown as Json;
}

function isStoredOrigin(value: unknown): value is StoredOrigin {
  const { task, checkpoint, hint } = Object(value) as Partial<Record<string, unknown>>;
  const isHint = hint === null || typeof hint === 'string';
  return typeof task === 'string' && typeof checkpoint === 'string' && isHint;
}

/** Sets the origins of answers that have none, given by the id of their run. */
function applyOrigins(
  context: ControllerContext,
  thread: Thread,
  origins: ReadonlyMap<string | null, RestoreOrigin>,
): void {
  if (origins.size === 0) return;
  const changes = [...thread.messages.values()].flatMap((message): Change[] => {
    const runId = runIdOf(thread, message);
    // A checkpoint may have no run either, so the key of an origin can be null.
    const origin = runId !== null && origins.get(runId);
    if (!origin || message.restoredFrom) return [];
    const { checkpoint, hint } = origin;
    return [createFieldChange(message.key, null, 'restoredFrom', { checkpoint, hint })];
  });
  context.commit(thread.key, changes);
}

function listOrigins(thread: Thread): StoredOrigin[] {
  return [...thread.messages.values()].flatMap((message) => {
    const runId = runIdOf(thread, message);
    return message.restoredFrom && runId !== null ? [{ task: runId, ...message.restoredFrom }] : [];
  });
}

/** Returns the run ids of shown answers that have other versions and may have been restored from a checkpoint. */
function listRunsWithoutOrigin(thread: Thread): string[] {
  return pathTo(thread).flatMap(({ role, restoredFrom, siblingIds, runId }) => {
    const isVersion = role === 'assistant' && siblingIds.length > 1;
    return isVersion && restoredFrom === null && runId !== null ? [runId] : [];
  });
}

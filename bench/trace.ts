/** One task of the page's main thread. */
export interface Task {
  /** Wall time in ms, including other processes. */
  readonly wall: number;
  /** CPU time of the thread in ms. */
  readonly cpu: number;
  /** The six names of events with the longest total wall time in the task, each with this time in ms, which includes that of nested events. Empty for a task of up to 20 ms. */
  readonly within: readonly string[];
}

/** An event of the Trace Event Format: `ph` is its phase (`X`: complete), `tdur` its CPU time. Times in µs. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly data?: { readonly functionName?: string } };
}

/** Categories of a trace that {@link readTasks} reads. */
export const TRACE_CATEGORIES = [
  'toplevel',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'v8',
];

/** Reads the tasks of the main thread of the renderer with the most events from a trace, longest wall time first. */
export function readTasks(trace: Uint8Array): Task[] {
  const { traceEvents } = JSON.parse(new TextDecoder().decode(trace)) as {
    traceEvents: readonly TraceEvent[];
  };
  const threads = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
  );
  const all = threads.map((thread) =>
    traceEvents.filter(
      ({ pid, tid, ph }) => pid === thread.pid && tid === thread.tid && ph === 'X',
    ),
  );
  const [events = []] = all.sort((left, right) => right.length - left.length);
  return events
    .filter(({ name }) => name === 'RunTask')
    .map((task) => ({
      wall: (task.dur ?? 0) / 1000,
      cpu: (task.tdur ?? 0) / 1000,
      within: (task.dur ?? 0) > 20_000 ? listParts(task, events) : [],
    }))
    .sort((left, right) => right.wall - left.wall);
}

function listParts(task: TraceEvent, events: readonly TraceEvent[]): string[] {
  const end = task.ts + (task.dur ?? 0);
  const sums = new Map<string, number>();
  for (const { name, ts, dur = 0 } of events) {
    if (ts < task.ts || ts + dur > end || name.includes('RunTask')) continue;
    sums.set(name, (sums.get(name) ?? 0) + dur / 1000);
  }
  return [...sums]
    .sort(([, left], [, right]) => right - left)
    .slice(0, 6)
    .map(([name, time]) => `${name} ${time.toFixed(0)}`);
}

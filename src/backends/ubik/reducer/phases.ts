import type { Json, Key } from '../../../model/json.js';
import type { PhaseActivityFields } from '../../../model/part.js';
import { asFields, readText, type Fields } from '../wire/fields.js';
import type { MessageReducer } from './message-reducer.js';
import { keyOfTool } from './tools.js';

/*
 * The phases of a tool, from its updates: `started` and `completed` of one phase make one entry, which takes the data of both. A phase
 * that begins ends the one before it, because services leave out the ends of some. What names no phase is an entry of its own.
 */

/** Phases of one tool that are kept; what later updates report goes into the newest one. */
const MAX_PHASES = 100;
/** Fields of one phase's data. */
const MAX_FIELDS = 100;
/** Fields of an update that are shown as such. */
const TOLD: ReadonlySet<string> = new Set(['phase', 'status', 'message']);

/** When an update came, and the end of the phase that it reports; null when it reports none. */
interface PhaseUpdate {
  readonly at: number | null;
  readonly end: 'done' | 'failed' | null;
}

/** Takes in one update of an execution. */
export function takePhase(
  reducer: MessageReducer,
  toolId: string,
  data: Fields,
  { at, end }: PhaseUpdate,
): void {
  const { draft } = reducer;
  const phase = readText(data, 'phase') ?? '';
  const message = readText(data, 'message') ?? '';
  const rest = Object.entries(data).filter(([name]) => !TOLD.has(name));
  const report = reducer.takeReport(Object.fromEntries(rest));
  if (phase === '' && message === '' && report === null) return;
  const newest = findNewest(reducer, toolId);
  const known = newest && draft.read(keyOf(toolId, newest), 'phase-activity');
  const isSame = known && phase !== '' && known.phase === phase && known.state === 'running';
  const isFull = newest >= MAX_PHASES;
  if (known && (isSame || isFull)) {
    draft.set(keyOf(toolId, newest), {
      ...(message && { message }),
      ...(report !== null && { data: merge(known.data, report) }),
      ...(end && { state: end, endedAt: at }),
    });
    return;
  }
  endPhases(reducer, toolId, at);
  // Something that names no phase is over with its report.
  const state = end ?? (phase === '' ? 'done' : 'running');
  const isOver = state !== 'running';
  const fields: PhaseActivityFields = {
    kind: 'phase-activity',
    phase,
    message,
    data: report,
    state,
    startedAt: isOver ? null : at,
    endedAt: isOver ? at : null,
  };
  draft.put(keyOf(toolId, newest + 1), keyOfTool(toolId), fields);
}

/** The phase that is on is over: the tool is, or another phase begins. */
export function endPhases(
  reducer: MessageReducer,
  toolId: string,
  at: number | null,
  state: 'running' | 'done' | 'failed' = 'done',
): void {
  const { draft } = reducer;
  const key = keyOf(toolId, findNewest(reducer, toolId));
  if (draft.read(key, 'phase-activity')?.state === 'running') {
    draft.set(key, { state, endedAt: at });
  }
}

/** Phases are counted from 1. What stands behind the last `#` is the number, whatever the service's id holds. */
function keyOf(toolId: string, number: number): Key {
  return `@phase:${toolId}#${number}`;
}

/** The number of the newest phase; 0 while there is none. */
function findNewest({ draft }: MessageReducer, toolId: string): number {
  let number = 0;
  while (number < MAX_PHASES && draft.has(keyOf(toolId, number + 1))) number += 1;
  return number;
}

function merge(before: Json, report: Json): Json {
  const fields = new Map([before, report].flatMap((data) => Object.entries(asFields(data) ?? {})));
  return Object.fromEntries([...fields].slice(0, MAX_FIELDS)) as Json;
}

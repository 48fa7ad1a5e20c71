import type { Json, Key } from '../../../model/json.js';
import type { PhaseActivityFields, ToolActivityFields } from '../../../model/part.js';
import { asFields, readId, readText, toJson, type Fields, withoutNulls } from '../events/fields.js';
import type { EventHandler, OrderingGroup, ReducerEvent } from './event-handler.js';
import type { MessageReducer } from './message-reducer.js';
import { closeRequests } from './input-requests.js';
import { isExact, keyOfTool, openActivity } from './tool-binding.js';

/** What an execution reports: phase, status, data. */
export const toolUpdateRow = createToolRow(({ fields, at }, { toolId }, reducer) => {
  const data = asFields(fields['data']) ?? {};
  const status = readText(data, 'status');
  const said = {
    phase: readText(data, 'phase'),
    status,
    message: readText(data, 'message', 'query'),
    data: toJson(data),
    subSession: readSubSession(data),
  };
  takePhase(reducer, toolId, data, { at, end: endOf(status) ?? endOf(said.phase) });
  return { ...withoutNulls(said), ...readEnd(said.phase, status, data, at) };
});

/** Output that an execution streams: a growing text by its name. */
export const toolPartialRow = createToolRow(({ fields }, tool, reducer) => {
  const data = asFields(fields['data']) ?? fields;
  const outputKey = readText(data, 'output_key') ?? 'output';
  const text = readOutput(data, outputKey);
  if (text !== '' && reducer.takeRoom(text.length, 'output')) {
    const parent = keyOfTool(tool.toolId);
    const key = `${parent}/${outputKey}`;
    if (!reducer.draft.has(key)) {
      reducer.draft.put(key, parent, { kind: 'output-activity', outputKey });
    }
    reducer.draft.append(key, text);
  }
  return withoutNulls({ subSession: readSubSession(data) });
});

/** An execution is over, or has failed. */
export const toolEndRow = createToolRow(({ type, fields, at }, tool) => {
  const status = readText(fields, 'status') ?? (type === 'error' ? 'failed' : 'completed');
  if (endOf(status) === 'failed') return { status, ...readFailure(fields, at) };
  const state = tool.state === 'failed' ? 'failed' : 'done';
  return { status, data: toJson(asFields(fields['outputs']) ?? fields), state, endedAt: at };
});

/** The id of the execution that an event is about. */
export function toolIdOf(fields: Fields): string | null {
  return readId(fields, 'tool_execution_id') ?? readId(fields, 'execution_id');
}

/** The execution's group; that of its name when it has no id. Which card a name finds depends on what came before. */
export function toolGroups(
  { fields }: ReducerEvent,
  { draft }: MessageReducer,
): readonly OrderingGroup[] {
  const id = idOrName(fields) ?? '';
  return isExact(draft, id) ? [`tool:${id}`] : [`tool:${id}`, 'opens'];
}

/** The activity of the execution that an event is about; null when it names neither id nor tool. */
export function openTool(
  { fields, at }: ReducerEvent,
  reducer: MessageReducer,
): ToolActivityFields | null {
  const id = idOrName(fields);
  if (id === null) return null;
  return openActivity(reducer.draft, id, readText(fields, 'tool_name') ?? '', at);
}

/** A row of one execution; `read` gives the fields that change. A tool that reports any end waits for the person no more (R10). */
function createToolRow(
  read: (
    event: ReducerEvent,
    tool: ToolActivityFields,
    reducer: MessageReducer,
  ) => Partial<ToolActivityFields>,
): EventHandler {
  return {
    groups: toolGroups,
    reduce: (event, reducer) => {
      const tool = openTool(event, reducer);
      if (!tool) return;
      const set = read(event, tool, reducer);
      reducer.draft.set(keyOfTool(tool.toolId), set);
      if ('endedAt' in set) endPhases(reducer, tool.toolId, event.at, set.state);
      const reports = [set.phase, set.status].map(endOf);
      if ('endedAt' in set || reports.some(Boolean)) closeRequests(reducer, tool.toolId);
    },
  };
}

function idOrName(fields: Fields): string | null {
  const name = readText(fields, 'tool_name');
  return toolIdOf(fields) ?? (name ? `/${name}` : null);
}

/** The end that a word reports: null when it reports none. */
function endOf(word: string | null | undefined): 'done' | 'failed' | null {
  if (/^(?:failed|error|failure|cancell?ed)$/i.test(word ?? '')) return 'failed';
  return /^completed$/i.test(word ?? '') ? 'done' : null;
}

/** What an update says of the tool's end. The status of a named phase is that of the phase, unless it is a failure. */
function readEnd(
  phase: string | null,
  status: string | null,
  data: Fields,
  at: number | null,
): Partial<ToolActivityFields> {
  const ends = [endOf(phase), endOf(status)];
  if (ends.includes('failed')) return readFailure(data, at);
  const isDone = ends[0] === 'done' || (!phase && ends[1] === 'done');
  return isDone ? { state: 'done', endedAt: at } : {};
}

function readFailure(fields: Fields, at: number | null): Partial<ToolActivityFields> {
  const reason = readText(fields, 'error', 'message', 'reason') ?? '';
  return { state: 'failed', reason, endedAt: at };
}

/** A sub-agent names its session at one of several places. */
function readSubSession(data: Fields): string | null {
  return readId(data, 'sub_session_id') ?? readId(asFields(data['data']) ?? {}, 'sub_session_id');
}

/** The text, or the value under its name, which comes from the network. */
function readOutput(data: Fields, outputKey: string): string {
  const texts = [data, asFields(data['data']) ?? {}].map((place) =>
    Object.hasOwn(place, outputKey) ? readText(place, outputKey) : null,
  );
  return readText(data, 'content') ?? texts[0] ?? texts[1] ?? '';
}

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

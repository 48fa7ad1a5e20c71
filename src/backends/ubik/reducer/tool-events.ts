import type { Json, Key } from '../../../model/json.js';
import {
  isToolOpen,
  type PhaseActivityFields,
  type ToolActivityFields,
} from '../../../model/part.js';
import { asFields, readId, readString, toJson, type Fields, omitNulls } from '../../fields.js';
import type { EventHandler, OrderingGroup, ReducerEvent } from './event-handler.js';
import type { MessageReducer } from './message-reducer.js';
import { closeRequests } from './input-requests.js';
import { isBoundById, getToolKey, openToolActivity, toToolId } from './tool-binding.js';

/** Reduces the progress of an execution: phase, status, data. */
export const toolUpdateHandler = createToolHandler(({ fields, time }, { toolId }, reducer) => {
  const data = asFields(fields['data']) ?? {};
  const status = readString(data, 'status');
  const reported = {
    phase: readString(data, 'phase'),
    status,
    message: readString(data, 'message', 'query'),
    data: toJson(data),
    subSession: readSubSession(data),
  };
  updatePhase(reducer, toolId, data, {
    time,
    end: toEndState(status) ?? toEndState(reported.phase),
  });
  return { ...omitNulls(reported), ...readEnd(reported.phase, status, data, time) };
});

/** Reduces the output of an execution: one growing text for each output key. */
export const toolOutputHandler = createToolHandler(({ fields }, tool, reducer) => {
  const data = asFields(fields['data']) ?? fields;
  const outputKey = readString(data, 'output_key') ?? 'output';
  const text = readOutput(data, outputKey);
  if (text !== '' && reducer.reserveText(text.length, 'output')) {
    const parent = getToolKey(tool.toolId);
    const key = `${parent}/${outputKey}`;
    if (!reducer.builder.has(key)) {
      reducer.builder.put(key, parent, { kind: 'output-activity', outputKey });
    }
    reducer.builder.append(key, text);
  }
  return omitNulls({ subSession: readSubSession(data) });
});

/** Reduces the end or the failure of an execution. */
export const toolEndHandler = createToolHandler(({ type, fields, time }, tool) => {
  const status = readString(fields, 'status') ?? (type === 'error' ? 'failed' : 'completed');
  const end = toEndState(status) ?? 'done';
  if (end !== 'done') return { status, ...readFailure(end, fields, time) };
  const state = isToolOpen(tool.state) ? 'done' : tool.state;
  return { status, data: toJson(asFields(fields['outputs']) ?? fields), state, endedAt: time };
});

/** Returns the id of the execution that an event is about; null when it has none. */
export function readExecutionId(fields: Fields): string | null {
  return readId(fields, 'tool_execution_id') ?? readId(fields, 'execution_id');
}

/**
 * Returns the group of an execution; if the event has no id, the group of the tool's name. Also returns `opens` unless the tool is bound by
 * its id, because binding by name depends on earlier events.
 */
export function getToolGroups(
  { fields }: ReducerEvent,
  { builder }: MessageReducer,
): readonly OrderingGroup[] {
  const id = readToolId(fields) ?? '';
  return isBoundById(builder, id) ? [`tool:${id}`] : [`tool:${id}`, 'opens'];
}

/**
 * Returns the activity of the execution that an event is about, and creates it for the first event of the execution; null when the event
 * contains neither an id nor a tool name.
 */
export function openTool(
  { fields, time }: ReducerEvent,
  reducer: MessageReducer,
): ToolActivityFields | null {
  const id = readToolId(fields);
  if (id === null) return null;
  return openToolActivity(reducer.builder, id, readString(fields, 'tool_name') ?? '', time);
}

/**
 * Creates the handler of events about one execution; `read` returns the fields that change. An event that reports the end of the tool or of
 * a phase closes the requests of the tool (UBIK R10).
 */
function createToolHandler(
  read: (
    event: ReducerEvent,
    tool: ToolActivityFields,
    reducer: MessageReducer,
  ) => Partial<ToolActivityFields>,
): EventHandler {
  return {
    groups: getToolGroups,
    reduce: (event, reducer) => {
      const tool = openTool(event, reducer);
      if (!tool) return;
      const set = read(event, tool, reducer);
      reducer.builder.set(getToolKey(tool.toolId), set);
      if (set.state && !isToolOpen(set.state)) {
        endPhases(reducer, tool.toolId, event.time, set.state);
      }
      const reports = [set.phase, set.status].map(toEndState);
      if ('endedAt' in set || reports.some(Boolean)) closeRequests(reducer, tool.toolId);
    },
  };
}

/** Reads the id of the tool in its activity; null when the event contains neither the id of an execution nor a name. */
function readToolId(fields: Fields): string | null {
  const executionId = readExecutionId(fields);
  const name = readString(fields, 'tool_name');
  return executionId !== null || name ? toToolId(executionId, name) : null;
}

/** How a tool or one of its phases has ended. */
type EndState = 'done' | 'failed' | 'cancelled' | 'skipped';

/** End states by the values of statuses and phases, in lower case. */
const END_STATES: ReadonlyMap<string | undefined, EndState> = new Map([
  ['completed', 'done'],
  ['failed', 'failed'],
  ['error', 'failed'],
  ['failure', 'failed'],
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
  ['skipped', 'skipped'],
]);

/** Returns the end state of a status or phase; null when it is no end. */
function toEndState(value: string | null | undefined): EndState | null {
  return END_STATES.get(value?.toLowerCase()) ?? null;
}

/**
 * Returns the end of the tool that an update reports. A status next to a phase is that of the phase, unless it is a failure or a
 * cancellation.
 */
function readEnd(
  phase: string | null,
  status: string | null,
  data: Fields,
  time: number | null,
): Partial<ToolActivityFields> {
  const [phaseEnd, statusEnd] = [toEndState(phase), toEndState(status)];
  const failure = [phaseEnd, statusEnd].find((end) => end === 'failed' || end === 'cancelled');
  if (failure) return readFailure(failure, data, time);
  const end = phaseEnd ?? (phase ? null : statusEnd);
  return end ? { state: end, endedAt: time } : {};
}

function readFailure(
  state: EndState,
  fields: Fields,
  time: number | null,
): Partial<ToolActivityFields> {
  const reason = readString(fields, 'error', 'message', 'reason') ?? '';
  return { state, reason, endedAt: time };
}

/** Reads the session of a sub-agent. Where it is in the data is not documented (UBIK 5.3). */
function readSubSession(data: Fields): string | null {
  return readId(data, 'sub_session_id') ?? readId(asFields(data['data']) ?? {}, 'sub_session_id');
}

/** Returns `content`, else the field that `outputKey` names. The name is untrusted, so only own fields are read. */
function readOutput(data: Fields, outputKey: string): string {
  const texts = [data, asFields(data['data']) ?? {}].map((container) =>
    Object.hasOwn(container, outputKey) ? readString(container, outputKey) : null,
  );
  return readString(data, 'content') ?? texts[0] ?? texts[1] ?? '';
}

/*
 * Phases of a tool are derived from its updates. `started` and `completed` of one phase become one part with the data of both. The start of
 * a phase ends the previous one, because services omit some ends. An update without a phase becomes a separate part.
 */

/** Maximum number of phases of one tool. Later updates are added to the newest phase. */
const MAX_PHASES = 100;
/** Maximum number of fields in the data of one phase. */
const MAX_FIELDS = 100;
/** Fields of an update that are shown separately, and not as its data. */
const SHOWN_FIELDS: ReadonlySet<string> = new Set(['phase', 'status', 'message']);

/** The time of an update, and the end of a phase that it reports; null when it reports none. */
interface PhaseUpdate {
  readonly time: number | null;
  readonly end: EndState | null;
}

/** Adds an update of an execution to its phases. */
export function updatePhase(
  reducer: MessageReducer,
  toolId: string,
  data: Fields,
  { time, end }: PhaseUpdate,
): void {
  const { builder } = reducer;
  const phase = readString(data, 'phase') ?? '';
  const message = readString(data, 'message') ?? '';
  const rest = Object.entries(data).filter(([name]) => !SHOWN_FIELDS.has(name));
  const report = reducer.acceptReport(Object.fromEntries(rest));
  if (phase === '' && message === '' && report === null) return;
  const newest = findNewestPhase(reducer, toolId);
  const known = newest && builder.get(getPhaseKey(toolId, newest), 'phase-activity');
  // No two updates without a phase belong together: the state of such an update is never `running`.
  const isSame = known && known.phase === phase && known.state === 'running';
  const isFull = newest >= MAX_PHASES;
  if (known && (isSame || isFull)) {
    builder.set(getPhaseKey(toolId, newest), {
      ...(message && { message }),
      ...(report !== null && { data: mergeReports(known.data, report) }),
      ...(end && { state: end, endedAt: time }),
    });
    return;
  }
  endPhases(reducer, toolId, time);
  // An update without a phase is done at once.
  const state = end ?? (phase === '' ? 'done' : 'running');
  // The start of a phase whose end is reported first was not observed.
  const isOver = state !== 'running';
  const fields: PhaseActivityFields = {
    kind: 'phase-activity',
    phase,
    message,
    data: report,
    state,
    startedAt: isOver ? null : time,
    endedAt: isOver ? time : null,
  };
  builder.put(getPhaseKey(toolId, newest + 1), getToolKey(toolId), fields);
}

/** Ends the running phase, because the tool has ended or another phase starts. */
export function endPhases(
  reducer: MessageReducer,
  toolId: string,
  time: number | null,
  state: EndState = 'done',
): void {
  const { builder } = reducer;
  const key = getPhaseKey(toolId, findNewestPhase(reducer, toolId));
  if (builder.get(key, 'phase-activity')?.state === 'running') {
    builder.set(key, { state, endedAt: time });
  }
}

/** Phases are numbered from 1. The number follows the last `#`, because the id may contain others. */
function getPhaseKey(toolId: string, number: number): Key {
  return `@phase:${toolId}#${number}`;
}

/** Returns the number of the newest phase; 0 when there is none. */
function findNewestPhase({ builder }: MessageReducer, toolId: string): number {
  let number = 0;
  while (builder.has(getPhaseKey(toolId, number + 1))) number += 1;
  return number;
}

function mergeReports(before: Json, report: Json): Json {
  const fields = new Map([before, report].flatMap((data) => Object.entries(asFields(data) ?? {})));
  return Object.fromEntries([...fields].slice(0, MAX_FIELDS)) as Json;
}

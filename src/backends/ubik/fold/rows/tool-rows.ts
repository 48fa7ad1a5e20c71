import {
  asFields,
  readId,
  readText,
  toJson,
  withoutNulls,
  type Fields,
} from '../../wire/fields.js';
import type { ToolActivityFields } from '../../../../model/part.js';
import type { EventRow, FoldEvent, Lane } from '../event-row.js';
import type { MessageFold } from '../message-fold.js';
import { closeRequests } from '../requests.js';
import { endPhases, takePhase } from '../phases.js';
import { isExact, keyOfTool, openActivity } from '../tools.js';

/** What an execution reports: phase, status, data. */
export const toolUpdateRow = createToolRow(({ fields, at }, { toolId }, fold) => {
  const data = asFields(fields['data']) ?? {};
  const status = readText(data, 'status');
  const said = {
    phase: readText(data, 'phase'),
    status,
    message: readText(data, 'message', 'query'),
    data: toJson(data),
    subSession: readSubSession(data),
  };
  takePhase(fold, toolId, data, { at, end: endOf(status) ?? endOf(said.phase) });
  return { ...withoutNulls(said), ...readEnd(said.phase, status, data, at) };
});

/** Output that an execution streams: a growing text by its name. */
export const toolPartialRow = createToolRow(({ fields }, tool, fold) => {
  const data = asFields(fields['data']) ?? fields;
  const outputKey = readText(data, 'output_key') ?? 'output';
  const text = readOutput(data, outputKey);
  if (text !== '' && fold.takeRoom(text.length, 'output')) {
    const parent = keyOfTool(tool.toolId);
    const key = `${parent}/${outputKey}`;
    if (!fold.outline.has(key)) {
      fold.outline.put(key, parent, { kind: 'output-activity', outputKey });
    }
    fold.outline.append(key, text);
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

/** The execution's lane; that of its name when it has no id. Which card a name finds depends on what came before. */
export function toolLanes({ fields }: FoldEvent, { outline }: MessageFold): readonly Lane[] {
  const id = idOrName(fields) ?? '';
  return isExact(outline, id) ? [`tool:${id}`] : [`tool:${id}`, 'opens'];
}

/** The activity of the execution that an event is about; null when it names neither id nor tool. */
export function openTool({ fields, at }: FoldEvent, fold: MessageFold): ToolActivityFields | null {
  const id = idOrName(fields);
  if (id === null) return null;
  return openActivity(fold.outline, id, readText(fields, 'tool_name') ?? '', at);
}

/** A row of one execution; `read` gives the fields that change. A tool that reports any end waits for the person no more (R10). */
function createToolRow(
  read: (
    event: FoldEvent,
    tool: ToolActivityFields,
    fold: MessageFold,
  ) => Partial<ToolActivityFields>,
): EventRow {
  return {
    lanes: toolLanes,
    reduce: (event, fold) => {
      const tool = openTool(event, fold);
      if (!tool) return;
      const set = read(event, tool, fold);
      fold.outline.set(keyOfTool(tool.toolId), set);
      if ('endedAt' in set) endPhases(fold, tool.toolId, event.at, set.state);
      const reports = [set.phase, set.status].map(endOf);
      if ('endedAt' in set || reports.some(Boolean)) closeRequests(fold, tool.toolId);
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

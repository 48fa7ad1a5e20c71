import type { Json } from '../../../../model/json.js';
import type { ToolActivityFields } from '../../../../model/part.js';
import { asFields, readId, readText, toJson, type Fields } from '../../wire/fields.js';
import type { EventRow, Lane } from '../event-row.js';
import type { FoldEvent } from '../fold-event.js';
import type { MessageFold } from '../message-fold.js';
import { keyOfTool } from '../tool-book.js';

/** What an execution reports: phase, status, data. */
export const toolUpdateRow: EventRow = {
  lanes: toolLanes,
  isAppend: isKnownTool,
  reduce: (event, fold) => {
    const tool = openTool(event, fold);
    if (!tool) return;
    const data = asFields(event.fields['data']) ?? {};
    const status = readText(data, 'status');
    const failed = status !== null && FAILED.has(status.toLowerCase());
    fold.setTool(tool.toolId, {
      phase: readText(data, 'phase') ?? tool.phase,
      status: status ?? tool.status,
      message: readText(data, 'message') ?? readText(data, 'query') ?? tool.message,
      data: toJson(data),
      subSession: readSubSession(data) ?? tool.subSession,
      ...(failed ? readFailure(data, event.at) : {}),
    });
  },
};

/** Output that an execution streams: a growing text by its name. */
export const toolPartialRow: EventRow = {
  lanes: toolLanes,
  isAppend: isKnownTool,
  reduce: (event, fold) => {
    const tool = openTool(event, fold);
    const data = asFields(event.fields['data']) ?? event.fields;
    if (!tool) return;
    const subSession = readSubSession(data);
    if (subSession !== null) fold.setTool(tool.toolId, { subSession });
    const outputKey = readText(data, 'output_key') ?? 'output';
    const text = readOutput(data, outputKey);
    if (text === '' || !fold.hasRoomFor(text.length)) return;
    const parent = keyOfTool(tool.toolId);
    const key = `${parent}/${outputKey}`;
    if (!fold.outline.get(key))
      fold.outline.put(key, parent, { kind: 'output-activity', outputKey });
    fold.outline.append(key, text);
  },
};

/** An execution is over. Without an id it says nothing about this message. */
export const toolEndRow: EventRow = {
  lanes: toolLanes,
  isAppend: isKnownTool,
  reduce: (event, fold) => {
    if (toolIdOf(event.fields) === null) return;
    const tool = openTool(event, fold);
    if (!tool) return;
    const { fields } = event;
    const status = readText(fields, 'status') ?? 'completed';
    const failed = FAILED.has(status.toLowerCase());
    const outputs = asFields(fields['outputs']) ?? fields;
    fold.setTool(tool.toolId, {
      status,
      data: toJson(outputs),
      endedAt: event.at,
      ...(failed ? readFailure(fields, event.at) : endState(tool)),
    });
    closeRequest(tool.toolId, fold);
  },
};

/** An execution failed. */
export function failTool(event: FoldEvent, fold: MessageFold): void {
  const tool = openTool(event, fold);
  if (!tool) return;
  fold.setTool(tool.toolId, { status: 'failed', ...readFailure(event.fields, event.at) });
  closeRequest(tool.toolId, fold);
}

/** The id of the execution that an event is about. */
export function toolIdOf(fields: Fields): string | null {
  return readId(fields, 'tool_execution_id') ?? readId(fields, 'execution_id');
}

/** The execution's lane; that of its name when it has no id. */
export function toolLanes({ fields }: FoldEvent): readonly Lane[] {
  return [`tool:${idOrName(fields) ?? ''}`];
}

/** The activity of the execution that an event is about; null when it names neither id nor tool. */
export function openTool({ fields, at }: FoldEvent, fold: MessageFold): ToolActivityFields | null {
  const id = idOrName(fields);
  if (id === null) return null;
  return fold.tools.activity(id, readText(fields, 'tool_name') ?? '', at);
}

const FAILED: ReadonlySet<string> = new Set(['failed', 'error', 'failure']);

function idOrName(fields: Fields): string | null {
  const name = readText(fields, 'tool_name');
  return toolIdOf(fields) ?? (name ? `/${name}` : null);
}

function isKnownTool({ fields }: FoldEvent, fold: MessageFold): boolean {
  const id = idOrName(fields);
  return id === null || fold.tools.isExact(id);
}

function endState(tool: ToolActivityFields): Partial<ToolActivityFields> {
  return tool.state === 'failed' ? {} : { state: 'done' };
}

function readFailure(fields: Fields, at: number | null): Partial<ToolActivityFields> {
  const reason =
    readText(fields, 'error') ?? readText(fields, 'message') ?? readText(fields, 'reason') ?? '';
  return { state: 'failed', reason, endedAt: at };
}

/** A sub-agent names its session at one of several places. */
function readSubSession(data: Fields): string | null {
  const inner = asFields(data['data']);
  return readId(data, 'sub_session_id') ?? (inner ? readId(inner, 'sub_session_id') : null);
}

function readOutput(data: Fields, outputKey: string): string {
  const inner = asFields(data['data']);
  const found: Json = toJson(
    readText(data, 'content') ?? own(data, outputKey) ?? (inner ? own(inner, outputKey) : null),
  );
  return typeof found === 'string' ? found : '';
}

/** The name comes from the network. */
function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : null;
}

function closeRequest(toolId: string, fold: MessageFold): void {
  const request = fold.requests.armedFor(toolId);
  if (request === null) return;
  fold.requests.close(request);
  fold.updateWaiting();
}

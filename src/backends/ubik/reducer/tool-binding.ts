import type { Key } from '../../../model/json.js';
import { ACTIVITY, type FieldsOf, type ToolActivityFields } from '../../../model/part.js';
import type { MessageBuilder } from './message-builder.js';

/*
 * Binds executions, which are reported by events, to tool parts in the content (UBIK 5.1): to the part with the same id, else to the oldest
 * running, unbound part with the same name. After the content was replaced, parts that have ended are considered, too. The execution or the
 * part may come first. The binding is the field `part` of the execution's activity.
 */

/** Returns the id of a tool in its activity: that of its execution; without one, `/` and the tool's name. */
export function toToolId(executionId: string | null, toolName: string | null): string {
  return executionId ?? `/${toolName ?? ''}`;
}

/** Returns the key of an execution's activity. */
export function getToolKey(toolId: string): Key {
  return `@tool:${toolId}`;
}

/** Returns the activity of an execution; adds it when it is new. */
export function openToolActivity(
  builder: MessageBuilder,
  toolId: string,
  name: string,
  time: number | null,
): ToolActivityFields {
  const key = getToolKey(toolId);
  const known = builder.get(key, 'tool-activity');
  if (known) return known;
  const fields: ToolActivityFields = {
    kind: 'tool-activity',
    toolId,
    name,
    part: null,
    phase: '',
    status: '',
    message: '',
    data: null,
    state: 'running',
    reason: '',
    startedAt: time,
    endedAt: null,
    subSession: null,
  };
  builder.put(key, ACTIVITY, fields);
  bind(builder, key, findToolPart(builder, toolId, name, true));
  return fields;
}

/** Binds a tool part that was added: to the execution with its id, else to the oldest execution of its name that has no part. */
export function bindToolPart(
  builder: MessageBuilder,
  toolPart: Key,
  { toolId, name }: FieldsOf<'tool'>,
): void {
  const key = getToolKey(toolId);
  const unbound = builder
    .list('tool-activity')
    .find(([, tool]) => tool.part === null && tool.name === name && name !== '');
  const execution = toolId !== '' && builder.has(key) ? key : unbound?.[0];
  if (execution !== undefined) bind(builder, execution, toolPart);
}

/** After the content was replaced, binds the executions without a part, including those whose part was removed, to the new parts. */
export function rebindTools(builder: MessageBuilder): void {
  const lost = builder.list('tool-activity').filter(([, { part }]) => !builder.get(part, 'tool'));
  for (const [key] of lost) builder.set(key, { part: null });
  for (const [key, { toolId, name }] of lost) {
    bind(builder, key, findToolPart(builder, toolId, name, false));
  }
}

/** Returns the key of the activity of the execution that is bound to a tool part; null when there is none. */
export function findExecutionOf(builder: MessageBuilder, toolPart: Key | null): Key | null {
  if (toolPart === null) return null;
  return builder.list('tool-activity').find(([, { part }]) => part === toolPart)?.[0] ?? null;
}

/** Whether the part of an execution has a result or an end. */
export function isToolFinished(builder: MessageBuilder, toolId: string): boolean {
  const activity = builder.get(getToolKey(toolId), 'tool-activity');
  const toolPart = builder.get(activity?.part ?? null, 'tool');
  return toolPart !== undefined && (toolPart.state === 'done' || toolPart.result !== null);
}

/** Whether an execution is bound to a part with the same id. */
export function isBoundById(builder: MessageBuilder, toolId: string): boolean {
  const activity = builder.get(getToolKey(toolId), 'tool-activity');
  return builder.get(activity?.part ?? null, 'tool')?.toolId === toolId;
}

/**
 * Binds an execution to a tool part, or to none (null). The execution that was bound to the part loses it, because an id takes precedence
 * over a name.
 */
function bind(builder: MessageBuilder, execution: Key, toolPart: Key | null): void {
  const other = findExecutionOf(builder, toolPart);
  if (other !== null) builder.set(other, { part: null });
  builder.set(execution, { part: toolPart });
}

function findToolPart(
  builder: MessageBuilder,
  toolId: string,
  name: string,
  onlyRunning: boolean,
): Key | null {
  const toolParts = builder.list('tool');
  const bound = new Set(builder.list('tool-activity').map(([, { part }]) => part));
  const found =
    toolParts.find(([, toolPart]) => toolId !== '' && toolPart.toolId === toolId) ??
    toolParts.find(
      ([key, toolPart]) =>
        name !== '' &&
        toolPart.name === name &&
        (toolPart.state === 'running' || !onlyRunning) &&
        !bound.has(key),
    );
  return found?.[0] ?? null;
}

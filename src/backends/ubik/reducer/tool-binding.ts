import type { Key } from '../../../model/json.js';
import { ACTIVITY, type FieldsOf, type ToolActivityFields } from '../../../model/part.js';
import type { MessageDraft } from './message-draft.js';

/*
 * Binds executions, which are reported by events, to tool parts in the content: by the same id, else to the oldest running, unbound part
 * with the same name (UBIK 5.1). Either of them may come first. The field `part` of the execution's activity is the binding.
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
  draft: MessageDraft,
  toolId: string,
  name: string,
  time: number | null,
): ToolActivityFields {
  const key = getToolKey(toolId);
  const known = draft.get(key, 'tool-activity');
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
  draft.put(key, ACTIVITY, fields);
  bind(draft, key, findToolPart(draft, toolId, name, true));
  return fields;
}

/** Binds a tool part that was added: to the execution with its id, else to the oldest execution of its name that has no part. */
export function bindToolPart(
  draft: MessageDraft,
  toolPart: Key,
  { toolId, name }: FieldsOf<'tool'>,
): void {
  const key = getToolKey(toolId);
  const unbound = draft
    .list('tool-activity')
    .find(([, tool]) => tool.part === null && tool.name === name && name !== '');
  const execution = toolId !== '' && draft.has(key) ? key : unbound?.[0];
  if (execution !== undefined) bind(draft, execution, toolPart);
}

/** After the content was replaced, binds the executions whose parts were removed to other parts. */
export function rebindTools(draft: MessageDraft): void {
  const lost = draft.list('tool-activity').filter(([, { part }]) => !draft.get(part, 'tool'));
  for (const [key] of lost) draft.set(key, { part: null });
  for (const [key, { toolId, name }] of lost) {
    bind(draft, key, findToolPart(draft, toolId, name, false));
  }
}

/** Returns the key of the activity of the execution that is bound to a tool part; null when there is none. */
export function findExecutionOf(draft: MessageDraft, toolPart: Key | null): Key | null {
  if (toolPart === null) return null;
  return draft.list('tool-activity').find(([, { part }]) => part === toolPart)?.[0] ?? null;
}

/** Whether the part of an execution has a result or an end. */
export function isToolFinished(draft: MessageDraft, toolId: string): boolean {
  const activity = draft.get(getToolKey(toolId), 'tool-activity');
  const toolPart = draft.get(activity?.part ?? null, 'tool');
  return toolPart !== undefined && (toolPart.state === 'done' || toolPart.result !== null);
}

/** Whether an execution is bound to a part with the same id. */
export function isBoundById(draft: MessageDraft, toolId: string): boolean {
  const activity = draft.get(getToolKey(toolId), 'tool-activity');
  return draft.get(activity?.part ?? null, 'tool')?.toolId === toolId;
}

/**
 * Binds an execution to a tool part, or to none (null). The execution that was bound to the part loses it, because an id takes precedence
 * over a name.
 */
function bind(draft: MessageDraft, execution: Key, toolPart: Key | null): void {
  const other = findExecutionOf(draft, toolPart);
  if (other !== null) draft.set(other, { part: null });
  draft.set(execution, { part: toolPart });
}

function findToolPart(
  draft: MessageDraft,
  toolId: string,
  name: string,
  onlyRunning: boolean,
): Key | null {
  const toolParts = draft.list('tool');
  const bound = new Set(draft.list('tool-activity').map(([, { part }]) => part));
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

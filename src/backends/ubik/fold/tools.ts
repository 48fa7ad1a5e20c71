import type { Key } from '../../../model/json.js';
import { ACTIVITY, type ToolActivityFields } from '../../../model/part.js';
import type { FieldsOf, Outline } from './outline.js';

/*
 * Which events belong to which card (a tool part in the content): by the same id, else to the oldest running card of that name which
 * has none yet. Whatever comes first, events or card, the other finds it. The binding is the `part` of the execution's activity.
 */

/** Key of the activity of one execution. */
export function keyOfTool(toolId: string): Key {
  return `@tool:${toolId}`;
}

/** The activity of an execution, opened when it is new. */
export function openActivity(
  outline: Outline,
  toolId: string,
  name: string,
  at: number | null,
): ToolActivityFields {
  const key = keyOfTool(toolId);
  const known = outline.read(key, 'tool-activity');
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
    startedAt: at,
    endedAt: null,
    subSession: null,
  };
  outline.put(key, ACTIVITY, fields);
  bind(outline, key, findCard(outline, toolId, name, true));
  return fields;
}

/** A card was opened in the content: an execution that waits for it gets it. */
export function bindCard(outline: Outline, card: Key, { toolId, name }: FieldsOf<'tool'>): void {
  const key = keyOfTool(toolId);
  const waiting = outline
    .list('tool-activity')
    .find(([, tool]) => tool.part === null && tool.name === name && name !== '');
  const execution = toolId !== '' && outline.has(key) ? key : waiting?.[0];
  if (execution !== undefined) bind(outline, execution, card);
}

/** The content was replaced: executions whose card is gone look for another one. */
export function rebindTools(outline: Outline): void {
  const lost = outline.list('tool-activity').filter(([, { part }]) => !outline.read(part, 'tool'));
  for (const [key] of lost) outline.set(key, { part: null });
  for (const [key, { toolId, name }] of lost) {
    bind(outline, key, findCard(outline, toolId, name, false));
  }
}

/** Key of the activity of the execution that a card belongs to. */
export function executionOf(outline: Outline, card: Key | null): Key | null {
  if (card === null) return null;
  return outline.list('tool-activity').find(([, { part }]) => part === card)?.[0] ?? null;
}

/** Whether the card of an execution shows that it is over: by its result or by its end. */
export function hasResult(outline: Outline, toolId: string | null): boolean {
  if (toolId === null) return false;
  const activity = outline.read(keyOfTool(toolId), 'tool-activity');
  const card = outline.read(activity?.part ?? null, 'tool');
  return card !== undefined && (card.state === 'done' || card.result !== null);
}

/** Whether events told of an execution, and its card has the same id. */
export function isExact(outline: Outline, toolId: string): boolean {
  const activity = outline.read(keyOfTool(toolId), 'tool-activity');
  return outline.read(activity?.part ?? null, 'tool')?.toolId === toolId;
}

/** The same id wins over a binding by name. */
function bind(outline: Outline, execution: Key, card: Key | null): void {
  const other = executionOf(outline, card);
  if (other !== null) outline.set(other, { part: null });
  outline.set(execution, { part: card });
}

function findCard(
  outline: Outline,
  toolId: string,
  name: string,
  onlyRunning: boolean,
): Key | null {
  const cards = outline.list('tool');
  const bound = new Set(outline.list('tool-activity').map(([, { part }]) => part));
  const found =
    cards.find(([, card]) => toolId !== '' && card.toolId === toolId) ??
    cards.find(
      ([key, card]) =>
        name !== '' &&
        card.name === name &&
        (card.state === 'running' || !onlyRunning) &&
        !bound.has(key),
    );
  return found?.[0] ?? null;
}

/** Tags that mark a construct the service makes itself: in live use they come as events. */
export type StructuralKind =
  | 'step-start'
  | 'step-end'
  | 'single-step'
  | 'checkpoint-start'
  | 'checkpoint-end'
  | 'request-start'
  | 'request-end'
  | 'answer-start'
  | 'answer-end'
  | 'error-start'
  | 'error-end'
  | 'details-start'
  | 'details-end';

/** Tags of the text's own flow: tools and thoughts, live and stored. */
export type FlowKind =
  | 'thinking'
  | 'thinking-end'
  | 'tool-start'
  | 'tool-end'
  | 'input-start'
  | 'input-end'
  | 'result-start'
  | 'result-end'
  | 'event-start'
  | 'event-end';

/** What a tag says. */
export type TagKind = StructuralKind | FlowKind;

/** A complete tag. */
export interface Tag {
  readonly kind: TagKind;
  /** As it was written. */
  readonly raw: string;
  /** What stands behind the slash of a tool's start or end; empty for other tags. */
  readonly label: string;
}

/** Tags of one fixed spelling, by what follows their `<<`. */
export const FIXED_TAGS: readonly (readonly [string, TagKind])[] = [
  ['STEP_START>>', 'step-start'],
  ['STEP_END>>', 'step-end'],
  ['SINGLE_STEP_FLAG>>', 'single-step'],
  ['CHECKPOINT_START>>', 'checkpoint-start'],
  ['CHECKPOINT_END>>', 'checkpoint-end'],
  ['INPUT_REQUIRED_START>>', 'request-start'],
  ['INPUT_REQUIRED_END>>', 'request-end'],
  ['USER_INPUT_PROVIDED_START>>', 'answer-start'],
  ['USER_INPUT_PROVIDED_END>>', 'answer-end'],
  ['ERROR_START>>', 'error-start'],
  ['ERROR_END>>', 'error-end'],
  ['ERROR_JSON_START>>', 'details-start'],
  ['ERROR_JSON_END>>', 'details-end'],
  ['TOOL_STEP_INPUT_START>>', 'input-start'],
  ['TOOL_STEP_INPUT_END>>', 'input-end'],
  ['TOOL_STEP_RESULT_START>>', 'result-start'],
  ['TOOL_STEP_RESULT_END>>', 'result-end'],
  ['thinking>>', 'thinking'],
  ['/thinking>>', 'thinking-end'],
];

/** Tags that go on with text of their own up to `>>`, by what follows their `<<`. */
export const OPEN_TAGS: readonly (readonly [string, TagKind])[] = [
  ['TOOL_STEP_START/', 'tool-start'],
  ['TOOL_STEP_END/', 'tool-end'],
  ['TOOL_EVENT_START', 'event-start'],
  ['TOOL_EVENT_END', 'event-end'],
];

const FLOW: ReadonlySet<TagKind> = new Set<FlowKind>([
  'thinking',
  'thinking-end',
  'tool-start',
  'tool-end',
  'input-start',
  'input-end',
  'result-start',
  'result-end',
  'event-start',
  'event-end',
]);

/** Whether a tag is one that the service makes (rule 2 of `ubik.md` 7.3), not one of the text's own flow. */
export function isStructural(kind: TagKind): kind is StructuralKind {
  return !FLOW.has(kind);
}

/** Name and id of a tool: split at the last colon, for names may hold colons; without one, all is name. */
export function splitLabel(label: string): { readonly name: string; readonly toolId: string } {
  const colon = label.lastIndexOf(':');
  if (colon < 0) return { name: label, toolId: '' };
  return { name: label.slice(0, colon), toolId: label.slice(colon + 1) };
}

/** The label that {@link splitLabel} splits into this name and id. */
export function joinLabel(name: string, toolId: string): string {
  return toolId === '' && !name.includes(':') ? name : `${name}:${toolId}`;
}

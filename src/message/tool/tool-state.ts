import type { Locale, StringName } from '../../locales/locale.js';
import type { Message } from '../../model/message.js';
import {
  ACTIVITY,
  isToolOpen,
  type FieldsOf,
  type PartOf,
  type ToolState,
} from '../../model/part.js';
import { phaseLabel } from './tool-text.js';

/** The strings for the states of a tool call and of its phases. */
export const TOOL_STATE_STRINGS: Readonly<Record<ToolState, StringName>> = {
  running: 'toolRunning',
  waiting: 'toolWaiting',
  done: 'toolDone',
  failed: 'toolFailed',
  skipped: 'toolSkipped',
  cancelled: 'toolCancelled',
  incomplete: 'toolIncomplete',
};

/** The state in which a tool call is shown. */
export interface ShownToolState {
  readonly state: ToolState;
  /** Why it has failed or was cancelled; empty when unknown, and in other states. */
  readonly reason: string;
}

/**
 * Returns the state in which a tool call is shown: that of its part, unless its activity reports an end other than `done`. While both are
 * open, the activity decides whether the call is running or waiting. A result that reports an error is a failure, unless the call was skipped
 * or cancelled. A call that is open or incomplete when its message ends was cancelled if the message was stopped, otherwise it is incomplete.
 * `error` is the error in the result; null if it reports none.
 */
export function resolveToolState(
  { state: own }: FieldsOf<'tool' | 'tool-activity'>,
  activity: FieldsOf<'tool-activity'> | undefined,
  error: string | null,
  status: Message['status'],
): ShownToolState {
  const reported = activity?.state ?? own;
  const isOwn = reported === 'done' || (isToolOpen(reported) && !isToolOpen(own));
  const known = isOwn ? own : reported;
  const isFailed = error !== null && known !== 'skipped' && known !== 'cancelled';
  const state = isFailed ? 'failed' : endOpenCall(known, status);
  if (state !== 'failed' && state !== 'cancelled') return { state, reason: '' };
  return { state, reason: (activity?.state === state && activity.reason) || (error ?? '') };
}

/** Ends a call that is open or incomplete when its message has ended: it is cancelled if the message was stopped, else incomplete. */
function endOpenCall(state: ToolState, status: Message['status']): ToolState {
  const isLive = status === 'streaming' || status === 'waiting';
  if (isLive || !(isToolOpen(state) || state === 'incomplete')) return state;
  return status === 'stopped' ? 'cancelled' : 'incomplete';
}

/** Returns what a running call is doing, or why it has failed or was cancelled; empty when unknown. */
export function describeToolState(
  { state, reason }: ShownToolState,
  activity: FieldsOf<'tool-activity'> | undefined,
  locale: Locale,
): string {
  if (state !== 'running') return reason;
  return activity?.message || phaseLabel(activity?.phase ?? '', locale);
}

/** Returns the activity of a tool part; undefined if the message has none. Takes time proportional to the number of activities. */
export function findToolActivity(
  { parts }: Message,
  tool: PartOf<'tool'>,
): PartOf<'tool-activity'> | undefined {
  for (const key of parts.children(ACTIVITY)) {
    const part = parts.get(key);
    if (part?.kind === 'tool-activity' && part.part === tool.key) return part;
  }
  return undefined;
}

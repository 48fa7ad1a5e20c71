import type { RunState } from '../../../src/model/thread.js';
import type { Tab } from './tab.js';

/** An action and its outcome. */
export interface ActionRecord {
  readonly action: string;
  readonly tab: Tab;
  /** The number of tabs that showed its thread when it started, including its own. */
  readonly openTabs: number;
  /** The state of its thread's run when it started. */
  readonly state: RunState;
  /** Actions that were pending when it started. */
  readonly pendingActions: readonly ActionRecord[];
  /** The number of failures of the tab's network before it started. */
  readonly failureCount: number;
  /** The number of requests of the tab before it started. */
  readonly requestCount: number;
  /** The text of the user, which is unique; null for none. */
  readonly text: string | null;
  /** Id of its thread, which may have been pending when it started; null for none, or for one that it creates. */
  readonly threadId: string | null;
  /** Its position in the order of all starts and ends. */
  readonly startTurn: number;
  /** The position of its end; Infinity while it is pending. */
  endTurn: number;
  /** Tabs in which a run of its thread was active when it started or ended. */
  readonly activeTabs: Set<Tab>;
  /** `open` while it is pending. */
  outcome: 'open' | 'done' | { readonly code: string; readonly message: string };
}

/** States of a run that does not change without an action. */
export const IDLE_STATES: readonly RunState[] = [
  'idle',
  'complete',
  'waiting',
  'stopped',
  'failed',
  'interrupted',
];

/** Records in which tabs a run of the action's thread is active now. */
export function recordActiveTabs(record: ActionRecord, tabs: readonly Tab[]): void {
  for (const tab of tabs) {
    const { thread } = tab.controller;
    for (const [key, { id, state }] of tab.runStatuses) {
      const isOfThread =
        id === null ? tab === record.tab && key === thread?.key : id === record.threadId;
      if (isOfThread && !IDLE_STATES.includes(state)) record.activeTabs.add(tab);
    }
  }
}

/** Whether two actions were pending at the same time. */
export function overlap(one: ActionRecord, other: ActionRecord): boolean {
  return one !== other && one.startTurn < other.endTurn && other.startTurn < one.endTurn;
}

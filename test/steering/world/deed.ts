import type { RunState } from '../../../src/model/thread.js';
import type { Tab } from './tab.js';

/** What became of an act. */
export interface Deed {
  readonly act: string;
  readonly tab: Tab;
  /** Tabs in which its thread was open when it began, its own included. */
  readonly watchers: number;
  /** How its thread's run stood when it began. */
  readonly state: RunState;
  /** Others that were not done when it began. */
  readonly others: readonly Deed[];
  /** How often the tab's network had broken when it began. */
  readonly breaks: number;
  /** How many requests the tab had made when it began. */
  readonly sent: number;
  /** What the person wrote, which nobody else writes. */
  readonly text: string | null;
  /** The thread that it is about, which may have been on its way to the service; null for none, or for one that it makes. */
  readonly threadId: string | null;
  /** Its turn among all that began or ended. */
  readonly began: number;
  /** The same for its end; endless while it is open. */
  ended: number;
  /** Tabs in which a run of its thread was at work when it began, or when it ended. */
  readonly atWork: Set<Tab>;
  outcome: 'open' | 'done' | { readonly code: string; readonly message: string };
}

/** States of a run in which nothing happens by itself. */
export const AT_REST: readonly RunState[] = [
  'idle',
  'complete',
  'waiting',
  'stopped',
  'failed',
  'interrupted',
];

/** Notes in which tabs a run of an act's thread is at work now. */
export function noteWork(deed: Deed, tabs: readonly Tab[]): void {
  for (const tab of tabs) {
    const { thread } = tab.controller;
    for (const [key, { id, state }] of tab.standings) {
      const isMeant = id === null ? tab === deed.tab && key === thread?.key : id === deed.threadId;
      if (isMeant && !AT_REST.includes(state)) deed.atWork.add(tab);
    }
  }
}

/** Whether two acts were under way at the same time. */
export function overlap(one: Deed, other: Deed): boolean {
  return one !== other && one.began < other.ended && other.began < one.ended;
}

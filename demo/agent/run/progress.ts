import type { Json } from '../json.js';

/** One thing that the agent is going to do. */
export interface PlanStep {
  /** Which skill does it. */
  readonly skill: string;
  /** What it does, in words for the person. */
  readonly title: string;
  /** What the skill needs to know. */
  readonly args: { readonly [name: string]: Json };
  /** Done in the open text, without the frame of a step. */
  readonly plain?: boolean;
}

/** How far a run is: all that is needed to go on from here, also in another process. */
export interface Progress {
  /** What the person asked. */
  question: string;
  /** Whether the whole run is one act without the frame of several steps. */
  single: boolean;
  steps: PlanStep[];
  /** The next step to do. */
  cursor: number;
  /** What the steps have found out so far. */
  memory: { [name: string]: Json };
  /** What the person added when going back to a checkpoint. */
  hint: string | null;
  /** The checkpoint that this run began at. */
  restoredFrom: string | null;
}

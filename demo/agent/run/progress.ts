import type { Json } from '../json.js';

/** One step of a plan. */
export interface PlanStep {
  /** Name of the skill. */
  readonly skill: string;
  /** Title that is shown to the user. */
  readonly title: string;
  /** Arguments of the skill. */
  readonly args: { readonly [name: string]: Json };
  /** Whether the step writes into the text of the answer, without the events of a step. */
  readonly withoutHeader?: boolean;
}

/** Progress of a run: everything that is needed to resume it, also in another process. */
export interface Progress {
  /** The user's question. */
  question: string;
  /**
   * Whether the run is reported as that of a single-step agent (`single_step_agent`): clients show its step without a header, and it has no
   * checkpoint.
   */
  single: boolean;
  steps: PlanStep[];
  /** Index of the step that is being executed, or comes next. */
  cursor: number;
  /** Results of the steps so far. */
  memory: { [name: string]: Json };
  /** The user's hint for a restored checkpoint. */
  hint: string | null;
  /** Name of the restored checkpoint; null for a new answer. */
  restoredFrom: string | null;
}

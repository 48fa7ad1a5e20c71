import type { Database } from '../store/database.js';
import type { PlanStep } from './progress.js';
import type { LiveRun, ToolAnswer } from './live-run.js';
import type { ToolCaller } from './tool-caller.js';

/** What a skill works with. */
export interface Work {
  readonly run: LiveRun;
  /** The step that is being done. */
  readonly step: PlanStep;
  readonly tools: ToolCaller;
  readonly database: Database;
}

/** Something that the agent can do as one step of a plan. */
export interface Skill {
  /** Does it. Throws `NeedsInput` to ask the person, `RunFailure` to end the run. */
  run(work: Work): Promise<void>;
  /**
   * Goes on after a person has answered a tool that an earlier life of the server had asked for. Only skills that call
   * such a tool have it.
   */
  resume?(work: Work, executionId: string, answer: ToolAnswer): Promise<void>;
}

import type { Database } from '../store/database.js';
import type { PlanStep } from './progress.js';
import type { ToolAnswer } from '../store/executions.js';
import type { LiveRun } from './live-run.js';
import type { ToolCaller } from './tool-caller.js';

/** Arguments of a skill: the run, its current step, and dependencies. */
export interface SkillContext {
  readonly run: LiveRun;
  /** The current step. */
  readonly step: PlanStep;
  readonly tools: ToolCaller;
  readonly database: Database;
}

/** Executes one kind of plan step. */
export interface Skill {
  /** Executes the step. Throws `InputRequiredError` to request input, `RunError` to fail the run. */
  run(work: SkillContext): Promise<void>;
  /**
   * Resumes the step after the user has answered a tool that was called before a restart. Only skills whose tools
   * request input implement it.
   */
  resume?(work: SkillContext, executionId: string, answer: ToolAnswer): Promise<void>;
}

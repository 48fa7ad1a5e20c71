import type { ToolAnswer } from '../store/executions.js';
import { findTask, saveProgress, setTaskState } from '../store/tasks.js';
import { createCheckpoint } from './create-checkpoint.js';
import type { RunContext } from './run-context.js';
import { failTask, finishTask, storeAnswer } from './finish.js';
import type { LiveRun } from './live-run.js';
import type { PlanStep } from './progress.js';
import { EXPIRED, closeQuestion } from './close-question.js';
import {
  ServerClosedError,
  InputRequiredError,
  RunError,
  RunStoppedError,
  ToolError,
} from './run-errors.js';
import type { Skill, SkillContext } from './skill.js';
import { ToolCaller } from './tool-caller.js';

/** The answer to the request of a tool that was called before the server was restarted. */
export interface ResumedTool {
  readonly executionId: string;
  readonly answer: ToolAnswer;
}

/** Runs the remaining steps of a run until it ends, waits for a message, or the server closes. Never rejects. */
export async function executeRun(
  context: RunContext,
  run: LiveRun,
  resumed: ResumedTool | null,
): Promise<void> {
  try {
    if (resumed === null) await begin(context, run);
    else await resume(context, run, resumed);
    while (run.progress.cursor < run.progress.steps.length) await runNextStep(context, run);
    await context.pausePoints.reach(run.owner, 'end');
    finishTask(context, run, 'complete');
  } catch (error) {
    try {
      endEarly(context, run, error);
    } catch (second) {
      // Storing the failure failed, too, for example because the disk is full.
      context.onError(second);
      run.log.discard();
    }
  }
}

async function begin(context: RunContext, run: LiveRun): Promise<void> {
  await context.pausePoints.reach(run.owner, 'start');
  const task = { task_id: run.task.id };
  run.emit('agent_processing_started', task);
  await run.pause(120);
  // The id of the message is not known yet, which the service writes as Python's `None`.
  run.emit('response_stream_start', { message_id: 'None', ...task });
  if (run.blocks.length > 0) emitContent(run);
}

/** Emits the current content, with the parent of the message. */
function emitContent(run: LiveRun): void {
  run.emit('agent_response_update', {
    message_id: run.task.message_id,
    content: run.content,
    parent_id: run.task.user_message_id,
  });
}

async function runNextStep(context: RunContext, run: LiveRun): Promise<void> {
  const step = currentStep(run);
  const work = createSkillContext(context, run, step);
  if (step.withoutHeader === true) {
    await skillOf(context, step).run(work);
    run.progress.cursor += 1;
    return;
  }
  run.step = run.blocks.filter((block) => block.kind === 'step').length + 1;
  run.emit('agent_step_started', {
    step: run.step,
    description: step.title,
    single_step_agent: run.progress.single,
  });
  await context.pausePoints.reach(run.owner, 'step');
  await runStepAction(context, run, () => skillOf(context, step).run(work));
}

async function resume(context: RunContext, run: LiveRun, resumed: ResumedTool): Promise<void> {
  const step = currentStep(run);
  const open = run.blocks.findLast((block) => block.kind === 'step' && !block.completed);
  run.step = open?.kind === 'step' ? open.step : null;
  setTaskState(context.database, run.task.id, 'running');
  const skill = skillOf(context, step);
  await runStepAction(context, run, async () => {
    await skill.resume?.(
      createSkillContext(context, run, step),
      resumed.executionId,
      resumed.answer,
    );
  });
}

/** Runs the action of an open step and closes the step, also if the action ends in an input request. */
async function runStepAction(
  context: RunContext,
  run: LiveRun,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof InputRequiredError) closeStep(run);
    throw error;
  }
  const step = run.step;
  const title = currentStep(run).title;
  closeStep(run);
  run.progress.cursor += 1;
  const total = run.progress.steps.filter((each) => each.withoutHeader !== true).length;
  run.emit('agent_progress', {
    step,
    total_steps: Math.max(total, step ?? 1),
    description: `Completed step ${String(step)}: ${title}`,
    progress: Math.min(100, Math.round(((step ?? 1) / Math.max(total, 1)) * 1000) / 10),
  });
  if (run.progress.single) return;
  createCheckpoint(context, run, title);
  if (step === 1) emitContent(run);
  saveProgress(context.database, run.task.id, run.progress);
  await run.pause(80);
}

function closeStep(run: LiveRun): void {
  if (run.step === null) return;
  run.emit('agent_step_completed', {
    step: run.step,
    progress: 100,
    completed: true,
    results: { found: Object.keys(run.progress.memory) },
  });
  run.step = null;
}

function endEarly(context: RunContext, run: LiveRun, error: unknown): void {
  if (error instanceof ServerClosedError || context.closed || run.isDiscarded) return;
  if (error instanceof RunStoppedError) {
    finishTask(context, run, 'stopped');
  } else if (error instanceof InputRequiredError) {
    waitForInput(context, run, error);
  } else {
    failTask(context, run, describeFailure(context, error));
  }
}

function describeFailure(
  context: RunContext,
  error: unknown,
): { error: string; traceback: string } {
  if (error instanceof RunError || error instanceof ToolError) {
    return { error: error.message, traceback: `${error.constructor.name}: ${error.message}` };
  }
  context.onError(error);
  // The message and stack of an unexpected error are not sent, because they may contain paths of this machine.
  return { error: 'Something unexpected went wrong.', traceback: 'InternalError' };
}

function waitForInput(context: RunContext, run: LiveRun, need: InputRequiredError): void {
  context.database.transaction(() => {
    const name = createCheckpoint(context, run, need.topic, need);
    storeAnswer(context, run);
    saveProgress(context.database, run.task.id, run.progress);
    setTaskState(context.database, run.task.id, 'waiting', name);
  });
  run.log.endWithoutEvent();
  const seconds = need.more['timeout'];
  if (typeof seconds !== 'number') return;
  context.deadlines.set(run.owner, context.clock.now() + seconds * 1e6, () => {
    expireQuestion(context, run.task.id);
  });
}

/** Ends a task whose question was not answered in time. */
export function expireQuestion(context: RunContext, taskId: string): void {
  const task = findTask(context.database, taskId);
  if (task?.state !== 'waiting') return;
  context.database.transaction(() => {
    closeQuestion(context, task, EXPIRED, 'complete');
  });
}

function createSkillContext(context: RunContext, run: LiveRun, step: PlanStep): SkillContext {
  return { run, step, tools: new ToolCaller(context, run), database: context.database };
}

function currentStep(run: LiveRun): PlanStep {
  const step = run.progress.steps[run.progress.cursor];
  if (step === undefined) throw new Error('The plan has no such step.');
  return step;
}

function skillOf(context: RunContext, step: PlanStep): Skill {
  const skill = context.skills.get(step.skill);
  if (skill === undefined) throw new RunError(`The agent does not know how to ${step.skill}.`);
  return skill;
}

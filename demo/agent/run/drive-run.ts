import { findTask, saveProgress, setTaskState } from '../store/tasks.js';
import { makeCheckpoint } from './make-checkpoint.js';
import type { Engine } from './engine.js';
import { failTask, finishTask, storeAnswer } from './finish.js';
import type { LiveRun, ToolAnswer } from './live-run.js';
import type { PlanStep } from './progress.js';
import { EXPIRED, settleQuestion } from './settle-question.js';
import { Closed, NeedsInput, RunFailure, Stopped, ToolFailure } from './signals.js';
import type { Skill, Work } from './skill.js';
import { ToolCaller } from './tool-caller.js';

/** The answer to the request of a tool that was called before the server was restarted. */
export interface ResumedTool {
  readonly executionId: string;
  readonly answer: ToolAnswer;
}

/** Runs the remaining steps of a run and ends it. Never rejects. */
export async function driveRun(
  engine: Engine,
  run: LiveRun,
  resumed: ResumedTool | null,
): Promise<void> {
  try {
    if (resumed === null) await begin(engine, run);
    else await resume(engine, run, resumed);
    while (run.progress.cursor < run.progress.steps.length) await doNextStep(engine, run);
    await engine.gate.pass(run.owner, 'end');
    finishTask(engine, run, 'complete');
  } catch (error) {
    try {
      endEarly(engine, run, error);
    } catch (second) {
      // Storing the failure failed, too, for example because the disk is full.
      engine.onError(second);
      run.log.rest();
    }
  }
}

async function begin(engine: Engine, run: LiveRun): Promise<void> {
  await engine.gate.pass(run.owner, 'start');
  const task = { task_id: run.task.id };
  run.tell('agent_processing_started', task);
  await run.pause(120);
  // The id of the message is not known yet, which the service writes as Python's `None`.
  run.tell('response_stream_start', { message_id: 'None', ...task });
  if (run.blocks.length > 0) tellContent(run);
}

/** Emits the current content, with the parent of the message. */
function tellContent(run: LiveRun): void {
  run.tell('agent_response_update', {
    message_id: run.task.message_id,
    content: run.content,
    parent_id: run.task.user_message_id,
  });
}

async function doNextStep(engine: Engine, run: LiveRun): Promise<void> {
  const step = nextStep(run);
  const work = createWork(engine, run, step);
  if (step.plain === true) {
    await skillOf(engine, step).run(work);
    run.progress.cursor += 1;
    return;
  }
  run.step = run.blocks.filter((block) => block.kind === 'step').length + 1;
  run.tell('agent_step_started', {
    step: run.step,
    description: step.title,
    single_step_agent: run.progress.single,
  });
  await engine.gate.pass(run.owner, 'step');
  await perform(engine, run, () => skillOf(engine, step).run(work));
}

async function resume(engine: Engine, run: LiveRun, resumed: ResumedTool): Promise<void> {
  const step = nextStep(run);
  const open = run.blocks.findLast((block) => block.kind === 'step' && !block.completed);
  run.step = open?.kind === 'step' ? open.step : null;
  setTaskState(engine.database, run.task.id, 'running');
  const skill = skillOf(engine, step);
  await perform(engine, run, async () => {
    await skill.resume?.(createWork(engine, run, step), resumed.executionId, resumed.answer);
  });
}

/** Runs the action of an open step and closes the step, also if the action ends in an input request. */
async function perform(engine: Engine, run: LiveRun, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof NeedsInput) closeStep(run);
    throw error;
  }
  const step = run.step;
  const title = nextStep(run).title;
  closeStep(run);
  run.progress.cursor += 1;
  const total = run.progress.steps.filter((each) => each.plain !== true).length;
  run.tell('agent_progress', {
    step,
    total_steps: Math.max(total, step ?? 1),
    description: `Completed step ${String(step)}: ${title}`,
    progress: Math.min(100, Math.round(((step ?? 1) / Math.max(total, 1)) * 1000) / 10),
  });
  if (run.progress.single) return;
  makeCheckpoint(engine, run, title);
  if (step === 1) tellContent(run);
  saveProgress(engine.database, run.task.id, run.progress);
  await run.pause(80);
}

function closeStep(run: LiveRun): void {
  if (run.step === null) return;
  run.tell('agent_step_completed', {
    step: run.step,
    progress: 100,
    completed: true,
    results: { found: Object.keys(run.progress.memory) },
  });
  run.step = null;
}

function endEarly(engine: Engine, run: LiveRun, error: unknown): void {
  if (error instanceof Closed || engine.closed || run.dropped) return;
  if (error instanceof Stopped) {
    finishTask(engine, run, 'stopped');
  } else if (error instanceof NeedsInput) {
    waitForPerson(engine, run, error);
  } else {
    failTask(engine, run, describeFailure(engine, error));
  }
}

function describeFailure(engine: Engine, error: unknown): { error: string; traceback: string } {
  if (error instanceof RunFailure || error instanceof ToolFailure) {
    return { error: error.message, traceback: `${error.constructor.name}: ${error.message}` };
  }
  engine.onError(error);
  // The message and stack of an unexpected error are not sent, because they may contain paths of this machine.
  return { error: 'Something unexpected went wrong.', traceback: 'InternalError' };
}

function waitForPerson(engine: Engine, run: LiveRun, need: NeedsInput): void {
  engine.database.transaction(() => {
    const name = makeCheckpoint(engine, run, need.topic, need);
    storeAnswer(engine, run);
    saveProgress(engine.database, run.task.id, run.progress);
    setTaskState(engine.database, run.task.id, 'waiting', name);
  });
  run.log.rest();
  const seconds = need.more['timeout'];
  if (typeof seconds !== 'number') return;
  engine.deadlines.set(run.owner, engine.clock.now() + seconds * 1e6, () => {
    expireQuestion(engine, run.task.id);
  });
}

/** Ends a task whose question was not answered in time. */
export function expireQuestion(engine: Engine, taskId: string): void {
  const task = findTask(engine.database, taskId);
  if (task?.state !== 'waiting') return;
  engine.database.transaction(() => {
    settleQuestion(engine, task, EXPIRED, 'complete');
  });
}

function createWork(engine: Engine, run: LiveRun, step: PlanStep): Work {
  return { run, step, tools: new ToolCaller(engine, run), database: engine.database };
}

function nextStep(run: LiveRun): PlanStep {
  const step = run.progress.steps[run.progress.cursor];
  if (step === undefined) throw new Error('The plan has no such step.');
  return step;
}

function skillOf(engine: Engine, step: PlanStep): Skill {
  const skill = engine.skills.get(step.skill);
  if (skill === undefined) throw new RunFailure(`The agent does not know how to ${step.skill}.`);
  return skill;
}

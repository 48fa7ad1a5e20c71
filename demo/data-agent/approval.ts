import { textOf, type Json } from '../agent/json.js';
import { ToolError } from '../agent/run/run-errors.js';
import type { InterruptInfo } from './reply.js';
import type { DataAgentRun } from './run.js';
import { argument, readTable, type SkillSources } from './skills.js';
import { createUlid } from './ulid.js';

/** The tool that reads a whole table, which is costly. */
export const EXPORT_TOOL = 'export_table';

/** Thrown when a tool needs approval; the run ends and a later run continues its answer. */
export class ApprovalRequiredError extends Error {}

/** The decision of a user about a tool that waits for approval. */
export interface ApprovalDecision {
  readonly action: 'confirm' | 'skip';
  /** Changed arguments by name. */
  readonly modified: ReadonlyMap<string, Json>;
}

/** Opens a step of the tool that reads a whole table, and throws `ApprovalRequiredError`. */
export async function requestApproval(run: DataAgentRun, table: string): Promise<never> {
  const step = await run.openSkill(EXPORT_TOOL, [
    argument('table', table),
    argument('max_rows', 200, 'int'),
    argument('options', { header: true }, 'object'),
  ]);
  step.interrupted = true;
  // The run that continues the answer reads the steps from the stored reply, also if the client wants none.
  const middle = run.reply.message.content?.middle_answer;
  if (middle !== undefined) middle.progress = run.steps;
  const info: InterruptInfo = {
    handle: {
      frame_id: createUlid(),
      snapshot_id: createUlid(),
      resume_token: createUlid(),
      interrupt_type: 'tool_interrupt',
      current_block: 0,
      restart_block: false,
    },
    data: {
      tool_name: EXPORT_TOOL,
      tool_description: run.text('Reads a whole table.', '读取整张表。'),
      tool_args: [
        { key: 'table', value: table, type: 'string' },
        { key: 'max_rows', value: 200, type: 'integer' },
        { key: 'options', value: { header: true }, type: 'object' },
      ],
      interrupt_config: {
        requires_confirmation: true,
        confirmation_message: run.text(
          `Read the whole table ${table}?`,
          `是否读取整张表 ${table}？`,
        ),
      },
    },
  };
  if (run.reply.message.ext !== null) run.reply.message.ext.interrupt_info = info;
  throw new ApprovalRequiredError();
}

/**
 * Carries out a decision about the tool that waits, in its step.
 *
 * @returns the name of the table that was read; null when the tool was skipped.
 * @throws {ToolError} when the table cannot be read, or no tool waits.
 */
export async function applyDecision(
  run: DataAgentRun,
  sources: SkillSources,
  decision: ApprovalDecision,
): Promise<string | null> {
  const step = run.steps.findLast((each) => each.skill_info?.name === EXPORT_TOOL);
  const info = step?.skill_info;
  if (step === undefined || info === null || info === undefined) {
    throw new ToolError('No tool waits for approval.');
  }
  step.interrupted = false;
  if (decision.action === 'skip') {
    step.answer = { skipped: true };
    run.close(step, 'skipped');
    await run.frame(30);
    return null;
  }
  info.args = info.args.map((each) => ({
    ...each,
    value: decision.modified.get(each.name) ?? each.value,
  }));
  const valueOf = (name: string): Json =>
    info.args.find((each) => each.name === name)?.value ?? null;
  const table = textOf(valueOf('table'));
  const limit = Math.min(200, Math.max(1, Number(valueOf('max_rows')) || 1));
  try {
    step.answer = await readTable(sources, table, limit);
    run.close(step, 'completed');
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    step.answer = { error: error.message, details: '' };
    run.close(step, 'failed');
    throw error;
  }
  await run.frame(300, 'tool');
  return table;
}

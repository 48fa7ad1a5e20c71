import type { Json } from '../agent/json.js';
import type { PausePoints } from '../agent/run/pause-points.js';
import type { Pace } from '../agent/run/pace.js';
import { RunError, RunStoppedError, ToolError } from '../agent/run/run-errors.js';
import { answerQuestion, continueAfterApproval } from './answer.js';
import { ApprovalRequiredError, applyDecision, type ApprovalDecision } from './approval.js';
import type { AnswerStatus, ConversationStore } from './conversations.js';
import { describeError, describeRunError } from './errors.js';
import { answerWithModel, continueWithModel, type ModelQuestion } from './model-answer.js';
import type { Plan } from './plan.js';
import { DataAgentRun, ExecutorFailure, isClosing, type RunOptions } from './run.js';
import type { SkillSources } from './skills.js';

/** The work of a run: to answer a question by a plan or by a language model, or to continue an answer after a decision. */
export type RunTask =
  | { readonly kind: 'answer'; readonly question: string; readonly plan: Plan }
  | { readonly kind: 'model-answer'; readonly modelQuestion: ModelQuestion }
  | {
      readonly kind: 'approval';
      readonly decision: ApprovalDecision;
      /** Null when the rules continue. */
      readonly modelQuestion: ModelQuestion | null;
    };

/** Runs answers, one per conversation, and stores how they end. */
export class Runs {
  readonly #active = new Map<string, DataAgentRun>();
  readonly #work = new Set<Promise<void>>();
  readonly #dependencies: {
    readonly store: ConversationStore;
    readonly sources: SkillSources;
    readonly pace: Pace;
    readonly pausePoints: PausePoints;
    readonly onError: (error: unknown) => void;
  };

  /** @param dependencies `onError` receives errors of the program itself. */
  constructor(dependencies: {
    readonly store: ConversationStore;
    readonly sources: SkillSources;
    readonly pace: Pace;
    readonly pausePoints: PausePoints;
    readonly onError: (error: unknown) => void;
  }) {
    this.#dependencies = dependencies;
  }

  /** Returns the run that is active in a conversation, or null. */
  find(conversationId: string): DataAgentRun | null {
    return this.#active.get(conversationId) ?? null;
  }

  /** Starts a run. It continues whether or not it has readers. */
  start(options: Omit<RunOptions, 'pace' | 'pausePoints'>, task: RunTask): DataAgentRun {
    const run = new DataAgentRun({
      ...options,
      pace: this.#dependencies.pace,
      pausePoints: this.#dependencies.pausePoints,
    });
    // The last frame may empty the ids of the reply, so they are read now.
    const { conversation_id: conversationId, assistant_message_id: messageId } = run.reply;
    this.#active.set(conversationId, run);
    const work = this.#drive(run, task, messageId)
      .catch((error: unknown) => {
        if (!isClosing(error)) this.#dependencies.onError(error);
      })
      .finally(() => {
        this.#active.delete(conversationId);
        run.end();
        this.#work.delete(work);
      });
    this.#work.add(work);
    return run;
  }

  /** Stops every run, and resolves when all have ended. Close the pace before, so that the runs are stored as failed and not as cancelled. */
  async stopAll(): Promise<void> {
    for (const run of this.#active.values()) run.terminate();
    await Promise.all(this.#work);
  }

  async #drive(run: DataAgentRun, task: RunTask, messageId: string): Promise<void> {
    const { sources } = this.#dependencies;
    const store = (status: AnswerStatus): void => {
      const { content, content_type: contentType, ext } = run.reply.message;
      this.#dependencies.store.updateAnswer(messageId, {
        content: JSON.stringify(content),
        contentType,
        status,
        ext: JSON.stringify(ext),
      });
    };
    try {
      await run.frame(150, 'start');
      await performTask(run, sources, task);
      await run.frame(30, 'end');
      run.addTotals();
      store('succeded');
    } catch (error) {
      if (error instanceof ApprovalRequiredError) store('processing');
      else if (error instanceof RunStoppedError) store('cancelled');
      else if (error instanceof ToolError || error instanceof RunError) {
        const isTool = error instanceof ToolError;
        const code = isTool ? 'AgentAPP.Agent.SkillExecption' : 'AgentAPP.Agent.ModelExecption';
        for (const step of run.steps) if (step.status === 'processing') run.close(step, 'failed');
        reportFailure(run, code, error.message);
        store('failed');
      } else if (error instanceof ExecutorFailure) {
        store('failed');
        if (error.kind === 'blank-message') blankReply(run);
      } else {
        store('failed');
        throw error;
      }
    }
  }
}

async function performTask(run: DataAgentRun, sources: SkillSources, task: RunTask): Promise<void> {
  switch (task.kind) {
    case 'answer':
      return answerQuestion(run, sources, task.question, task.plan);
    case 'model-answer':
      return answerWithModel(run, sources, task.modelQuestion);
    case 'approval': {
      const table = await applyDecision(run, sources, task.decision);
      return task.modelQuestion === null
        ? continueAfterApproval(run, table)
        : continueWithModel(run, sources, task.modelQuestion, table);
    }
  }
}

function reportFailure(run: DataAgentRun, code: string, details: string): void {
  const language = run.options.errorLanguage;
  if (run.reply.message.ext !== null) {
    run.reply.message.ext.error = {
      type: 'agent_executor',
      error: describeError(code, details, language),
    };
  }
  run.reply.error = describeRunError(code, details, language);
}

/** Empties the reply as an internal failure of the real server does. The stored message keeps its content. */
function blankReply(run: DataAgentRun): void {
  const { reply } = run;
  reply.conversation_id = '';
  reply.assistant_message_id = '';
  Object.assign(reply.message, { id: '', content: null, content_type: '', ext: null });
  const error: Json = describeRunError(
    'AgentAPP.InternalError',
    'cause: fault on request',
    run.options.errorLanguage,
  );
  reply.error = error;
}

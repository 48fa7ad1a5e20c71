import type { Progress } from '../run/progress.js';
import type { Skill } from '../run/skill.js';
import type { MessageRow } from '../store/messages.js';
import type { SessionRow } from '../store/sessions.js';
import type { RiverDatabase } from '../tools/river-database.js';
import { newProgress } from '../plan/plan-answer.js';
import { answerWithModel } from './answer-with-model.js';
import type { LanguageModelOptions } from './chat-completion.js';

/** A language model that plans and answers in the UBIK agent, in place of the rules. */
export interface LanguageModel {
  /** Name of its skill. */
  readonly name: string;
  readonly skill: Skill;
  plan(session: SessionRow, question: MessageRow): Progress;
}

/** Creates the skill and the plan by which a language model answers. It calls some of the tools of the rules (`MODEL_TOOLS`). */
export function createLanguageModel(
  options: LanguageModelOptions,
  rivers: RiverDatabase,
): LanguageModel {
  return {
    name: 'language_model',
    skill: { run: (work) => answerWithModel(options, rivers, work) },
    plan: (session, question) =>
      newProgress({
        question: question.content,
        single: true,
        steps: [
          {
            skill: 'language_model',
            title: 'Think and answer',
            args: { system_prompt: session.system_prompt },
          },
        ],
      }),
  };
}

import type { Progress } from '../run/progress.js';
import type { Skill } from '../run/skill.js';
import type { MessageRow } from '../store/messages.js';
import type { SessionRow } from '../store/sessions.js';
import type { RiverDatabase } from '../tools/river-database.js';
import { newProgress } from '../plan/plan-answer.js';
import { talkWithModel } from './talk.js';

/** Where an OpenAI-compatible service is, and which of its models talks. */
export interface LanguageModelOptions {
  /** Address up to, not including, `/chat/completions`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

/** A language model as a mind of the agent. */
export interface LanguageModel {
  /** Name of its skill. */
  readonly name: string;
  readonly skill: Skill;
  plan(session: SessionRow, question: MessageRow): Progress | null;
}

/** A mind that leaves the talking to a language model; it calls the same tools as the rules. */
export function createLanguageModel(
  options: LanguageModelOptions,
  rivers: RiverDatabase,
): LanguageModel {
  return {
    name: 'language_model',
    skill: { run: (work) => talkWithModel(options, rivers, work) },
    plan: (session, question) =>
      newProgress(question.content, true, [
        {
          skill: 'language_model',
          title: 'Think and answer',
          args: { system_prompt: session.system_prompt },
        },
      ]),
  };
}

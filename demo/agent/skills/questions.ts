import { escapeTags, textOf, type Json, type JsonObject } from '../json.js';
import type { ToolAnswer } from '../store/executions.js';
import { InputRequiredError } from '../run/run-errors.js';
import type { Skill, SkillContext } from '../run/skill.js';
import type { ToolCall } from '../run/tool-caller.js';
import { recall, remember } from './memory.js';

/** A type of input that a tool or the agent can request. */
interface Kind {
  readonly pattern: RegExp;
  /** Input of the tool `ask_person`. */
  readonly question: JsonObject;
  /** Additional fields of the event. */
  readonly more: { readonly [field: string]: Json };
}

const SCHEMA: JsonObject = {
  type: 'object',
  title: 'A boat trip',
  required: ['river', 'days'],
  properties: {
    river: { type: 'string', title: 'River', enum: ['Danube', 'Rhine', 'Loire'] },
    days: { type: 'integer', title: 'Days', minimum: 1, maximum: 14 },
    by_bike: { type: 'boolean', title: 'With bicycles', default: false },
  },
};

/** One question for each type of answer that clients support. Clients show unknown types as text. */
const KINDS: readonly Kind[] = [
  {
    pattern: /\blong text\b/u,
    question: { question: 'Describe your trip.' },
    more: { input_types: ['long_text'] },
  },
  {
    pattern: /\bnumber\b/u,
    question: { question: 'How many days do you have?' },
    more: { input_types: ['number'] },
  },
  {
    pattern: /\bdate\b/u,
    question: { question: 'When do you want to start?' },
    more: { input_types: ['date'] },
  },
  {
    pattern: /\bchoice\b/u,
    question: {
      question: 'Which river would you like to travel?',
      options: ['Danube', 'Rhine', 'Loire'],
    },
    more: { input_types: ['choice'] },
  },
  {
    pattern: /\bchoices\b/u,
    question: {
      question: 'Which rivers would you like to travel?',
      options: ['Danube', 'Rhine', { label: 'The Loire', value: 'loire' }],
    },
    more: { input_types: ['choices'] },
  },
  {
    pattern: /\byes\b/u,
    question: { question: 'Do you want to go by boat?' },
    more: { input_types: ['boolean'] },
  },
  {
    pattern: /\bfile\b/u,
    question: { question: 'Send me your list.' },
    more: { input_types: ['file'] },
  },
  {
    pattern: /\bform\b|\bschema\b/u,
    question: { question: 'Plan your trip.', schema: SCHEMA },
    more: { input_types: ['json'] },
  },
  {
    pattern: /\bjson\b/u,
    question: { question: 'Give me your settings.' },
    more: { input_types: ['json'] },
  },
  {
    pattern: /\bsoon\b|\bdeadline\b/u,
    question: { question: 'Quick: tea or coffee?', options: ['tea', 'coffee'] },
    more: { input_types: ['choice'], timeout: 60 },
  },
  { pattern: /\btext\b|\bname\b/u, question: { question: 'What is your name?' }, more: {} },
];

const FALLBACK: Kind = {
  pattern: /^/u,
  question: { question: 'What would you like to tell me?' },
  more: {},
};

/**
 * Requests input through tools: one question for each named type, all at the same time. A plain text is requested only when it is the only
 * type.
 */
export const askThroughTools: Skill = {
  run: async (work) => {
    const wanted = textOf(work.step.args['wanted']);
    const named = KINDS.filter((kind) => kind.pattern.test(wanted));
    // "Long text" also matches "text", so a plain text is requested only when no other type is named.
    const kinds =
      named.length > 1 ? named.filter((kind) => kind.more['input_types'] !== undefined) : named;
    await work.run.streamText('I need to know something from you.');
    const outcomes = await work.tools.callAll(
      (kinds.length === 0 ? [FALLBACK] : kinds).map(({ question, more }) =>
        callOf({ question, more: { ...more, ...readTimeout(wanted) } }),
      ),
    );
    rememberAnswers(
      work,
      outcomes.map((outcome) => ('result' in outcome ? outcome.result : null)),
    );
  },
  resume: async (work, executionId, answer) => {
    rememberAnswers(
      work,
      await work.tools.endResumedCalls({ executionId, answer }, (_, given) =>
        Promise.resolve(toAnswerJson(given)),
      ),
    );
  },
};

/**
 * Requests input as the agent, which ends the run: one question, of the first type in `KINDS` that is named; `within N seconds` sets its
 * time limit. In the run that continues with the answer, stores the answer.
 */
export const askAsAgent: Skill = {
  run: async ({ run, step }) => {
    const wanted = textOf(step.args['wanted']);
    if ('answer' in run.progress.memory) {
      const answer = recall<string>(run, 'answer');
      delete run.progress.memory['answer'];
      remember(run, 'answers', [{ status: answer === null ? 'declined' : 'answered', answer }]);
      return;
    }
    const { question, more } = KINDS.find(({ pattern }) => pattern.test(wanted)) ?? FALLBACK;
    const { question: prompt, ...rest } = question;
    await run.streamText('There is something that only you know.');
    throw new InputRequiredError({
      prompt: textOf(prompt),
      types: (more['input_types'] ?? ['text']) as readonly string[],
      topic: 'your answer',
      more: { ...rest, ...readTimeout(wanted) },
    });
  },
};

/** Reads the time limit of the question, in seconds, if the text contains one. */
function readTimeout(wanted: string): { readonly timeout?: number } {
  const seconds = /\bwithin (\d+) seconds?\b/u.exec(wanted)?.[1];
  return seconds === undefined ? {} : { timeout: Number(seconds) };
}

function callOf({ question, more }: Omit<Kind, 'pattern'>): ToolCall {
  return {
    name: 'ask_person',
    input: question,
    execute: async (tool) => {
      tool.update({ phase: 'QUESTION', status: 'started' });
      return toAnswerJson(await tool.requestInput(question, more));
    },
  };
}

function toAnswerJson(answer: ToolAnswer): Json {
  if (answer === null) return { status: 'cancelled', answer: null };
  const status = ['declined', 'expired'].includes(answer.type) ? answer.type : 'answered';
  return { status, answer: answer.input, type: answer.type };
}

function rememberAnswers({ run }: SkillContext, answers: readonly Json[]): void {
  remember(run, 'answers', answers);
}

/** Writes the user's answers. */
export const writeAnswers: Skill = {
  run: async ({ run }) => {
    const answers = recall<readonly JsonObject[]>(run, 'answers') ?? [];
    const lines = answers.map((each) =>
      each['status'] === 'answered'
        ? `- You told me: ${formatAnswer(each['answer'] ?? null)}`
        : `- ${each['status'] === 'expired' ? 'You have not answered in time' : 'You would rather not say'}.`,
    );
    await run.streamText(`Thank you.\n\n${lines.join('\n')}`);
  },
};

function formatAnswer(answer: Json): string {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return `\`${escapeTags(text).replaceAll('`', "'").replaceAll(/\s+/gu, ' ').slice(0, 300)}\``;
}

import { ToolError } from '../run/run-errors.js';
import type { Skill } from '../run/skill.js';
import { printNumber } from '../query/describe-result.js';
import { evaluate } from '../tools/arithmetic.js';
import { textOf, type JsonObject } from '../json.js';
import { answerLanguageOf } from '../plan/data-question.js';
import { inLanguageOf } from './answer-language.js';

/** Evaluates an arithmetic expression in a single step. */
export const calculate: Skill = {
  run: async ({ run, step, tools }) => {
    const expression = textOf(step.args['expression']);
    try {
      const result = (await tools.call({
        name: 'calculate',
        input: { expression },
        execute: async (tool) => {
          tool.update({ phase: 'CALCULATION', status: 'started' });
          await tool.pause(200);
          return { expression, result: evaluate(expression) };
        },
      })) as JsonObject;
      const value = Number(result['result']);
      await run.streamOnNewLine(
        `\`${expression}\` = **${printNumber(value, '', answerLanguageOf(run.progress.question))}**`,
      );
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      await run.streamOnNewLine(
        inLanguageOf(
          run,
          `I cannot work that out. ${error.message}`,
          `无法计算：${error.message}`,
          {
            de: `Das kann ich nicht berechnen. ${error.message}`,
            fr: `Je ne peux pas calculer cela. ${error.message}`,
          },
        ),
      );
    }
  },
};

import { ToolError } from '../run/run-errors.js';
import type { Skill } from '../run/skill.js';
import { evaluate } from '../tools/expression.js';
import { textOf, type JsonObject } from '../json.js';
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
      await run.streamLine(
        `\`${expression}\` = **${value.toLocaleString('en-US', { maximumFractionDigits: 10 })}**`,
      );
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      await run.streamLine(
        inLanguageOf(run, `I cannot work that out. ${error.message}`, `无法计算：${error.message}`),
      );
    }
  },
};

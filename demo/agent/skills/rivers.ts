import { textOf, type Json } from '../json.js';
import { translateChinese } from '../plan/chinese-question.js';
import { readMeasure, type RiverQuery } from '../plan/river-question.js';
import { writeSql, type SqlQuery } from '../plan/river-sql.js';
import { MEASURE_NAMES, nameColumn, summarizeRows } from '../plan/summarize-rows.js';
import { InputRequiredError, RunError, ToolError } from '../run/run-errors.js';
import type { Skill, SkillContext } from '../run/skill.js';
import type { ToolCall } from '../run/tool-caller.js';
import type { QueryResult, RiverDatabase } from '../tools/river-database.js';
import { inLanguageOf } from './answer-language.js';
import { formatTable, recall, recallRows, remember, rememberRows } from './memory.js';

/** Asks for the measure to compare rivers by, unless the user has named one. */
export const askMeasure: Skill = {
  run: async ({ run, step }) => {
    const answer = recall<string>(run, 'answer');
    const declined = 'answer' in run.progress.memory && answer === null;
    const measure = answer === null ? null : readMeasure(translateChinese(answer).english);
    if (measure === null && !declined) {
      await run.streamText(
        answer === null
          ? inLanguageOf(
              run,
              '<<thinking>>\n“Biggest” can mean three things for a river. Guessing would give a wrong answer two times out of three, so I ask.\n<</thinking>>',
              '<<thinking>>\n河流的“最大”有三种含义，猜测很可能出错，所以需要确认。\n<</thinking>>',
            )
          : inLanguageOf(
              run,
              'That is none of the three, so I ask again.',
              '这不是三者之一，请再次选择。',
            ),
      );
      throw new InputRequiredError({
        prompt: inLanguageOf(
          run,
          'Biggest by what: length, discharge, or drainage basin?',
          '按什么比较：长度、流量还是流域面积？',
        ),
        types: ['text'],
        topic: 'which measure',
      });
    }
    const chosen = measure ?? 'length_km';
    const [english, chinese] = MEASURE_NAMES[chosen];
    await run.streamText(
      declined
        ? inLanguageOf(
            run,
            `You would rather not say, so I take the most usual: ${english}.`,
            `您没有选择，因此采用最常用的${chinese}。`,
          )
        : inLanguageOf(run, `You mean ${english}.`, `按${chinese}比较。`),
    );
    // Consumed, so that a later question of the same run is not answered by it.
    delete run.progress.memory['answer'];
    const query: RiverQuery = { ...(step.args['query'] as RiverQuery), measure: chosen };
    run.progress.steps = run.progress.steps.map((each) =>
      each.skill === 'query_rivers' ? { ...each, args: { query } } : each,
    );
  },
};

/** Writes the SQL for a parsed question and runs it. */
export function createQueryRivers(rivers: RiverDatabase): Skill {
  return {
    run: async (work) => {
      await queryRivers(work, rivers, work.step.args['query'] as RiverQuery);
    },
  };
}

/** Runs a parsed question and stores the rows. */
export async function queryRivers(
  { run, tools }: SkillContext,
  rivers: RiverDatabase,
  query: RiverQuery,
): Promise<void> {
  const question = writeSql(query);
  await run.streamLine(
    inLanguageOf(
      run,
      `<<thinking>>\nThis is a question for the database (${query.kind.replaceAll('-', ' ')}). Values go in as parameters, never into the text of the query.\n<</thinking>>`,
      '<<thinking>>\n这个问题可以用数据库回答。取值作为参数传入，不会写进查询文本。\n<</thinking>>',
    ),
  );
  const result = (await tools.call(queryCall(rivers, question))) as unknown as QueryResult;
  rememberRows(run, result);
  remember(run, 'flow', 'rivers');
  remember(run, 'query', query);
}

/** A call of the database tool. */
export function queryCall(rivers: RiverDatabase, question: SqlQuery): ToolCall {
  return {
    name: 'query_database',
    input: { sql: question.sql, parameters: question.parameters },
    execute: async (tool) => {
      tool.update({ phase: 'QUERY', status: 'started', message: 'Running the query' });
      await tool.pause(300);
      const result = await rivers.query(question.sql, question.parameters);
      tool.update({
        phase: 'QUERY',
        status: 'completed',
        data: { row_count: result.rows.length },
      });
      return {
        columns: result.columns,
        rows: result.rows,
        row_count: result.rows.length,
        more: result.more,
      };
    },
  };
}

/** Runs a query that the user has written. If it fails, the run fails. */
export function createRunSql(rivers: RiverDatabase): Skill {
  return {
    run: async ({ run, step, tools }) => {
      const sql = textOf(step.args['sql']);
      try {
        const result = await tools.call(queryCall(rivers, { sql, parameters: [] }));
        rememberRows(run, result as unknown as QueryResult);
        remember(run, 'flow', 'sql');
      } catch (error) {
        if (error instanceof ToolError) throw new RunError(error.message);
        throw error;
      }
    },
  };
}

/** Answers with the rows as a table, and a one-sentence summary. */
export const answerFromRows: Skill = {
  run: async ({ run }) => {
    const result = recallRows(run);
    if (result === null || result.rows.length === 0) {
      await run.streamText(
        inLanguageOf(
          run,
          'The database has nothing that fits. It knows sixty European rivers, the countries they cross and the cities on their banks.',
          '数据库中没有符合条件的数据。其中有六十条欧洲河流、它们流经的国家和沿岸的城市。',
        ),
      );
      return;
    }
    const query = recall<RiverQuery & { [name: string]: Json }>(run, 'query');
    const sentence = inLanguageOf(
      run,
      summarizeRows(result, query, 'en'),
      summarizeRows(result, query, 'zh'),
    );
    await run.streamText(`${sentence}\n\n`);
    const columns = result.columns.map((name) => inLanguageOf(run, name, nameColumn(name, 'zh')));
    await run.streamText(formatTable(columns, result.rows.slice(0, 50)));
    const left = result.rows.length - 50;
    if (left > 0 || result.more) {
      await run.streamText(
        inLanguageOf(
          run,
          `\n\nThe table is cut: there are ${left > 0 ? `${String(left)} more rows` : 'more rows'}.`,
          '\n\n表格未显示全部数据。',
        ),
      );
    }
    if (result.columns.includes('Length (km)')) {
      await run.streamText(
        inLanguageOf(
          run,
          '\n\n*The figures are rounded; sources differ on where a river begins.*',
          '\n\n*数值经过取整；不同资料对河流源头的说法不一。*',
        ),
      );
    }
  },
};

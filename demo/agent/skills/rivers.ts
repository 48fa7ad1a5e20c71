import { textOf, type Json } from '../json.js';
import { readMeasure, type Measure, type RiverQuery } from '../plan/river-question.js';
import { writeSql, type SqlQuestion } from '../plan/river-sql.js';
import { NeedsInput, RunFailure, ToolFailure } from '../run/signals.js';
import type { Skill, Work } from '../run/skill.js';
import type { ToolCall } from '../run/tool-caller.js';
import type { QueryResult, RiverDatabase } from '../tools/river-database.js';
import { printTable, recall, recallRows, remember, rememberRows } from './memory.js';

const MEASURE_WORDS: ReadonlyMap<Measure, string> = new Map([
  ['length_km', 'length'],
  ['discharge_m3s', 'discharge'],
  ['basin_km2', 'drainage basin'],
]);

/** Asks for the measure to compare rivers by, unless the user has named one. */
export const askMeasure: Skill = {
  run: async ({ run, step }) => {
    const answer = recall<string>(run, 'answer');
    const declined = 'answer' in run.progress.memory && answer === null;
    const measure = answer === null ? null : readMeasure(answer);
    if (measure === null && !declined) {
      await run.say(
        answer === null
          ? '<<thinking>>\n“Biggest” can mean three things for a river. Guessing would give a wrong answer two times out of three, so I ask.\n<</thinking>>'
          : 'That is none of the three, so I ask again.',
      );
      throw new NeedsInput({
        prompt: 'Biggest by what: length, discharge, or drainage basin?',
        types: ['text'],
        topic: 'which measure',
      });
    }
    const chosen = measure ?? 'length_km';
    const why = declined ? 'You would rather not say, so I take the most usual:' : 'You mean';
    await run.say(`${why} ${MEASURE_WORDS.get(chosen) ?? 'length'}.`);
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
  { run, tools }: Work,
  rivers: RiverDatabase,
  query: RiverQuery,
): Promise<void> {
  const question = writeSql(query);
  await run.sayLine(
    `<<thinking>>\nThis is a question for the database (${query.kind.replaceAll('-', ' ')}). Values go in as parameters, never into the text of the query.\n<</thinking>>`,
  );
  const result = (await tools.call(queryCall(rivers, question))) as unknown as QueryResult;
  rememberRows(run, result);
  remember(run, 'flow', 'rivers');
  remember(run, 'query', query);
}

/** A call of the database tool. */
export function queryCall(rivers: RiverDatabase, question: SqlQuestion): ToolCall {
  return {
    name: 'query_database',
    input: { sql: question.sql, parameters: question.parameters },
    act: async (tool) => {
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
        if (error instanceof ToolFailure) throw new RunFailure(error.message);
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
      await run.say(
        'The database has nothing that fits. It knows sixty European rivers, the countries they cross and the cities on their banks.',
      );
      return;
    }
    await run.say(
      `${sumUp(result, recall<RiverQuery & { [name: string]: Json }>(run, 'query'))}\n\n`,
    );
    await run.say(printTable(result.columns, result.rows.slice(0, 50)));
    const left = result.rows.length - 50;
    if (left > 0 || result.more) {
      await run.say(
        `\n\nThe table is cut: there are ${left > 0 ? `${String(left)} more rows` : 'more rows'}.`,
      );
    }
    if (result.columns.includes('Length (km)')) {
      await run.say('\n\n*The figures are rounded; sources differ on where a river begins.*');
    }
  },
};

function sumUp(result: QueryResult, query: RiverQuery | null): string {
  const [first = []] = result.rows;
  const name = `**${String(first[0])}**`;
  const total = String(result.rows.length);
  switch (query?.kind) {
    case 'ranking': {
      const word = MEASURE_WORDS.get(query.measure ?? 'length_km') ?? 'length';
      const where = [
        ...query.countries.map((each) => `in ${each}`),
        ...(query.mouth === null ? [] : [`that flow into the ${query.mouth}`]),
      ];
      const among = where.length === 0 ? '' : ` among the rivers ${where.join(' and ')}`;
      return `By ${word}, ${name} comes first${among}${query.ascending ? ', counted from the smallest' : ''}:`;
    }
    case 'crossings':
      return query.rivers.length === 1
        ? `${name} flows through or along ${total} ${result.rows.length === 1 ? 'country' : 'countries'}:`
        : 'These rivers flow through or along:';
    case 'cities':
      return `${total} ${result.rows.length === 1 ? 'city' : 'cities'} of the database lie there; the largest is ${name}:`;
    case 'count':
      return `There ${first[0] === 1 ? 'is' : 'are'} **${String(first[0])}** such ${first[0] === 1 ? 'river' : 'rivers'} in the database.`;
    case 'by-country':
      return `${name} has the most rivers of the database:`;
    case 'facts':
      return result.rows.length === 1
        ? `This is what the database knows about the ${name}:`
        : `Side by side, the ${name} is the longest:`;
    default:
      return result.rows.length === 1 ? 'The database says:' : `The database gives ${total} rows:`;
  }
}

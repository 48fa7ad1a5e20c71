import type { JsonObject } from '../json.js';
import type { DataQuestion } from '../plan/data-question.js';
import { keywordsOf } from '../plan/words.js';
import { writeSql } from '../query/write-sql.js';
import type { Skill } from '../run/skill.js';
import type { RiverDatabase } from '../tools/river-database.js';
import type { QueryResult } from '../tools/sql-database.js';
import { answerFromRows, queryCall, rememberAnswer } from './data.js';
import { remember, rememberRows } from './memory.js';
import { answerFromPassages, searchCall } from './search.js';

/** Searches the documents and queries the database concurrently. */
export function createSearchBoth(rivers: RiverDatabase): Skill {
  return {
    run: async (work) => {
      const { run, step, tools } = work;
      const question = step.args['question'] as unknown as DataQuestion;
      await run.streamText('Both can be asked at the same time.');
      const [passages, rows] = await tools.callAll([
        searchCall(work, keywordsOf(run.progress.question), null),
        queryCall(rivers, writeSql(question.query, rivers.schema)),
      ]);
      if (passages !== undefined && 'result' in passages) {
        remember(run, 'passages', (passages.result as JsonObject)['passages'] ?? []);
      }
      if (rows !== undefined && 'result' in rows) {
        const result = rows.result as unknown as QueryResult;
        rememberRows(run, result);
        rememberAnswer(work, { schema: rivers.schema, document: null }, question, result);
      }
      // Fewer quotations than usual, because the rows of the database follow them.
      remember(run, 'quotes', 2);
    },
  };
}

/** Writes the answer from the documents, then the one from the database. */
export const answerBoth: Skill = {
  run: async (work) => {
    await answerFromPassages.run(work);
    await work.run.streamText('\n\n');
    await answerFromRows.run(work);
  },
};

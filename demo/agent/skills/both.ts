import type { JsonObject } from '../json.js';
import type { RiverQuery } from '../plan/river-question.js';
import { writeSql } from '../plan/river-sql.js';
import { keywordsOf } from '../plan/words.js';
import type { Skill } from '../run/skill.js';
import type { QueryResult, RiverDatabase } from '../tools/river-database.js';
import { remember, rememberRows } from './memory.js';
import { queryCall, answerFromRows } from './rivers.js';
import { answerFromPassages, searchCall } from './search.js';

/** Searches the documents and the database concurrently. */
export function createSearchBoth(rivers: RiverDatabase): Skill {
  return {
    run: async (work) => {
      const { run, step, tools } = work;
      await run.streamText('Both can be asked at the same time.');
      const [passages, rows] = await tools.callAll([
        searchCall(work, keywordsOf(run.progress.question), null),
        queryCall(rivers, writeSql(step.args['query'] as RiverQuery)),
      ]);
      if (passages !== undefined && 'result' in passages) {
        remember(run, 'passages', (passages.result as JsonObject)['passages'] ?? []);
      }
      if (rows !== undefined && 'result' in rows) {
        rememberRows(run, rows.result as unknown as QueryResult);
      }
      remember(run, 'query', step.args['query'] ?? null);
      remember(run, 'quotes', 2);
    },
  };
}

/** Writes an answer from both results. */
export const answerBoth: Skill = {
  run: async (work) => {
    await answerFromPassages.run(work);
    await work.run.streamText('\n\n');
    await answerFromRows.run(work);
  },
};

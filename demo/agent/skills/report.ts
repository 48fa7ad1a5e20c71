import type { Skill } from '../run/skill.js';
import type { RiverDatabase } from '../tools/river-database.js';
import type { QueryResult } from '../tools/sql-database.js';
import { formatTable, recallRows, rememberRows } from './memory.js';
import { queryCall } from './data.js';

/** Queries the data of a long report. */
export function createGatherReport(rivers: RiverDatabase): Skill {
  return {
    run: async ({ run, tools }) => {
      const result = await tools.call(
        queryCall(rivers, {
          sql: `SELECT countries.name AS Country, capital, area_km2, rivers.name, length_km, discharge_m3s, flows_into
FROM countries JOIN river_countries ON country = code JOIN rivers ON rivers.name = river
ORDER BY countries.name, length_km DESC`,
          parameters: [],
        }),
      );
      rememberRows(run, result as unknown as QueryResult);
    },
  };
}

/** Writes a section for every country: a long text with headings, paragraphs and tables. */
export const writeReport: Skill = {
  run: async ({ run }) => {
    const rows = recallRows(run)?.rows ?? [];
    const countries = [...new Set(rows.map((row) => String(row[0])))];
    await run.streamText(
      `# Rivers of Europe\n\nA report on ${String(countries.length)} countries, made from the sample database.`,
    );
    for (const country of countries) {
      const own = rows.filter((row) => row[0] === country);
      const [first = []] = own;
      const total = own.reduce((sum, row) => sum + Number(row[5]), 0);
      await run.streamText(
        `\n\n## ${country}\n\n${country} (capital: ${String(first[1])}) has an area of ${Number(first[2]).toLocaleString('en-US')} km². ` +
          `The database knows ${String(own.length)} of its rivers; the longest is the **${String(first[3])}**. Together they carry ${total.toLocaleString('en-US')} cubic metres a second at their mouths.\n\n`,
      );
      await run.streamText(
        formatTable(
          ['River', 'Length (km)', 'Discharge (m³/s)', 'Flows into'],
          own.map((row) => row.slice(3, 7)),
        ),
      );
    }
  },
};

import type { Skill } from '../run/skill.js';
import type { JsonObject } from '../json.js';
import type { RiverDatabase } from '../tools/river-database.js';
import { queryCall } from './data.js';
import { formatTable, recallRows, remember, rememberRows } from './memory.js';
import type { QueryResult } from '../tools/sql-database.js';

/** Analyzes each river in turn, slowly enough that the user can watch it and request a stop, which takes effect when the tool has ended. */
export function createAnalyseRivers(rivers: RiverDatabase): Skill {
  return {
    run: async ({ run, tools }) => {
      await run.streamText('Every river is looked at on its own, so this takes some seconds.');
      const result = await tools.call({
        name: 'analyse_rivers',
        input: { measure: 'discharge per square kilometre of basin' },
        execute: async (tool) => {
          const all = await rivers.query(
            'SELECT name, length_km, basin_km2, discharge_m3s FROM rivers ORDER BY name',
            [],
          );
          tool.update({
            phase: 'ANALYSIS',
            status: 'started',
            data: { river_count: all.rows.length },
          });
          const yields: { name: string; yield: number }[] = [];
          for (const [index, [name, , basin, discharge]] of all.rows.entries()) {
            await tool.pause(120);
            yields.push({ name: String(name), yield: (Number(discharge) * 1000) / Number(basin) });
            tool.appendOutput(`${String(name)}\n`, 'log');
            if (index % 10 === 9)
              tool.update({
                phase: 'ANALYSIS',
                status: 'progress',
                message: `${String(index + 1)} of ${String(all.rows.length)} rivers`,
              });
          }
          tool.update({ phase: 'ANALYSIS', status: 'completed' });
          yields.sort((one, other) => other.yield - one.yield);
          return {
            rivers: yields.length,
            wettest: yields
              .slice(0, 5)
              .map((each) => ({ name: each.name, litres_per_second_and_km2: round(each.yield) })),
            driest: yields
              .slice(-5)
              .reverse()
              .map((each) => ({ name: each.name, litres_per_second_and_km2: round(each.yield) })),
          };
        },
      });
      remember(run, 'analysis', result);
    },
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Groups the rivers by the sea that they flow into. */
export function createCompareSeas(rivers: RiverDatabase): Skill {
  return {
    run: async ({ run, tools }) => {
      const result = await tools.call(
        queryCall(rivers, {
          sql: `SELECT flows_into AS "Flows into", count(*) AS Rivers, sum(discharge_m3s) AS "Discharge (m³/s)"
FROM rivers WHERE flows_into NOT IN (SELECT name FROM rivers)
GROUP BY flows_into ORDER BY sum(discharge_m3s) DESC LIMIT ?`,
          parameters: [8],
        }),
      );
      rememberRows(run, result as unknown as QueryResult);
    },
  };
}

/** Writes the results of the analysis. */
export const answerAnalysis: Skill = {
  run: async ({ run }) => {
    const analysis = run.progress.memory['analysis'] as JsonObject | undefined;
    const list = (name: string): string =>
      ((analysis?.[name] ?? []) as { name: string; litres_per_second_and_km2: number }[])
        .map(
          (each, index) =>
            `${String(index + 1)}. **${each.name}**: ${String(each.litres_per_second_and_km2)} litres per second and km²`,
        )
        .join('\n');
    await run.streamText(
      `### Wet and dry rivers\n\nMeasured by the water that each square kilometre of their basin gives, these are the wettest:\n\n${list('wettest')}\n\nand these the driest:\n\n${list('driest')}\n\n`,
    );
    const rows = recallRows(run);
    if (rows !== null)
      await run.streamText(`### Where the water goes\n\n${formatTable(rows.columns, rows.rows)}`);
  },
};

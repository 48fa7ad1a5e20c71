import { RunError } from '../run/run-errors.js';
import type { Skill } from '../run/skill.js';
import { drawBars } from '../tools/bar-chart.js';
import type { RiverQuery } from '../plan/river-question.js';
import type { Json } from '../json.js';
import { inLanguageOf } from './answer-language.js';
import { recall, recallRows } from './memory.js';

const COLUMN: ReadonlyMap<string, number> = new Map([
  ['length_km', 1],
  ['discharge_m3s', 2],
  ['basin_km2', 3],
]);

/** Draws the rows of the last query as a bar chart and stores the image. */
export const drawChart: Skill = {
  run: async ({ run, tools }) => {
    const result = recallRows(run);
    if (result === null) throw new RunError('There are no numbers to draw.');
    const query = recall<RiverQuery & { [name: string]: Json }>(run, 'query');
    const column = COLUMN.get(query?.measure ?? 'length_km') ?? 1;
    const values = result.rows.map((row) => Number(row[column]));
    await tools.call({
      name: 'draw_chart',
      input: {
        title: result.columns[column] ?? '',
        labels: result.rows.map((row) => String(row[0])),
        values,
      },
      execute: async (tool) => {
        tool.update({ phase: 'DRAWING', status: 'started' });
        await tool.pause(400);
        const picture = tool.storeFile('chart.png', 'image/png', drawBars(values));
        return { images: [picture], usage: { bars: values.length } };
      },
    });
    await run.streamLine(
      inLanguageOf(
        run,
        'One bar for each river, in the order of the table.',
        '每条河流一个柱，顺序与表格相同。',
      ),
    );
  },
};

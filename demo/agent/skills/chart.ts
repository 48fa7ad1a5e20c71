import { RunError } from '../run/run-errors.js';
import type { Skill } from '../run/skill.js';
import { drawBars, drawPie } from '../tools/chart-image.js';
import type { RiverQuery } from '../plan/river-question.js';
import type { Json } from '../json.js';
import { inLanguageOf } from './answer-language.js';
import { recall, recallRows } from './memory.js';

const COLUMN: ReadonlyMap<string, number> = new Map([
  ['length_km', 1],
  ['discharge_m3s', 2],
  ['basin_km2', 3],
]);

/** Draws the rows of the last query as a bar chart or a pie chart, and stores the image. */
export const drawChart: Skill = {
  run: async ({ run, step, tools }) => {
    const result = recallRows(run);
    if (result === null) throw new RunError('There are no numbers to draw.');
    const query = recall<RiverQuery & { [name: string]: Json }>(run, 'query');
    const column = COLUMN.get(query?.measure ?? 'length_km') ?? 1;
    const values = result.rows.map((row) => Number(row[column]));
    const isPie = step.args['type'] === 'pie';
    await tools.call({
      name: 'draw_chart',
      input: {
        type: isPie ? 'pie' : 'bars',
        title: result.columns[column] ?? '',
        labels: result.rows.map((row) => String(row[0])),
        values,
      },
      execute: async (tool) => {
        tool.update({ phase: 'DRAWING', status: 'started' });
        await tool.pause(400);
        const image = isPie ? drawPie(values) : drawBars(values);
        const picture = tool.storeFile('chart.png', 'image/png', image);
        return { images: [picture], usage: { values: values.length } };
      },
    });
    await run.streamLine(
      isPie
        ? inLanguageOf(
            run,
            'One slice for each river, clockwise from the top, in the order of the table.',
            '每条河流一个扇形，从顶部顺时针排列，顺序与表格相同。',
          )
        : inLanguageOf(
            run,
            'One bar for each river, in the order of the table.',
            '每条河流一个柱，顺序与表格相同。',
          ),
    );
  },
};

import { RunError } from '../run/run-errors.js';
import type { Skill } from '../run/skill.js';
import { drawBars, drawPie } from '../tools/chart-image.js';
import { inLanguageOf } from './answer-language.js';
import { recallRows } from './memory.js';

/** Draws the rows of the last query as a bar chart or a pie chart, and stores the image. */
export const drawChart: Skill = {
  run: async ({ run, step, tools }) => {
    const result = recallRows(run);
    if (result === null) throw new RunError('There are no numbers to draw.');
    // The first column has the names, the second one the measure.
    const values = result.rows.map((row) => Number(row[1]));
    const isPie = step.args['type'] === 'pie';
    await tools.call({
      name: 'draw_chart',
      input: {
        type: isPie ? 'pie' : 'bars',
        title: result.columns[1] ?? '',
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
    await run.streamOnNewLine(
      isPie
        ? inLanguageOf(
            run,
            'One slice for each row, clockwise from the top, in the order of the table.',
            '每行一个扇形，从顶部顺时针排列，顺序与表格相同。',
            {
              de: 'Ein Sektor für jede Zeile, von oben im Uhrzeigersinn, in der Reihenfolge der Tabelle.',
              fr: 'Un secteur par ligne, depuis le haut dans le sens horaire, dans l’ordre du tableau.',
            },
          )
        : inLanguageOf(
            run,
            'One bar for each row, in the order of the table.',
            '每行一个柱，顺序与表格相同。',
            {
              de: 'Ein Balken für jede Zeile, in der Reihenfolge der Tabelle.',
              fr: 'Une barre par ligne, dans l’ordre du tableau.',
            },
          ),
    );
  },
};

import { translateChinese } from '../agent/plan/chinese-question.js';
import { readItems } from '../agent/query/read-items.js';
import type { RiverDatabase } from '../agent/tools/river-database.js';

/** The answer of the sub-agent, and one sentence that summarizes it for the answer of its caller. */
export interface ExpertOpinion {
  readonly text: string;
  readonly summary: string;
}

interface RiverFigures {
  readonly name: string;
  readonly length: number;
  readonly basin: number;
  readonly discharge: number;
  /** Discharge for each square kilometre of the basin, in litres per second. */
  readonly specificDischarge: number;
}

/** Chooses the text of the language of the answer. */
type Translate = (english: string, chinese: string) => string;

/** Words of questions that the sub-agent can answer. */
const TOPIC =
  /\b(?:discharge|flow\w*|water|basin|area|drain\w*|carry|carries|wet|dry|rain\w*|length|long\w*)\b/iu;

/** Chinese words of the request itself and of questions for a reason. */
const CHINESE_REQUEST =
  /(?:请|询)?问(?:一下)?专家|子智能体|专家|为什么|为何|原因|不同|差异|取决|由什么决定|决定|因素/gu;

/**
 * Computes the opinion of the sub-agent `river_expert` from the sample database: how much water a river carries for its basin and its
 * length. For a question about something else, the opinion is that there are no figures for it.
 */
export async function writeExpertOpinion(
  rivers: RiverDatabase,
  question: string,
  text: Translate,
): Promise<ExpertOpinion> {
  const { english, unknown } = translateChinese(question.replaceAll(CHINESE_REQUEST, ' '));
  const named = readItems(english, rivers.schema).items.flatMap((item) =>
    item.values.flatMap(({ table, concept, value }) =>
      table === 'rivers' && concept === null ? [value] : [],
    ),
  );
  if ((named.length === 0 && !TOPIC.test(english)) || unknown.length > 0) {
    return {
      text: text(
        'I compare the discharge of rivers with their basins and lengths. The question is not about that, so I have no figures for it.',
        '我只比较河流的流量、流域面积和长度。这个问题与此无关，我没有相关数据。',
      ),
      summary: text('The expert has no figures for this question.', '专家没有与该问题相关的数据。'),
    };
  }
  const all = await readFigures(rivers);
  const chosen = named.flatMap((name) => all.find((each) => each.name === name) ?? []);
  return chosen.length > 0 ? compareNamed(all, chosen, text) : describeAll(all, text);
}

async function readFigures(rivers: RiverDatabase): Promise<RiverFigures[]> {
  const { rows } = await rivers.query(
    'SELECT name, length_km, basin_km2, discharge_m3s FROM rivers',
    [],
  );
  return rows
    .map(([name, length, basin, discharge]) => ({
      name: String(name),
      length: Number(length),
      basin: Number(basin),
      discharge: Number(discharge),
      specificDischarge: (Number(discharge) * 1000) / Number(basin),
    }))
    .sort((one, other) => other.specificDischarge - one.specificDischarge);
}

function describeAll(all: readonly RiverFigures[], text: Translate): ExpertOpinion {
  const byBasin = correlate(all, (each) => each.basin);
  const byLength = correlate(all, (each) => each.length);
  const [most] = all;
  const least = all.at(-1);
  if (most === undefined || least === undefined)
    throw new Error('The sample database has no rivers.');
  const times = print(most.specificDischarge / least.specificDischarge, 0);
  const closer = byBasin >= byLength;
  return {
    text: text(
      `Over the ${String(all.length)} rivers of the database, discharge correlates with the basin at ${print(byBasin, 2)} and with the length at ${print(byLength, 2)}.\n\nA square kilometre of basin gives ${print(most.specificDischarge, 1)} litres per second to the **${most.name}** and ${print(least.specificDischarge, 1)} to the **${least.name}**. That difference is rain, snow and evaporation, about which the database has no figures.`,
      `在数据库的 ${String(all.length)} 条河流中，流量与流域面积的相关系数为 ${print(byBasin, 2)}，与长度的相关系数为 ${print(byLength, 2)}。\n\n每平方公里流域每秒为 **${most.name}** 提供 ${print(most.specificDischarge, 1)} 升水，为 **${least.name}** 提供 ${print(least.specificDischarge, 1)} 升。这一差异来自降雨、降雪和蒸发，数据库中没有相关数据。`,
    ),
    summary: text(
      `In short: discharge follows the ${closer ? 'basin' : 'length'} more closely than the ${closer ? 'length' : 'basin'}, and the same area gives the ${most.name} ${times} times as much water as the ${least.name}.`,
      `简而言之：与${closer ? '长度' : '流域面积'}相比，流量与${closer ? '流域面积' : '长度'}的关系更密切；同样的面积为 ${most.name} 提供的水量是 ${least.name} 的 ${times} 倍。`,
    ),
  };
}

function compareNamed(
  all: readonly RiverFigures[],
  chosen: readonly RiverFigures[],
  text: Translate,
): ExpertOpinion {
  const lines = chosen.map((river) => {
    const rank = String(all.indexOf(river) + 1);
    return text(
      `- **${river.name}**: ${print(river.discharge, 0)} m³/s from ${print(river.basin, 0)} km², or ${print(river.specificDischarge, 1)} litres per second for each square kilometre, rank ${rank} of ${String(all.length)}`,
      `- **${river.name}**：流量 ${print(river.discharge, 0)} m³/s，流域 ${print(river.basin, 0)} km²，每平方公里每秒 ${print(river.specificDischarge, 1)} 升，在 ${String(all.length)} 条河流中排第 ${rank}`,
    );
  });
  const sorted = [...chosen].sort((one, other) => other.specificDischarge - one.specificDischarge);
  const [most] = sorted;
  const least = sorted.at(-1);
  if (most === undefined || least === undefined) throw new Error('No river was chosen.');
  const middle = medianOf(all);
  const isAbove = most.specificDischarge >= middle;
  return {
    text: `${text('Discharge for the size of the basin:', '流量与流域面积之比：')}\n\n${lines.join('\n')}`,
    summary:
      most === least
        ? text(
            `In short: for its basin, the ${most.name} carries ${isAbove ? 'more' : 'less'} water than the median of the database (${print(middle, 1)} litres per second and square kilometre).`,
            `简而言之：就流域面积而言，${most.name} 的水量${isAbove ? '高于' : '低于'}数据库的中位数（每平方公里每秒 ${print(middle, 1)} 升）。`,
          )
        : text(
            `In short: the same area gives the ${most.name} ${print(most.specificDischarge / least.specificDischarge, 1)} times as much water as the ${least.name}.`,
            `简而言之：同样的面积为 ${most.name} 提供的水量是 ${least.name} 的 ${print(most.specificDischarge / least.specificDischarge, 1)} 倍。`,
          ),
  };
}

/** Median of the specific discharge of rivers that are sorted by it. */
function medianOf(sorted: readonly RiverFigures[]): number {
  const upper = sorted[Math.ceil(sorted.length / 2) - 1]?.specificDischarge ?? 0;
  const lower = sorted[Math.floor(sorted.length / 2)]?.specificDischarge ?? 0;
  return (upper + lower) / 2;
}

/** Pearson correlation of the discharge with another figure. */
function correlate(
  all: readonly RiverFigures[],
  figureOf: (river: RiverFigures) => number,
): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const figures = all.map(figureOf);
  const discharges = all.map((each) => each.discharge);
  const figureMean = mean(figures);
  const dischargeMean = mean(discharges);
  let product = 0;
  let figureSquares = 0;
  let dischargeSquares = 0;
  for (const [index, figure] of figures.entries()) {
    const one = figure - figureMean;
    const other = (discharges[index] ?? 0) - dischargeMean;
    product += one * other;
    figureSquares += one * one;
    dischargeSquares += other * other;
  }
  return product / Math.sqrt(figureSquares * dischargeSquares);
}

function print(value: number, digits: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}

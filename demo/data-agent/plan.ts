import { translateChinese } from '../agent/plan/chinese-question.js';
import { readRiverQuestion, TOP_RIVERS, type RiverQuery } from '../agent/plan/river-question.js';
import { findExpression } from '../agent/tools/expression.js';
import type { RiverNames } from '../agent/tools/river-database.js';

/** The chart types that the chart tool draws. */
export type ChartType = 'Line' | 'Column' | 'Pie';

/** How a question is answered by the rules. */
export type Plan =
  | { readonly kind: 'greeting' }
  | { readonly kind: 'rivers'; readonly query: RiverQuery }
  | { readonly kind: 'sql'; readonly sql: string }
  | { readonly kind: 'chart'; readonly query: RiverQuery; readonly chart: ChartType }
  | { readonly kind: 'metric'; readonly metric: Metric }
  | { readonly kind: 'calculation'; readonly expression: string }
  | { readonly kind: 'web' }
  | { readonly kind: 'expert' }
  | { readonly kind: 'export'; readonly table: string }
  | { readonly kind: 'verdict' }
  | { readonly kind: 'documents' }
  /** The sample data could be asked, but parts of the question were not understood. */
  | { readonly kind: 'unclear'; readonly parts: readonly string[] };

/** A metric over the rivers of the sample database. */
export interface Metric {
  readonly id: string;
  readonly aggregate: 'sum' | 'avg' | 'max';
  readonly column: 'length_km' | 'discharge_m3s' | 'basin_km2';
  readonly unit: string;
}

/** What a plan is made from. */
export interface Situation {
  readonly question: string;
  /** The question before, or an empty text. */
  readonly previous: string;
  /** The application context as text, or an empty text. */
  readonly context: string;
  readonly names: RiverNames;
}

/** Characters of a question that are read: the time of the patterns grows faster than the text. */
const MAX_LENGTH = 2000;

/** Plans the answer to a question by rules. Without a rule that matches, the documents are searched. */
export function planAnswer({ question, previous, context, names }: Situation): Plan {
  const sql = /^\s*sql\s*[:：]\s*([\s\S]+)$/iu.exec(question)?.[1];
  if (sql !== undefined) return { kind: 'sql', sql };
  const text = question.slice(0, MAX_LENGTH);
  if (/^\s*(?:hi|hello|hey|thanks?|thank you|你好|您好|谢谢)[\s!.！。]*$/iu.test(text)) {
    return { kind: 'greeting' };
  }
  if (/\b(?:export|full scan)\b|导出/iu.test(text)) {
    return { kind: 'export', table: readTable(text) };
  }
  if (/\b(?:as json|verdict)\b|以json/iu.test(text)) return { kind: 'verdict' };
  if (/\b(?:expert|sub-?agent)\b|专家|子智能体/iu.test(text)) return { kind: 'expert' };
  if (/\b(?:web|internet|online|news)\b|网上|网络上|网络搜索|互联网|新闻/iu.test(text))
    return { kind: 'web' };
  const { english, unknown } = translateChinese(text);
  const unclear: Plan | null = unknown.length === 0 ? null : { kind: 'unclear', parts: unknown };
  if (/\b(?:metric|indicator|total|average|mean)\b|指标|总(?!共)|合计|平均/iu.test(text)) {
    return unclear ?? { kind: 'metric', metric: readMetric(text) };
  }
  const read = (source: string): RiverQuery | null =>
    readRiverQuestion(source.slice(0, MAX_LENGTH), names);
  const query =
    read(english) ?? (context === '' ? null : read(`${english} ${context.slice(0, 500)}`));
  if (/\b(?:chart|plot|draw|diagram|pie)\b|图(?![尔卢])|画/iu.test(text)) {
    const about = query ?? read(translateChinese(previous).english) ?? TOP_RIVERS;
    return unclear ?? { kind: 'chart', query: about, chart: readChart(text) };
  }
  const expression = findExpression(english);
  if (expression !== null) return unclear ?? { kind: 'calculation', expression };
  if (query === null) return { kind: 'documents' };
  return unclear ?? { kind: 'rivers', query };
}

function readTable(text: string): string {
  if (/\bcountries\b|国家/iu.test(text)) return 'countries';
  return /\bcities\b|城市/iu.test(text) ? 'cities' : 'rivers';
}

function readChart(text: string): ChartType {
  if (/\bpie\b|饼/iu.test(text)) return 'Pie';
  return /\bline\b|折线|曲线/iu.test(text) ? 'Line' : 'Column';
}

function readMetric(text: string): Metric {
  const average = /\b(?:average|mean)\b|平均/iu.test(text);
  const aggregate = average ? 'avg' : 'sum';
  if (/\b(?:discharge|water)\b|流量/iu.test(text)) {
    return { id: `${aggregate}_discharge`, aggregate, column: 'discharge_m3s', unit: 'm³/s' };
  }
  if (/\b(?:basin|area)\b|流域/iu.test(text)) {
    return { id: `${aggregate}_basin`, aggregate, column: 'basin_km2', unit: 'km²' };
  }
  return { id: `${aggregate}_length`, aggregate, column: 'length_km', unit: 'km' };
}

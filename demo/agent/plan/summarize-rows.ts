import type { QueryResult } from '../tools/river-database.js';
import type { Measure, RiverQuery } from './river-question.js';

/** Names of the measures of rivers. */
export const MEASURE_NAMES: Readonly<Record<Measure, readonly [english: string, chinese: string]>> =
  {
    length_km: ['length', '长度'],
    discharge_m3s: ['discharge', '流量'],
    basin_km2: ['drainage basin', '流域面积'],
  };

/** Chinese headings of the columns of answers. */
const CHINESE_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['River', '河流'],
  ['Rivers', '河流数'],
  ['Length (km)', '长度（km）'],
  ['Discharge (m³/s)', '流量（m³/s）'],
  ['Basin (km²)', '流域面积（km²）'],
  ['Flows into', '流入'],
  ['Country', '国家'],
  ['Capital', '首都'],
  ['Area (km²)', '面积（km²）'],
  ['City', '城市'],
  ['Population', '人口'],
]);

/** The heading of a column of an answer in a language. */
export function nameColumn(name: string, language: 'en' | 'zh'): string {
  return language === 'zh' ? (CHINESE_COLUMNS.get(name) ?? name) : name;
}

/** The sentence above the rows of an answer; the query is null for a statement of the user. There must be a row. */
export function summarizeRows(
  result: Pick<QueryResult, 'rows'>,
  query: RiverQuery | null,
  language: 'en' | 'zh',
): string {
  return language === 'zh' ? summarizeInChinese(result, query) : summarizeInEnglish(result, query);
}

function summarizeInEnglish({ rows }: Pick<QueryResult, 'rows'>, query: RiverQuery | null): string {
  const [first = []] = rows;
  const name = `**${String(first[0])}**`;
  const total = String(rows.length);
  switch (query?.kind) {
    case 'ranking': {
      const [word] = MEASURE_NAMES[query.measure ?? 'length_km'];
      const where = [
        ...query.countries.map((each) => `in ${each}`),
        ...(query.mouth === null ? [] : [`that flow into the ${query.mouth}`]),
      ];
      const among = where.length === 0 ? '' : ` among the rivers ${where.join(' and ')}`;
      return `By ${word}, ${name} comes first${among}${query.ascending ? ', counted from the smallest' : ''}:`;
    }
    case 'crossings':
      return query.rivers.length === 1
        ? `${name} flows through or along ${total} ${rows.length === 1 ? 'country' : 'countries'}:`
        : 'These rivers flow through or along:';
    case 'cities':
      return `${total} ${rows.length === 1 ? 'city' : 'cities'} of the database lie there; the largest is ${name}:`;
    case 'count':
      return `There ${first[0] === 1 ? 'is' : 'are'} **${String(first[0])}** such ${first[0] === 1 ? 'river' : 'rivers'} in the database.`;
    case 'by-country':
      return `${name} has the most rivers of the database:`;
    case 'facts':
      return rows.length === 1
        ? `This is what the database knows about the ${name}:`
        : `Side by side, the ${name} is the longest:`;
    default:
      return rows.length === 1 ? 'The database says:' : `The database gives ${total} rows:`;
  }
}

function summarizeInChinese({ rows }: Pick<QueryResult, 'rows'>, query: RiverQuery | null): string {
  const [first = []] = rows;
  const name = `**${String(first[0])}**`;
  const total = String(rows.length);
  switch (query?.kind) {
    case 'ranking': {
      const [, word] = MEASURE_NAMES[query.measure ?? 'length_km'];
      return `按${word}${query.ascending ? '从小到大' : ''}排列，第一位是 ${name}：`;
    }
    case 'crossings':
      return query.rivers.length === 1 ? `${name} 流经 ${total} 个国家：` : '这些河流流经：';
    case 'cities':
      return `数据库中有 ${total} 个沿岸城市，最大的是 ${name}：`;
    case 'count':
      return `数据库中有 ${name} 条这样的河流。`;
    default:
      return `数据库的结果（${total} 行）：`;
  }
}

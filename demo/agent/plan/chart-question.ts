import type { DataQuery } from '../query/query.js';
import { columnOf, tableOf } from '../query/schema.js';
import { readDataQuestion, type DataQuestion, type DataSource } from './data-question.js';

/** The result of reading a request for a chart. */
export type ChartReading =
  | { readonly kind: 'query'; readonly question: DataQuestion }
  | { readonly kind: 'unclear'; readonly parts: readonly string[] }
  /** Besides words that ask for a chart, the request has only fillers. */
  | { readonly kind: 'empty' };

/** The question for an empty request: the longest rivers. */
export const LONGEST_RIVERS: DataQuestion = {
  source: null,
  query: {
    table: 'rivers',
    filters: [],
    show: { kind: 'rank', concept: 'length', direction: 'desc', limit: 10, place: null },
  },
};

/** Words that only ask for a chart. They are removed, so that the rest can be read as a question about data. */
const REQUEST =
  /(?<!\p{L})(?:draw(?: me)?|plot|show|as|charts?|bar|pie|line|column|diagrams?|graphs?|zeichne|(?:balken|kreis|säulen|linien)?diagramm|dessine|graphique|diagramme|camembert|barres|that|this|it|(?:a|an|the)(?= (?:bar|pie|line|column|chart|diagram|graph|plot)))(?!\p{L})/giu;

const CHINESE_REQUEST =
  /(?:画|绘制|生成|制作)(?:出|一)?(?:个|张|幅)?|柱状图|条形图|饼图|折线图|曲线图|图表/gu;

/** Reads what a chart should show: names with one number each. */
export function readChart(question: string, sources: readonly DataSource[]): ChartReading {
  const text = question.replaceAll(REQUEST, ' ').replaceAll(CHINESE_REQUEST, ' ');
  const reading = readDataQuestion(text, sources);
  if (reading.kind === 'unclear') return reading;
  if (reading.kind === 'other') {
    return reading.parts.length > 0 ? { kind: 'unclear', parts: reading.parts } : { kind: 'empty' };
  }
  const { source } = reading.question;
  const schema = sources.find((each) => each.id === source)?.schema;
  const query = schema && toDrawable(reading.question.query, schema);
  return query == null
    ? { kind: 'unclear', parts: [question.trim().slice(0, 200)] }
    : { kind: 'query', question: { source, query } };
}

/** Returns a query whose second column is a number; null when the query cannot be drawn. */
function toDrawable(query: DataQuery, schema: DataSource['schema']): DataQuery | null {
  const table = tableOf(schema, query.table);
  const { show } = query;
  const firstMeasure = table.columns.find((column) => column.isNumber)?.concepts[0] ?? null;
  const ranked = (concept: string, limit: number): DataQuery => ({
    ...query,
    show: { kind: 'rank', concept, direction: 'desc', limit, place: null },
  });
  switch (show.kind) {
    case 'groups':
      return query;
    case 'rank':
      return { ...query, show: { ...show, concept: show.concept ?? table.size ?? firstMeasure } };
    case 'values': {
      const [concept = ''] = show.concepts;
      return columnOf(table, concept)?.isNumber === true ? ranked(concept, 20) : null;
    }
    case 'rows':
      return firstMeasure === null ? null : ranked(table.size ?? firstMeasure, 10);
    default:
      return null;
  }
}

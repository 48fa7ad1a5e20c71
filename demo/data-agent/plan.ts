import { LONGEST_RIVERS, readChart as readChartQuestion } from '../agent/plan/chart-question.js';
import { translateChinese } from '../agent/plan/chinese-question.js';
import {
  readDataQuestion,
  type DataReading,
  type DataSource,
} from '../agent/plan/data-question.js';
import type { DataQuery } from '../agent/query/query.js';
import { readItems } from '../agent/query/read-items.js';
import type { Schema } from '../agent/query/schema.js';
import { readArithmetic } from '../agent/tools/arithmetic.js';

/** The chart types that the chart tool draws. */
export type ChartType = 'Line' | 'Column' | 'Pie';

/** The plan of an answer by the rules. */
export type Plan =
  | { readonly kind: 'greeting' }
  | { readonly kind: 'data'; readonly query: DataQuery }
  | { readonly kind: 'sql'; readonly sql: string }
  | { readonly kind: 'chart'; readonly query: DataQuery; readonly chart: ChartType }
  /** An average, a sum, a smallest or a largest value. */
  | { readonly kind: 'metric'; readonly query: DataQuery }
  | { readonly kind: 'calculation'; readonly expression: string }
  | { readonly kind: 'web' }
  | { readonly kind: 'expert' }
  /** A whole table, which is read only after the approval of the user. */
  | { readonly kind: 'export'; readonly table: string }
  /** An answer that is JSON instead of text. */
  | { readonly kind: 'verdict' }
  | {
      readonly kind: 'documents';
      /** Parts of a question about data that were not understood; the answer names them when no document fits. */
      readonly unclear: readonly string[];
      /** Words that a passage must have. */
      readonly keywords: readonly string[];
    }
  /** The sample data could be asked, but parts of the question were not understood. */
  | { readonly kind: 'unclear'; readonly parts: readonly string[] };

/** Input of {@link planAnswer}. */
export interface Situation {
  readonly question: string;
  /** The question before, or an empty text. */
  readonly previous: string;
  /** The application context as text, or an empty text. */
  readonly context: string;
  /** The tables of the sample database. */
  readonly schema: Schema;
}

/** Number of characters of a question that are read, except of SQL: the cost of the patterns grows faster than the length. */
const MAX_LENGTH = 2000;

/** Plans the answer to a question by rules. When no rule matches, the documents are searched. */
export function planAnswer({ question, previous, context, schema }: Situation): Plan {
  const sql = /^\s*sql\s*[:：]\s*([\s\S]+)$/iu.exec(question)?.[1];
  if (sql !== undefined) return { kind: 'sql', sql };
  const text = question.slice(0, MAX_LENGTH);
  if (
    /^\s*(?:hi|hello|hey|hallo|bonjour|thanks?|thank you|danke|merci|你好|您好|谢谢)[\s!.！。]*$/iu.test(
      text,
    )
  ) {
    return { kind: 'greeting' };
  }
  if (/\b(?:export|full scan)\b|导出/iu.test(text)) {
    return { kind: 'export', table: readTable(text) };
  }
  if (/\b(?:as json|verdict)\b|以json/iu.test(text)) return { kind: 'verdict' };
  if (/\b(?:expert|sub-?agent)\b|专家|子智能体/iu.test(text)) return { kind: 'expert' };
  if (/\b(?:web|internet|online|news)\b|网上|网络上|网络搜索|互联网|新闻/iu.test(text))
    return { kind: 'web' };
  const sources: readonly DataSource[] = [{ id: null, schema }];
  // 图 means a chart, except at the start of 图尔 (Tours) and 图卢兹 (Toulouse).
  if (
    /\b(?:chart|plot|draw|diagram|pie|graph|graphique|dessine|zeichne|\w*diagramm)\b|图(?![尔卢])|画/iu.test(
      text,
    )
  ) {
    return planChart(text, previous, sources);
  }
  const arithmetic = readArithmetic(translateChinese(text).english);
  if (arithmetic?.kind === 'unclear') return arithmetic;
  if (arithmetic !== null) return { kind: 'calculation', expression: arithmetic.expression };
  const reading = readInContext(text, context, sources);
  if (reading.kind === 'other') return { kind: 'documents', unclear: [], keywords: [] };
  if (reading.kind === 'unclear') {
    const { parts, keywords } = reading;
    // A document can answer only what it has a word for.
    return keywords.length > 0 ? { kind: 'documents', unclear: parts, keywords } : reading;
  }
  const { query } = reading.question;
  const { show } = query;
  if (show.kind === 'rank' && show.concept === null) {
    return { kind: 'data', query: { ...query, show: { ...show, concept: 'length' } } };
  }
  const isMetric = show.kind === 'aggregate' || (show.kind === 'groups' && show.function !== null);
  return { kind: isMetric ? 'metric' : 'data', query };
}

function planChart(text: string, previous: string, sources: readonly DataSource[]): Plan {
  const chart = readChart(text);
  const reading = readChartQuestion(text, sources);
  if (reading.kind === 'unclear') return reading;
  if (reading.kind === 'query') return { kind: 'chart', query: reading.question.query, chart };
  const before = readChartQuestion(previous, sources);
  const { query } = before.kind === 'query' ? before.question : LONGEST_RIVERS;
  return { kind: 'chart', query, chart };
}

/** Words that refer to what the user is looking at. */
const PRONOUN = /(?<!\p{L})(?:its?|th(?:is|at) river)(?!\p{L})|它的?|这条河/iu;

/** Reads a question; a name of the application context completes one that lacks it. */
function readInContext(text: string, context: string, sources: readonly DataSource[]): DataReading {
  const reading = readDataQuestion(text, sources);
  const [source] = sources;
  if (context === '' || source === undefined || reading.kind === 'query') return reading;
  const name = readItems(context.slice(0, 500), source.schema).items.find(
    (item) => item.kind === 'name',
  )?.values[0]?.value;
  if (name === undefined) return reading;
  const completed = PRONOUN.test(text) ? text.replace(PRONOUN, ` ${name} `) : `${text} ${name}`;
  const inContext = readDataQuestion(completed, sources);
  return inContext.kind === 'query' ? inContext : reading;
}

function readTable(text: string): string {
  if (/\bcountries\b|国家/iu.test(text)) return 'countries';
  return /\bcities\b|城市/iu.test(text) ? 'cities' : 'rivers';
}

function readChart(text: string): ChartType {
  if (/\bpie\b|饼/iu.test(text)) return 'Pie';
  return /\bline\b|折线|曲线/iu.test(text) ? 'Line' : 'Column';
}

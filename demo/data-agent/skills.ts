import type { Json, JsonObject } from '../agent/json.js';
import { translateChinese } from '../agent/plan/chinese-question.js';
import { keywordsOf } from '../agent/plan/words.js';
import type { DataQuery } from '../agent/query/query.js';
import { requireColumn, tableOf } from '../agent/query/schema.js';
import { capitalize, writeSql, type SqlQuery } from '../agent/query/write-sql.js';
import { ToolError } from '../agent/run/run-errors.js';
import { bestExcerpt, isRelevant } from '../agent/skills/sentences.js';
import type { Database } from '../agent/store/database.js';
import { searchPassages } from '../agent/store/passages.js';
import { evaluate } from '../agent/tools/arithmetic.js';
import type { RiverDatabase } from '../agent/tools/river-database.js';
import type { Cell, QueryResult } from '../agent/tools/sql-database.js';
import { writeExpertOpinion, type ExpertOpinion } from './expert.js';
import type { ChartType } from './plan.js';
import type { SkillInfo } from './reply.js';
import type { DataAgentRun } from './run.js';
import { createUlid } from './ulid.js';
import { searchWebCorpus, type WebPage } from './web-corpus.js';

/** The databases that the skills use. */
export interface SkillSources {
  readonly database: Database;
  readonly rivers: RiverDatabase;
}

/** One row of a result by column name. */
export type Row = Readonly<Record<string, Cell>>;

/** The rows of a query. */
export interface SqlRows {
  readonly rows: readonly Row[];
  /** Whether rows were omitted. */
  readonly more: boolean;
}

/** Names of the skills that the agent has, with a description each. */
export const SKILLS: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'text2sql', description: 'Queries the sample database, read-only.' },
  { name: 'doc_qa', description: 'Searches the documents of the agent.' },
  { name: 'zhipu_search_tool', description: 'Searches a small local corpus in place of the web.' },
  { name: 'json2plot', description: 'Draws a chart of a result.' },
  { name: 'text2metric', description: 'Computes a metric over the rivers.' },
  { name: 'calculator', description: 'Evaluates an arithmetic expression.' },
  { name: 'export_table', description: 'Reads a whole table; needs approval.' },
];

/** Runs a query as a `text2sql` step. Throws `ToolError` after marking the step as failed. */
export async function runSql(
  run: DataAgentRun,
  { rivers }: SkillSources,
  question: SqlQuery & { readonly title: string; readonly input: string },
): Promise<SqlRows> {
  return runTool(run, 'text2sql', [argument('input', question.input)], async () => {
    const result = await rivers.query(question.sql, question.parameters);
    const rows = toRows(result);
    return [shapeSqlResult(question, result), { rows, more: result.more }];
  });
}

/** Writes the SQL for a question and runs it. */
export function runQuery(
  run: DataAgentRun,
  sources: SkillSources,
  query: DataQuery,
  input: string,
): Promise<SqlRows> {
  const { key, many } = tableOf(sources.rivers.schema, query.table);
  const { language } = run.options;
  // A Chinese noun for several rows begins with its measure word.
  const title = language === 'zh' ? key.labels.zh : capitalize(many[language]);
  return runSql(run, sources, { ...writeSql(query, sources.rivers.schema), title, input });
}

/** Draws a chart of rows as a `json2plot` step. */
export async function drawChart(
  run: DataAgentRun,
  rows: readonly Row[],
  chart: { readonly type: ChartType; readonly category: string; readonly value: string },
): Promise<void> {
  const title = `${chart.value} / ${chart.category}`;
  const data = rows.map((row) => ({
    [chart.category]: row[chart.category] ?? null,
    [chart.value]: row[chart.value] ?? null,
  }));
  const args = [
    argument('title', title),
    argument('chart_type', chart.type),
    argument('group_by', [chart.category], 'list'),
    argument('data_field', chart.value),
  ];
  await runTool(run, 'json2plot', args, () => {
    const common = {
      title,
      text: '',
      chart_config: chartConfig(chart),
      result_cache_key: createUlid(),
    };
    const answer = {
      result: { ...common, data_sample: data.slice(0, 1) },
      full_result: { ...common, data },
    };
    return Promise.resolve([answer, null]);
  });
}

/** Computes an aggregate as a `text2metric` step. */
export function computeMetric(
  run: DataAgentRun,
  { rivers }: SkillSources,
  query: DataQuery,
  input: string,
): Promise<Row[]> {
  const { show } = query;
  const concept = 'concept' in show ? (show.concept ?? '') : '';
  const name = 'function' in show ? (show.function ?? '') : '';
  const column = requireColumn(tableOf(rivers.schema, query.table), concept);
  const id = `${name}_${concept}`;
  return runTool(run, 'text2metric', [argument('input', input)], async () => {
    const { sql, parameters } = writeSql(query, rivers.schema);
    const result = await rivers.query(sql, parameters);
    const rows = toRows(result);
    const common = {
      title: column.labels[run.options.language],
      metric_id: id,
      step: '',
      unit: column.unit,
      unit_type: 'storeUnit',
      explanation: printSql({ sql, parameters }),
      reason: '',
      query_params: {
        instant: true,
        start: 0,
        end: 0,
        step: '',
        analysis_dimensions: show.kind === 'groups' ? result.columns.slice(0, 1) : [],
      },
      data_summary: { total_data_points: rows.length, force_limit: 200 },
      cites: [{ id, name: id, type: 'metric' }],
      data_desc: { return_records_num: Math.min(1, rows.length), real_records_num: rows.length },
    };
    return [
      { result: { ...common, data: rows.slice(0, 1) }, full_result: { ...common, data: rows } },
      rows,
    ];
  });
}

/** Evaluates an expression as a `calculator` step. Throws `ToolError` after marking the step as failed. */
export function calculate(run: DataAgentRun, expression: string): Promise<number> {
  return runTool(run, 'calculator', [argument('expression', expression)], () => {
    const value = evaluate(expression);
    return Promise.resolve([{ result: { expression, value } }, value]);
  });
}

/** An excerpt of a document: one or two sentences, or the beginning of a passage. */
export interface FoundExcerpt {
  readonly text: string;
  readonly document: string;
}

/**
 * Searches the shared documents as a `doc_qa` step.
 *
 * @param required Words that a passage must have.
 */
export async function searchDocuments(
  run: DataAgentRun,
  { database }: SkillSources,
  question: string,
  required: readonly string[] = [],
): Promise<FoundExcerpt[]> {
  return runTool(run, 'doc_qa', [argument('query', question)], () => {
    // A Chinese question finds Chinese documents by its characters, and English ones when all of it has a translation.
    const translated = translateChinese(question);
    const english = translated.unknown.length === 0 ? translated.english : '';
    const words = keywordsOf(`${question} ${english}`);
    const found = searchPassages(database, {
      sessionId: null,
      words,
      documentIds: null,
      limit: 12,
    })
      .filter(({ heading, text, document_name: name }) => {
        const passage = { title: `${name.replaceAll(/[-_.]/gu, ' ')} ${heading}`, text };
        return [question, english].some(
          (each) => each !== '' && isRelevant(passage, each, required),
        );
      })
      .slice(0, 3);
    const excerpts = found.map((passage) => ({
      text: bestExcerpt(passage.text, words.join(' ')) || passage.text.slice(0, 200),
      document: passage.document_name,
    }));
    const cites = found.map((passage, index) => ({
      content: passage.text,
      doc_id: passage.document_id,
      doc_name: passage.document_name,
      ext_type: 'md',
      object_id: passage.document_id,
      parent_path: '',
      size: passage.text.length,
      type: 'document',
      slices: [
        { id: passage.id, no: passage.position, content: passage.text, pages: [passage.page ?? 1] },
      ],
      space_id: '',
      doc_lib_type: 'local',
      index,
    }));
    const text = excerpts
      .map((each, index) => `${each.text} <i slice_idx=0>${String(index + 1)}</i>`)
      .join('\n\n');
    const content = run.reply.message.content;
    if (content !== null) content.middle_answer.doc_retrieval = { text, cites };
    const full = { text, cites, references: [] };
    return Promise.resolve([
      { result: { text, cites: cites.slice(0, 1) }, full_result: full },
      excerpts,
    ]);
  });
}

/** Searches the local corpus as a `zhipu_search_tool` step; nothing is sent to the network. */
export function searchWeb(run: DataAgentRun, query: string): Promise<WebPage[]> {
  return runTool(run, 'zhipu_search_tool', [argument('query', query)], () => {
    const pages = searchWebCorpus(query, 3);
    const id = `call_${createUlid()}`;
    const keywords = keywordsOf(query).join(' ');
    const calls = [
      { id, type: 'search_intent', search_intent: [{ query, keywords, intent: 'SEARCH_ALL' }] },
      { id, type: 'search_result', search_result: pages.map((page) => ({ ...page })) },
    ];
    return Promise.resolve([
      { choices: [{ message: { role: 'tool', tool_calls: calls } }] },
      pages,
    ]);
  });
}

/** Runs the sub-agent `river_expert` as a step whose text grows at `answer.answer`. Returns its opinion. */
export async function askExpert(
  run: DataAgentRun,
  { rivers }: SkillSources,
  query: string,
): Promise<ExpertOpinion> {
  const step = await run.openSkill('river_expert', [argument('query', query)], 'AGENT');
  const opinion = await writeExpertOpinion(rivers, query, (english, chinese) =>
    run.text(english, chinese),
  );
  let answer = '';
  for (const piece of opinion.text.match(/[\s\S]{1,9}/gu) ?? []) {
    answer += piece;
    step.answer = { answer };
    await run.frame(25, 'text');
  }
  run.close(step, 'completed');
  await run.frame(30);
  return opinion;
}

/** The tables that can be exported. */
export const TABLES: readonly string[] = ['rivers', 'countries', 'cities'];

/**
 * Reads up to `limit` rows of a table, in the form of a `text2sql` result for the step that had to be approved. Throws `ToolError` for other
 * tables.
 */
export async function readTable(
  { rivers }: SkillSources,
  table: string,
  limit: number,
): Promise<JsonObject> {
  if (!TABLES.includes(table)) throw new ToolError(`There is no table "${table}".`);
  const sql = `SELECT * FROM ${table} LIMIT ?`;
  const parameters = [limit];
  const result = await rivers.query(sql, parameters);
  return shapeSqlResult({ sql, parameters, title: table }, result);
}

/** Creates an argument of a skill. */
export function argument(name: string, value: Json, type = 'str'): SkillInfo['args'][number] {
  return { name, value, type };
}

/**
 * Runs a tool as a separate step. If the tool throws a `ToolError`, the step fails, and the error is rethrown. As everywhere in this file,
 * `run.frame` waits as many milliseconds as the work would take, and may publish a snapshot.
 */
export async function runTool<T>(
  run: DataAgentRun,
  name: string,
  args: SkillInfo['args'],
  call: () => Promise<readonly [answer: Json, result: T]>,
): Promise<T> {
  const step = await run.openSkill(name, args);
  try {
    const [answer, result] = await call();
    step.answer = answer;
    run.close(step, 'completed');
    await run.frame(250, 'tool');
    return result;
  } catch (error) {
    if (error instanceof ToolError) {
      step.answer = { error: error.message, details: '' };
      run.close(step, 'failed');
      await run.frame(30);
    }
    throw error;
  }
}

function toRows(result: QueryResult): Row[] {
  return result.rows.map((cells) =>
    Object.fromEntries(result.columns.map((column, index) => [column, cells[index] ?? null])),
  );
}

function shapeSqlResult(
  question: SqlQuery & { readonly title: string },
  result: QueryResult,
): JsonObject {
  const rows = toRows(result);
  const common = {
    sql: printSql(question),
    title: question.title,
    message: '',
    explanation: {},
    cites: [{ id: 'rivers', name: 'rivers', type: 'data_view', description: 'European rivers' }],
    result_cache_key: createUlid(),
    data_desc: { return_records_num: Math.min(1, rows.length), real_records_num: rows.length },
  };
  return {
    result: { ...common, data: rows.slice(0, 1) },
    full_result: { ...common, data: rows },
  };
}

/** Parameters, and what may contain a question mark that is not a parameter: texts and names in quotes, and comments. */
const PARAMETER_OR_TEXT = /\?|'[^']*'|"[^"]*"|--.*/gu;

/** Writes the parameters of a query into its text for display; the query itself runs with parameters. */
function printSql({ sql, parameters }: SqlQuery): string {
  let next = 0;
  return sql.replaceAll(PARAMETER_OR_TEXT, (match) => {
    if (match !== '?') return match;
    const value = parameters[next] ?? null;
    next += 1;
    return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
  });
}

function chartConfig(chart: {
  readonly type: ChartType;
  readonly category: string;
  readonly value: string;
}): JsonObject {
  const { type, category, value } = chart;
  switch (type) {
    case 'Pie':
      return { colorField: category, angleField: value, chart_type: type };
    case 'Line':
      return { xField: category, yField: value, seriesField: '', chart_type: type };
    case 'Column':
      return {
        xField: category,
        yField: value,
        seriesField: '',
        groupField: '',
        isStack: false,
        isGroup: false,
        chart_type: type,
      };
  }
}

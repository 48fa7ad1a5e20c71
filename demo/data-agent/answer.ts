import { describeResult, nameHeading, printNumber } from '../agent/query/describe-result.js';
import { detectOtherLanguage, NOT_READ_SENTENCES } from '../agent/query/languages.js';
import type { DataQuery } from '../agent/query/query.js';
import { writeUnclearParts } from '../agent/skills/unclear-parts.js';
import { formatTable } from '../agent/skills/memory.js';
import type { QueryResult } from '../agent/tools/sql-database.js';
import { requestApproval } from './approval.js';
import type { Plan } from './plan.js';
import type { DataAgentRun } from './run.js';
import {
  askExpert,
  calculate,
  computeMetric,
  drawChart,
  runQuery,
  runSql,
  searchDocuments,
  searchWeb,
  type SkillSources,
  type SqlRows,
} from './skills.js';

/** Answers a question by its plan. Throws `ApprovalRequiredError` before a costly tool and `ToolError` when the run cannot go on. */
export async function answerQuestion(
  run: DataAgentRun,
  sources: SkillSources,
  question: string,
  plan: Plan,
): Promise<void> {
  switch (plan.kind) {
    case 'greeting':
      await run.write(
        run.text(
          'Hello! I answer questions about European rivers from a small database and from documents.',
          '你好！我可以根据示例数据库和文档回答有关欧洲河流的问题。',
        ),
        run.text('A greeting needs no tool.', '问候不需要工具。'),
      );
      break;
    case 'data': {
      await announceQuery(run);
      const result = await runQuery(run, sources, plan.query, question);
      await run.write(describeRows(run, sources, result, plan.query));
      break;
    }
    case 'sql': {
      await announceQuery(run);
      const title = run.text('Your query', '您的查询');
      const result = await runSql(run, sources, {
        sql: plan.sql,
        parameters: [],
        title,
        input: question,
      });
      await run.write(describeStatement(run, sources, result));
      break;
    }
    case 'chart':
      await answerWithChart(run, sources, question, plan);
      break;
    case 'metric': {
      await run.write(run.text('I compute the metric.', '我来计算该指标。'));
      const rows = await computeMetric(run, sources, plan.query, question);
      await run.write(describeRows(run, sources, { rows, more: false }, plan.query));
      break;
    }
    case 'calculation': {
      const result = await calculate(run, plan.expression);
      const value = printNumber(result, '', run.options.language);
      await run.write(
        run.text(`The result is **${value}**.`, `结果是 **${value}**。`, {
          de: `Das Ergebnis ist **${value}**.`,
          fr: `Le résultat est **${value}**.`,
        }),
      );
      break;
    }
    case 'web': {
      const pages = await searchWeb(run, question);
      const lines = pages.map((page) => `- [${page.title}](${page.link}): ${page.content}`);
      const source = run.text(
        'From the local corpus that stands in for the web:',
        '以下结果来自代替网络的本地语料：',
      );
      const nothing = run.text(
        'The local corpus that stands in for the web has nothing about that.',
        '代替网络的本地语料中没有相关内容。',
      );
      await run.write(lines.length === 0 ? nothing : `${source}\n\n${lines.join('\n')}`);
      break;
    }
    case 'expert': {
      const { summary } = await askExpert(run, sources, question);
      await run.write(summary);
      break;
    }
    case 'export':
      await run.write(
        run.text(
          'Reading a whole table is costly, so I ask first.',
          '读取整张表开销较大，需要先确认。',
        ),
      );
      await requestApproval(run, plan.table);
      break;
    case 'verdict': {
      // The answer is JSON instead of text.
      const { rows } = await runSql(run, sources, {
        sql: 'SELECT name, length_km FROM rivers ORDER BY length_km DESC LIMIT 1',
        parameters: [],
        title: 'verdict',
        input: question,
      });
      const { message } = run.reply;
      message.content_type = 'other';
      if (message.content !== null) {
        message.content.final_answer.answer_type_other = { ...rows[0] };
        message.content.final_answer.answer.text = '';
      }
      await run.frame(30);
      break;
    }
    case 'unclear':
      await run.write(writeUnclearParts(plan.parts, run.options.language));
      break;
    case 'documents': {
      const excerpts = await searchDocuments(run, sources, question, plan.keywords);
      // The quotations do not name their documents: the sources of the previous step do.
      const quotes = excerpts.map((each, index) => `> ${each.text} [${index + 1}]`);
      await run.write(
        quotes.length === 0
          ? writeNothingFound(run, question, plan.unclear)
          : `${run.text('The documents say:', '文档中的相关内容：', { de: 'In den Dokumenten steht:', fr: 'Les documents disent :' })}\n\n${quotes.join('\n\n')}`,
      );
      break;
    }
  }
  suggestQuestions(run);
}

/** Continues an answer after a decision about a tool. `table` is the table that was read; null when the tool was skipped. */
export async function continueAfterApproval(
  run: DataAgentRun,
  table: string | null,
): Promise<void> {
  await run.write(
    table === null
      ? run.text('I left the table alone.', '已跳过，没有读取该表。')
      : run.text(`The table ${table} is read.`, `已读取表 ${table}。`),
  );
  suggestQuestions(run);
}

async function announceQuery(run: DataAgentRun): Promise<void> {
  await run.write(
    run.text('I query the river database.', '我来查询河流数据库。'),
    run.text(
      'The question is about rivers, so the database can answer it. I write one read-only query.',
      '这个问题与河流有关，可以用数据库回答。我写一条只读查询。',
    ),
  );
}

async function answerWithChart(
  run: DataAgentRun,
  sources: SkillSources,
  question: string,
  plan: Extract<Plan, { kind: 'chart' }>,
): Promise<void> {
  await announceQuery(run);
  const { rows } = await runQuery(run, sources, plan.query, question);
  const [category = '', value = ''] = Object.keys(rows[0] ?? {});
  await drawChart(run, rows, { type: plan.chart, category, value });
  await run.write(run.text('Here is the chart.', '图表如上。'));
}

function suggestQuestions(run: DataAgentRun): void {
  if (run.reply.message.ext === null) return;
  run.reply.message.ext.related_queries =
    run.options.language === 'zh'
      ? ['多瑙河流经哪些国家？', '画一个最长河流的柱状图']
      : ['Which countries does the Danube flow through?', 'Draw a chart of the longest rivers'];
}

function describeRows(
  run: DataAgentRun,
  { rivers }: SkillSources,
  result: SqlRows,
  query: DataQuery,
): string {
  const { language } = run.options;
  const described = describeResult(query, rivers.schema, toResult(result), language);
  const { sentence, columns } = described;
  if (described.rows.length === 0) return sentence;
  return `${sentence}\n\n${formatTable(columns, described.rows.slice(0, MAX_ROWS), language)}`;
}

/** Describes the rows of a statement that the user has written. */
function describeStatement(run: DataAgentRun, { rivers }: SkillSources, result: SqlRows): string {
  const { columns, rows: cells, more } = toResult(result);
  if (cells.length === 0) {
    return run.text('The database has no matching rows.', '数据库中没有符合条件的数据。');
  }
  const { language } = run.options;
  const headings = columns.map((column) => nameHeading(column, rivers.schema, language));
  const count = String(cells.length);
  const sentence = run.text(
    `The database gives ${more ? 'more than ' : ''}${count} rows:`,
    `数据库的结果（${more ? '超过 ' : ''}${count} 行）：`,
  );
  return `${sentence}\n\n${formatTable(headings, cells.slice(0, MAX_ROWS), language)}`;
}

/** Maximum number of rows that an answer shows. */
const MAX_ROWS = 60;

function toResult({ rows, more }: SqlRows): QueryResult {
  const columns = Object.keys(rows[0] ?? {});
  return { columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)), more };
}

function writeNothingFound(
  run: DataAgentRun,
  question: string,
  unclear: readonly string[],
): string {
  if (unclear.length > 0) return writeUnclearParts(unclear, run.options.language);
  const other = detectOtherLanguage(question);
  if (other !== null) return NOT_READ_SENTENCES[other];
  return run.text('I found nothing about that in the documents.', '文档中没有相关内容。', {
    de: 'Dazu habe ich in den Dokumenten nichts gefunden.',
    fr: 'Je n’ai rien trouvé à ce sujet dans les documents.',
  });
}

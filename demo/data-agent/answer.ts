import { textOf, type Json } from '../agent/json.js';
import type { RiverQuery } from '../agent/plan/river-question.js';
import { nameColumn, summarizeRows } from '../agent/plan/summarize-rows.js';
import { requestApproval } from './approval.js';
import type { Plan } from './plan.js';
import type { DataAgentRun } from './run.js';
import {
  askExpert,
  calculate,
  computeMetric,
  drawChart,
  runRiverQuery,
  runSql,
  searchDocuments,
  searchWeb,
  type Row,
  type SkillSources,
} from './skills.js';

/** Answers a question by its plan. Throws `ApprovalNeeded` before a costly tool and `ToolFailure` when the run cannot go on. */
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
    case 'rivers': {
      await announceQuery(run);
      const rows = await runRiverQuery(run, sources, plan.query, question);
      await run.write(describeRows(run, rows, plan.query));
      break;
    }
    case 'sql': {
      await announceQuery(run);
      const title = run.text('Your query', '您的查询');
      const rows = await runSql(run, sources, {
        sql: plan.sql,
        parameters: [],
        title,
        input: question,
      });
      await run.write(describeRows(run, rows, null));
      break;
    }
    case 'chart':
      await answerWithChart(run, sources, question, plan);
      break;
    case 'metric': {
      await run.write(run.text('I compute the metric.', '我来计算该指标。'));
      const rows = await computeMetric(run, sources, plan.metric, question);
      const [first] = rows;
      await run.write(
        run.text(
          `The highest value is **${print(first?.['value'])} ${plan.metric.unit}**, for the rivers that flow into ${print(first?.['sea'])}.`,
          `最高值为 **${print(first?.['value'])} ${plan.metric.unit}**，流入 ${print(first?.['sea'])} 的河流。`,
        ),
      );
      break;
    }
    case 'calculation': {
      const value = await calculate(run, plan.expression);
      await run.write(run.text(`The result is **${value}**.`, `结果是 **${value}**。`));
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
      const rows = await runSql(run, sources, {
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
      await run.write(
        run.text(
          `I did not understand ${plan.parts.map((part) => `“${part}”`).join(', ')}, so I did not query the database.`,
          `我没有理解${plan.parts.map((part) => `“${part}”`).join('、')}，因此没有查询数据库。请换一种说法，例如“多瑙河流经哪些国家？”。`,
        ),
      );
      break;
    case 'documents': {
      const sentences = await searchDocuments(run, sources, question);
      // The sources of the step before name the documents.
      const quotes = sentences.map((each, index) => `> ${each.text} [${index + 1}]`);
      await run.write(
        quotes.length === 0
          ? run.text('The documents say nothing about that.', '文档中没有相关内容。')
          : `${run.text('The documents say:', '文档中的相关内容：')}\n\n${quotes.join('\n\n')}`,
      );
      break;
    }
  }
  suggestQuestions(run);
}

/** Continues an answer after the decision about a table; null when it was skipped. */
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
  const measure = plan.query.measure ?? 'length_km';
  const value =
    measure === 'length_km'
      ? 'Length (km)'
      : measure === 'basin_km2'
        ? 'Basin (km²)'
        : 'Discharge (m³/s)';
  if (plan.chart === 'Pie') {
    const rows = await runSql(run, sources, {
      sql: 'SELECT flows_into AS Sea, count(*) AS Rivers FROM rivers GROUP BY flows_into ORDER BY count(*) DESC LIMIT ?',
      parameters: [8],
      title: run.text('Rivers by sea', '按海域统计的河流'),
      input: question,
    });
    await drawChart(run, rows, { type: 'Pie', category: 'Sea', value: 'Rivers' });
  } else {
    const query: RiverQuery = { ...plan.query, kind: 'ranking', measure };
    const rows = await runRiverQuery(run, sources, query, question);
    await drawChart(run, rows, { type: plan.chart, category: 'River', value });
  }
  await run.write(run.text('Here is the chart.', '图表如上。'));
}

function suggestQuestions(run: DataAgentRun): void {
  if (run.reply.message.ext === null) return;
  run.reply.message.ext.related_queries =
    run.options.language === 'zh'
      ? ['多瑙河流经哪些国家？', '画一个最长河流的柱状图']
      : ['Which countries does the Danube flow through?', 'Draw a chart of the longest rivers'];
}

function describeRows(run: DataAgentRun, rows: readonly Row[], query: RiverQuery | null): string {
  const [first] = rows;
  if (first === undefined) {
    return run.text('The database has no matching rows.', '数据库中没有符合条件的数据。');
  }
  const { language } = run.options;
  const columns = Object.keys(first);
  const cells = rows.map((row) => columns.map((column) => row[column] ?? null));
  const summary = summarizeRows({ rows: cells }, query, language);
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  const table = [
    line(columns.map((column) => nameColumn(column, language))),
    line(columns.map(() => '---')),
    ...cells.slice(0, 20).map((row) => line(row.map(print))),
  ];
  return `${summary}\n\n${table.join('\n')}`;
}

function print(value: Json | undefined): string {
  return textOf(value);
}

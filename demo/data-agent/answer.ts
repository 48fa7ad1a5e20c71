import { textOf, type Json } from '../agent/json.js';
import type { RiverQuery } from '../agent/plan/river-question.js';
import { ToolFailure } from '../agent/run/signals.js';
import type { Plan } from './plan.js';
import type { InterruptInfo } from './reply.js';
import type { DataAgentRun } from './run.js';
import {
  argument,
  askExpert,
  calculate,
  computeMetric,
  drawChart,
  readTable,
  runRiverQuery,
  runSql,
  searchDocuments,
  searchWeb,
  type Row,
  type SkillSources,
} from './skills.js';
import { createUlid } from './ulid.js';

/** Thrown when a tool needs approval; the run ends and a later run continues its answer. */
export class ApprovalNeeded extends Error {}

/** The decision of a user about a tool that waits for approval. */
export interface ApprovalDecision {
  readonly action: 'confirm' | 'skip';
  /** Changed arguments by name. */
  readonly modified: ReadonlyMap<string, Json>;
}

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
      await run.write(`${source}\n\n${lines.join('\n')}`);
      break;
    }
    case 'expert':
      await askExpert(
        run,
        question,
        run.text(
          'The discharge of a river grows with its basin and with rainfall. A long river in a dry basin can carry less water than a short one in the mountains.',
          '河流的流量随流域面积和降雨量增加。干旱流域中的长河，水量可能少于山区的短河。',
        ),
      );
      await run.write(
        run.text(
          'In short: the basin and the rainfall decide, not the length.',
          '简而言之：决定流量的是流域和降雨，而不是长度。',
        ),
      );
      break;
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
    case 'documents': {
      const sentences = await searchDocuments(run, sources, question);
      const quotes = sentences.map(
        (each, index) => `> ${each.text} [${index + 1}]\n\n${each.document}`,
      );
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

/** Continues an answer whose last step waits for approval. */
export async function continueAfterApproval(
  run: DataAgentRun,
  sources: SkillSources,
  decision: ApprovalDecision,
): Promise<void> {
  const step = run.steps.findLast((each) => each.skill_info?.name === 'export_table');
  const info = step?.skill_info;
  if (step === undefined || info === null || info === undefined) {
    throw new ToolFailure('No tool waits for approval.');
  }
  step.interrupted = false;
  if (decision.action === 'skip') {
    step.answer = { skipped: true };
    run.close(step, 'skipped');
    await run.frame(30);
    await run.write(run.text('I left the table alone.', '已跳过，没有读取该表。'));
  } else {
    info.args = info.args.map((each) => ({
      ...each,
      value: decision.modified.get(each.name) ?? each.value,
    }));
    const valueOf = (name: string): Json =>
      info.args.find((each) => each.name === name)?.value ?? null;
    const table = textOf(valueOf('table'));
    const limit = Math.min(200, Math.max(1, Number(valueOf('max_rows')) || 1));
    try {
      step.answer = await readTable(sources, table, limit);
      run.close(step, 'completed');
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      step.answer = { error: error.message, details: '' };
      run.close(step, 'failed');
      throw error;
    }
    await run.frame(300, 'tool');
    await run.write(run.text(`The table ${table} is read.`, `已读取表 ${table}。`));
  }
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

async function requestApproval(run: DataAgentRun, table: string): Promise<never> {
  const step = await run.openSkill('export_table', [
    argument('table', table),
    argument('max_rows', 200, 'int'),
    argument('options', { header: true }, 'object'),
  ]);
  step.interrupted = true;
  const info: InterruptInfo = {
    handle: {
      frame_id: createUlid(),
      snapshot_id: createUlid(),
      resume_token: createUlid(),
      interrupt_type: 'tool_interrupt',
      current_block: 0,
      restart_block: false,
    },
    data: {
      tool_name: 'export_table',
      tool_description: run.text('Reads a whole table.', '读取整张表。'),
      tool_args: [
        { key: 'table', value: table, type: 'string' },
        { key: 'max_rows', value: 200, type: 'integer' },
        { key: 'options', value: { header: true }, type: 'object' },
      ],
      interrupt_config: {
        requires_confirmation: true,
        confirmation_message: run.text(
          `Read the whole table ${table}?`,
          `是否读取整张表 ${table}？`,
        ),
      },
    },
  };
  if (run.reply.message.ext !== null) run.reply.message.ext.interrupt_info = info;
  throw new ApprovalNeeded();
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
  const columns = Object.keys(first);
  const head = print(Object.values(first)[0]);
  const summary =
    query?.kind === 'count'
      ? run.text(`There are **${head}** such rivers.`, `共有 **${head}** 条这样的河流。`)
      : run.text(
          `**${head}** comes first of ${rows.length} rows:`,
          `共 ${rows.length} 行，第一行是 **${head}**：`,
        );
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const table = [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.slice(0, 20).map((row) => line(columns.map((column) => print(row[column])))),
  ];
  return `${summary}\n\n${table.join('\n')}`;
}

function print(value: Json | undefined): string {
  return textOf(value);
}

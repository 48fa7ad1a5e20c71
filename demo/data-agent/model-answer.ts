import { textOf, type Json } from '../agent/json.js';
import {
  createCallMessage,
  createResultMessage,
  readArguments,
  runToolLoop,
  type ChatMessage,
  type LanguageModelOptions,
  type ModelCall,
  type ModelEvent,
  type ModelTurn,
} from '../agent/llm/chat-completion.js';
import { describeTool, MODEL_TOOLS } from '../agent/llm/model-tools.js';
import { ToolError } from '../agent/run/run-errors.js';
import { EXPORT_TOOL, requestApproval } from './approval.js';
import type { Step } from './reply.js';
import type { DataAgentRun } from './run.js';
import {
  argument,
  askExpert,
  calculate,
  drawChart,
  runSql,
  runTool,
  searchDocuments,
  searchWeb,
  type Row,
  type SkillSources,
} from './skills.js';

/** A question for a language model, and the data that it needs for the answer. */
export interface ModelQuestion {
  readonly model: LanguageModelOptions;
  readonly question: string;
  /** The turns before the question, in their order. */
  readonly history: readonly ChatMessage[];
  /** The application context as text, or an empty text. */
  readonly context: string;
}

const INSTRUCTIONS = `You are a data analyst for the rivers of Europe. Answer from the tools, in the language of the question. Query
the database before you draw a chart. Write Markdown. When a tool does not give what was asked for, say so.`;

const TOOLS: readonly Json[] = [
  ...MODEL_TOOLS,
  describeTool('draw_chart', 'Draws a chart of the rows of the last query.', {
    chart_type: 'Line, Column or Pie.',
    category: 'Column of the query with the categories.',
    value: 'Column of the query with the numbers.',
  }),
  describeTool('search_web', 'Searches a small local corpus in place of the web.', {
    query: 'Key words.',
  }),
  describeTool('ask_expert', 'Asks a sub-agent about discharge and basins of rivers.', {
    query: 'The question.',
  }),
  describeTool(EXPORT_TOOL, 'Reads a whole table; the user is asked for approval first.', {
    table: 'rivers, countries or cities.',
  }),
];

/** Answers a question by a language model. Throws `ApprovalRequiredError` before a costly tool and `RunError` when the model fails. */
export async function answerWithModel(
  run: DataAgentRun,
  sources: SkillSources,
  task: ModelQuestion,
): Promise<void> {
  await runModel(run, sources, task, []);
}

/**
 * Continues the answer of a language model after a decision about its tool call. `table` is the table that was read; null when the tool was
 * skipped.
 */
export async function continueWithModel(
  run: DataAgentRun,
  sources: SkillSources,
  task: ModelQuestion,
  table: string | null,
): Promise<void> {
  const call: ModelCall = { id: 'approved', name: EXPORT_TOOL, arguments: '{}' };
  const result = table === null ? { skipped: true } : { table, is_shown_to_user: true };
  await runModel(run, sources, task, [
    createCallMessage({ text: '', calls: [call] }),
    createResultMessage(call, result),
  ]);
}

async function runModel(
  run: DataAgentRun,
  sources: SkillSources,
  { model, question, history, context }: ModelQuestion,
  more: readonly ChatMessage[],
): Promise<void> {
  const content =
    context === '' ? INSTRUCTIONS : `${INSTRUCTIONS}\nThe user is looking at: ${context}`;
  const messages: ChatMessage[] = [
    { role: 'system', content },
    ...history,
    { role: 'user', content: question },
    ...more,
  ];
  const caller = new ToolCaller(run, sources, question);
  await runToolLoop(
    model,
    { messages, tools: TOOLS, signal: run.signal },
    {
      readTurn: (events) => writeTurn(events, run),
      runCalls: async (calls) => {
        const results: Json[] = [];
        // One after the other: a chart is drawn from the rows of the query before it.
        for (const call of calls) results.push(await caller.call(call));
        return results;
      },
    },
  );
}

/** Writes a turn of the model as a step, which is opened with its first text. */
async function writeTurn(events: AsyncIterable<ModelEvent>, run: DataAgentRun): Promise<ModelTurn> {
  let step: Step | null = null;
  let calls: readonly ModelCall[] = [];
  try {
    for await (const event of events) {
      if (event.kind === 'calls') {
        calls = event.calls;
        continue;
      }
      step ??= await run.openText();
      if (event.kind === 'thinking') await run.appendThought(step, event.text);
      else await run.appendText(step, event.text);
    }
  } catch (error) {
    // The connection was aborted because the run is to stop or the server closes; `frame` throws the error for the actual reason.
    if (run.terminated) await run.frame(0, 'text');
    throw error;
  }
  if (step !== null) await run.closeText(step);
  return { text: textOf(step?.answer ?? ''), calls };
}

/** Runs the tool calls of a model as skills of the agent. */
class ToolCaller {
  readonly #run: DataAgentRun;
  readonly #sources: SkillSources;
  readonly #question: string;
  /** The rows of the last query. */
  #rows: readonly Row[] = [];

  constructor(run: DataAgentRun, sources: SkillSources, question: string) {
    this.#run = run;
    this.#sources = sources;
    this.#question = question;
  }

  /** Runs a call. A tool that fails gives its error to the model, which may go on without it. */
  async call(call: ModelCall): Promise<Json> {
    try {
      return await this.#callSkill(call);
    } catch (error) {
      if (error instanceof ToolError) return { error: error.message };
      throw error;
    }
  }

  async #callSkill(call: ModelCall): Promise<Json> {
    const run = this.#run;
    const sources = this.#sources;
    const given = readArguments(call.arguments);
    const query = textOf(given['query']);
    switch (call.name) {
      case 'query_database': {
        const { rows, more } = await runSql(run, sources, {
          sql: textOf(given['sql']),
          parameters: [],
          title: run.text('Result of the query', '查询结果'),
          input: this.#question,
        });
        this.#rows = rows;
        return { row_count: rows.length, rows: rows.slice(0, 50), more };
      }
      case 'search_documents':
        return (await searchDocuments(run, sources, query)).map((excerpt) => ({ ...excerpt }));
      case 'search_web':
        return (await searchWeb(run, query)).map((page) => ({ ...page }));
      case 'calculate':
        return { result: await calculate(run, textOf(given['expression'])) };
      case 'draw_chart':
        return this.#drawChart(textOf(given['chart_type']), {
          category: textOf(given['category']),
          value: textOf(given['value']),
        });
      case 'ask_expert':
        return { answer: (await askExpert(run, sources, query)).text };
      case EXPORT_TOOL:
        return requestApproval(run, textOf(given['table']));
      default:
        return this.#fail(call.name, 'There is no such tool.');
    }
  }

  async #drawChart(
    wanted: string,
    columns: { readonly category: string; readonly value: string },
  ): Promise<Json> {
    const type = (['Line', 'Column', 'Pie'] as const).find(
      (each) => each.toLowerCase() === wanted.toLowerCase(),
    );
    const [first] = this.#rows;
    const hasColumn = (column: string): boolean =>
      first !== undefined && Object.hasOwn(first, column);
    if (type === undefined) return this.#fail('json2plot', 'There is no such type of chart.');
    if (!hasColumn(columns.category) || !hasColumn(columns.value)) {
      return this.#fail('json2plot', 'The last query has no such column.');
    }
    await drawChart(this.#run, this.#rows, { type, ...columns });
    return { is_shown_to_user: true };
  }

  #fail(name: string, message: string): Promise<never> {
    return runTool(this.#run, name, [argument('arguments', '')], () =>
      Promise.reject(new ToolError(message)),
    );
  }
}

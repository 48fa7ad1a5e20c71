import { escapeTags, textOf, type Json } from '../json.js';
import { translateChinese } from '../plan/chinese-question.js';
import { answerLanguageOf, type DataQuestion } from '../plan/data-question.js';
import { listDocumentTables } from '../documents/document-tables.js';
import { describeResult } from '../query/describe-result.js';
import { lacksMeasure, type DataQuery } from '../query/query.js';
import { readMeasure } from '../query/read-question.js';
import { tableOf, type Schema } from '../query/schema.js';
import { writeSql, type SqlQuery } from '../query/write-sql.js';
import { InputRequiredError, RunError, ToolError } from '../run/run-errors.js';
import type { Skill, SkillContext } from '../run/skill.js';
import type { ToolCall } from '../run/tool-caller.js';
import type { RiverDatabase } from '../tools/river-database.js';
import { openSqlDatabase, type QueryResult, type SqlDatabase } from '../tools/sql-database.js';
import { inLanguageOf } from './answer-language.js';
import { formatTable, recall, recallRows, remember, rememberRows } from './memory.js';

/**
 * Asks for the measure by which "biggest" is meant. When the user has named one, writes it into the query of the plan; when they decline, the
 * first one.
 */
export function createAskMeasure(rivers: RiverDatabase): Skill {
  return {
    run: async ({ run, step }) => {
      const question = step.args['question'] as unknown as DataQuestion;
      const table = tableOf(rivers.schema, question.query.table);
      const measures = table.columns.filter((column) => column.isNumber);
      const language = answerLanguageOf(run.progress.question);
      const answer = recall<string>(run, 'answer');
      const declined = 'answer' in run.progress.memory && answer === null;
      const known =
        answer === null
          ? null
          : readMeasure(translateChinese(answer).english, rivers.schema, table);
      const chosen = known ?? (declined ? measures[0] : undefined);
      if (chosen === undefined) {
        await run.streamText(writeReason(run, answer));
        throw new InputRequiredError({
          prompt: inLanguageOf(
            run,
            'Biggest by what: length, discharge, or drainage basin?',
            '按什么比较：长度、流量还是流域面积？',
            {
              de: 'Am größten wonach: Länge, Abfluss oder Einzugsgebiet?',
              fr: 'Le plus grand selon quoi : longueur, débit ou bassin versant ?',
            },
          ),
          types: ['choice'],
          topic: 'which measure',
          more: { options: measures.map((column) => column.labels[language]) },
        });
      }
      await run.streamText(writeChoice(run, chosen.labels[language], declined));
      // The answer is removed, so that a later question of the same run does not use it.
      delete run.progress.memory['answer'];
      const query = withMeasure(question.query, chosen.concepts[0] ?? '');
      run.progress.steps = run.progress.steps.map((each) =>
        each.skill === 'query_data'
          ? { ...each, args: { question: { ...question, query } } }
          : each,
      );
    },
  };
}

function writeReason(run: SkillContext['run'], answer: string | null): string {
  return answer === null
    ? inLanguageOf(
        run,
        '<<thinking>>\n“Biggest” can mean three things for a river, so I ask which one is meant.\n<</thinking>>',
        '<<thinking>>\n河流的“最大”有三种含义，猜测很可能出错，所以需要确认。\n<</thinking>>',
        {
          de: '<<thinking>>\n„Am größten“ kann bei einem Fluss dreierlei heißen, deshalb frage ich nach.\n<</thinking>>',
          fr: '<<thinking>>\nPour un fleuve, « le plus grand » peut avoir trois sens ; je demande donc lequel.\n<</thinking>>',
        },
      )
    : inLanguageOf(
        run,
        `“${escapeTags(answer.slice(0, 100))}” is none of the three, so I ask again.`,
        '这不是三者之一，请再次选择。',
        {
          de: `„${escapeTags(answer.slice(0, 100))}“ ist keines der drei, deshalb frage ich noch einmal.`,
          fr: `« ${escapeTags(answer.slice(0, 100))} » n’est aucun des trois ; je redemande donc.`,
        },
      );
}

function writeChoice(run: SkillContext['run'], label: string, declined: boolean): string {
  return declined
    ? inLanguageOf(
        run,
        `You would rather not say, so I take the most usual: ${label}.`,
        `您没有选择，因此采用最常用的${label}。`,
        {
          de: `Ohne Angabe nehme ich das Übliche: ${label}.`,
          fr: `Sans précision, je prends l’habituel : ${label}.`,
        },
      )
    : inLanguageOf(run, `You mean ${label}.`, `按${label}比较。`, {
        de: `Gemeint ist: ${label}.`,
        fr: `Il s’agit de : ${label}.`,
      });
}

function withMeasure(query: DataQuery, concept: string): DataQuery {
  return lacksMeasure(query) && query.show.kind === 'rank'
    ? { ...query, show: { ...query.show, concept } }
    : query;
}

/** Writes the SQL for a question and runs it. */
export function createQueryData(rivers: RiverDatabase): Skill {
  return {
    run: async (work) => {
      await queryData(work, rivers, work.step.args['question'] as unknown as DataQuestion);
    },
  };
}

/** The tables of a question, opened for one query. */
interface OpenedSource {
  readonly schema: Schema;
  readonly database: SqlDatabase;
  /** Name of the document; null for the sample database. */
  readonly document: string | null;
  close(): Promise<void>;
}

function openDataSource(
  { run, database }: SkillContext,
  rivers: RiverDatabase,
  source: string | null,
): OpenedSource {
  if (source === null) {
    const close = (): Promise<void> => Promise.resolve();
    return { schema: rivers.schema, database: rivers, document: null, close };
  }
  const table = listDocumentTables(database, run.task.session_id).find(({ id }) => id === source);
  if (table === undefined) {
    throw new RunError('The document with the data is no longer part of this conversation.');
  }
  // A separate database, from which no table of another user can be reached.
  const opened = openSqlDatabase([table.sql]);
  return {
    schema: table.schema,
    database: opened,
    document: table.name,
    close: () => opened.close(),
  };
}

/** Runs the query of a question; stores its rows and their description for the following steps. */
export async function queryData(
  work: SkillContext,
  rivers: RiverDatabase,
  question: DataQuestion,
): Promise<void> {
  const { run, tools } = work;
  const source = openDataSource(work, rivers, question.source);
  try {
    const sql = writeSql(question.query, source.schema);
    await run.streamOnNewLine(
      inLanguageOf(
        run,
        '<<thinking>>\nThis is a question for the data. Values go in as parameters, never into the text of the query.\n<</thinking>>',
        '<<thinking>>\n这个问题可以用数据库回答。取值作为参数传入，不会写进查询文本。\n<</thinking>>',
      ),
    );
    const result = (await tools.call(queryCall(source.database, sql))) as unknown as QueryResult;
    rememberRows(run, result);
    rememberAnswer(work, source, question, result);
  } finally {
    await source.close();
  }
  remember(run, 'flow', 'data');
  remember(run, 'question', question);
}

/** Describes the rows of a question and stores the description for the step that writes the answer. */
export function rememberAnswer(
  { run }: SkillContext,
  { schema, document }: Pick<OpenedSource, 'schema' | 'document'>,
  { query }: DataQuestion,
  result: QueryResult,
): void {
  const language = answerLanguageOf(run.progress.question);
  const { sentence, columns, rows } = describeResult(query, schema, result, language);
  remember(run, 'description', {
    sentence,
    columns: [...columns],
    rows: rows.map((row) => [...row]),
    source: document,
    isRounded: document === null && query.table === 'rivers' && query.show.kind !== 'count',
  });
}

/** Creates a call of the database tool. */
export function queryCall(database: SqlDatabase, query: SqlQuery): ToolCall {
  return {
    name: 'query_database',
    input: { sql: query.sql, parameters: query.parameters },
    execute: async (tool) => {
      tool.update({ phase: 'QUERY', status: 'started', message: 'Running the query' });
      await tool.pause(300);
      const result = await database.query(query.sql, query.parameters);
      tool.update({
        phase: 'QUERY',
        status: 'completed',
        data: { row_count: result.rows.length },
      });
      return {
        columns: result.columns,
        rows: result.rows,
        row_count: result.rows.length,
        more: result.more,
      };
    },
  };
}

/** Runs a query that the user has written. If it fails, the run fails. */
export function createRunSql(rivers: RiverDatabase): Skill {
  return {
    run: async ({ run, step, tools }) => {
      const sql = textOf(step.args['sql']);
      try {
        const result = (await tools.call(
          queryCall(rivers, { sql, parameters: [] }),
        )) as unknown as QueryResult;
        rememberRows(run, result);
        remember(run, 'flow', 'sql');
      } catch (error) {
        if (error instanceof ToolError) throw new RunError(error.message);
        throw error;
      }
    },
  };
}

/** The description of rows in the memory of a run. */
type Description = {
  readonly sentence: string;
  readonly columns: readonly string[];
  readonly rows: QueryResult['rows'];
  /** The document that the data are from; null for the sample database. */
  readonly source: string | null;
  /** Whether the answer notes that the figures are rounded. */
  readonly isRounded: boolean;
} & { readonly [name: string]: Json };

/** Maximum number of rows that an answer shows. */
const MAX_ROWS = 50;

/** Answers with a sentence and, where it does not say everything, the rows as a table. */
export const answerFromRows: Skill = {
  run: async ({ run }) => {
    const result = recallRows(run);
    const described = recall<Description>(run, 'description') ?? describeStatement(run, result);
    const { sentence, columns, rows, source } = described;
    if (source !== null) {
      await run.streamText(
        inLanguageOf(run, `From **${escapeTags(source)}**: `, `**${escapeTags(source)}**：`, {
          de: `Aus **${escapeTags(source)}**: `,
          fr: `D’après **${escapeTags(source)}** : `,
        }),
      );
    }
    await run.streamText(sentence);
    if (rows.length === 0) return;
    const language = answerLanguageOf(run.progress.question);
    await run.streamText(`\n\n${formatTable(columns, rows.slice(0, MAX_ROWS), language)}`);
    if (rows.length > MAX_ROWS || result?.more === true) {
      const left = result?.more === true ? '' : `${String(rows.length - MAX_ROWS)} `;
      await run.streamText(
        inLanguageOf(
          run,
          `\n\nThe table is truncated: there are ${left}more rows.`,
          '\n\n表格未显示全部数据。',
          { de: '\n\nDie Tabelle ist gekürzt.', fr: '\n\nLe tableau est abrégé.' },
        ),
      );
    }
    if (described.isRounded) {
      await run.streamText(
        inLanguageOf(
          run,
          '\n\n*The figures are rounded; sources differ on where a river begins.*',
          '\n\n*数值经过取整；不同资料对河流源头的说法不一。*',
          {
            de: '\n\n*Die Zahlen sind gerundet; Quellen geben den Anfang eines Flusses verschieden an.*',
            fr: '\n\n*Les chiffres sont arrondis ; les sources ne placent pas toutes l’origine d’un fleuve au même endroit.*',
          },
        ),
      );
    }
  },
};

/** Describes the rows of a statement that the user has written. */
function describeStatement(run: SkillContext['run'], result: QueryResult | null): Description {
  const { columns = [], rows = [], more = false } = result ?? {};
  const count = String(rows.length);
  const sentence =
    rows.length === 0
      ? inLanguageOf(run, 'The database has nothing that fits.', '数据库中没有符合条件的数据。')
      : inLanguageOf(
          run,
          rows.length === 1
            ? 'The database says:'
            : `The database gives ${more ? 'more than ' : ''}${count} rows:`,
          `数据库的结果（${more ? '超过 ' : ''}${count} 行）：`,
        );
  return { sentence, columns, rows, source: null, isRounded: false };
}

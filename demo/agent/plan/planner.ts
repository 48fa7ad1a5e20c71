import type { PlanStep } from '../run/progress.js';
import type { RiverNames } from '../tools/river-database.js';
import { lacksMeasure, readRiverQuestion, TOP_RIVERS } from './river-question.js';
import { findExpression } from '../tools/expression.js';
import { translateChinese } from './chinese-question.js';
import { hasChinese, keywordsOf, wordsOf } from './words.js';

/** Input of the planner. */
export interface PlanInput {
  readonly question: string;
  readonly rivers: RiverNames;
  /** Searchable documents of the session, in order. */
  readonly documents: readonly { readonly id: string; readonly name: string }[];
  /** Documents attached to the message. */
  readonly attachments: readonly string[];
}

/** A plan: the steps of an answer. */
export interface Plan {
  readonly single: boolean;
  readonly steps: readonly PlanStep[];
}

type Rule = (situation: PlanInput, plain: string) => Plan | null;

/** Rules in order of precedence: the first that returns a plan is used. */
const RULES: readonly Rule[] = [
  planQuestions,
  planGreeting,
  planRemoval,
  planFetch,
  planChart,
  planAnalysis,
  planReport,
  planBoth,
  planSummaries,
  planCalculation,
  planRivers,
];

/** Number of characters of a question that the rules read. The cost of their patterns grows faster than the length. */
const MAX_READ_LENGTH = 2000;

/** Plans how to answer a question. By default, it searches the documents. */
export function planFor(situation: PlanInput): Plan {
  const sql = planSql(situation);
  if (sql !== null) return sql;
  const start = { ...situation, question: situation.question.slice(0, MAX_READ_LENGTH) };
  if (hasChinese(start.question)) return planChinese(start);
  const plain = wordsOf(start.question).join(' ');
  for (const rule of RULES) {
    const plan = rule(start, plain);
    if (plan !== null) return plan;
  }
  return searchPlan(situation);
}

/** The rules that are tried with the translation of a Chinese question. */
const CHINESE_RULES: readonly Rule[] = [planChart, planCalculation, planRivers];

const CHINESE_TITLES: ReadonlyMap<string, string> = new Map([
  ['Find out what is meant', '确认问题的含义'],
  ['Ask the river database', '查询河流数据库'],
  ['Get the numbers', '获取数据'],
  ['Draw the chart', '绘制图表'],
  ['Work it out', '计算'],
  ['Search the documents', '检索文档'],
  ['Choose what answers the question', '筛选相关内容'],
]);

/** Plans the answer to a Chinese question. When a part of it has no translation, the answer names that part instead of ignoring it. */
function planChinese(situation: PlanInput): Plan {
  if (/^\s*(?:你好|您好|谢谢)[\s!！。]*$/u.test(situation.question)) {
    return several(textStep('greet', { thanks: situation.question.includes('谢') }));
  }
  const { english, unknown } = translateChinese(situation.question);
  const translated = { ...situation, question: english };
  const plain = wordsOf(english).join(' ');
  const understood = CHINESE_RULES.map((rule) => rule(translated, plain)).find(
    (plan) => plan !== null,
  );
  if (understood !== undefined && unknown.length > 0) {
    return several(textStep('name_unclear_parts', { parts: [...unknown] }));
  }
  const { single, steps } = understood ?? searchPlan(situation);
  return {
    single,
    steps: steps.map((each) => ({ ...each, title: CHINESE_TITLES.get(each.title) ?? each.title })),
  };
}

/** Creates a step with a header. */
export function step(skill: string, title: string, args: PlanStep['args'] = {}): PlanStep {
  return { skill, title, args };
}

/** Creates a step without a header, which writes into the text of the answer. */
export function textStep(skill: string, args: PlanStep['args'] = {}): PlanStep {
  return { skill, title: '', args, withoutHeader: true };
}

function several(...steps: PlanStep[]): Plan {
  return { single: false, steps };
}

function planSql({ question }: PlanInput): Plan | null {
  const sql = /^\s*(?:run\s+)?sql\s*:\s*([\s\S]+)$/iu.exec(question)?.[1];
  if (sql === undefined) return null;
  return several(step('run_sql', 'Run your query', { sql }), textStep('answer_from_rows'));
}

function planGreeting(_: PlanInput, plain: string): Plan | null {
  const polite =
    /^(?:hi|hello|hey|good (?:morning|day|evening)|thanks?|thank you|bonjour|hallo)(?: \w+)?$/u;
  const able = /^(?:help|what can (?:you|i) (?:do|ask).*|who are you)$/u;
  if (!polite.test(plain) && !able.test(plain)) return null;
  return several(textStep('greet', { thanks: /^thank/u.test(plain) }));
}

function planQuestions(_: PlanInput, plain: string): Plan | null {
  const agents = /^ask me yourself (?:for |something |a )?(.+)$/u.exec(plain)?.[1];
  if (agents !== undefined) {
    return several(
      step('ask_yourself', 'Ask the person', { wanted: agents }),
      textStep('tell_answers'),
    );
  }
  const wanted = /^ask me (?:for |something |a )?(.+)$/u.exec(plain)?.[1];
  if (wanted === undefined) return null;
  return several(step('ask_person', 'Ask the person', { wanted }), textStep('tell_answers'));
}

function planRemoval({ documents }: PlanInput, plain: string): Plan | null {
  if (!/\b(?:remove|delete|unlink|forget)\b.*\bdocuments?\b/u.test(plain)) return null;
  if (documents.length === 0) return null;
  return several(
    step('pick_document', 'Find the document that is meant'),
    step('confirm_removal', 'Ask before removing it'),
    textStep('tell_removal'),
  );
}

function planFetch(situation: PlanInput): Plan | null {
  const url = /https?:\/\/[^\s<>"')]+/u.exec(situation.question)?.[0];
  if (url === undefined) return null;
  return several(step('fetch_page', 'Read the web page', { url }), ...searchPlan(situation).steps);
}

function planChart({ question, rivers }: PlanInput, plain: string): Plan | null {
  if (!/\b(?:chart|diagram|plot|draw)\b/u.test(plain)) return null;
  const query = readRiverQuestion(`${question} rivers`, rivers) ?? TOP_RIVERS;
  return several(
    step('query_rivers', 'Get the numbers', { query: { ...query, kind: 'ranking' } }),
    step('draw_chart', 'Draw the chart', { type: /\bpie\b/u.test(plain) ? 'pie' : 'bars' }),
    textStep('answer_from_rows'),
  );
}

function planAnalysis(_: PlanInput, plain: string): Plan | null {
  if (!/\banaly[sz]e\b|\banalysis\b|\bstatistics\b/u.test(plain) || !/\brivers?\b/u.test(plain)) {
    return null;
  }
  return several(
    step('analyse_rivers', 'Go through every river'),
    step('compare_basins', 'Compare the seas'),
    textStep('answer_analysis'),
  );
}

function planReport(_: PlanInput, plain: string): Plan | null {
  if (!/\b(?:long|full|detailed) report\b/u.test(plain)) return null;
  return several(
    step('gather_report', 'Gather all rivers and countries'),
    textStep('write_report'),
  );
}

function planBoth(situation: PlanInput, plain: string): Plan | null {
  const both =
    /\b(?:documents?)\b.*\band\b.*\b(?:database|rivers)\b|\bdatabase\b.*\band\b.*\bdocuments?\b/u;
  if (!both.test(plain)) return null;
  const query = readRiverQuestion(situation.question, situation.rivers) ?? TOP_RIVERS;
  return several(
    step('search_both', 'Search documents and database side by side', { query }),
    textStep('answer_both'),
  );
}

function planSummaries({ documents, attachments }: PlanInput, plain: string): Plan | null {
  if (!/\b(?:summar\w+|newsletter|overview)\b/u.test(plain)) return null;
  const wanted = chooseDocuments(documents, attachments, plain);
  if (wanted === null) {
    return several(
      step('ask_document', 'Find out which document is meant'),
      textStep('write_summary'),
    );
  }
  if (wanted.length === 0) return null;
  const steps = wanted.map(({ id, name }, index) =>
    step('read_document', `Read ${name}`, { document_id: id, name, place: index }),
  );
  return several(
    ...steps,
    textStep(/\bnewsletter\b/u.test(plain) ? 'write_newsletter' : 'write_summary'),
  );
}

/** Returns the documents to summarize; null if the request is ambiguous. */
function chooseDocuments(
  documents: PlanInput['documents'],
  attachments: readonly string[],
  plain: string,
): PlanInput['documents'] | null {
  const attached = documents.filter((document) => attachments.includes(document.id));
  if (attached.length > 0) return attached;
  const named = documents.filter((document) => namesDocument(plain, document.name));
  if (named.length > 0) return named;
  if (documents.length <= 1) return documents;
  const several = /\b(?:all|every|each|documents|both|two|three|newsletter)\b/u.test(plain);
  if (!several) return null;
  return documents.slice(0, /\b(?:both|two)\b/u.test(plain) ? 2 : 3);
}

/** Whether a text contains the file name of a document, with or without its extension. */
export function namesDocument(plain: string, name: string): boolean {
  const words = wordsOf(name.replace(/\.[a-z0-9]+$/iu, '')).flatMap((word) => word.split('_'));
  return words.length > 0 && ` ${plain} `.includes(` ${words.join(' ')} `);
}

function planCalculation({ question }: PlanInput): Plan | null {
  const expression = findExpression(question);
  if (expression === null) return null;
  return { single: true, steps: [step('calculate', 'Work it out', { expression })] };
}

function planRivers({ question, rivers }: PlanInput): Plan | null {
  const query = readRiverQuestion(question, rivers);
  if (query === null) return null;
  const ask = lacksMeasure(query, question)
    ? [step('ask_measure', 'Find out what is meant', { query })]
    : [];
  return several(
    ...ask,
    step('query_rivers', 'Ask the river database', { query }),
    textStep('answer_from_rows'),
  );
}

function searchPlan({ question, attachments }: PlanInput): Plan {
  return several(
    step('find_passages', 'Search the documents', {
      words: keywordsOf(question),
      documents: attachments.length === 0 ? null : attachments,
    }),
    step('weigh_passages', 'Choose what answers the question'),
    textStep('answer_from_passages'),
  );
}

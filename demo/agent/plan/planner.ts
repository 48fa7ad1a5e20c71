import type { PlanStep } from '../run/progress.js';
import type { Json } from '../json.js';
import { lacksMeasure } from '../query/query.js';
import { readArithmetic } from '../tools/arithmetic.js';
import { translateChinese } from './chinese-question.js';
import { LONGEST_RIVERS, readChart } from './chart-question.js';
import {
  answerLanguageOf,
  readDataQuestion,
  type DataReading,
  type DataSource,
} from './data-question.js';
import { TITLES } from './step-titles.js';
import { hasChinese, keywordsOf, wordsOf } from './words.js';

/** Input of the planner. */
export interface PlanInput {
  readonly question: string;
  /** Tables that questions can be about, those of documents before the sample database. */
  readonly sources: readonly DataSource[];
  /** Searchable documents of the session, in the order in which they were linked. */
  readonly documents: readonly { readonly id: string; readonly name: string }[];
  /** Documents attached to the message. */
  readonly attachments: readonly string[];
}

/** A plan: the steps of an answer. */
export interface Plan {
  /**
   * Whether the run is reported as that of a single-step agent (`single_step_agent`): clients show its step without a header, and it has no
   * checkpoint.
   */
  readonly single: boolean;
  readonly steps: readonly PlanStep[];
}

/** Returns the plan for a question, or null if the rule does not apply. `plain` has the words of the question, joined by spaces. */
type Rule = (input: PlanInput, plain: string) => Plan | null;

/** Rules in order of precedence: the first that returns a plan is used. */
const RULES: readonly Rule[] = [
  planAskingUser,
  planGreeting,
  planRemoval,
  planFetch,
  planChart,
  planAnalysis,
  planReport,
  planSearchBoth,
  planSummaries,
  planCalculation,
  planData,
];

/** Number of characters of a question that the rules read. The cost of their patterns grows faster than the length. */
const MAX_READ_LENGTH = 2000;

/** The rules for questions in Chinese, which are translated into English terms. */
const CHINESE_RULES: readonly Rule[] = [planChart, planCalculation, planData];

/** Plans how to answer a question. If no rule applies, the documents are searched. */
export function planFor(input: PlanInput): Plan {
  const sql = planSql(input);
  if (sql !== null) return sql;
  const start = { ...input, question: input.question.slice(0, MAX_READ_LENGTH) };
  const { steps, single } = hasChinese(start.question) ? planChinese(start) : planByRules(start);
  const titles = TITLES[answerLanguageOf(start.question)];
  return {
    single,
    steps: steps.map((each) => ({ ...each, title: titles.get(each.title) ?? each.title })),
  };
}

function planByRules(input: PlanInput): Plan {
  const plain = wordsOf(input.question).join(' ');
  for (const rule of RULES) {
    const plan = rule(input, plain);
    if (plan !== null) return plan;
  }
  return searchPlan(input);
}

/**
 * Plans the answer to a Chinese question. When a rule applies but a part of the question has no translation, the answer names that part
 * instead of ignoring it.
 */
function planChinese(input: PlanInput): Plan {
  if (/^\s*(?:你好|您好|谢谢)[\s!！。]*$/u.test(input.question)) {
    return planOf(textStep('greet', { thanks: input.question.includes('谢') }));
  }
  const { english, unknown } = translateChinese(input.question);
  const plain = wordsOf(english).join(' ');
  // `planCalculation` needs the translation; `planChart` and `planData` translate the question themselves.
  const translated = { ...input, question: english };
  for (const rule of CHINESE_RULES) {
    const plan = rule(rule === planCalculation ? translated : input, plain);
    if (plan === null) continue;
    return unknown.length > 0 ? unclearPlan(unknown) : plan;
  }
  return searchPlan(input);
}

function unclearPlan(parts: readonly string[]): Plan {
  return planOf(textStep('name_unclear_parts', { parts: [...parts] }));
}

/** Creates a step with a header. */
export function step(skill: string, title: string, args: PlanStep['args'] = {}): PlanStep {
  return { skill, title, args };
}

/** Creates a step without a header, which writes into the text of the answer. */
export function textStep(skill: string, args: PlanStep['args'] = {}): PlanStep {
  return { skill, title: '', args, withoutHeader: true };
}

/** Creates a plan that is not reported as that of a single-step agent. */
function planOf(...steps: PlanStep[]): Plan {
  return { single: false, steps };
}

function planSql({ question }: PlanInput): Plan | null {
  const sql = /^\s*(?:run\s+)?sql\s*:\s*([\s\S]+)$/iu.exec(question)?.[1];
  if (sql === undefined) return null;
  return planOf(step('run_sql', 'Run your query', { sql }), textStep('answer_from_rows'));
}

function planGreeting(_: PlanInput, plain: string): Plan | null {
  const polite =
    /^(?:hi|hello|hey|good (?:morning|day|evening)|thanks?|thank you|bonjour|hallo)(?: \w+)?$/u;
  const able = /^(?:help|what can (?:you|i) (?:do|ask).*|who are you)$/u;
  if (!polite.test(plain) && !able.test(plain)) return null;
  return planOf(textStep('greet', { thanks: /^thank/u.test(plain) }));
}

/** "Ask me for a number": the agent, or one of its tools, asks the user. */
function planAskingUser(_: PlanInput, plain: string): Plan | null {
  const ofAgent = /^ask me yourself (?:for |something |a )?(.+)$/u.exec(plain)?.[1];
  if (ofAgent !== undefined) {
    return planOf(step('ask_as_agent', 'Ask you', { wanted: ofAgent }), textStep('write_answers'));
  }
  const wanted = /^ask me (?:for |something |a )?(.+)$/u.exec(plain)?.[1];
  if (wanted === undefined) return null;
  return planOf(step('ask_person', 'Ask you', { wanted }), textStep('write_answers'));
}

function planRemoval({ documents }: PlanInput, plain: string): Plan | null {
  if (!/\b(?:remove|delete|unlink|forget)\b.*\bdocuments?\b/u.test(plain)) return null;
  if (documents.length === 0) return null;
  return planOf(
    step('pick_document', 'Find the document that is meant'),
    step('confirm_removal', 'Ask before removing it'),
    textStep('write_removal'),
  );
}

function planFetch(input: PlanInput): Plan | null {
  const url = /https?:\/\/[^\s<>"')]+/u.exec(input.question)?.[0];
  if (url === undefined) return null;
  return planOf(step('fetch_page', 'Read the web page', { url }), ...searchPlan(input).steps);
}

function planChart({ question, sources }: PlanInput, plain: string): Plan | null {
  if (!/\b(?:chart|diagram|plot|draw|graph|graphique|dessine|zeichne|\w*diagramm)\b/u.test(plain)) {
    return null;
  }
  const chart = readChart(question, sources);
  if (chart.kind === 'unclear') return unclearPlan(chart.parts);
  const data = chart.kind === 'empty' ? LONGEST_RIVERS : chart.question;
  return planOf(
    step('query_data', 'Get the numbers', { question: data as unknown as Json }),
    step('draw_chart', 'Draw the chart', {
      type: /\bpie\b|kreisdiagramm|camembert/u.test(plain) ? 'pie' : 'bars',
    }),
    textStep('answer_from_rows'),
  );
}

function planAnalysis(_: PlanInput, plain: string): Plan | null {
  if (!/\banaly[sz]e\b|\banalysis\b|\bstatistics\b/u.test(plain) || !/\brivers?\b/u.test(plain)) {
    return null;
  }
  return planOf(
    step('analyse_rivers', 'Go through every river'),
    step('compare_basins', 'Compare the seas'),
    textStep('answer_analysis'),
  );
}

function planReport(_: PlanInput, plain: string): Plan | null {
  if (!/\b(?:long|full|detailed) report\b/u.test(plain)) return null;
  return planOf(step('gather_report', 'Gather all rivers and countries'), textStep('write_report'));
}

/** The words of a question that say where to search. */
const PLACES_TO_SEARCH = /\b(?:search|look|in|the|documents?|and|database)\b/giu;

/** "Search the documents and the database for the longest rivers." */
function planSearchBoth(input: PlanInput, plain: string): Plan | null {
  const both =
    /\b(?:documents?)\b.*\band\b.*\b(?:database|rivers)\b|\bdatabase\b.*\band\b.*\bdocuments?\b/u;
  if (!both.test(plain)) return null;
  const sample = input.sources.filter((source) => source.id === null);
  const reading = readDataQuestion(input.question.replaceAll(PLACES_TO_SEARCH, ' '), sample);
  if (reading.kind !== 'query' || lacksMeasure(reading.question.query)) return null;
  return planOf(
    step('search_both', 'Search documents and database side by side', {
      question: reading.question as unknown as Json,
    }),
    textStep('answer_both'),
  );
}

function planSummaries({ documents, attachments }: PlanInput, plain: string): Plan | null {
  if (!/\b(?:summar\w+|newsletter|overview)\b/u.test(plain)) return null;
  const choice = chooseDocuments(documents, attachments, plain);
  if (choice === null) {
    return planOf(
      step('ask_document', 'Find out which document is meant'),
      textStep('write_summary'),
    );
  }
  const { wanted, available } = choice;
  if (wanted.length === 0) return null;
  const steps = wanted.map(({ id, name }, index) =>
    step('read_document', `Read ${name}`, { document_id: id, name, place: index }),
  );
  return planOf(
    ...steps,
    textStep(/\bnewsletter\b/u.test(plain) ? 'write_newsletter' : 'write_summary', { available }),
  );
}

/** The documents to summarize, and the number of those from which they were chosen. */
interface DocumentChoice {
  readonly wanted: PlanInput['documents'];
  readonly available: number;
}

/**
 * Returns the documents to summarize; null if the request is ambiguous. Of documents that are neither attached nor named, at most three are
 * summarized, because each is read in a separate step.
 */
function chooseDocuments(
  documents: PlanInput['documents'],
  attachments: readonly string[],
  plain: string,
): DocumentChoice | null {
  const choose = (wanted: PlanInput['documents'], available = wanted.length): DocumentChoice => ({
    wanted,
    available,
  });
  const attached = documents.filter((document) => attachments.includes(document.id));
  if (attached.length > 0) return choose(attached);
  const named = documents.filter((document) => namesDocument(plain, document.name));
  if (named.length > 0) return choose(named);
  if (documents.length <= 1) return choose(documents);
  if (/\b(?:both|two)\b/u.test(plain)) return choose(documents.slice(0, 2));
  if (/\bthree\b/u.test(plain)) return choose(documents.slice(0, 3));
  const namesSeveral = /\b(?:all|every|each|documents|newsletter)\b/u.test(plain);
  return namesSeveral ? choose(documents.slice(0, 3), documents.length) : null;
}

/**
 * Whether a text contains the file name of a document, with or without its extension.
 *
 * @param plain The words of the text, joined by spaces.
 */
export function namesDocument(plain: string, name: string): boolean {
  const words = wordsOf(name.replace(/\.[a-z0-9]+$/iu, '')).flatMap((word) => word.split('_'));
  return words.length > 0 && ` ${plain} `.includes(` ${words.join(' ')} `);
}

function planCalculation({ question }: PlanInput): Plan | null {
  const reading = readArithmetic(question);
  if (reading === null) return null;
  if (reading.kind === 'unclear') return unclearPlan(reading.parts);
  const { expression } = reading;
  return { single: true, steps: [step('calculate', 'Work it out', { expression })] };
}

function planData(input: PlanInput): Plan | null {
  const reading = readDataQuestion(input.question, input.sources);
  if (reading.kind === 'other') return null;
  if (reading.kind === 'unclear') return planUnclear(input, reading);
  const question = reading.question as unknown as Json;
  const ask = lacksMeasure(reading.question.query)
    ? [step('ask_measure', 'Find out what is meant', { question })]
    : [];
  return planOf(
    ...ask,
    step('query_data', 'Ask the database', { question }),
    textStep('answer_from_rows'),
  );
}

/**
 * Documents may answer what the data cannot. They are searched if the question has keywords for that, and the unclear parts are named when
 * nothing is found.
 */
function planUnclear(
  input: PlanInput,
  { parts, keywords: required }: Extract<DataReading, { kind: 'unclear' }>,
): Plan {
  if (required.length === 0) return unclearPlan(parts);
  const { single, steps } = searchPlan(input);
  const unclear = { unclear: [...parts], required: [...required] };
  return { single, steps: steps.map((each) => ({ ...each, args: { ...each.args, ...unclear } })) };
}

function searchPlan({ question, attachments }: PlanInput): Plan {
  return planOf(
    step('find_passages', 'Search the documents', {
      words: keywordsOf(question),
      documents: attachments.length === 0 ? null : attachments,
    }),
    step('filter_passages', 'Choose what answers the question'),
    textStep('answer_from_passages'),
  );
}

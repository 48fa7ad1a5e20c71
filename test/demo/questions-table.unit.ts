import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readCsvTable } from '../../demo/agent/query/csv-schema.js';
import { describeResult } from '../../demo/agent/query/describe-result.js';
import { detectOtherLanguage } from '../../demo/agent/query/languages.js';
import { namePlace } from '../../demo/agent/query/place-names.js';
import { readQuestion } from '../../demo/agent/query/read-question.js';
import { writeSql } from '../../demo/agent/query/write-sql.js';
import { openRiverDatabase } from '../../demo/agent/tools/river-database.js';
import {
  createSqlTable,
  openSqlDatabase,
  type Cell,
  type SqlDatabase,
} from '../../demo/agent/tools/sql-database.js';
import { isExhaustive, sampleOf } from '../helpers/sample.js';
import { applyPatches, DataAgentClient, readPath, textOf } from './data-agent/data-agent-client.js';
import { DemoApiClient, startTestServer } from './test-server.js';

type Language = 'en' | 'de' | 'fr';

interface Row {
  readonly section: string;
  readonly language: Language;
  readonly question: string;
  readonly kind: string;
  readonly expected: string;
}

/**
 * - `right`: the expected answer.
 * - `refused`: the agent says that it could not apply a word or found nothing. Expected for questions of the kind `refused` only.
 * - `unrelated`: instead of answering, it quotes documents that it was not asked about.
 * - `wrong`: any other answer.
 */
type Verdict = 'right' | 'refused' | 'wrong' | 'unrelated';

const ROWS = readRows();
const ABOUT_SHOP = ROWS.filter((row) => row.section.includes('shop.csv'));
const ABOUT_SAMPLE_DATA = ROWS.filter((row) => !ABOUT_SHOP.includes(row));
/** The Data Agent does not ask back, and it names documents in the step before its answer. */
const FOR_BOTH = ABOUT_SAMPLE_DATA.filter(({ kind }) => kind !== 'asks' && kind !== 'document');
/** Unless all questions are tested with both agents, each is tested with one: with UBIK those that only it can answer and a sixth of the others. */
const FOR_UBIK = isExhaustive
  ? ABOUT_SAMPLE_DATA
  : ABOUT_SAMPLE_DATA.filter(
      (row) => !FOR_BOTH.includes(row) || sampleOf(FOR_BOTH, 6).includes(row),
    );
const FOR_DATA_AGENT = isExhaustive ? FOR_BOTH : FOR_BOTH.filter((row) => !FOR_UBIK.includes(row));

function readRows(): Row[] {
  const text = readFileSync(new URL('questions.md', import.meta.url), 'utf8');
  return text.split(/^## /mu).flatMap((part) => {
    const [section = '', ...lines] = part.split('\n');
    return lines
      .filter((line) => line.startsWith('| ') && !line.startsWith('| question'))
      .map((line): Row => {
        const [question = '', kind = '', expected = ''] = line
          .slice(2, line.lastIndexOf('|'))
          .split(' |')
          .map((cell) => cell.trim());
        return { section, language: languageOf(section, question), question, kind, expected };
      });
  });
}

function languageOf(section: string, question: string): Language {
  if (section.startsWith('German') || /^(?:Wel|Wie |Was kostet)/u.test(question)) return 'de';
  return section.startsWith('French') || /^(?:Quel|Combien)/u.test(question) ? 'fr' : 'en';
}

/** What an agent has answered. */
interface Answer {
  readonly text: string;
  /** Whether the agent asks back. */
  readonly asks: boolean;
  /** Whether it quotes documents. */
  readonly quotes: boolean;
}

const REFUSAL =
  /could not apply|nicht anwenden|pas pu appliquer|I found nothing about|nichts gefunden|rien trouvé|no he encontrado|non ho trovato|見つかりませんでした/iu;

async function judge(row: Row, answer: Answer, database: SqlDatabase): Promise<Verdict> {
  const isRefused = REFUSAL.test(answer.text);
  if (row.kind === 'refused') {
    if (!isRefused) return answer.quotes ? 'unrelated' : 'wrong';
    return answer.text.includes(row.expected) ? 'refused' : 'wrong';
  }
  if (await isRight(row, answer, database)) return 'right';
  if (isRefused) return 'refused';
  return answer.quotes && row.kind !== 'document' ? 'unrelated' : 'wrong';
}

async function isRight(row: Row, answer: Answer, database: SqlDatabase): Promise<boolean> {
  if (row.kind === 'asks') return answer.asks;
  if (row.kind === 'document') return answer.text.includes(row.expected);
  const { rows } = await database.query(row.expected, []);
  const [first = []] = rows;
  switch (row.kind) {
    case 'rows': {
      const expected = rows.map((cells) => print(cells[0] ?? null, row.language)).sort();
      const shown = firstColumnOf(answer.text).sort();
      if (shown.length > 0) return shown.join('\n') === expected.join('\n');
      return expected.length === 1 && answer.text.includes(`**${expected[0] ?? ''}**`);
    }
    case 'value':
      return first.every((cell) => hasValue(answer.text, print(cell, row.language)));
    default: {
      const isTrue = Number(first[0]) > 0;
      assert.equal(isTrue, row.kind === 'yes', `${row.question}: the table contradicts its SQL`);
      return new RegExp(
        isTrue ? '\\*\\*(?:Yes|Ja|Oui)\\*\\*' : '\\*\\*(?:No|Nein|Non)\\*\\*',
        'u',
      ).test(answer.text);
    }
  }
}

function print(cell: Cell, language: Language): string {
  if (typeof cell === 'string') return namePlace(cell, language);
  const locale = { en: 'en-US', de: 'de-DE', fr: 'fr-FR' }[language];
  return Number(cell).toLocaleString(locale, { maximumFractionDigits: 10 });
}

/** Whether a bold part of an answer is the value, with or without a unit. */
function hasValue(text: string, value: string): boolean {
  const bold = [...text.matchAll(/\*\*([^*]+)\*\*/gu)].map((found) => found[1] ?? '');
  return bold.some((part) => part === value || part.startsWith(`${value} `));
}

function firstColumnOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => line.split(' | ', 1)[0]?.slice(2).trim() ?? '');
}

function questionsWith(verdicts: ReadonlyMap<Row, Verdict>, verdict: Verdict): string[] {
  return [...verdicts].filter(([, each]) => each === verdict).map(([row]) => row.question);
}

async function askUbik(client: DemoApiClient, session: string, question: string): Promise<Answer> {
  const events = await client.send(session, question);
  const end = events.at(-1);
  const content = String(end?.['content']);
  const text = content.split('<<CHECKPOINT_END>>').at(-1) ?? '';
  return { text, asks: end?.type === 'input_required', quotes: /<citation/u.test(text) };
}

/** A question that the agents refuse although the table has an answer to it. */
const REFUSED = 'Quels fleuves se jettent dans le Danube ou le Rhin ?';

function assertVerdicts(verdicts: ReadonlyMap<Row, Verdict>): void {
  assert.deepEqual(questionsWith(verdicts, 'wrong'), []);
  assert.deepEqual(questionsWith(verdicts, 'unrelated'), []);
  const answerable = new Map([...verdicts].filter(([{ kind }]) => kind !== 'refused'));
  assert.deepEqual(
    questionsWith(answerable, 'refused').filter((question) => question !== REFUSED),
    [],
  );
}

test('the table of questions has at least two hundred, at least forty of which cannot be answered', () => {
  const refused = ROWS.filter((row) => row.kind === 'refused');
  assert.ok(ROWS.length >= 200, String(ROWS.length));
  assert.ok(refused.length >= 40, String(refused.length));
  assert.equal(
    new Set(ABOUT_SAMPLE_DATA.map((row) => row.question)).size,
    ABOUT_SAMPLE_DATA.length,
  );
});

test('UBIK agent answers the questions of the table, and none wrongly', async (context) => {
  const server = await startTestServer(context);
  const client = await DemoApiClient.create(server.url);
  const database = openRiverDatabase(new URL('../../demo/sample/', import.meta.url));
  context.after(() => database.close());
  const verdicts = new Map<Row, Verdict>();
  for (const row of FOR_UBIK) {
    const answer = await askUbik(client, await client.createSession(), row.question);
    verdicts.set(row, await judge(row, answer, database));
  }
  assertVerdicts(verdicts);
});

test('Data Agent answers the questions of the table, and none wrongly', async (context) => {
  const server = await startTestServer(context);
  const client = await DataAgentClient.connect(server.url);
  const database = openRiverDatabase(new URL('../../demo/sample/', import.meta.url));
  context.after(() => database.close());
  const verdicts = new Map<Row, Verdict>();
  for (const row of FOR_DATA_AGENT) {
    const reply = applyPatches(await client.ask(row.question));
    const text = textOf(readPath(reply, 'message', 'content', 'final_answer', 'answer', 'text'));
    const answer = { text, asks: false, quotes: /^> /mu.test(text) };
    verdicts.set(row, await judge(row, answer, database));
  }
  assertVerdicts(verdicts);
});

const PRODUCTS = [
  ['Kettle', 'Kitchen', 39.5, 12],
  ['Lamp', 'Living', 24.9, 40],
  ['Rake', 'Garden', 18, 7],
  ['Hose', 'Garden', 29.99, 15],
  ['Mug', 'Kitchen', 6.5, 220],
] as const;

test('UBIK agent answers questions about an uploaded table as about the sample database', async (context) => {
  const server = await startTestServer(context);
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const csv = ['Product,Category,Price,Stock', ...PRODUCTS.map((row) => row.join(','))].join('\n');
  const form = new FormData();
  form.set('file', new Blob([csv]), 'shop.csv');
  await client.request('POST', `/agent-sessions/${session}/upload`, form);
  await server.agent?.whenDocumentsIndexed();
  const columns = ['product TEXT', 'category TEXT', 'price REAL', 'stock INT'];
  const database = openSqlDatabase([createSqlTable('shop', columns, PRODUCTS)]);
  context.after(() => database.close());
  const verdicts = new Map<Row, Verdict>();
  for (const row of sampleOf(ABOUT_SHOP, 3)) {
    const answer = await askUbik(client, session, row.question);
    verdicts.set(row, await judge(row, answer, database));
  }
  assertVerdicts(verdicts);
});

test('questions about prices and missing values of an uploaded table are answered correctly or not at all', async (context) => {
  const text = 'Part;Price (EUR);Stock\nBolt;0,50 €;0\nNut;;4\nWasher;1,20 €;0\nGear;12 €;9';
  const table = readCsvTable('parts.csv', text) ?? assert.fail();
  const database = openSqlDatabase([table.sql]);
  context.after(() => database.close());
  /** Returns the first cells of the rows of the answer; the words that were not applied, if there are any or there is no query. */
  const answer = async (question: string): Promise<unknown> => {
    const { query, unapplied } = readQuestion(question, table.schema);
    if (query === null || unapplied.length > 0) return unapplied;
    const { sql, parameters } = writeSql(query, table.schema);
    return (await database.query(sql, parameters)).rows.map(([first]) => first);
  };
  for (const [question, expected] of [
    ['Which parts have no price?', ['Nut']],
    ['Which parts have no stock?', ['Bolt', 'Washer']],
    ['Which parts do not have a price and no stock?', []],
    ['How many parts are without a price?', [1]],
    ['What is the stock of the parts without a price?', ['Nut']],
    ['Welche Zeilen haben keinen Preis?', ['Nut']],
    ["Quelles lignes n'ont pas de prix ?", ['Nut']],
    ['Which parts cost more than 1 euro?', ['Washer', 'Gear']],
    ['parts between 1 and 2 euros', ['Washer']],
    ['parts for less than €1', ['Bolt']],
    ['Which part is the cheapest?', ['Bolt']],
    ['How much does the gear cost?', ['Gear']],
    ['How much does the gear cost more than the bolt?', ['more than']],
    ['Which parts cost more than 1 dollar?', ['dollar']],
    ['Which parts have no price or stock?', ['or']],
    ['Which parts have no price over 1?', ['no']],
  ] as const) {
    assert.deepEqual(await answer(question), expected, question);
  }
});

test('the answer about an uploaded table contains no tags from its cells', async (context) => {
  const table = readCsvTable('parts.csv', 'Part,Maker\nBolt,<<thinking>>\nNut,B') ?? assert.fail();
  const database = openSqlDatabase([table.sql]);
  context.after(() => database.close());
  const { query } = readQuestion('What is the maker of the bolt?', table.schema);
  assert.ok(query);
  const { sql, parameters } = writeSql(query, table.schema);
  const result = await database.query(sql, parameters);
  const { sentence } = describeResult(query, table.schema, result, 'en');
  assert.match(sentence, /Bolt.*‹‹thinking››/u);
});

test('words that a table with several prices, currencies or kinds of missing values makes ambiguous are not applied', () => {
  for (const [text, question, unapplied] of [
    ['Item,Cost,Unit price\nA1,€1.50,2\nB1,€2,3', 'Which item is the cheapest?', ['cheapest']],
    ['Item,Cost,Stock\nA1,1,\nB1,2,0', 'Which items have no stock?', ['no']],
    ['Item,Cost\nA1,€1\nB1,$2', 'items over 1', ['over 1']],
  ] as const) {
    const table = readCsvTable('items.csv', text) ?? assert.fail();
    assert.deepEqual(readQuestion(question, table.schema).unapplied, unapplied, question);
  }
});

test('a language that the agent does not read is detected by at least two different frequent words, of which a repeated one counts once', () => {
  const questions = [
    ['Combien de produits coûtent plus de 20 ?', null],
    ['Welke rivieren zijn langer dan de Rijn?', 'nl'],
    ['¿Cuáles son los ríos más largos de España?', 'es'],
    ['Which rivers are longer than the Rhine?', null],
  ] as const;
  for (const [question, language] of questions) {
    assert.equal(detectOtherLanguage(question), language, question);
  }
});

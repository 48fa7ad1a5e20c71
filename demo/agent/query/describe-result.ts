import { escapeTags } from '../json.js';
import type { Cell, QueryResult } from '../tools/sql-database.js';
import type { AnswerLanguage } from './languages.js';
import { namePlace } from './place-names.js';
import type { AggregateFunction, DataQuery, Show } from './query.js';
import {
  requireColumn,
  tableOf,
  type Column,
  type Labels,
  type Schema,
  type Table,
} from './schema.js';
import { capitalize, HEADINGS } from './write-sql.js';

/** The answer to a query: a sentence, and the rows that it is about. */
export interface DescribedResult {
  readonly sentence: string;
  readonly columns: readonly string[];
  /** Empty when the sentence says everything. */
  readonly rows: readonly (readonly Cell[])[];
}

/** Describes the result of a query in a language. */
export function describeResult(
  query: DataQuery,
  schema: Schema,
  result: QueryResult,
  language: AnswerLanguage,
): DescribedResult {
  const table = tableOf(schema, query.table);
  const rows = result.rows.map((row) => row.map((cell) => nameCell(cell, language)));
  const columns = result.columns.map((heading) => nameHeading(heading, schema, language));
  const sentences = new Sentences(table, language);
  // Names and values may be from an uploaded file.
  const sentence = escapeTags(writeSentence(query, { rows, more: result.more }, sentences));
  const isComplete =
    query.show.kind === 'count' ||
    query.show.kind === 'aggregate' ||
    query.show.kind === 'difference' ||
    (query.show.kind === 'values' && rows.length === 1 && query.show.concepts.length === 1);
  return { sentence, columns, rows: isComplete ? [] : rows };
}

/** Returns a heading of a result in a language; a heading that is neither of the schema nor in `HEADING_NAMES` stays as it is. */
export function nameHeading(heading: string, schema: Schema, language: AnswerLanguage): string {
  if (language === 'en') return heading;
  const special = HEADING_NAMES.get(heading);
  if (special !== undefined) return special[language];
  for (const table of schema.tables) {
    if (heading === capitalize(table.many.en)) return capitalize(table.many[language]);
    for (const column of [table.key, ...table.columns]) {
      if (column.heading !== heading) continue;
      const unit = column.unit === '' ? '' : ` (${column.unit})`;
      return capitalize(column.labels[language]) + unit;
    }
  }
  return heading;
}

const HEADING_NAMES: ReadonlyMap<string, Labels> = new Map([
  [HEADINGS.fits, { en: 'Fits', de: 'Trifft zu', fr: 'Vrai', zh: '符合' }],
  [HEADINGS.place, { en: 'Place', de: 'Platz', fr: 'Rang', zh: '名次' }],
  [HEADINGS.rows, { en: 'Rows', de: 'Zeilen', fr: 'Lignes', zh: '行数' }],
]);

function nameCell(cell: Cell, language: AnswerLanguage): Cell {
  return typeof cell === 'string' ? namePlace(cell, language) : cell;
}

/** Writes a number in the format of a language, with its unit. A text is returned unchanged; null becomes a dash. */
export function printNumber(value: Cell, unit: string, language: AnswerLanguage): string {
  if (typeof value !== 'number') return value === null ? '–' : value;
  const locale = { en: 'en-US', de: 'de-DE', fr: 'fr-FR', zh: 'en-US' }[language];
  const digits = value.toLocaleString(locale, { maximumFractionDigits: 10 });
  return unit === '' ? digits : `${digits} ${unit}`;
}

function writeSentence(
  query: DataQuery,
  { rows, more }: Pick<QueryResult, 'rows' | 'more'>,
  sentences: Sentences,
): string {
  const { show } = query;
  const [first] = rows;
  switch (show.kind) {
    case 'count':
      return sentences.count(Number(first?.[0] ?? 0));
    case 'aggregate':
      return sentences.aggregate(show.function, sentences.column(show.concept), first);
    case 'check':
      return sentences.check(query, rows);
    default:
  }
  if (first === undefined) return sentences.nothing();
  switch (show.kind) {
    case 'rows':
      return rows.length === 1 ? sentences.row(first) : sentences.rows(rows.length, more);
    case 'values':
      return sentences.values(show.concepts, rows, more);
    case 'rank':
      return sentences.rank(show, first);
    case 'groups':
      return sentences.groups(show, first);
    case 'difference':
      return sentences.difference(show, first);
  }
}

/** Writes the sentences about one table in one language. */
class Sentences {
  readonly #table: Table;
  readonly #language: AnswerLanguage;

  constructor(table: Table, language: AnswerLanguage) {
    this.#table = table;
    this.#language = language;
  }

  column(concept: string): Column {
    return requireColumn(this.#table, concept);
  }

  nothing(): string {
    return this.#say({
      en: 'The data have nothing that fits.',
      de: 'In den Daten passt nichts dazu.',
      fr: 'Rien ne correspond dans les données.',
      zh: '数据库中没有符合条件的数据。',
    });
  }

  row(row: readonly Cell[]): string {
    const name = bold(row[0] ?? null);
    return this.#say({
      en: `The data say this about ${name}:`,
      de: `Die Daten sagen über ${name}:`,
      fr: `Voici ce que disent les données sur ${name} :`,
      zh: `数据库中关于 ${name} 的数据：`,
    });
  }

  /** @param more Whether there are more than these. */
  rows(count: number, more: boolean): string {
    const noun = this.#table.many[this.#language];
    return this.#say({
      en: `${more ? 'More than ' : ''}${String(count)} ${noun} fit the question:`,
      de: `${more ? 'Mehr als ' : ''}${String(count)} ${noun} passen zur Frage:`,
      fr: `${more ? 'Plus de ' : ''}${String(count)} ${noun} correspondent à la question :`,
      zh: `共有${more ? '超过' : ''} ${String(count)} ${noun}符合条件：`,
    });
  }

  count(count: number): string {
    const noun = (count === 1 ? this.#table.one : this.#table.many)[this.#language];
    const number = bold(printNumber(count, '', this.#language));
    return this.#say({
      en: `There ${count === 1 ? 'is' : 'are'} ${number} such ${noun} in the data.`,
      de: `Die Daten enthalten ${number} ${noun}, auf die das zutrifft.`,
      fr: `Les données contiennent ${number} ${noun} qui correspondent.`,
      zh: `数据库中有 ${number} ${noun}符合条件。`,
    });
  }

  aggregate(name: AggregateFunction, column: Column, row: readonly Cell[] | undefined): string {
    const [value = null, count = 0] = row ?? [];
    if (value === null) return this.nothing();
    const label = `${this.#functionName(name)}: ${column.labels[this.#language]}`;
    const number = bold(printNumber(value, column.unit, this.#language));
    const noun = (count === 1 ? this.#table.one : this.#table.many)[this.#language];
    return this.#say({
      en: `${label}, over ${String(count)} ${noun}: ${number}.`,
      de: `${label}, über ${String(count)} ${noun}: ${number}.`,
      fr: `${label}, sur ${String(count)} ${noun} : ${number}.`,
      zh: `${label}（${String(count)} ${noun}）：${number}。`,
    });
  }

  /** @param rows Each has the key of a row, then the values of `concepts`. */
  values(concepts: readonly string[], rows: readonly (readonly Cell[])[], more: boolean): string {
    const [first = []] = rows;
    const column = this.column(concepts[0] ?? '');
    if (rows.length > 1) return this.rows(rows.length, more);
    if (concepts.length > 1) return this.row(first);
    const value = printNumber(first[1] ?? null, column.unit, this.#language);
    const name = bold(first[0] ?? null);
    const label = column.labels[this.#language];
    return this.#say({
      en: `${name}: ${label} **${value}**.`,
      de: `${name}: ${label} **${value}**.`,
      fr: `${name} : ${label} **${value}**.`,
      zh: `${name}：${label} **${value}**。`,
    });
  }

  rank(show: Extract<Show, { kind: 'rank' }>, row: readonly Cell[]): string {
    const label = this.column(show.concept ?? '').labels[this.#language];
    const name = bold(row[0] ?? null);
    const place = show.place === null ? null : String(show.place);
    const isSmallest = show.direction === 'asc';
    return this.#say({
      en: `By ${label}, ${name} comes ${place === null ? 'first' : `in place ${place}`}${isSmallest ? ', counted from the smallest' : ''}:`,
      de: `Nach ${label} steht ${name} auf Platz ${place ?? '1'}${isSmallest ? ', vom kleinsten an gezählt' : ''}:`,
      fr: `Par ${label}, ${name} est au rang ${place ?? '1'}${isSmallest ? ', à partir du plus petit' : ''} :`,
      zh:
        place === null
          ? `按${label}${isSmallest ? '从小到大' : ''}排列，第一位是 ${name}：`
          : `按${label}${isSmallest ? '从小到大' : ''}排列，第 ${place} 位是 ${name}：`,
    });
  }

  groups(show: Extract<Show, { kind: 'groups' }>, row: readonly Cell[]): string {
    const label =
      show.concept === null
        ? this.#table.many[this.#language]
        : `${this.#functionName(show.function ?? 'sum')}: ${this.column(show.concept).labels[this.#language]}`;
    const unit = show.concept === null ? '' : this.column(show.concept).unit;
    const value = bold(printNumber(row[1] ?? null, unit, this.#language));
    const name = bold(row[0] ?? null);
    return this.#say({
      en: `${capitalize(label)}: ${name} comes first with ${value}.`,
      de: `${capitalize(label)}: ${name} steht mit ${value} an erster Stelle.`,
      fr: `${capitalize(label)} : ${name} vient en premier avec ${value}.`,
      zh: `${label}：${name} 居首，为 ${value}。`,
    });
  }

  difference(show: Extract<Show, { kind: 'difference' }>, row: readonly Cell[]): string {
    const column = this.column(show.concept);
    const [one = null, value = null, other = null, otherValue = null, result = null] = row;
    const print = (cell: Cell): string => printNumber(cell, column.unit, this.#language);
    const label = column.labels[this.#language];
    const [name, otherName] = [
      `${bold(one)} (${print(value)})`,
      `${bold(other)} (${print(otherValue)})`,
    ];
    if (show.operation === 'divided') {
      const times = bold(printNumber(result, '', this.#language));
      return this.#say({
        en: `Ratio by ${label} of ${name} and ${otherName}: ${times}.`,
        de: `Verhältnis nach ${label} von ${name} und ${otherName}: ${times}.`,
        fr: `Rapport par ${label} de ${name} et ${otherName} : ${times}.`,
        zh: `${name} 与 ${otherName} 的${label}之比：${times}。`,
      });
    }
    const difference = bold(print(result));
    return this.#say({
      en: `Difference in ${label} between ${name} and ${otherName}: ${difference}.`,
      de: `Unterschied nach ${label} zwischen ${name} und ${otherName}: ${difference}.`,
      fr: `Différence de ${label} entre ${name} et ${otherName} : ${difference}.`,
      zh: `${name} 与 ${otherName} 的${label}之差：${difference}。`,
    });
  }

  check(query: DataQuery, rows: readonly (readonly Cell[])[]): string {
    const names = query.filters.find((filter) => filter.kind === 'key');
    const isTrue =
      names === undefined
        ? rows.length > 0
        : rows.length === (names.kind === 'key' ? names.rows.length : 0) &&
          rows.every((row) => row[1] === 'yes');
    return isTrue
      ? this.#say({
          en: '**Yes**, according to the data.',
          de: '**Ja**, nach den Daten.',
          fr: '**Oui**, selon les données.',
          zh: '**是**，数据库显示如此。',
        })
      : this.#say({
          en: '**No**, according to the data.',
          de: '**Nein**, nach den Daten.',
          fr: '**Non**, selon les données.',
          zh: '**否**，数据库显示并非如此。',
        });
  }

  #functionName(name: AggregateFunction): string {
    return this.#say(FUNCTION_NAMES[name]);
  }

  #say(texts: Labels): string {
    return texts[this.#language];
  }
}

const FUNCTION_NAMES: Readonly<Record<AggregateFunction, Labels>> = {
  avg: { en: 'Average', de: 'Durchschnitt', fr: 'Moyenne', zh: '平均值' },
  sum: { en: 'Total', de: 'Summe', fr: 'Total', zh: '总和' },
  min: { en: 'Minimum', de: 'Minimum', fr: 'Minimum', zh: '最小值' },
  max: { en: 'Maximum', de: 'Maximum', fr: 'Maximum', zh: '最大值' },
};

function bold(cell: Cell): string {
  return `**${String(cell ?? '–')}**`;
}

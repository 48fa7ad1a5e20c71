import type { AnswerLanguage } from './languages.js';

/** A text in each language of answers. */
export type Labels = Readonly<Record<AnswerLanguage, string>>;

/** A column that questions can be about. */
export interface Column {
  /** SQL expression, valid where the table is in the `FROM` clause under its own name. */
  readonly sql: string;
  /** The concepts for which the column stands, one or several, as words of the vocabulary name them. */
  readonly concepts: readonly string[];
  /** English heading of the column in results. */
  readonly heading: string;
  /** Name of the column inside a sentence. */
  readonly labels: Labels;
  /** Unit of its numbers; empty without one. */
  readonly unit: string;
  readonly isNumber: boolean;
  /** Whether a value of the column counts only beside a word for the column: "Madrid" alone does not mean the country that has it as its capital. */
  readonly needsWord?: boolean;
  /**
   * What the column has in the rows that "no" before its name selects, such as "no price": nothing (`empty`, SQL NULL) or 0 (`zero`). Null
   * or undefined when that is unclear; such a question is not read.
   */
  readonly missing?: 'empty' | 'zero' | null;
  /**
   * SQL condition for the rows that are grouped by this column, such as "the river flows into a sea, not into another river"; by default,
   * that the column is not NULL.
   */
  readonly groupCondition?: string;
}

/** A table that questions can be about. */
export interface Table {
  /** Name in SQL. */
  readonly name: string;
  /** The column that names a row. */
  readonly key: Column;
  /** All columns without the key, in the order in which results show them. */
  readonly columns: readonly Column[];
  /** Noun for one row and for several rows. */
  readonly one: Labels;
  readonly many: Labels;
  /** The concept that "biggest" means; null when it can mean several. */
  readonly size: string | null;
  /** Order of rows that are not ranked, in SQL. */
  readonly order: string;
}

/** Pairs of keys of two tables. */
export interface Link {
  readonly from: string;
  readonly to: string;
  /** Whether a row of `from` can have several rows of `to`. */
  readonly isMany: boolean;
  /** Query of the pairs with the columns `a` (key of `from`), `b` (key of `to`) and `place` (order of the pairs). */
  readonly sql: string;
  /** The relations of the vocabulary that may name the link. A question without such a word is accepted. */
  readonly words: readonly string[];
}

/** A value of a column by which questions can name rows. */
export interface NamedValue {
  readonly table: string;
  /** Concept of the column; null for the key. */
  readonly concept: string | null;
  /** The value as the table has it. */
  readonly value: string;
}

/** The tables of a question, with all that the question can name. */
export interface Schema {
  readonly tables: readonly Table[];
  readonly links: readonly Link[];
  /** Values by each name of them, in lower case without diacritics. */
  readonly names: ReadonlyMap<string, readonly NamedValue[]>;
  /** Words of this schema besides the vocabulary of the language: meanings by phrase. */
  readonly words: ReadonlyMap<string, string>;
}

/** Returns a table of a schema. Throws for an unknown name, which only a faulty plan can have. */
export function tableOf(schema: Schema, name: string): Table {
  const table = schema.tables.find((each) => each.name === name);
  if (table === undefined) throw new Error(`The schema has no table ${name}.`);
  return table;
}

/** Returns the column of a table, other than its key, that stands for a concept, or null. */
export function columnOf(table: Table, concept: string): Column | null {
  return table.columns.find((column) => column.concepts.includes(concept)) ?? null;
}

/** Returns the column of a concept that must exist. */
export function requireColumn(table: Table, concept: string): Column {
  const column = columnOf(table, concept);
  if (column === null) throw new Error(`The table ${table.name} has no ${concept}.`);
  return column;
}

/** Returns the pairs of two tables with `a` as the key of `from`, or null. */
export function linkOf(schema: Schema, from: string, to: string): Link | null {
  const forward = schema.links.find((link) => link.from === from && link.to === to);
  if (forward !== undefined) return forward;
  const back = schema.links.find((link) => link.from === to && link.to === from);
  if (back === undefined) return null;
  return {
    ...back,
    from,
    to,
    isMany: true,
    sql: `SELECT b AS a, a AS b, place FROM (${back.sql})`,
  };
}

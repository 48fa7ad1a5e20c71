import type { Cell } from '../tools/sql-database.js';
import { createSqlTable, type SqlTable } from '../tools/sql-database.js';
import { parseCsv } from '../documents/parse-csv.js';
import { isPriceHeading, listPriceWords, readAmounts } from './csv-prices.js';
import type { Column, Labels, NamedValue, Schema, Table } from './schema.js';
import { readNumber, toPhrase, type NumberStyle } from './tokens.js';
import { VOCABULARIES } from './vocabulary.js';

/** A file of separated values as a table that can be asked about. */
export interface CsvTable {
  readonly schema: Schema;
  readonly sql: SqlTable;
}

/** Name of the table in SQL. It is the same for all files, because each has a separate database. */
const TABLE = 'uploaded_rows';

const ROW_NOUNS =
  'rows, row, entries, entry, records, record, lines, line, items, item, Zeilen, Zeile, Einträge, Eintrag, Datensätze, lignes, ligne, entrées, entrée, enregistrements';

/** Longer values are not recognized in questions. */
const MAX_NAME_LENGTH = 60;

/** The values of a column with more distinct values are not recognized in questions. */
const MAX_DISTINCT_VALUES = 2000;

/** Reads a table of separated values; null when it has no header with at least two columns, or no rows. */
export function readCsvTable(fileName: string, text: string): CsvTable | null {
  const [header = [], ...rows] = parseCsv(text.replace(/^\uFEFF/u, ''));
  if (header.length < 2 || rows.length === 0) return null;
  const titles = nameColumns(header);
  const values = titles.map((_, index) => readColumn(rows.map((row) => (row[index] ?? '').trim())));
  const keyIndex = Math.max(
    0,
    values.findIndex((column) => !column.isNumber),
  );
  const prices = titles.flatMap((title, index) =>
    values[index]?.isNumber === true && isPriceHeading(title) ? [index] : [],
  );
  // With several columns of prices, "the cheapest" does not say by which.
  const [price = -1] = prices.length === 1 ? prices : [];
  const columns = titles.map((title, index) =>
    createColumn(title, index, values[index], index === price),
  );
  const key = columns[keyIndex];
  if (key === undefined) return null;
  const table: Table = {
    name: TABLE,
    key,
    columns: columns.filter((column) => column !== key),
    one: { en: 'row', de: 'Zeile', fr: 'ligne', zh: '行' },
    many: { en: 'rows', de: 'Zeilen', fr: 'lignes', zh: '行' },
    size: null,
    order: 'rowid',
  };
  const names = collectNames(columns, key, values);
  const words = new Map([
    ...(price < 0 ? [] : listPriceWords(titles[price] ?? '', values[price]?.unit ?? '')),
    ...collectWords(fileName, columns, key),
  ]);
  const cells = rows.map((_, row) => values.map((column) => column.cells[row] ?? null));
  return {
    schema: { tables: [table], links: [], names, words },
    sql: createSqlTable(
      TABLE,
      values.map((column, index) => `c${String(index)} ${column.isNumber ? 'REAL' : 'TEXT'}`),
      cells,
    ),
  };
}

/** Headings have to differ and must not be numbers, because results have them as the keys of objects, which put numbers first. */
function nameColumns(header: readonly string[]): string[] {
  const titles: string[] = [];
  for (const [index, cell] of header.entries()) {
    const title = cell.trim();
    const name =
      title === '' || /^\d+$/u.test(title) ? `column ${title || String(index + 1)}` : title;
    titles.push(titles.includes(name) ? `${name} (${String(index + 1)})` : name);
  }
  return titles;
}

interface ReadColumn {
  readonly isNumber: boolean;
  readonly cells: readonly Cell[];
  /** The currency of all cells; empty without one. */
  readonly unit: string;
}

/** A column has numbers when all its cells are numbers with the same separators, or empty. */
function readColumn(cellTexts: readonly string[]): ReadColumn {
  const amounts = readAmounts(cellTexts);
  const texts = amounts?.numbers ?? cellTexts;
  const unit = amounts?.sign ?? '';
  for (const style of ['point', 'comma'] satisfies NumberStyle[]) {
    const cells = texts.map((text) => (text === '' ? null : readCell(text, style)));
    if (texts.some((text) => text !== '') && !cells.includes(undefined)) {
      return { isNumber: true, cells: cells as Cell[], unit };
    }
  }
  const cells = cellTexts.map((text) => (text === '' ? null : text));
  return { isNumber: false, cells, unit: '' };
}

/** Returns the number of a cell; undefined when the cell is not a number in this style. */
function readCell(text: string, style: NumberStyle): number | undefined {
  const digits = /^([-−]?)\s*(\d[\d.,'’ \u00a0\u202f]*)$/u.exec(text);
  if (digits === null) return undefined;
  // One or two digits after the separator are decimals of the other style: "1,25" in the style `point`.
  const isOther = style === 'point' ? /^\d+,\d{1,2}$/u : /^\d+\.\d{1,2}$/u;
  if (isOther.test(digits[2] ?? '')) return undefined;
  const value = readNumber(digits[2] ?? '', style);
  if (value === null) return undefined;
  return digits[1] === '' ? value : -value;
}

function createColumn(
  title: string,
  index: number,
  read: ReadColumn | undefined,
  isPrice: boolean,
): Column {
  const labels: Labels = { en: title, de: title, fr: title, zh: title };
  const name = `c${String(index)}`;
  const { isNumber = false, unit = '', cells = [] } = read ?? {};
  const [hasEmpty, hasZero] = [cells.includes(null), cells.includes(0)];
  return {
    sql: name,
    concepts: isPrice ? [name, 'price'] : [name],
    heading: title,
    labels,
    unit,
    isNumber,
    // In a column with empty cells and zeros, "no stock" could mean either.
    missing: hasEmpty && hasZero ? null : hasZero ? 'zero' : 'empty',
  };
}

function collectNames(
  columns: readonly Column[],
  key: Column,
  values: readonly ReadColumn[],
): ReadonlyMap<string, readonly NamedValue[]> {
  const names = new Map<string, NamedValue[]>();
  for (const [index, column] of columns.entries()) {
    const { isNumber = true, cells = [] } = values[index] ?? {};
    const distinct = new Set(cells);
    if (isNumber || distinct.size > MAX_DISTINCT_VALUES) continue;
    for (const cell of distinct) {
      if (typeof cell !== 'string' || cell.length > MAX_NAME_LENGTH) continue;
      const phrase = toPhrase(cell);
      // A value such as "the" or "total" is a word of the language first.
      if (phrase === '' || Object.values(VOCABULARIES).some((words) => words.has(phrase))) continue;
      const concept = column === key ? null : (column.concepts[0] ?? '');
      names.set(phrase, [...(names.get(phrase) ?? []), { table: TABLE, concept, value: cell }]);
    }
  }
  return names;
}

/** The words for the columns and for the rows; the file name stands for the rows. */
function collectWords(
  fileName: string,
  columns: readonly Column[],
  key: Column,
): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const without of ['without', 'ohne', 'sans']) words.set(without, 'not');
  for (const noun of ROW_NOUNS.split(', ')) words.set(toPhrase(noun), `table:${TABLE}:many`);
  const base = toPhrase(fileName.replace(/\.[a-z0-9]+$/iu, '').replaceAll('_', ' '));
  for (const noun of [base, `${base}s`]) words.set(noun, `table:${TABLE}:many`);
  words.set(toPhrase(fileName), `table:${TABLE}:many`);
  for (const column of columns) {
    const title = toPhrase(column.heading.replaceAll('_', ' '));
    const one = title.endsWith('s') ? title.slice(0, -1) : title;
    for (const [form, number] of [
      [`${one}s`, 'many'],
      [one, 'one'],
    ] as const) {
      // The column that names the rows is also the noun for them.
      const meaning =
        column === key ? `table:${TABLE}:${number}` : `column:${column.concepts.at(-1) ?? ''}`;
      if (one !== '') words.set(form, meaning);
    }
  }
  return words;
}

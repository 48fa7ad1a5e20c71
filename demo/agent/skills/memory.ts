import { escapeTags, type Json } from '../json.js';
import { printNumber } from '../query/describe-result.js';
import type { AnswerLanguage } from '../query/languages.js';
import type { LiveRun } from '../run/live-run.js';
import type { Cell, QueryResult } from '../tools/sql-database.js';

/** A passage in the memory of a run. */
export type KnownPassage = {
  readonly id: string;
  readonly document_id: string;
  readonly document: string;
  readonly page: number | null;
  readonly heading: string;
  readonly text: string;
} & { readonly [name: string]: Json };

/** A document in the memory of a run. */
export type KnownDocument = { readonly id: string; readonly name: string } & {
  readonly [name: string]: Json;
};

/** Stores a value for the following steps. */
export function remember(run: LiveRun, name: string, value: Json): void {
  run.progress.memory[name] = value;
}

/** Returns the stored value of a name, or null. */
export function recall<T extends Json>(run: LiveRun, name: string): T | null {
  return (run.progress.memory[name] ?? null) as T | null;
}

/** Stores the rows of a query. */
export function rememberRows(run: LiveRun, result: QueryResult): void {
  remember(run, 'rows', {
    columns: [...result.columns],
    rows: result.rows.map((row) => [...row]),
    more: result.more,
  });
}

/** Returns the rows of the last query, or null. */
export function recallRows(run: LiveRun): QueryResult | null {
  return recall<QueryResult & { readonly [name: string]: Json }>(run, 'rows');
}

/** Formats a Markdown table, with numbers as a language writes them. Vertical bars and tags in cells are escaped. */
export function formatTable(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  language: AnswerLanguage = 'en',
): string {
  const line = (cells: readonly Cell[]): string =>
    `| ${cells.map((cell) => formatCell(cell, language)).join(' | ')} |`;
  const numeric = columns.map((_, index) => rows.every((row) => typeof row[index] === 'number'));
  const rule = numeric.map((isNumber) => (isNumber ? '---:' : '---'));
  return [line(columns), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

function formatCell(cell: Cell, language: AnswerLanguage): string {
  if (typeof cell !== 'string') return printNumber(cell, '', language);
  return escapeTags(cell).replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll(/\s+/gu, ' ');
}

import type { Cell } from '../tools/sql-database.js';
import type { DataQuery, Filter, Group, Operator, Row, Show } from './query.js';
import { linkOf, requireColumn, tableOf, type Column, type Schema, type Table } from './schema.js';

/** A parameterized SQL query. */
export interface SqlQuery {
  readonly sql: string;
  readonly parameters: readonly Cell[];
}

/** A piece of SQL with its parameters, in the order in which they occur. */
interface Piece {
  readonly sql: string;
  readonly parameters: readonly Cell[];
}

/** Headings of results that are neither the heading of a column nor the name of a table. */
export const HEADINGS = {
  fits: 'Fits',
  place: 'Place',
  rows: 'Rows',
  other: 'Other',
  otherValue: 'Other value',
  result: 'Result',
} as const;

/** Writes the SQL for a query. Texts of the user are parameters, never a part of the SQL. */
export function writeSql(query: DataQuery, schema: Schema): SqlQuery {
  const table = tableOf(schema, query.table);
  const filters = query.filters.map((filter) => writeFilter(filter, table, schema));
  const where = joinConditions(filters);
  const { show } = query;
  switch (show.kind) {
    case 'rows':
      return writeRows(table, table.columns, where, query, schema);
    case 'values':
      return writeRows(
        table,
        show.concepts.map((concept) => requireColumn(table, concept)),
        where,
        query,
        schema,
      );
    case 'rank':
      return writeRank(table, show, filters);
    case 'count':
      return {
        sql: `SELECT count(*) AS ${quote(table.many.en)}\nFROM ${table.name}${where.sql}`,
        parameters: where.parameters,
      };
    case 'aggregate': {
      const { sql, heading } = requireColumn(table, show.concept);
      const value = `round(${show.function}(${sql}), 1)`;
      return {
        sql: `SELECT ${value} AS ${quote(heading)}, count(${sql}) AS ${quote(HEADINGS.rows)}\nFROM ${table.name}${where.sql}`,
        parameters: where.parameters,
      };
    }
    case 'groups':
      return writeGroups(table, show, filters, schema);
    case 'difference':
      return writeDifference(table, show);
    case 'check':
      return writeCheck(table, query, show, schema);
  }
}

function writeRows(
  table: Table,
  columns: readonly Column[],
  where: Piece,
  query: DataQuery,
  schema: Schema,
): SqlQuery {
  const order = writeOrder(table, query, schema);
  return {
    sql: `SELECT ${writeColumns([table.key, ...columns])}\nFROM ${table.name}${where.sql}\nORDER BY ${order.sql}`,
    parameters: [...where.parameters, ...order.parameters],
  };
}

/** Rows that are linked to one row come in the order of the link, such as countries along their river. See `Link` for the columns of its pairs. */
function writeOrder(table: Table, { filters }: DataQuery, schema: Schema): Piece {
  const [filter] = filters;
  const [row] = filter?.kind === 'link' ? filter.rows : [];
  if (filters.length !== 1 || filter?.kind !== 'link' || filter.negated || row === undefined) {
    return { sql: table.order, parameters: [] };
  }
  const link = linkOf(schema, table.name, filter.to);
  if (link === null || filter.rows.length > 1) return { sql: table.order, parameters: [] };
  const key = writeRow(row, tableOf(schema, filter.to));
  return {
    sql: `(SELECT place FROM (${link.sql}) WHERE a = ${table.key.sql} AND b = ${key.sql})`,
    parameters: key.parameters,
  };
}

type Rank = Extract<Show, { kind: 'rank' }>;

/** Equal values have the same place, so that no row is left out in favour of an equal one. */
function writeRank(table: Table, show: Rank, filters: readonly Piece[]): SqlQuery {
  const measure = requireColumn(table, show.concept ?? table.columns[0]?.concepts[0] ?? '');
  const others = table.columns.filter((column) => column !== measure);
  const ranked = writeRanked(table, measure, show.direction, filters);
  // Two rows in place 1 are followed by place 3. A place that no row has selects the rows of the nearest place before it.
  const condition =
    show.place === null ? 'place <= ?' : 'place = (SELECT max(place) FROM ranked WHERE place <= ?)';
  return {
    sql: `WITH ranked AS (${ranked.sql})\nSELECT ${writeColumns([table.key, measure, ...others])}\nFROM ranked AS ${table.name} WHERE ${condition}\nORDER BY place, ${table.key.sql}`,
    parameters: [...ranked.parameters, show.place ?? show.limit],
  };
}

function writeRanked(
  table: Table,
  measure: Column,
  direction: string,
  filters: readonly Piece[],
): Piece {
  const where = joinConditions([{ sql: `${measure.sql} IS NOT NULL`, parameters: [] }, ...filters]);
  const order = direction === 'asc' ? 'ASC' : 'DESC';
  return {
    sql: `SELECT *, rank() OVER (ORDER BY ${measure.sql} ${order}) AS place FROM ${table.name}${where.sql}`,
    parameters: where.parameters,
  };
}

type Groups = Extract<Show, { kind: 'groups' }>;

function writeGroups(
  table: Table,
  show: Groups,
  filters: readonly Piece[],
  schema: Schema,
): SqlQuery {
  const by = describeGroup(table, show.group, schema);
  const measure = show.concept === null ? null : requireColumn(table, show.concept);
  const value =
    measure === null || show.function === null
      ? 'count(*)'
      : `round(${show.function}(${measure.sql}), 1)`;
  const heading = measure?.heading ?? capitalize(table.many.en);
  const where = joinConditions([...filters, ...(by.condition === '' ? [] : [piece(by.condition)])]);
  const order = show.direction === 'asc' ? 'ASC' : 'DESC';
  const grouped = `SELECT ${by.sql} AS name, ${value} AS value, rank() OVER (ORDER BY ${value} ${order}) AS place\nFROM ${table.name}${by.join}${where.sql}\nGROUP BY ${by.sql}`;
  const limit = show.limit === null ? '' : '\nWHERE place <= ?';
  return {
    sql: `SELECT name AS ${quote(by.heading)}, value AS ${quote(heading)}\nFROM (${grouped})${limit}\nORDER BY place, name`,
    parameters: [...where.parameters, ...(show.limit === null ? [] : [show.limit])],
  };
}

function describeGroup(
  table: Table,
  group: Group,
  schema: Schema,
): {
  readonly sql: string;
  readonly heading: string;
  readonly join: string;
  readonly condition: string;
} {
  if ('concept' in group) {
    const column = requireColumn(table, group.concept);
    const condition = column.groupCondition ?? `${column.sql} IS NOT NULL`;
    return { sql: column.sql, heading: column.heading, join: '', condition };
  }
  const link = linkOf(schema, table.name, group.table);
  if (link === null) throw new Error(`${table.name} cannot be grouped by ${group.table}.`);
  return {
    sql: 'link.b',
    heading: tableOf(schema, group.table).key.heading,
    join: ` JOIN (${link.sql}) AS link ON link.a = ${table.key.sql}`,
    condition: '',
  };
}

function writeDifference(
  table: Table,
  { concept, rows, operation }: Extract<Show, { kind: 'difference' }>,
): SqlQuery {
  const measure = requireColumn(table, concept);
  const [one, other] = [writeRow(rows[0], table), writeRow(rows[1], table)];
  const values = (row: Piece, name: string): string =>
    `SELECT ${table.key.sql} AS ${name}, ${measure.sql} AS value FROM ${table.name} WHERE ${table.key.sql} = ${row.sql}`;
  const result =
    operation === 'minus'
      ? 'abs(one.value - other.value)'
      : 'round(max(one.value, other.value) * 1.0 / min(one.value, other.value), 2)';
  return {
    sql: `SELECT one.name AS ${quote(table.key.heading)}, one.value AS ${quote(measure.heading)}, other.other AS ${quote(HEADINGS.other)}, other.value AS ${quote(HEADINGS.otherValue)}, ${result} AS ${quote(HEADINGS.result)}\nFROM (${values(one, 'name')}) AS one, (${values(other, 'other')}) AS other`,
    parameters: [...one.parameters, ...other.parameters],
  };
}

/**
 * Selects the named rows, each with `yes` or `no` for whether it fits and with the columns of the conditions; without named rows, the
 * rows that fit. For a rank, the named rows that are ranked, each with its place and the measure; `yes` if it has the place that is asked for
 * or, when none is, is among the first `limit`.
 */
function writeCheck(
  table: Table,
  query: DataQuery,
  { rank }: Extract<Show, { kind: 'check' }>,
  schema: Schema,
): SqlQuery {
  const keys = query.filters.filter((filter) => filter.kind === 'key');
  const others = query.filters.filter((filter) => filter.kind !== 'key');
  const conditions = others.map((filter) => writeFilter(filter, table, schema));
  const chosen = joinConditions(keys.map((filter) => writeFilter(filter, table, schema)));
  if (rank !== null) {
    // A rank in a checkpoint of an earlier version has neither.
    const { limit = 1, place = null } = rank as Partial<typeof rank>;
    const measure = requireColumn(table, rank.concept);
    const ranked = writeRanked(table, measure, rank.direction, conditions);
    return {
      sql: `WITH ranked AS (${ranked.sql})\nSELECT ${writeColumns([table.key])}, CASE WHEN place ${place === null ? '<=' : '='} ? THEN 'yes' ELSE 'no' END AS ${quote(HEADINGS.fits)}, place AS ${quote(HEADINGS.place)}, ${writeColumns([measure])}\nFROM ranked AS ${table.name}${chosen.sql}`,
      parameters: [...ranked.parameters, place ?? limit, ...chosen.parameters],
    };
  }
  if (keys.length === 0) {
    return writeRows(table, table.columns, joinConditions(conditions), query, schema);
  }
  const all = conditions.map((condition) => `(${condition.sql})`).join(' AND ');
  const evidence = others.map((filter) => writeEvidence(filter, table, schema));
  const shown = [...new Set(evidence)].map((each) => `, ${each}`).join('');
  return {
    sql: `SELECT ${writeColumns([table.key])}, CASE WHEN ${all} THEN 'yes' ELSE 'no' END AS ${quote(HEADINGS.fits)}${shown}\nFROM ${table.name}${chosen.sql}`,
    parameters: [...conditions.flatMap((each) => each.parameters), ...chosen.parameters],
  };
}

/** The column that shows why a row fits a condition or not. */
function writeEvidence(filter: Filter, table: Table, schema: Schema): string {
  if (filter.kind === 'link') {
    const link = linkOf(schema, table.name, filter.to);
    const heading = capitalize(tableOf(schema, filter.to).many.en);
    return `(SELECT group_concat(b, ', ') FROM (SELECT b FROM (${link?.sql ?? ''}) WHERE a = ${table.key.sql} ORDER BY place)) AS ${quote(heading)}`;
  }
  return writeColumns([filter.kind === 'key' ? table.key : requireColumn(table, filter.concept)]);
}

function writeFilter(filter: Filter, table: Table, schema: Schema): Piece {
  switch (filter.kind) {
    case 'key':
      return writeMembership(
        table.key.sql,
        filter.rows.map((row) => writeRow(row, table)),
        filter.negated,
      );
    case 'text':
      return writeMembership(
        requireColumn(table, filter.concept).sql,
        filter.values.map((value) => ({ sql: '?', parameters: [value] })),
        filter.negated,
      );
    case 'number':
      return {
        sql: `${requireColumn(table, filter.concept).sql} ${operatorOf(filter.operator)} ?`,
        parameters: [filter.value],
      };
    case 'missing': {
      const { sql } = requireColumn(table, filter.concept);
      return piece(filter.value === 'zero' ? `${sql} = 0` : `${sql} IS NULL`);
    }
    case 'row': {
      const measure = requireColumn(table, filter.concept).sql;
      const row = writeRow(filter.row, table);
      return {
        sql: `${measure} ${operatorOf(filter.operator)} (SELECT ${measure} FROM ${table.name} WHERE ${table.key.sql} = ${row.sql})`,
        parameters: row.parameters,
      };
    }
    case 'link': {
      const other = tableOf(schema, filter.to);
      const link = linkOf(schema, table.name, filter.to);
      const rows = filter.rows.map((row) => writeRow(row, other));
      const groups = filter.match === 'all' ? rows.map((row) => [row]) : [rows];
      const pieces = groups.map((group) => {
        const inner = writeMembership('b', group, false);
        const not = filter.negated ? 'NOT ' : '';
        return {
          sql: `${table.key.sql} ${not}IN (SELECT a FROM (${link?.sql ?? ''}) WHERE ${inner.sql})`,
          parameters: inner.parameters,
        };
      });
      return {
        sql: pieces.map((each) => each.sql).join(' AND '),
        parameters: pieces.flatMap((each) => each.parameters),
      };
    }
  }
}

function writeMembership(sql: string, values: readonly Piece[], negated: boolean): Piece {
  return {
    sql: `${sql} ${negated ? 'NOT ' : ''}IN (${values.map((value) => value.sql).join(', ')})`,
    parameters: values.flatMap((value) => value.parameters),
  };
}

/** The key of a row: a parameter, or the row at a place of an order. */
function writeRow(row: Row, table: Table): Piece {
  if ('key' in row) return { sql: '?', parameters: [row.key] };
  const measure = requireColumn(table, row.concept).sql;
  const order = row.direction === 'asc' ? 'ASC' : 'DESC';
  return {
    sql: `(SELECT ${table.key.sql} FROM ${table.name} WHERE ${measure} IS NOT NULL ORDER BY ${measure} ${order}, ${table.key.sql} LIMIT 1 OFFSET ?)`,
    parameters: [row.place - 1],
  };
}

function joinConditions(conditions: readonly Piece[]): Piece {
  if (conditions.length === 0) return { sql: '', parameters: [] };
  return {
    sql: `\nWHERE ${conditions.map((condition) => condition.sql).join(' AND ')}`,
    parameters: conditions.flatMap((condition) => condition.parameters),
  };
}

function writeColumns(columns: readonly Column[]): string {
  return columns.map((column) => `${column.sql} AS ${quote(column.heading)}`).join(', ');
}

/** A query may come from a stored plan, so the operator is looked up instead of being copied into the SQL. */
function operatorOf(operator: Operator): string {
  const known: readonly Operator[] = ['>', '>=', '<', '<=', '='];
  return known.find((each) => each === operator) ?? '=';
}

function piece(sql: string): Piece {
  return { sql, parameters: [] };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Writes a text with a capital first letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The meaning of a column: one of the `concepts` of a column of the schema. */
type Concept = string;

/** A row by its key, or by its place in an order, from 1. */
export type Row =
  | { readonly key: string }
  | { readonly place: number; readonly concept: Concept; readonly direction: Direction };

/** `desc` starts with the largest value. */
export type Direction = 'asc' | 'desc';

/** A comparison of numbers. */
export type Operator = '>' | '>=' | '<' | '<=' | '=';

/** A condition for the rows of the table of a query. */
export type Filter =
  /** The key is one of these. */
  | { readonly kind: 'key'; readonly rows: readonly Row[]; readonly negated: boolean }
  /** A text column has one of these values. */
  | {
      readonly kind: 'text';
      readonly concept: Concept;
      readonly values: readonly string[];
      readonly negated: boolean;
    }
  /** The row is linked to all, or to at least one, of these rows of another table. */
  | {
      readonly kind: 'link';
      readonly to: string;
      readonly rows: readonly Row[];
      readonly match: 'all' | 'any';
      readonly negated: boolean;
    }
  /** A number compared with a value. */
  | {
      readonly kind: 'number';
      readonly concept: Concept;
      readonly operator: Operator;
      readonly value: number;
    }
  /** The column is empty, or its number is 0. */
  | { readonly kind: 'missing'; readonly concept: Concept; readonly value: 'empty' | 'zero' }
  /** A number compared with that of another row. */
  | {
      readonly kind: 'row';
      readonly concept: Concept;
      readonly operator: Operator;
      readonly row: Row;
    };

/** The rows of each group are linked to the same row of a table, or have the same value in a column. */
export type Group = { readonly table: string } | { readonly concept: Concept };

/** A function over the values of several rows. */
export type AggregateFunction = 'avg' | 'sum' | 'min' | 'max';

/** The result that a query computes from the rows that match its filters. */
export type Show =
  | { readonly kind: 'rows' }
  /** One or more columns of each row. */
  | { readonly kind: 'values'; readonly concepts: readonly Concept[] }
  /** The first rows in the order of a column; `place` selects one of them. A null concept is still to be chosen by the user. */
  | {
      readonly kind: 'rank';
      readonly concept: Concept | null;
      readonly direction: Direction;
      readonly limit: number;
      readonly place: number | null;
    }
  | { readonly kind: 'count' }
  | {
      readonly kind: 'aggregate';
      readonly function: AggregateFunction;
      readonly concept: Concept;
    }
  /** A count (`function` is null) or an aggregate for each group; `limit` is null for all groups. */
  | {
      readonly kind: 'groups';
      readonly group: Group;
      readonly function: AggregateFunction | null;
      readonly concept: Concept | null;
      readonly direction: Direction;
      readonly limit: number | null;
    }
  | {
      readonly kind: 'difference';
      readonly concept: Concept;
      readonly rows: readonly [Row, Row];
      readonly operation: 'minus' | 'divided';
    }
  /** Whether all rows that are named by key fit the other filters and the rank; without a key, whether any row fits the filters. */
  | {
      readonly kind: 'check';
      /** The order in which the row has to be at `place`, or among the first `limit` when `place` is null; null for no order. */
      readonly rank: {
        readonly concept: Concept;
        readonly direction: Direction;
        readonly limit: number;
        readonly place: number | null;
      } | null;
    };

/** A question about one table, in a form from which SQL can be written. It is plain JSON, so that a plan can store it. */
export type DataQuery = {
  readonly table: string;
  readonly filters: readonly Filter[];
  readonly show: Show;
};

/** Whether the measure, the concept by which a query ranks, is still to be chosen. */
export function lacksMeasure({ show }: DataQuery): boolean {
  return show.kind === 'rank' && show.concept === null;
}

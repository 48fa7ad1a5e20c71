import type {
  AggregateFunction,
  DataQuery,
  Direction,
  Filter,
  Group,
  Operator,
  Row,
  Show,
} from './query.js';
import { listUnapplied, readItems, type Item } from './read-items.js';
import {
  columnOf,
  linkOf,
  type Column,
  type NamedValue,
  type Schema,
  type Table,
} from './schema.js';
import type { ReadLanguage } from './vocabulary.js';

/** The result of reading a question. */
export interface Reading {
  readonly language: ReadLanguage;
  /** The question as a query; null when it cannot be read as one. It answers the question only when `unapplied` is empty. */
  readonly query: DataQuery | null;
  /** The parts of the question that the query leaves out, as they are in the question. */
  readonly unapplied: readonly string[];
  /** The words among them without a meaning. */
  readonly unknown: readonly string[];
  /** Whether the question names a table or a value of the schema. */
  readonly isAbout: boolean;
}

/** Reads a question about the tables of a schema. */
export function readQuestion(question: string, schema: Schema): Reading {
  const read = readItems(question, schema);
  const reader = new QuestionReader(read.items, schema, (item) => {
    const before = read.items.filter((each) => each.to <= item.from).at(-1);
    return read.tokens.slice(before?.to ?? 0, item.from).map((token) => token.plain);
  });
  const query = reader.read(isYesNo(read.language, question, read.items));
  return {
    language: read.language,
    query,
    unapplied: listUnapplied(read, (item) => reader.isUsed(item)),
    unknown: read.unknown.map((token) => read.tokens[token]?.text ?? ''),
    isAbout: read.items.some((item) => item.kind === 'table' || item.kind === 'name'),
  };
}

/** Beginnings of yes/no questions; in French, the verb before its pronoun. */
const YES_NO: Readonly<Record<ReadLanguage, RegExp>> = {
  en: /^\W*(?:is|are|was|does|do|has|have|can)\b(?! (?:you|me)\b)/iu,
  de: /^\W*(?:ist|sind|hat|haben|fließ(?:t|en)|liegt|liegen|gibt|mündet|münden|durchfließt|durchquert|verläuft)(?![\p{L}])/iu,
  fr: /est-ce qu|y a-t-il|-(?:t-)?(?:il|elle|ils|elles)(?![\p{L}])/iu,
};

function isYesNo(language: ReadLanguage, question: string, items: readonly Item[]): boolean {
  const asksWhich = items.some((item) =>
    ['which', 'count', 'much', 'where', 'facts'].includes(item.kind),
  );
  return !asksWhich && YES_NO[language].test(question);
}

/** Returns the number column that a text names, such as the answer to "biggest by what?"; null when there is none. */
export function readMeasure(text: string, schema: Schema, table: Table): Column | null {
  const columns = readItems(text, schema).items.map((item) => {
    const concept = conceptOf(item);
    return concept === null ? null : columnOf(table, concept);
  });
  return columns.find((column) => column?.isNumber === true) ?? null;
}

/** A number with its unit. */
interface Quantity {
  readonly items: readonly Item[];
  readonly value: number;
  /** The concept that its unit measures; null without a unit. */
  readonly concept: string | null;
  /** Whether it contains a factor such as "million". */
  readonly isScaled: boolean;
}

/** A row that the question names, with the item that names it. */
interface NamedRow {
  readonly item: Item;
  /** The values that the name can mean; empty for a ranked row. */
  readonly values: readonly NamedValue[];
  /** A row by its place, such as "the longest river" in a question about countries; null for a row that is named. */
  readonly ranked: { readonly table: string; readonly row: Row } | null;
}

/** A row of a difference, with the items that name it. */
interface Operand {
  readonly row: Row;
  readonly items: readonly (Item | null)[];
}

/** Turns the items of one question into a query and records which items it has applied. */
class QuestionReader {
  readonly #items: readonly Item[];
  readonly #schema: Schema;
  readonly #wordsBefore: (item: Item) => readonly string[];
  readonly #used = new Set<Item>();
  readonly #filters: Filter[] = [];
  #rows: NamedRow[] = [];
  #group: Group | null = null;
  /** Negations of a column instead of a name: "no price". */
  readonly #absences = new Set<Item>();

  /** @param wordsBefore Returns the plain words between an item and the one before it. */
  constructor(
    items: readonly Item[],
    schema: Schema,
    wordsBefore: (item: Item) => readonly string[],
  ) {
    this.#items = items.filter((item) => item.kind !== 'which' && item.kind !== 'verb');
    this.#schema = schema;
    this.#wordsBefore = wordsBefore;
  }

  isUsed(item: Item): boolean {
    return this.#used.has(item);
  }

  /** @param isYesNo Whether it is a yes/no question. */
  read(isYesNo: boolean): DataQuery | null {
    // An item that was applied is not read again, so specific constructions are read before general ones.
    this.#rows = this.#items
      .filter((item) => item.kind === 'name')
      .map((item) => ({ item, values: item.values, ranked: null }));
    this.#skipAppositions();
    this.#readGroup();
    const counted = this.#readCountedGroup();
    this.#readNestedRank();
    const table = this.#chooseTable();
    if (table === null) return null;
    const noun = this.#unused('table').find((item) => item.args[0] === table.name) ?? null;
    if (noun !== null) this.#used.add(noun);
    const difference = this.#readDifference(table);
    if (difference !== null) return this.#finish(table, difference);
    this.#readAbsences(table);
    this.#readComparisons(table, isYesNo);
    if (counted !== null) {
      this.#readRows(table, false);
      return this.#finish(table, counted);
    }
    const show = this.#readShow(table, noun, isYesNo);
    return show === null ? null : this.#finish(table, show);
  }

  #finish(table: Table, show: Show): DataQuery {
    return { table: table.name, filters: this.#filters, show };
  }

  /** Returns the items of a kind that were not applied yet. */
  #unused(kind: string): Item[] {
    return this.#items.filter((item) => item.kind === kind && !this.#used.has(item));
  }

  #use(...items: readonly (Item | null | undefined)[]): void {
    for (const item of items) if (item) this.#used.add(item);
  }

  /** Returns the item at an offset from another one, or null. */
  #at(item: Item, offset: number): Item | null {
    return this.#items[this.#items.indexOf(item) + offset] ?? null;
  }

  /** "The river Danube": the noun says nothing that the name does not say. */
  #skipAppositions(): void {
    for (const noun of this.#unused('table')) {
      for (const neighbour of [this.#at(noun, 1), this.#at(noun, -1)]) {
        if (neighbour?.kind !== 'name') continue;
        const isOwn = neighbour.values.some(
          (value) => value.table === noun.args[0] && value.concept === null,
        );
        const isRelated = this.#items.some(
          (item) => item !== noun && item.from === noun.from && item.kind === 'relation',
        );
        if (isOwn && !isRelated) this.#use(noun);
      }
    }
  }

  /** "Per country", "by sea", "by length". */
  #readGroup(): void {
    const [group] = this.#unused('group');
    if (group === undefined) return;
    const target = this.#at(group, 1);
    if (target?.kind === 'table') {
      const table = target.args[0] ?? '';
      this.#group = { table };
      this.#use(group, target);
    } else if (target?.kind === 'column') {
      const concept = target.args[0] ?? '';
      const column = this.#schema.tables.map((table) => columnOf(table, concept)).find(Boolean);
      // A number orders or measures; a text groups.
      if (column?.isNumber === false) {
        this.#group = { concept };
        this.#use(target);
      }
      this.#use(group);
    }
  }

  /** "The country with the most rivers": the rivers are counted for each country. */
  #readCountedGroup(): Show | null {
    for (const degree of this.#unused('degree')) {
      const [, direction = 'desc', concept = ''] = degree.args;
      const counted = this.#at(degree, 1);
      if (concept !== '' || counted?.kind !== 'table') continue;
      const other =
        this.#unused('table').find(
          (item) => item !== counted && item.args[0] !== counted.args[0],
        ) ?? this.#unused('column').find((item) => item.args[0] === 'mouth');
      if (other === undefined) continue;
      const name = other.args[0] ?? '';
      const group: Group = other.kind === 'table' ? { table: name } : { concept: name };
      const number = this.#at(other, -1)?.kind === 'number' ? this.#at(other, -1) : null;
      const limit = number?.number ?? (other.args[1] === 'many' ? 10 : 1);
      this.#use(degree, other, number, this.#relationTo(group));
      return {
        kind: 'groups',
        group,
        function: null,
        concept: null,
        direction: direction as Direction,
        limit,
      };
    }
    return null;
  }

  /** The relation that a question with groups names besides the group: "flow into each sea". */
  #relationTo(group: Group): Item | null {
    const [relation] = this.#unused('relation');
    const isInto = relation?.args[0] === 'into';
    return relation !== undefined && isInto === 'concept' in group ? relation : null;
  }

  /** "The longest river" in a question about countries is one row of another table. */
  #readNestedRank(): void {
    const nouns = this.#unused('table');
    if (new Set(nouns.map((noun) => noun.args[0])).size < 2) return;
    for (const noun of nouns) {
      const degree = this.#at(noun, -1);
      const table = this.#schema.tables.find((each) => each.name === noun.args[0]);
      if (degree?.kind !== 'degree' || noun.args[1] !== 'one' || table === undefined) continue;
      const concept = degree.args[2] || table.size;
      if (concept === null || columnOf(table, concept) === null) continue;
      const ordinal = this.#at(degree, -1);
      const place = ordinal?.kind === 'ordinal' ? Number(ordinal.args[0]) : 1;
      if (!Number.isInteger(place)) continue;
      const row: Row = { place, concept, direction: degree.args[1] as Direction };
      this.#use(noun, degree, ordinal?.kind === 'ordinal' ? ordinal : null);
      this.#rows.push({ item: noun, values: [], ranked: { table: table.name, row } });
      return;
    }
  }

  /** The table of the question: that of its noun, else one that has what the question asks for. */
  #chooseTable(): Table | null {
    const [noun] = this.#unused('table');
    const find = (name: string | undefined): Table | null =>
      this.#schema.tables.find((table) => table.name === name) ?? null;
    if (noun !== undefined) return find(noun.args[0]);
    const named = this.#rows.flatMap((row) =>
      row.ranked === null ? row.values.map((value) => value.table) : [row.ranked.table],
    );
    for (const item of this.#items) {
      const concept = conceptOf(item);
      if (concept === null) continue;
      const tables = this.#schema.tables.filter((table) => columnOf(table, concept) !== null);
      const own = named.find((name) => tables.some((table) => table.name === name));
      if (own !== undefined) return find(own);
      if (tables.length === 1) return tables[0] ?? null;
    }
    if (this.#schema.tables.length === 1) return this.#schema.tables[0] ?? null;
    const [first] = this.#rows;
    if (first === undefined) return null;
    const key = first.values.find((value) => value.concept === null) ?? first.values[0];
    return find(first.ranked?.table ?? key?.table);
  }

  /** "No price", "without a price": a negation before a column that is not compared. */
  #readAbsences(table: Table): void {
    for (const not of this.#unused('not')) {
      const column = this.#at(not, 1);
      const next = column && this.#at(column, 1);
      const concept = column?.kind === 'column' ? (column.args[0] ?? '') : '';
      const { missing = null } = columnOf(table, concept) ?? {};
      if (missing === null || COMPARING.has(next?.kind ?? '')) continue;
      // "In no category Garden": the name after the column is a value of it.
      if (next?.values.some((value) => value.concept === concept) === true) continue;
      this.#use(not, column, ...this.#unused('ne'));
      this.#absences.add(not);
      this.#filters.push({ kind: 'missing', concept, value: missing });
    }
  }

  /** "How much longer is A than B", "the difference in length between A and B". */
  #readDifference(table: Table): Show | null {
    const [much] = this.#unused('much');
    const [difference] = this.#unused('difference');
    const [ratio] = this.#unused('ratio');
    const trigger = much ?? difference ?? ratio;
    if (trigger === undefined) return null;
    const named = this.#items.find((item) => {
      const concept = conceptOf(item);
      return concept !== null && columnOf(table, concept)?.isNumber === true;
    });
    const concept = named === undefined ? table.size : conceptOf(named);
    if (concept === null || columnOf(table, concept)?.isNumber !== true) return null;
    const operands = this.#readOperands(table, concept);
    const [one, other] = operands;
    if (one === undefined || other === undefined || operands.length !== 2) return null;
    this.#use(
      ...operands.flatMap((operand) => operand.items),
      much,
      difference,
      ratio,
      named,
      ...this.#unused('between'),
      ...this.#items.filter((item) => item.kind === 'column' && item.args[0] === concept),
      ...this.#unused('degree').filter(
        (item) => this.#isComparative(item) && ['', concept].includes(item.args[2] ?? ''),
      ),
    );
    const operation = ratio === undefined ? 'minus' : 'divided';
    return { kind: 'difference', concept, rows: [one.row, other.row], operation };
  }

  /** Whether a degree compares with something. A French one does when "que" follows. */
  #isComparative(degree: Item): boolean {
    if (degree.args[0] !== 'either') return degree.args[0] === 'comparative';
    const next = this.#at(degree, 1);
    const after = next?.kind === 'column' ? this.#at(next, 1) : next;
    return after?.kind === 'than';
  }

  /** The rows of a difference, with the items that name them: names, "the longest", "the fourth". */
  #readOperands(table: Table, concept: string): Operand[] {
    const operands: Operand[] = [];
    const add = (row: Row, ...items: readonly (Item | null)[]): void => {
      operands.push({ row, items });
    };
    for (const item of this.#items) {
      const key = item.values.find((value) => value.table === table.name && value.concept === null);
      if (key !== undefined) {
        add({ key: key.value }, item);
        continue;
      }
      const isSuperlative = item.kind === 'degree' && !this.#isComparative(item);
      const followsOrdinal = this.#at(item, -1)?.kind === 'ordinal';
      if (isSuperlative && (item.args[2] || concept) === concept && !followsOrdinal) {
        const noun = this.#at(item, 1)?.kind === 'table' ? this.#at(item, 1) : null;
        add({ place: 1, concept, direction: item.args[1] as Direction }, item, noun);
      } else if (item.kind === 'ordinal' && Number(item.args[0]) > 0) {
        const next = this.#at(item, 1);
        const direction = next?.kind === 'degree' ? (next.args[1] as Direction) : 'desc';
        const after = next?.kind === 'degree' ? this.#at(next, 1) : null;
        add(
          { place: Number(item.args[0]), concept, direction },
          item,
          next?.kind === 'degree' || next?.kind === 'table' ? next : null,
          after?.kind === 'table' ? after : null,
        );
      }
    }
    return operands;
  }

  /** Reads a number that begins at an item, with "million" and its unit. */
  #readQuantity(item: Item | null): Quantity | null {
    if (item?.kind === 'unit') {
      // "€20"
      const number = this.#at(item, 1);
      const quantity = number?.kind === 'number' ? this.#readQuantity(number) : null;
      if (quantity === null || quantity.concept !== null) return null;
      return { ...quantity, items: [item, ...quantity.items], concept: item.args[0] ?? null };
    }
    if (item?.kind !== 'number' && item?.kind !== 'times') return null;
    const items: Item[] = [];
    let value = 1;
    let next: Item | null = item;
    if (next.kind === 'number') {
      value = next.number;
      items.push(next);
      next = this.#at(next, 1);
    }
    const isScaled = next?.kind === 'times';
    if (next?.kind === 'times') {
      value *= Number(next.args[0]);
      items.push(next);
      next = this.#at(next, 1);
    }
    if (next?.kind !== 'unit') return { items, value, concept: null, isScaled };
    return { items: [...items, next], value, concept: next.args[0] ?? null, isScaled };
  }

  /** "Longer than 500 km", "between 1 and 2 million inhabitants", "more people than Austria". */
  #readComparisons(table: Table, isYesNo: boolean): void {
    for (const item of this.#items) {
      if (this.#used.has(item)) continue;
      if (item.kind === 'between') this.#readBetween(table, item);
      else if (item.kind === 'limit') {
        this.#compare(table, item, item.args[0] as Operator, this.#at(item, 1), null);
      } else if (item.kind === 'degree' && item.args[0] !== 'superlative') {
        const operator: Operator = item.args[1] === 'asc' ? '<' : '>';
        const following = this.#at(item, 1);
        const column = following?.kind === 'column' ? following : null;
        const than = column === null ? following : this.#at(column, 1);
        const target = than?.kind === 'than' ? this.#at(than, 1) : than;
        // "Plus de 1000 km": without "que" or "than", only a number can follow; a name is one of those to choose from.
        if (than?.kind !== 'than' && target?.kind !== 'number' && target?.kind !== 'times') {
          continue;
        }
        this.#compare(table, item, operator, target, column);
      }
    }
    if (!isYesNo) return;
    for (const number of this.#unused('number')) {
      const quantity = this.#readQuantity(number);
      if (quantity?.concept != null) this.#compare(table, number, '=', number, null);
    }
  }

  #readBetween(table: Table, between: Item): void {
    const low = this.#readQuantity(this.#at(between, 1));
    const last = low?.items.at(-1);
    const and = last === undefined ? null : this.#at(last, 1);
    const high = and?.kind === 'and' ? this.#readQuantity(this.#at(and, 1)) : null;
    if (low === null || high === null) return;
    // "Between 1 and 2 million": the factor applies to both. A "million" without a number before it is the factor itself.
    const factor = high.isScaled && !low.isScaled ? high.value / (high.items[0]?.number || 1) : 1;
    const concept = this.#measureOf(table, between, high, null);
    if (concept === null) return;
    this.#use(between, ...low.items, ...high.items);
    this.#filters.push(
      { kind: 'number', concept, operator: '>=', value: low.value * factor },
      { kind: 'number', concept, operator: '<=', value: high.value },
    );
  }

  #compare(
    table: Table,
    item: Item,
    operator: Operator,
    target: Item | null,
    column: Item | null,
  ): void {
    const quantity = this.#readQuantity(target);
    const concept = this.#measureOf(table, item, quantity, column);
    if (concept === null || target === null) return;
    if (quantity !== null) {
      this.#use(item, column, ...quantity.items);
      this.#filters.push({ kind: 'number', concept, operator, value: quantity.value });
      return;
    }
    const key = target.values.find((value) => value.table === table.name && value.concept === null);
    // "Longer than A and B" compares with two rows, which a filter cannot express.
    const next = this.#at(target, 1);
    const isListed = next?.kind === 'and' || next?.kind === 'or' || next?.kind === 'name';
    const following = next?.kind === 'name' ? next : next && this.#at(next, 1);
    const isSame = following?.values.some((value) => value.table === table.name) === true;
    if (key === undefined || (isListed && isSame)) return;
    this.#use(item, column, target);
    this.#filters.push({ kind: 'row', concept, operator, row: { key: key.value } });
  }

  /** The measure of a comparison: that of its own word, else of the unit, else of the column beside it, else the size of the table. */
  #measureOf(
    table: Table,
    item: Item,
    quantity: Quantity | null,
    column: Item | null,
  ): string | null {
    const last = quantity?.items.at(-1);
    const after = last === undefined ? null : this.#at(last, 1);
    const before = this.#at(item, -1);
    const beside = [column, after, before].find(
      (each) => each?.kind === 'column' && columnOf(table, each.args[0] ?? '')?.isNumber === true,
    );
    const own = item.kind === 'degree' ? item.args[2] : '';
    const concept =
      own ||
      quantity?.concept ||
      beside?.args[0] ||
      (this.#mayBeSize(item, quantity) ? table.size : null);
    if (concept === null || columnOf(table, concept)?.isNumber !== true) return null;
    // "Longer than 5 m³/s" compares a length with a discharge.
    const unit = quantity?.concept ?? null;
    if (unit !== null && columnOf(table, unit) !== columnOf(table, concept)) return null;
    if (beside != null && columnOf(table, beside.args[0] ?? '') === columnOf(table, concept)) {
      this.#use(beside);
    }
    return concept;
  }

  #mayBeSize(item: Item, quantity: Quantity | null): boolean {
    return item.kind === 'degree' || quantity?.isScaled === true;
  }

  #readShow(table: Table, noun: Item | null, isYesNo: boolean): Show | null {
    const [count] = this.#unused('count');
    const [aggregate] = this.#unused('aggregate');
    if (count !== undefined) {
      this.#use(count, aggregate?.args[0] === 'sum' ? aggregate : null);
      this.#readRows(table, false);
      return this.#showGroups(table, null, null) ?? (noun === null ? null : { kind: 'count' });
    }
    if (aggregate !== undefined) return this.#readAggregate(table, noun, aggregate);
    if (isYesNo) return this.#readCheck(table);
    const ranked = this.#readRank(table, noun);
    const choice = ranked === null ? this.#readChoice(table) : null;
    const isChoice = choice !== null;
    const rank = ranked ?? choice;
    if (rank !== null) {
      this.#readRows(table, isChoice, noun !== null && !isChoice);
      return rank;
    }
    return this.#readValues(table, noun);
  }

  #readAggregate(table: Table, noun: Item | null, aggregate: Item): Show | null {
    const column = this.#unused('column').find(
      (item) => columnOf(table, item.args[0] ?? '')?.isNumber === true,
    );
    const [size] = this.#unused('size');
    const concept = column?.args[0] ?? (size === undefined ? null : table.size);
    this.#readRows(table, true, noun !== null && !this.#namesOwn(table));
    if (concept === null) return null;
    this.#use(aggregate, column, size);
    const name = aggregate.args[0] as AggregateFunction;
    return this.#showGroups(table, name, concept) ?? { kind: 'aggregate', function: name, concept };
  }

  #showGroups(table: Table, name: AggregateFunction | null, concept: string | null): Show | null {
    const group = this.#group;
    if (group === null) return null;
    const isKnown =
      'table' in group
        ? linkOf(this.#schema, table.name, group.table) !== null
        : columnOf(table, group.concept) !== null;
    if (!isKnown) return null;
    this.#use(this.#relationTo(group));
    const show = { kind: 'groups', group, function: name, concept, direction: 'desc' } as const;
    return { ...show, limit: null };
  }

  #readCheck(table: Table): Show | null {
    // "Do all rivers …" asks whether every row fits, which a check does not express.
    const isGeneral = this.#items.some((item) => item.kind === 'all');
    if (isGeneral) return null;
    const rank = this.#readRank(table, null);
    this.#readRows(table, true);
    const isNamed = this.#filters.some((filter) => filter.kind === 'key');
    const isAlone = this.#filters.every((filter) => filter.kind === 'key');
    if (rank?.kind !== 'rank') {
      // A name alone says nothing that could be true or false.
      return isAlone ? null : { kind: 'check', rank: null };
    }
    const { concept, direction, limit, place } = rank;
    if (concept === null) return null;
    if (isNamed) return { kind: 'check', rank: { concept, direction, limit, place } };
    // "Is the longest river in Germany?" asks about the first row of all, not about the first that fits.
    if (isAlone || limit > MAX_ROWS) return null;
    const rows = Array.from({ length: limit }, (_, index) => ({
      place: place ?? index + 1,
      concept,
      direction,
    }));
    this.#filters.push({ kind: 'key', rows, negated: false });
    return { kind: 'check', rank: null };
  }

  /** "The five longest", "the second largest", "top 3 by discharge". */
  #readRank(table: Table, noun: Item | null): Show | null {
    const degree = this.#unused('degree').find((item) => !this.#isComparative(item));
    const [top] = this.#unused('top');
    const first = degree ?? top;
    if (first === undefined) return this.#readOrder(table, noun);
    const concept = this.#readMeasure(table, degree ?? null, first);
    if (concept === undefined) return null;
    const ordinal = this.#at(first, -1);
    const isOrdinal = ordinal?.kind === 'ordinal' && Number(ordinal.args[0]) > 0;
    const number = this.#findLimit(first, noun);
    // "The first and second longest" asks for two places: "first" is not applied, so the question is not answered.
    this.#use(degree, isOrdinal ? null : top, number, isOrdinal ? ordinal : null);
    return {
      kind: 'rank',
      concept,
      direction: (degree?.args[1] ?? 'desc') as Direction,
      limit: isOrdinal ? 1 : (number?.number ?? (noun?.args[1] === 'many' ? 10 : 1)),
      place: isOrdinal ? Number(ordinal.args[0]) : null,
    };
  }

  /** "Rivers by length" without a superlative: all of them, or as many as are asked for, in this order. */
  #readOrder(table: Table, noun: Item | null): Show | null {
    const group = this.#items.find((item) => item.kind === 'group' && this.#used.has(item));
    const column = group === undefined ? null : this.#at(group, 1);
    if (column?.kind !== 'column' || this.#used.has(column)) return null;
    const concept = column.args[0] ?? '';
    if (columnOf(table, concept)?.isNumber !== true) return null;
    const number = noun === null ? null : this.#findLimit(column, noun);
    this.#use(column, number);
    const limit = number?.number ?? MAX_ROWS;
    return { kind: 'rank', concept, direction: 'desc', limit, place: null };
  }

  /** The measure of a rank; null when the user has to choose it, undefined when the table does not have it. */
  #readMeasure(table: Table, degree: Item | null, first: Item): string | null | undefined {
    const own = degree?.args[2] ?? '';
    if (own !== '') return columnOf(table, own) === null ? undefined : own;
    const columns = this.#unused('column').filter(
      (item) => columnOf(table, item.args[0] ?? '')?.isNumber === true,
    );
    const column = columns.find((item) => item.from > first.from) ?? columns.at(-1);
    if (column !== undefined) {
      this.#use(column);
      return column.args[0] ?? '';
    }
    this.#use(this.#unused('size')[0]);
    return table.size;
  }

  /** The number of rows that are asked for: beside the superlative, or before the noun. */
  #findLimit(first: Item, noun: Item | null): Item | null {
    const places = [this.#at(first, -1), this.#at(first, 1), noun && this.#at(noun, -1)];
    const number = places.find(
      (item) => item?.kind === 'number' && !this.#used.has(item) && item.number > 0,
    );
    return Number.isInteger(number?.number) ? (number ?? null) : null;
  }

  /** "Which is longer, A or B?": the first of the named rows. */
  #readChoice(table: Table): Show | null {
    const degree = this.#unused('degree')[0];
    const named = this.#rows.filter(
      (row) => !this.#used.has(row.item) && keyOf(row, table) !== null,
    );
    if (degree === undefined || named.length < 2) return null;
    const concept = this.#readMeasure(table, degree, degree);
    if (concept === undefined) return null;
    this.#use(degree, ...this.#unused('or'));
    const direction = degree.args[1] as Direction;
    return { kind: 'rank', concept, direction, limit: 1, place: null };
  }

  #readValues(table: Table, noun: Item | null): Show | null {
    const relation = this.#unused('relation').find((item) => item.args[0] === 'into');
    const columns = this.#unused('column').filter(
      (item) => columnOf(table, item.args[0] ?? '') !== null,
    );
    const [size] = this.#unused('size');
    const [facts] = this.#unused('facts');
    const [where] = this.#unused('where');
    // "Which sea does A flow into?" asks for the column that a text filter would use.
    const asksMouth =
      relation !== undefined &&
      columnOf(table, 'mouth') !== null &&
      !this.#hasTarget(relation, table);
    if (asksMouth) this.#use(relation, where);
    const isAlone = this.#items.every((item) => ['name', 'and', 'table'].includes(item.kind));
    const shows = columns.length > 0 || size !== undefined || facts !== undefined || asksMouth;
    const isRowList = !shows && where === undefined && !isAlone;
    const namesOwn = this.#namesOwn(table) && !isRowList;
    this.#readRows(table, !isRowList, noun !== null && !namesOwn);
    const wanted = columns.filter((item) => !this.#used.has(item) && !this.#isOfColumn(item));
    this.#use(...wanted, size, facts, where);
    // "How much does A cost": here "how much" asks for the price, because a difference would have been read before.
    const isCompared = this.#filters.some((filter) => filter.kind === 'row');
    if (!isCompared && wanted.some((item) => item.args[0] === 'price')) {
      this.#use(...this.#unused('much'));
    }
    const concepts = [
      ...wanted.map((item) => item.args[0] ?? ''),
      ...(asksMouth ? ['mouth'] : []),
      ...(size === undefined || table.size === null ? [] : [table.size]),
    ];
    if (concepts.length > 0) return { kind: 'values', concepts: [...new Set(concepts)] };
    const hasOwn = this.#filters.some((filter) => filter.kind === 'key');
    // Without a noun and without an own name, nothing says which rows are wanted.
    return noun !== null || hasOwn ? { kind: 'rows' } : null;
  }

  /** "The population of the capital" does not ask for the capital as well. */
  #isOfColumn(item: Item): boolean {
    return (
      this.#at(item, -1)?.kind === 'column' && this.#wordsBefore(item).some((word) => OF.has(word))
    );
  }

  /** Whether a name is where "into" leads. In German and French a preposition says so. */
  #hasTarget(relation: Item, table: Table): boolean {
    return this.#rows.some(
      (row) => this.#leadsTo(relation, row.item) && textOf(row, table, 'mouth') !== null,
    );
  }

  #leadsTo(relation: Item, item: Item): boolean {
    if (relation.args[1] === 'verb') {
      return this.#wordsBefore(item).some((word) => PREPOSITIONS.has(word));
    }
    return (
      relation.to <= item.from &&
      this.#rows.every((row) => row.item.from < relation.to || row.item.from >= item.from)
    );
  }

  /**
   * Turns the names that are left into filters.
   *
   * @param mayBeOwn Whether rows of the table may be named: "which rivers" asks for rows instead.
   * @param mayFilter Whether other names may become conditions: values of text columns, and rows of other tables. When the values of a named
   *   row are shown, such a condition would have no effect.
   */
  #readRows(table: Table, mayBeOwn: boolean, mayFilter = true): void {
    const left = this.#rows.filter((row) => row.ranked !== null || !this.#used.has(row.item));
    const own: Row[] = [];
    const texts = new Map<string, string[]>();
    const links = new Map<string, Row[]>();
    const [or] = this.#unused('or');
    // The keys of both maps end in `!` for negated names, which become separate filters.
    for (const row of left) {
      const not = this.#negationOf(row.item);
      if (not === 'unclear') continue;
      const mark = not === null ? '' : '!';
      const near = this.#relationOf(row.item);
      const isInto = near?.args[0] === 'into' && this.#leadsTo(near, row.item);
      // "Mündet der Inn in die Donau": the verb before its subject belongs to the name with the preposition.
      const relation = near?.args[1] === 'verb' && !isInto ? null : near;
      const text = this.#findText(row, table, isInto);
      const key = keyOf(row, table);
      const link = isInto ? null : this.#findLink(row, table, relation);
      if (isInto ? text !== null : text !== null && key === null) {
        if (!mayFilter || text === null) continue;
        append(texts, text.concept + mark, text.value);
        this.#use(row.item, isInto ? relation : null, this.#columnBeside(row.item, text));
        this.#useNegation(not);
      } else if (key !== null) {
        // In "which sea does A flow into", the relation stands for what is asked.
        const isAsked = relation?.args[0] === 'into' && this.#used.has(relation);
        if (!mayBeOwn || (relation !== null && !isAsked) || not !== null) continue;
        this.#use(row.item);
        own.push(key);
      } else if (link !== null && mayFilter) {
        append(links, link.table + mark, link.row);
        this.#use(row.item, relation);
        this.#useNegation(not);
      }
    }
    if (own.length > 0) this.#filters.push({ kind: 'key', rows: own, negated: false });
    this.#addFilters(table, texts, links, or ?? null);
  }

  /** Whether the question names a row of the table that is not part of a comparison. */
  #namesOwn(table: Table): boolean {
    return this.#rows.some((row) => !this.#used.has(row.item) && keyOf(row, table) !== null);
  }

  #addFilters(
    table: Table,
    texts: ReadonlyMap<string, readonly string[]>,
    links: ReadonlyMap<string, readonly Row[]>,
    or: Item | null,
  ): void {
    for (const [name, values] of texts) {
      const concept = name.replace('!', '');
      this.#filters.push({ kind: 'text', concept, values, negated: name.endsWith('!') });
      if (values.length > 1) this.#use(or);
    }
    for (const [name, rows] of links) {
      const to = name.replace('!', '');
      const negated = name.endsWith('!');
      const isAll =
        linkOf(this.#schema, table.name, to)?.isMany === true && !negated && or === null;
      this.#filters.push({ kind: 'link', to, rows, match: isAll ? 'all' : 'any', negated });
      if (rows.length > 1) this.#use(or);
    }
    const keys = this.#filters.find((filter) => filter.kind === 'key');
    if (keys?.kind === 'key' && keys.rows.length > 1) this.#use(or);
  }

  #findText(row: NamedRow, table: Table, isInto: boolean): NamedValue | null {
    return (
      row.values.find((value) => {
        if (value.table !== table.name || value.concept === null) return false;
        const column = columnOf(table, value.concept);
        if (column?.needsWord !== true) {
          return value.concept !== 'mouth' || isInto || row.values.length === 1;
        }
        return this.#items.some(
          (item) => item.kind === 'column' && column.concepts.includes(item.args[0] ?? ''),
        );
      }) ?? null
    );
  }

  /** "In the category books": the word for the column beside its value. For a capital, the word may be anywhere in the question. */
  #columnBeside(item: Item, value: NamedValue): Item | null {
    const near = [this.#at(item, -1), this.#at(item, 1)].find(
      (each) => each?.kind === 'column' && each.args[0] === value.concept,
    );
    const named = this.#unused('column').find(
      (each) => each.args[0] === value.concept && value.concept === 'capital',
    );
    return near ?? named ?? null;
  }

  #findLink(
    row: NamedRow,
    table: Table,
    relation: Item | null,
  ): { readonly table: string; readonly row: Row } | null {
    const candidates =
      row.ranked === null
        ? row.values
            .filter((value) => value.concept === null)
            .map((value) => ({ table: value.table, row: { key: value.value } as Row }))
        : [row.ranked];
    return (
      candidates.find((candidate) => {
        const link = linkOf(this.#schema, table.name, candidate.table);
        return link !== null && (relation === null || link.words.includes(relation.args[0] ?? ''));
      }) ?? null
    );
  }

  /** The relation before a name, or before the names that it is listed with; else the only one that is left. */
  #relationOf(item: Item): Item | null {
    const tables = new Set(item.values.map((value) => value.table));
    let before = this.#at(item, -1);
    while (
      before !== null &&
      (LISTING.has(before.kind) ||
        (before.kind === 'degree' && this.#used.has(before)) ||
        before.values.some((value) => tables.has(value.table)))
    ) {
      before = this.#at(before, -1);
    }
    if (before?.kind === 'relation') return before;
    const relations = this.#unused('relation');
    const [only] = relations;
    if (only === undefined || relations.length > 1) return null;
    // A relation belongs to the name that follows it.
    return this.#rows.some((row) => only.to <= row.item.from) ? null : only;
  }

  /** The French "ne" belongs to the "pas" after it; alone it means something else. */
  #useNegation(not: Item | null): void {
    if (not !== null) this.#use(not, ...this.#unused('ne'));
  }

  /** The negation of a name. It is unclear whether "not A and B" negates both. */
  #negationOf(item: Item): Item | 'unclear' | null {
    const negations = this.#items.filter(
      (each) => each.kind === 'not' && !this.#absences.has(each),
    );
    const not = negations.filter((each) => each.to <= item.from).at(-1);
    // "Which countries does A not cross": the negation follows the only name.
    if (not === undefined) return this.#rows.length === 1 ? (negations[0] ?? null) : null;
    const between = this.#items.filter((each) => each.from >= not.to && each.to <= item.from);
    if (between.some((each) => each.kind === 'but')) return null;
    const isListed = between.some((each) => each.kind === 'and');
    return isListed && between.some((each) => each.kind === 'name') ? 'unclear' : not;
  }
}

/** Kinds of items that may be between a relation and the names that it belongs to. */
const LISTING = new Set(['and', 'or', 'but', 'ne', 'not', 'table', 'ordinal', 'count']);

/** Kinds of items after a column with which it is compared. */
const COMPARING = new Set(['number', 'times', 'unit', 'limit', 'between', 'degree', 'than']);

/** Words that make one noun belong to another. */
const OF = new Set(['of', 'von', 'der', 'des', 'de', 'du', 'd']);

/** Maximum number of rows of an order without a limit; the database returns no more. */
const MAX_ROWS = 200;

/** German and French prepositions that lead into something. */
const PREPOSITIONS = new Set(['in', 'ins', 'im', 'dans']);

function conceptOf(item: Item): string | null {
  if (item.kind === 'column' || item.kind === 'unit') return item.args[0] ?? null;
  return item.kind === 'degree' ? item.args[2] || null : null;
}

function append<T>(lists: Map<string, T[]>, name: string, value: T): void {
  lists.set(name, [...(lists.get(name) ?? []), value]);
}

function keyOf(row: NamedRow, table: Table): Row | null {
  if (row.ranked !== null) return row.ranked.table === table.name ? row.ranked.row : null;
  const key = row.values.find((value) => value.table === table.name && value.concept === null);
  return key === undefined ? null : { key: key.value };
}

function textOf(row: NamedRow, table: Table, concept: string): string | null {
  return (
    row.values.find((value) => value.table === table.name && value.concept === concept)?.value ??
    null
  );
}

import type { Json, Key } from './json.js';
import {
  isToolOpen,
  type ContentKind,
  type DataCell,
  type DataFields,
  type DataKind,
  type ErrorFields,
  type FieldsOf,
  type PartKind,
  type PartTree,
  type ToolState,
} from './part.js';
import { fieldsOf } from './part-tree.js';

type BaseType<T> = T extends string
  ? 's'
  : T extends number
    ? 'n'
    : T extends boolean
      ? 'b'
      : T extends readonly string[]
        ? 't'
        : never;

/**
 * The type of a field: **s**tring, **n**umber, **b**oolean, list of **t**exts, **v**alue of a cell, any **J**SON; `?` allows null. A list
 * is described by a list of one item type, an object by the types of its fields.
 */
export type FieldType = string | readonly [FieldType] | FieldTypes;

/** The types of the fields of an object. */
export interface FieldTypes {
  readonly [name: string]: FieldType;
}

/** The {@link FieldType} of a TypeScript type. */
type TypeOf<T> = Json extends T
  ? 'j'
  : DataCell extends T
    ? 'v'
    : null extends T
      ? `${BaseType<NonNullable<T>>}?`
      : T extends readonly string[]
        ? 't'
        : T extends readonly (infer Item)[]
          ? readonly [TypeOf<Item>]
          : T extends object
            ? RequiredTypes<T>
            : BaseType<T>;

type RequiredNames<F> = {
  [Name in keyof F]-?: object extends Pick<F, Name> ? never : Name;
}[keyof F];

/** The types of all required fields except `kind`. */
type RequiredTypes<F> = {
  readonly [Name in Exclude<RequiredNames<F>, 'kind'>]: TypeOf<F[Name]>;
};

const COLUMNS = [{ name: 's', type: 's' }] as const;
const ROWS = [['v']] as const;

/**
 * The wire schema of each kind: the fields that a part from another tab must have, with their types. Optional fields are not
 * listed. Views rely on these types only; therefore an unknown `state` passes validation.
 */
export const PART_FIELDS: {
  readonly [Kind in PartKind]: RequiredTypes<FieldsOf<Kind>>;
} = {
  text: {},
  thinking: { state: 's' },
  step: { number: 'n?', title: 's', single: 'b', state: 's' },
  tool: { name: 's', toolId: 's', state: 's', input: 's?', result: 's?' },
  checkpoint: { name: 's' },
  'input-request': { prompt: 's', inputTypes: 't', checkpointName: 's?', answer: 's?' },
  error: { message: 's', details: 's?' },
  unknown: { name: 's' },
  table: {
    columns: COLUMNS,
    rows: ROWS,
    title: 's',
    description: 's',
    total: 'n?',
    source: 's',
  },
  'web-search': {
    query: 's',
    results: [{ title: 's', url: 's', snippet: 's', site: 's', icon: 's' }],
    state: 's',
  },
  passages: {
    title: 's',
    passages: [{ title: 's', text: 's', source: 's', score: 'n?', url: 's' }],
  },
  page: { title: 's', url: 's' },
  chart: {
    columns: COLUMNS,
    rows: ROWS,
    title: 's',
    chartType: 's',
    dimension: 's',
    measures: 't',
    groupBy: 's?',
  },
  code: { language: 's', code: 's', output: 's', error: 's' },
  metric: { columns: COLUMNS, rows: ROWS, title: 's', unit: 's', query: 's' },
  'run-activity': {
    step: 'n?',
    totalSteps: 'n?',
    progress: 'n?',
    description: 's',
    result: 'j',
  },
  'step-activity': {
    number: 'n',
    title: 's',
    progress: 'n?',
    status: 's',
    results: 'j',
    state: 's',
    startedAt: 'n?',
    endedAt: 'n?',
  },
  'tool-activity': {
    toolId: 's',
    name: 's',
    part: 's?',
    phase: 's',
    status: 's',
    message: 's',
    data: 'j',
    state: 's',
    reason: 's',
    startedAt: 'n?',
    endedAt: 'n?',
    subSession: 's?',
  },
  'phase-activity': {
    phase: 's',
    message: 's',
    data: 'j',
    state: 's',
    startedAt: 'n?',
    endedAt: 'n?',
  },
  'output-activity': { outputKey: 's' },
  'incomplete-activity': { tool: 's?', payload: 's?' },
  'request-activity': {
    level: 's',
    prompt: 's',
    inputTypes: 't',
    checkpointName: 's?',
    executionId: 's?',
    options: 'j',
    schema: 'j',
    deadline: 'n?',
    toolName: 's?',
    part: 's?',
    state: 's',
  },
};

/** A content part as plain data for comparison, without keys, marks and the states of unfinished parts. */
export type CanonicalPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | {
      readonly kind: 'step';
      readonly number: number | null;
      readonly title: string;
      readonly single: boolean;
      readonly state: 'open-ended' | 'completed';
      readonly parts: readonly CanonicalPart[];
    }
  | {
      readonly kind: 'tool';
      readonly name: string;
      readonly title?: string;
      readonly input: string | null;
      readonly result: string | null;
      readonly state: Exclude<ToolState, 'running' | 'waiting'>;
      readonly parts: readonly CanonicalPart[];
    }
  | { readonly kind: 'checkpoint'; readonly name: string; readonly text: string }
  | {
      readonly kind: 'input-request';
      readonly prompt: string;
      readonly inputTypes: readonly string[];
      readonly checkpointName: string | null;
      readonly answer: string | null;
    }
  | ErrorFields
  | { readonly kind: 'unknown'; readonly name: string; readonly text: string }
  | DataFields;

type CanonicalOf<Kind extends ContentKind> = Extract<CanonicalPart, { readonly kind: Kind }>;

/**
 * Converts each kind of content to its canonical form. `text` is the text with expanded citation marks, `parts` are the canonical
 * children.
 */
export const CANONICAL_FORMS: {
  readonly [Kind in ContentKind]: (
    part: Extract<PartTree, { kind: Kind }>,
    text: string,
    parts: readonly CanonicalPart[],
  ) => CanonicalOf<Kind>;
} = {
  text: ({ kind }, text) => ({ kind, text }),
  thinking: ({ kind }, text) => ({ kind, text }),
  step: ({ kind, number, title, single, state }, _text, parts) => ({
    kind,
    number,
    title,
    single,
    state: state === 'completed' ? state : 'open-ended',
    parts,
  }),
  tool: ({ kind, name, title, input, result, state }, _text, parts) => ({
    kind,
    name,
    ...(title !== undefined && { title }),
    input,
    result,
    state: isToolOpen(state) ? 'incomplete' : state,
    parts,
  }),
  checkpoint: ({ kind, name }, text) => ({ kind, name, text: text.trim() }),
  'input-request': ({ kind, prompt, inputTypes, checkpointName, answer }) => ({
    kind,
    prompt,
    inputTypes,
    // A stored request names its checkpoint only while it is unanswered.
    checkpointName: answer === null ? checkpointName : null,
    answer,
  }),
  error: canonicalFields,
  unknown: ({ kind, name }, text) => ({ kind, name, text: text.trim() }),
  table: canonicalFields,
  'web-search': (part) => ({
    ...canonicalFields(part),
    state: part.state === 'failed' ? part.state : 'done',
  }),
  passages: canonicalFields,
  page: canonicalFields,
  chart: canonicalFields,
  code: canonicalFields,
  metric: canonicalFields,
};

/** Returns the canonical form of a kind whose whole content is in its fields. A reference to another part is not content. */
function canonicalFields<Kind extends DataKind | 'error'>(
  part: Extract<PartTree, { kind: Kind }>,
): FieldsOf<Kind> {
  const { tool: _tool, ...fields } = fieldsOf(part) as { readonly tool?: Key };
  // The type of `fieldsOf` does not preserve the kind.
  return fields as FieldsOf<Kind>;
}

import type { Json } from './json.js';
import type { ContentKind, FieldsOf, PartKind, PartTree } from './part.js';

type BaseType<T> = T extends string
  ? 's'
  : T extends number
    ? 'n'
    : T extends boolean
      ? 'b'
      : T extends readonly string[]
        ? 't'
        : never;

/** The code of a field's type: **s**tring, **n**umber, **b**oolean, list of **t**exts, any **J**SON; `?` allows null. */
type TypeCode<T> = Json extends T
  ? 'j'
  : null extends T
    ? `${BaseType<NonNullable<T>>}?`
    : BaseType<T>;

type RequiredNames<F> = {
  [Name in keyof F]-?: object extends Pick<F, Name> ? never : Name;
}[keyof F];

/** The type codes of all fields that a kind requires. */
type FieldTypes<F> = {
  readonly [Name in Exclude<RequiredNames<F>, 'kind'>]: TypeCode<F[Name]>;
};

/**
 * The wire schema of each kind: the fields that a part from another tab must have, with their types. Optional fields are not
 * listed. Views rely on these types and on nothing else, so values of a state that is unknown pass.
 */
export const PART_FIELDS: {
  readonly [Kind in PartKind]: FieldTypes<FieldsOf<Kind>>;
} = {
  text: {},
  thinking: { state: 's' },
  step: { number: 'n?', title: 's', single: 'b', state: 's' },
  tool: { name: 's', toolId: 's', state: 's', input: 's?', result: 's?' },
  checkpoint: { name: 's' },
  'input-request': { prompt: 's', inputTypes: 't', checkpointName: 's?', answer: 's?' },
  error: { message: 's', details: 's?' },
  unknown: { name: 's' },
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

/** A content part without keys, marks and live states: plain data for comparison. */
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
      readonly input: string | null;
      readonly result: string | null;
      readonly state: 'done' | 'incomplete';
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
  | { readonly kind: 'error'; readonly message: string; readonly details: string | null }
  | { readonly kind: 'unknown'; readonly name: string; readonly text: string };

type CanonicalOf<Kind extends ContentKind> = Extract<CanonicalPart, { readonly kind: Kind }>;

/**
 * The canonical form of each kind of content, from the part, its text with the inline marks spelled out, and the canonical
 * forms of its children.
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
  tool: ({ kind, name, input, result, state }, _text, parts) => ({
    kind,
    name,
    input,
    result,
    state: state === 'done' ? state : 'incomplete',
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
  error: ({ kind, message, details }) => ({ kind, message, details }),
  unknown: ({ kind, name }, text) => ({ kind, name, text: text.trim() }),
};

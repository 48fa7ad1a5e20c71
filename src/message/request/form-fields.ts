import type { Locale } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';
import type { RequestQuestion } from '../../model/part.js';
import { asList, asRecord, type JsonRecord } from './validate-json.js';

/** The control of a field. */
type FieldKind =
  | 'text'
  | 'long'
  | 'number'
  | 'date'
  | 'choice'
  | 'choices'
  | 'list'
  | 'json'
  | 'file';

/** The control for an input type; `integer` and `yes-no` are variants of `number` and `choice`. */
type InputKind = FieldKind | 'integer' | 'yes-no';

/** A field of a form. */
export interface Field {
  readonly kind: FieldKind;
  /** The name of the property of the answer that the field sets; null if the field is the whole answer. */
  readonly name: string | null;
  /** The names of the properties whose values contain that property, the outermost first; empty for a property of the answer. */
  readonly parents: readonly string[];
  readonly label: string;
  /** Whether the label comes from the question instead of the interface. */
  readonly isLabelFromQuestion: boolean;
  /** The description in the schema; empty if there is none. */
  readonly description: string;
  readonly required: boolean;
  /** Labels and values of the choices. */
  readonly choices: readonly (readonly [label: string, value: Json])[];
  /** The schema that the value must match; null for any value. */
  readonly schema: Json;
  readonly initial: Json;
}

type Question = Pick<RequestQuestion, 'inputTypes' | 'options' | 'schema'>;

/** Maximum number of fields. A larger object is entered as JSON. */
const MAX_FIELDS = 50;
/** Maximum depth of objects inside the answer whose properties have fields of their own. With deeper objects, the answer is entered as JSON. */
const MAX_NESTING = 2;
/** Keywords of schemas that a form cannot express. */
const UNSUPPORTED_KEYWORDS = [
  '$ref',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'const',
  'patternProperties',
];
/** Controls by the services' names of input types. */
const INPUT_KINDS: ReadonlyMap<string, InputKind> = new Map([
  ...aliases('long', 'long_text', 'longtext', 'textarea', 'multiline', 'paragraph'),
  ...aliases('number', 'number', 'float', 'decimal'),
  ...aliases('integer', 'integer', 'int'),
  ...aliases('yes-no', 'boolean', 'bool', 'yes_no', 'confirm', 'confirmation', 'approval'),
  ...aliases('date', 'date'),
  ...aliases('file', 'file'),
  ...aliases('json', 'json', 'object'),
]);
/** The services' names of input types for multiple choice. */
const MULTIPLE_CHOICE = /^(?:choices|multi(?:ple)?_?(?:choice|select)s?|multiple|checkbox(?:es)?)$/;

function aliases(kind: InputKind, ...names: readonly string[]): [string, InputKind][] {
  return names.map((name) => [name, kind]);
}

/**
 * Derives the fields for a question: one for each property if the schema describes an object, else a single one. A file may be accompanied
 * by a text.
 */
export function deriveFields({ inputTypes, options, schema }: Question, locale: Locale): Field[] {
  const types = inputTypes.map((type) => type.toLowerCase().replaceAll(/[\s-]/g, '_'));
  const choices = parseChoices(options).map(([label, option]) => {
    const { value = option } = asRecord(option) ?? {};
    return [label, value] as const;
  });
  if (choices.length > 0) {
    const kind = types.some((type) => MULTIPLE_CHOICE.test(type)) ? 'choices' : 'choice';
    return [createField({ kind, choices, label: choiceLabel(kind, locale) })];
  }
  const schemaFields = schema === null ? null : fieldsFromSchema(schema, locale);
  if (schemaFields) return schemaFields;
  const text = createField({ label: locale.text('requestAnswer') });
  const file = createField({ kind: 'file', label: locale.text('requestFile') });
  if (types.includes('file')) {
    return types.includes('text') ? [file, { ...text, required: false }] : [file];
  }
  const json = createField({ kind: 'json', label: locale.text('requestJson'), schema });
  if (schema !== null) return [{ ...json, initial: asRecord(schema)?.['default'] ?? null }];
  if (types.includes('text')) return [text];
  const kind = types.map((type) => INPUT_KINDS.get(type)).find((known) => known !== undefined);
  if (kind === 'json') return [json];
  if (kind === 'yes-no') return [{ ...text, kind: 'choice', choices: yesOrNo(locale) }];
  if (kind === 'integer') return [{ ...text, kind: 'number', schema: { type: 'integer' } }];
  return [{ ...text, kind: kind ?? 'text' }];
}

function createField(fields: Partial<Field> & Pick<Field, 'label'>): Field {
  const defaults = {
    kind: 'text',
    name: null,
    parents: [],
    description: '',
    choices: [],
    schema: null,
  } as const;
  return { ...defaults, required: true, isLabelFromQuestion: false, initial: null, ...fields };
}

function choiceLabel(kind: 'choice' | 'choices', locale: Locale): string {
  return locale.text(kind === 'choice' ? 'requestChoice' : 'requestChoices');
}

function yesOrNo(locale: Locale): Field['choices'] {
  return [
    [locale.text('yes'), true],
    [locale.text('no'), false],
  ];
}

/** Derives the fields for a schema; null if a form cannot express all of its values. */
function fieldsFromSchema(schema: Json, locale: Locale): Field[] | null {
  const rules = asRecord(schema);
  if (!rules || isUnsupported(rules)) return null;
  if (!isRecordSchema(rules)) {
    const label = locale.text('requestAnswer');
    const field = fieldFromSchema(rules, { name: null, label, required: true }, locale);
    return field && [field];
  }
  const fields = fieldsOfRecord(rules, { parents: [], initial: rules['default'] }, locale);
  return fields && fields.length <= MAX_FIELDS ? fields : null;
}

function isRecordSchema({ type, properties }: JsonRecord): boolean {
  return type === 'object' && asRecord(properties) !== null;
}

/** Derives the fields for the properties of an object; null if a form cannot express all of its values. */
function fieldsOfRecord(
  rules: JsonRecord,
  { parents, initial }: { readonly parents: readonly string[]; readonly initial: Json | undefined },
  locale: Locale,
): Field[] | null {
  const properties = new Map(Object.entries(asRecord(rules['properties']) ?? {}));
  const required = new Set(asList(rules['required']));
  // A required property without a schema would have no field.
  const isComplete = [...required].every((name) => properties.has(name as string));
  if (properties.size === 0 || properties.size > MAX_FIELDS || !isComplete) return null;
  const defaults = new Map(Object.entries(asRecord(initial) ?? {}));
  const fields: Field[] = [];
  for (const [name, inner] of properties) {
    const base = { name, required: required.has(name), initial: defaults.get(name) };
    const found = fieldsOfProperty(asRecord(inner), { ...base, parents }, locale);
    if (!found) return null;
    fields.push(...found);
  }
  return fields;
}

/**
 * Derives the field for a property, or those for the properties of its object; null if a form cannot express all of its values. It cannot
 * for an optional object, because fields could not express that the object is omitted.
 */
function fieldsOfProperty(
  rules: JsonRecord | null,
  base: Omit<FieldBase, 'label'> & { readonly name: string; readonly parents: readonly string[] },
  locale: Locale,
): readonly Field[] | null {
  const { name, parents, required } = base;
  if (!rules || !isRecordSchema(rules) || !required || parents.length >= MAX_NESTING) {
    const field = fieldFromSchema(rules, { ...base, label: name }, locale);
    return field && [field];
  }
  if (isUnsupported(rules)) return null;
  const initial = base.initial ?? rules['default'];
  const fields = fieldsOfRecord(rules, { parents: [...parents, name], initial }, locale);
  const { title, description } = rules;
  return (
    fields?.map((field, index) => ({
      ...field,
      label: `${typeof title === 'string' && title.trim() ? title : name} › ${field.label}`,
      description: [index === 0 ? description : '', field.description]
        .filter((text): text is string => typeof text === 'string' && text !== '')
        .join('\n'),
    })) ?? null
  );
}

/** The properties of a field that do not depend on its own schema. */
interface FieldBase extends Pick<Field, 'name' | 'label' | 'required'> {
  readonly initial?: Json | undefined;
}

function isUnsupported(rules: JsonRecord): boolean {
  return UNSUPPORTED_KEYWORDS.some((keyword) => keyword in rules);
}

function fieldFromSchema(rules: JsonRecord | null, base: FieldBase, locale: Locale): Field | null {
  if (!rules) return null;
  const isJson = base.name !== null && acceptsAnyValue(rules);
  const control = isJson ? JSON_CONTROL : controlFor(rules, locale);
  if (!control) return null;
  const { title, description, default: initial = null } = rules;
  const isTitled = typeof title === 'string' && title.trim() !== '';
  return createField({
    ...base,
    ...control,
    label: isTitled ? title : base.label,
    isLabelFromQuestion: isTitled || base.name !== null,
    description: typeof description === 'string' ? description : '',
    initial: base.initial ?? initial,
    schema: rules as Json,
  });
}

type Control = Pick<Field, 'kind' | 'choices'>;

const JSON_CONTROL: Control = { kind: 'json', choices: [] };
/** Keywords that do not restrict a value. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples']);

function acceptsAnyValue(rules: JsonRecord): boolean {
  return Object.keys(rules).every((keyword) => ANNOTATIONS.has(keyword));
}

/** Returns the control for the values of a schema; null if there is none. */
function controlFor(rules: JsonRecord, locale: Locale): Control | null {
  if (isUnsupported(rules)) return null;
  const { type, enum: values, format, items } = rules;
  if (values !== undefined) {
    const choices = parseChoices(values, rules['enumNames']);
    return choices.length > 0 ? { kind: 'choice', choices } : null;
  }
  if (type === 'boolean') return { kind: 'choice', choices: yesOrNo(locale) };
  if (type === 'string') return { kind: format === 'date' ? 'date' : 'text', choices: [] };
  if (type === 'number' || type === 'integer') return { kind: 'number', choices: [] };
  const itemRules = type === 'array' ? asRecord(items) : null;
  const item = itemRules && controlFor(itemRules, locale);
  // Each choice can be chosen only once, which does not suffice for a list of booleans.
  if (item?.kind === 'choice' && itemRules?.['type'] !== 'boolean') {
    return { ...item, kind: 'choices' };
  }
  return item?.kind === 'text' || item?.kind === 'number' ? { ...item, kind: 'list' } : null;
}

/**
 * Returns the labels of choices, and the choices: strings, numbers, booleans, or objects with `label`, `title` or `value`. `names` are labels
 * by index, which take precedence.
 */
function parseChoices(options: Json, names?: Json): Field['choices'] {
  const labels = asList(names);
  return asList(options).flatMap((option, index) => {
    const record = asRecord(option);
    const ownLabel = record ? (record['label'] ?? record['title'] ?? record['value']) : option;
    if (ownLabel == null || typeof ownLabel === 'object') return [];
    const label = labels[index];
    return [[typeof label === 'string' ? label : String(ownLabel), option]] as const;
  });
}

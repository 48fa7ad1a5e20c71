import type { Locale } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';
import type { RequestQuestion } from '../../model/part.js';
import { asList, asRecord, type JsonRecord } from './validate-json.js';

/** How a field is filled in. */
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

/** How a type is answered, besides. */
type TypeKind = FieldKind | 'integer' | 'yes-no';

/** One thing to fill in. */
export interface Field {
  readonly kind: FieldKind;
  /** Its name in the answer; null when it is the answer. */
  readonly name: string | null;
  readonly label: string;
  /** Whether the label is in the words of whoever asks, and not in ours. */
  readonly hasForeignLabel: boolean;
  /** What it is about, in the words of whoever asks. */
  readonly description: string;
  readonly required: boolean;
  /** Words and value of what can be chosen. */
  readonly choices: readonly (readonly [words: string, value: Json])[];
  /** What the value must fit. */
  readonly schema: Json;
  readonly initial: Json;
}

type Question = Pick<RequestQuestion, 'inputTypes' | 'options' | 'schema'>;

/** Most fields of a form; with more of them the answer is written as JSON. */
const MAX_FIELDS = 50;
/** What a schema says that no field of ours can hold. */
const BEYOND = ['$ref', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'const', 'patternProperties'];
/** What services call the types of answers that are no plain texts. */
const TYPES: ReadonlyMap<string, TypeKind> = new Map([
  ...alike('long', 'long_text', 'longtext', 'textarea', 'multiline', 'paragraph'),
  ...alike('number', 'number', 'float', 'decimal'),
  ...alike('integer', 'integer', 'int'),
  ...alike('yes-no', 'boolean', 'bool', 'yes_no', 'confirm', 'confirmation', 'approval'),
  ...alike('date', 'date'),
  ...alike('file', 'file'),
  ...alike('json', 'json', 'object'),
]);
/** What services call a choice of several. */
const SEVERAL = /^(?:choices|multi(?:ple)?_?(?:choice|select)s?|multiple|checkbox(?:es)?)$/;

function alike(kind: TypeKind, ...names: readonly string[]): [string, TypeKind][] {
  return names.map((name) => [name, kind]);
}

/** The fields in which a question is answered: several when a schema asks for a record, else one, and a text beside a file. */
export function deriveFields({ inputTypes, options, schema }: Question, locale: Locale): Field[] {
  const types = inputTypes.map((type) => type.toLowerCase().replaceAll(/[\s-]/g, '_'));
  const choices = readChoices(options);
  if (choices.length > 0) {
    const kind = types.some((type) => SEVERAL.test(type)) ? 'choices' : 'choice';
    return [createField({ kind, choices, label: choiceLabel(kind, locale) })];
  }
  const form = schema === null ? null : readForm(schema, locale);
  if (form) return form;
  const text = createField({ label: locale.text('requestAnswer') });
  const file = createField({ kind: 'file', label: locale.text('requestFile') });
  if (types.includes('file')) {
    return types.includes('text') ? [file, { ...text, required: false }] : [file];
  }
  const json = createField({ kind: 'json', label: locale.text('requestJson'), schema });
  if (schema !== null) return [{ ...json, initial: asRecord(schema)?.['default'] ?? null }];
  if (types.includes('text')) return [text];
  const type = types.map((name) => TYPES.get(name)).find((known) => known !== undefined);
  if (type === 'json') return [json];
  if (type === 'yes-no') return [{ ...text, kind: 'choice', choices: yesOrNo(locale) }];
  if (type === 'integer') return [{ ...text, kind: 'number', schema: { type } }];
  return [{ ...text, kind: type ?? 'text' }];
}

function createField(fields: Partial<Field> & Pick<Field, 'label'>): Field {
  const empty = { kind: 'text', name: null, description: '', choices: [], schema: null } as const;
  return { ...empty, required: true, hasForeignLabel: false, initial: null, ...fields };
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

/** A field for each property of a record, or one for a single value; null when a form cannot hold what is asked for. */
function readForm(schema: Json, locale: Locale): Field[] | null {
  const rules = asRecord(schema);
  if (!rules || BEYOND.some((word) => word in rules)) return null;
  const properties = asRecord(rules['properties']);
  if (rules['type'] !== 'object' || !properties) {
    const label = locale.text('requestAnswer');
    const field = readField(rules, { name: null, label, required: true }, locale);
    return field && [field];
  }
  const entries = Object.entries(properties);
  if (entries.length === 0 || entries.length > MAX_FIELDS) return null;
  const required = new Set(asList(rules['required']));
  const defaults = new Map(Object.entries(asRecord(rules['default']) ?? {}));
  const fields: Field[] = [];
  for (const [name, inner] of entries) {
    const place = { name, label: name, required: required.has(name), initial: defaults.get(name) };
    const field = readField(asRecord(inner), place, locale);
    if (!field) return null;
    fields.push(field);
  }
  // What must be there and has no field could not be given.
  return [...required].every((name) => entries.some(([known]) => known === name)) ? fields : null;
}

interface Place extends Pick<Field, 'name' | 'label' | 'required'> {
  readonly initial?: Json | undefined;
}

function readField(rules: JsonRecord | null, place: Place, locale: Locale): Field | null {
  const found = rules && readKind(rules, locale);
  if (!found) return null;
  const { title, description, default: initial = null } = rules;
  const isTitled = typeof title === 'string' && title.trim() !== '';
  return createField({
    ...place,
    ...found,
    label: isTitled ? title : place.label,
    hasForeignLabel: isTitled || place.name !== null,
    description: typeof description === 'string' ? description : '',
    initial: place.initial ?? initial,
    schema: rules as Json,
  });
}

/** How a value that a schema describes is filled in; null when a field cannot hold it. */
function readKind(rules: JsonRecord, locale: Locale): Pick<Field, 'kind' | 'choices'> | null {
  if (BEYOND.some((word) => word in rules)) return null;
  const { type, enum: values, format, items } = rules;
  if (values !== undefined) {
    const choices = readChoices(values, rules['enumNames']);
    return choices.length > 0 ? { kind: 'choice', choices } : null;
  }
  if (type === 'boolean') return { kind: 'choice', choices: yesOrNo(locale) };
  if (type === 'string') return { kind: format === 'date' ? 'date' : 'text', choices: [] };
  if (type === 'number' || type === 'integer') return { kind: 'number', choices: [] };
  const item = type === 'array' ? asRecord(items) : null;
  const one = item && readKind(item, locale);
  if (one?.kind === 'choice' && item?.['type'] !== 'boolean') return { ...one, kind: 'choices' };
  return one && (one.kind === 'text' || one.kind === 'number') ? { ...one, kind: 'list' } : null;
}

/** Words and value of each answer to choose from: texts, numbers, or records with `label` and `value`. */
function readChoices(options: Json, names?: Json): Field['choices'] {
  const words = asList(names);
  return asList(options).flatMap((option, index) => {
    const fields = asRecord(option);
    const label = fields ? (fields['label'] ?? fields['title'] ?? fields['value']) : option;
    if (label == null || typeof label === 'object') return [];
    const named = words[index];
    return [
      [typeof named === 'string' ? named : String(label), fields?.['value'] ?? option],
    ] as const;
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formStrings } from '../../src/locales/en-forms.js';
import { messageStrings } from '../../src/locales/en-messages.js';
import { requestStrings } from '../../src/locales/en-requests.js';
import { addDefaultStrings, findLocale } from '../../src/locales/locale.js';
import type { Json } from '../../src/model/json.js';
import type { RequestQuestion } from '../../src/model/part.js';
import { deriveFields, type Field } from '../../src/message/request/form-fields.js';

addDefaultStrings({ ...messageStrings, ...requestStrings });
addDefaultStrings(formStrings);
const locale = findLocale('en');

type QuestionFields = Partial<Pick<RequestQuestion, 'inputTypes' | 'options' | 'schema'>>;

const fieldsOf = (question: QuestionFields): Field[] =>
  deriveFields({ inputTypes: [], options: null, schema: null, ...question }, locale);

const kindsOf = (question: QuestionFields): string[] => fieldsOf(question).map(({ kind }) => kind);

/** The kind of the field for a schema; null when there is none. */
function kindOf(rules: Json): string | null {
  const [field] = fieldsOf({ schema: { type: 'object', properties: { it: rules } } });
  return field?.name === 'it' ? field.kind : null;
}

test('deriveFields derives the kind of a field from the input type', () => {
  const names: readonly (readonly [type: string, kind: string])[] = [
    ['text', 'text'],
    ['unknown', 'text'],
    ['Long-Text', 'long'],
    ['multi line', 'text'],
    ['float', 'number'],
    ['int', 'number'],
    ['date', 'date'],
    ['file', 'file'],
    ['object', 'json'],
    ['approval', 'choice'],
  ];
  for (const [type, kind] of names) assert.deepEqual(kindsOf({ inputTypes: [type] }), [kind], type);
  assert.deepEqual(kindsOf({ inputTypes: ['unknown', 'date', 'number'] }), ['date']);
  assert.deepEqual(kindsOf({ inputTypes: ['date', 'text'] }), ['text']);
});

test('deriveFields offers yes and no for a boolean', () => {
  const choices = [
    ['Yes', true],
    ['No', false],
  ];
  assert.deepEqual(fieldsOf({ inputTypes: ['confirm'] })[0]?.choices, choices);
  assert.deepEqual(fieldsOf({ schema: { type: 'boolean' } })[0]?.choices, choices);
});

test('deriveFields restricts an integer field to whole numbers', () => {
  assert.deepEqual(fieldsOf({ inputTypes: ['integer'] })[0]?.schema, { type: 'integer' });
  assert.equal(fieldsOf({ inputTypes: ['number'] })[0]?.schema, null);
});

test('deriveFields adds an optional text to a file when both are accepted', () => {
  const list = fieldsOf({ inputTypes: ['text', 'file'] });
  assert.deepEqual(
    list.map(({ kind, required }) => [kind, required]),
    [
      ['file', true],
      ['text', false],
    ],
  );
});

test('deriveFields prefers options over a schema and types', () => {
  const options = [
    'a',
    2,
    { label: 'Bee', value: 'b' },
    { title: 'Sea' },
    { value: 4 },
    null,
    {},
    [],
  ];
  const [field, ...more] = fieldsOf({ inputTypes: ['file'], options, schema: { type: 'string' } });
  assert.deepEqual(more, []);
  assert.deepEqual([field?.kind, field?.label, field?.required], ['choice', 'Choose one', true]);
  assert.deepEqual(field?.choices, [
    ['a', 'a'],
    ['2', 2],
    ['Bee', 'b'],
    ['Sea', { title: 'Sea' }],
    ['4', 4],
  ]);
  assert.deepEqual(kindsOf({ inputTypes: ['options'], options: ['a'] }), ['choice']);
  for (const type of ['choices', 'multi-select', 'multiple choices', 'checkboxes']) {
    const [several] = fieldsOf({ inputTypes: [type], options: ['a'] });
    assert.deepEqual([several?.kind, several?.label], ['choices', 'Choose one or more'], type);
  }
});

test('deriveFields derives the kind of a field from its schema', () => {
  const kinds: readonly (readonly [rules: Json, kind: string | null])[] = [
    [{ type: 'string' }, 'text'],
    [{ type: 'string', format: 'date' }, 'date'],
    [{ type: 'string', format: 'email' }, 'text'],
    [{ type: 'number' }, 'number'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'boolean' }, 'choice'],
    [{ enum: ['a'] }, 'choice'],
    [{ enum: [] }, null],
    [{ type: 'object' }, null],
    [{ type: 'null' }, null],
    [{}, 'json'],
    [{ type: 'string', oneOf: [] }, null],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ type: 'array', items: { type: 'integer' } }, 'list'],
    [{ type: 'array', items: { enum: ['a'] } }, 'choices'],
    [{ type: 'array', items: { type: 'boolean' } }, null],
    [{ type: 'array', items: { type: 'string', format: 'date' } }, null],
    [{ type: 'array', items: { type: 'array', items: { type: 'string' } } }, null],
    [{ type: 'array' }, null],
    [{ items: { type: 'string' } }, null],
    ['string', null],
  ];
  for (const [rules, kind] of kinds) assert.equal(kindOf(rules), kind, JSON.stringify(rules));
});

test('deriveFields labels the choices of a schema with enumNames', () => {
  const schema = { enum: [1, 2, 3], enumNames: ['One', 2] };
  assert.deepEqual(fieldsOf({ schema })[0]?.choices, [
    ['One', 1],
    ['2', 2],
    ['3', 3],
  ]);
});

test('deriveFields reads label, description and default of a field from the schema', () => {
  const [named, unnamed, blank] = fieldsOf({
    schema: {
      type: 'object',
      required: ['a'],
      default: { a: 'whole' },
      properties: {
        a: { type: 'string', title: 'Title', description: 'About', default: 'own' },
        b: { type: 'string', default: 'own', description: 7 },
        c: { type: 'string', title: ' ' },
      },
    },
  });
  const seen = (field: Field | undefined) =>
    field && [
      field.label,
      field.isLabelFromQuestion,
      field.description,
      field.required,
      field.initial,
    ];
  assert.deepEqual(seen(named), ['Title', true, 'About', true, 'whole']);
  assert.deepEqual(seen(unnamed), ['b', true, '', false, 'own']);
  assert.deepEqual(seen(blank), ['c', true, '', false, null]);
});

test('deriveFields labels a single value with the title of the schema, else with a text of the interface', () => {
  const [plain] = fieldsOf({ schema: { type: 'string' } });
  assert.deepEqual(
    [plain?.name, plain?.label, plain?.isLabelFromQuestion],
    [null, 'Your answer', false],
  );
  const [titled] = fieldsOf({ schema: { type: 'string', title: 'City' } });
  assert.deepEqual([titled?.label, titled?.isLabelFromQuestion], ['City', true]);
});

test('deriveFields falls back to JSON when a form cannot express the answer', () => {
  const properties = { a: { type: 'string' } };
  const schemas: readonly Json[] = [
    { type: 'object', properties: {} },
    { type: 'object', properties, $ref: '#' },
    { type: 'object', properties: { ...properties, b: { type: 'object' } } },
    // A required property without a schema has no field.
    { type: 'object', properties, required: ['b'] },
    'string',
  ];
  for (const schema of schemas) assert.deepEqual(kindsOf({ schema }), ['json']);
  const [field] = fieldsOf({ schema: { type: 'object', default: { a: 1 } } });
  assert.deepEqual([field?.kind, field?.initial], ['json', { a: 1 }]);
});

test('deriveFields creates a JSON field for a property that accepts any value', () => {
  const properties = { table: { type: 'string' }, options: { title: 'Options' } };
  const schema = { type: 'object', properties, default: { options: { header: true } } };
  const fields = fieldsOf({ schema });
  assert.deepEqual(
    fields.map(({ kind, name, label, initial }) => [kind, name, label, initial ?? null]),
    [
      ['text', 'table', 'table', null],
      ['json', 'options', 'Options', { header: true }],
    ],
  );
  assert.deepEqual(kindsOf({ schema: { type: 'object', properties: { a: {} } } }), ['json']);
  assert.deepEqual(fieldsOf({ schema: {} })[0]?.name, null);
});

test('deriveFields creates fields for the properties of required objects, up to two levels', () => {
  const text = { type: 'string' };
  const objectOf = (properties: Readonly<Record<string, Json>>, more: object = {}): Json => ({
    ...{ type: 'object', properties, required: Object.keys(properties) },
    ...more,
  });
  const pathsOf = (schema: Json) =>
    fieldsOf({ schema }).map(({ parents, name }) => [...parents, name].join('.'));
  const leaf = objectOf({ x: text });
  const range = objectOf({ from: text, to: { ...text, title: 'Until' } }, { title: 'Range' });
  const schema = objectOf(
    { table: text, filter: objectOf({ range }, { description: 'Which rows' }) },
    { default: { filter: { range: { from: 'a', to: 'b' } } } },
  );
  assert.deepEqual(
    fieldsOf({ schema }).map(({ parents, name, label, initial, description }) => [
      [...parents, name].join('.'),
      ...[label, initial ?? null, description],
    ]),
    [
      ['table', 'table', null, ''],
      ['filter.range.from', 'filter › Range › from', 'a', 'Which rows'],
      ['filter.range.to', 'filter › Range › Until', 'b', ''],
    ],
  );
  assert.deepEqual(pathsOf(objectOf({ a: objectOf({ b: leaf }) })), ['a.b.x']);
  for (const other of [
    objectOf({ a: objectOf({ b: objectOf({ c: leaf }) }) }),
    objectOf({ a: leaf }, { required: [] }),
    objectOf({ a: objectOf({ x: text }, { $ref: '#' }) }),
    objectOf({ a: objectOf({ x: text }, { required: ['y'] }) }),
  ]) {
    assert.deepEqual(kindsOf({ schema: other }), ['json'], JSON.stringify(other));
  }
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`p${at}`, text]));
  assert.deepEqual(kindsOf({ schema: objectOf({ a: objectOf(many), b: objectOf(many) }) }), [
    'json',
  ]);
});

test('deriveFields creates at most fifty fields, and a JSON field for a larger object', () => {
  const schemaOf = (count: number): Json => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`p${String(index)}`, { type: 'string' }]),
    ),
  });
  assert.equal(fieldsOf({ schema: schemaOf(50) }).length, 50);
  assert.deepEqual(kindsOf({ schema: schemaOf(51) }), ['json']);
});

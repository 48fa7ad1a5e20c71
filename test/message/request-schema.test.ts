import { expect } from '@open-wc/testing';
import { findLocale } from '../../src/locales/locale.js';
import type { Json } from '../../src/model/json.js';
import { setupPendingRequest } from './request-fixture.js';

const ofTool = { level: 'tool', executionId: 'e', inputTypes: ['json'] };

const TRIP = {
  type: 'object',
  required: ['river', 'days', 'tags'],
  properties: {
    river: { type: 'string', title: 'River', enum: ['Danube', 'Rhine'], description: 'Where to?' },
    days: { type: 'integer', title: 'Days', minimum: 1, maximum: 14 },
    price: { type: 'number', maximum: 99.5 },
    name: { type: 'string', minLength: 2, maxLength: 4 },
    start: { type: 'string', format: 'date' },
    bike: { type: 'boolean', title: 'With bicycles', default: false },
    tags: { type: 'array', items: { type: 'string' }, minItems: 2 },
    sizes: { type: 'array', items: { type: 'number' } },
    meals: { type: 'array', items: { enum: ['lunch', 'dinner'] } },
  },
} as const;

const setupSchemaForm = (schema: object = TRIP) => setupPendingRequest({ ...ofTool, schema });

describe('form for a schema', () => {
  it('has a labelled and described field for each property', () => {
    const { fields } = setupSchemaForm();
    const words = fields().map((field) =>
      field.querySelector('legend, label')?.textContent.replace(/\s+/g, ' ').trim(),
    );
    expect(words).to.deep.equal([
      'River',
      'Days',
      'price (optional)',
      'name (optional)',
      'start (optional)',
      'With bicycles (optional)',
      'tags',
      'sizes (optional)',
      'meals (optional)',
    ]);
    const group = fields()[0]?.querySelector('fieldset');
    const [about = ''] = group?.getAttribute('aria-describedby')?.split(' ') ?? [];
    const root = group?.getRootNode() as ShadowRoot;
    expect(root.getElementById(about)?.textContent).to.equal('Where to?');
  });

  it('sends typed values and omits empty fields', () => {
    const { choose, fill, submit, answer } = setupSchemaForm();
    choose('Rhine');
    fill('3', 1);
    fill('a\n\n b ', 6);
    fill('1\n2.5', 7);
    choose('dinner', 8);
    submit();
    expect(answer()).to.deep.equal({
      type: 'json',
      value: {
        river: 'Rhine',
        days: 3,
        bike: false,
        tags: ['a', 'b'],
        sizes: [1, 2.5],
        meals: ['dinner'],
      },
    });
  });

  it('shows an error at each invalid field, and focuses the first one', () => {
    const { choose, fill, submit, fields, error, answers, host } = setupSchemaForm();
    choose('Rhine');
    fill('15', 1);
    fill('100', 2);
    fill('x', 3);
    fill('one', 6);
    fill('two', 7);
    submit();
    const messages = fields().map((field) => field.querySelector('.error-text')?.textContent);
    expect(messages).to.deep.equal([
      '',
      'Enter 14 or less.',
      'Enter 99.5 or less.',
      'Enter at least 2 characters.',
      '',
      '',
      'Enter at least 2.',
      'Enter a number.',
      '',
    ]);
    expect(error()).to.equal('Check the highlighted fields.');
    const focused = host.shadowRoot?.activeElement;
    expect(focused?.getAttribute('name')).to.equal('field-1');
    expect(focused?.getAttribute('aria-invalid')).to.equal('true');
    expect(answers).to.deep.equal([]);
  });

  it('rejects missing required values', () => {
    const { submit, fields } = setupSchemaForm();
    submit();
    const messages = fields().map((field) => field.querySelector('.error-text')?.textContent);
    expect([messages[0], messages[1], messages[6]]).to.deep.equal([
      'Choose one.',
      'Fill in this field.',
      'Fill in this field.',
    ]);
    expect(messages.filter((text) => text !== '').length).to.equal(3);
  });

  it('lets an optional choice be cleared', () => {
    const { choose, submit, answer } = setupSchemaForm({
      type: 'object',
      properties: { bike: { type: 'boolean', default: true } },
    });
    choose('No answer');
    submit();
    expect(answer()).to.deep.equal({ type: 'json', value: {} });
  });

  it('treats names of Object.prototype as ordinary names', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
    ) as object;
    const { fill, submit, answer } = setupSchemaForm(schema);
    fill('a', 0);
    fill('b', 1);
    submit();
    const { value } = answer() as { value: object };
    expect(Object.entries(value)).to.deep.equal([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(Object.getPrototypeOf(value)).to.equal(Object.prototype);
  });

  it('sends the fields of nested required objects as nested objects', () => {
    const inner = JSON.parse(
      '{"type":"object","required":["__proto__"],"properties":{"__proto__":{"type":"number"},"unit":{"type":"string"}}}',
    ) as Json;
    const { fill, submit, answer, text } = setupSchemaForm({
      type: 'object',
      required: ['filter', 'empty'],
      properties: {
        table: { type: 'string' },
        filter: { type: 'object', required: ['length'], properties: { length: inner } },
        empty: { type: 'object', properties: { note: { type: 'string' } } },
      },
    });
    submit();
    expect(text('.entry:nth-child(2) .error-text')).to.equal('Fill in this field.');
    fill('7', 1);
    submit();
    expect(JSON.stringify(answer())).to.equal(
      '{"type":"json","value":{"filter":{"length":{"__proto__":7}},"empty":{}}}',
    );
  });

  it('renders names and descriptions as text', () => {
    const { root, text } = setupSchemaForm({
      type: 'object',
      properties: { '<b>x</b>': { type: 'string', description: '<img src=x onerror=alert(1)>' } },
    });
    expect(root.querySelector('form :is(b, img)')).to.equal(null);
    expect(text('.entry')).to.contain('<img src=x');
  });

  for (const [name, schema] of Object.entries({
    'an object in an object, without properties': {
      type: 'object',
      properties: { a: { type: 'object' } },
    },
    'a reference': { type: 'object', properties: { a: { $ref: '#/x' } } },
    'a choice of schemas': { oneOf: [{ type: 'string' }] },
    'several types': { type: 'object', properties: { a: { type: ['string', 'null'] } } },
    'no types': { type: 'object', properties: { a: {} } },
    'a list of lists': {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'array' } } },
    },
    'a required name without a field': {
      type: 'object',
      required: ['b'],
      properties: { a: { type: 'string' } },
    },
    'a property that is no schema': { type: 'object', properties: { a: true } },
    'properties that are a list': { type: 'object', properties: [{ type: 'string' }] },
    'a schema that is no object': 'object',
    'too many fields': {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 51 }, (_, index) => [`f${index}`, { type: 'string' }]),
      ),
    },
  } satisfies Record<string, Json>)) {
    it(`is a JSON editor for ${name}`, () => {
      const { fields, query } = setupPendingRequest({ ...ofTool, schema });
      expect(fields().length).to.equal(1);
      expect(query('textarea.code')).not.to.equal(null);
    });
  }

  it('validates the text of the JSON editor', () => {
    const { fill, submit, error, answer } = setupPendingRequest({
      ...ofTool,
      schema: {
        type: 'object',
        required: ['who'],
        properties: {
          who: { type: 'object', properties: { age: { type: 'integer', minimum: 18 } } },
          // An optional object has no fields of its own.
          more: { type: 'object', properties: { note: { type: 'string' } } },
        },
      },
    });
    for (const [text, words] of [
      ['[]', 'Enter a value of type object.'],
      ['{}', 'who: Fill in this field.'],
      ['{"who": {"age": 3}}', 'who › age: Enter 18 or more.'],
      ['{"who": {"age": "3"}}', 'who › age: Enter a value of type integer.'],
    ] as const) {
      fill(text);
      submit();
      expect(error()).to.equal(words);
    }
    fill('{"who": {"age": 20}}');
    submit();
    expect(answer()).to.deep.equal({ type: 'json', value: { who: { age: 20 } } });
  });

  it('has one field for a single value', () => {
    const { fill, submit, answer, error } = setupPendingRequest({
      ...ofTool,
      schema: { type: 'number', minimum: 2 },
    });
    fill('1');
    submit();
    expect(error()).to.equal('Enter 2 or more.');
    fill('2');
    submit();
    expect(answer()).to.deep.equal({ type: 'json', value: 2 });
  });

  it('marks labels and choices of the question with the language of the content, but not those of the form itself', () => {
    const { context, fields, frames, view } = setupSchemaForm();
    context.locale = findLocale('en', 'fr');
    view.redraw();
    frames.flush();
    const langOf = (index: number, selector: string): (string | null)[] =>
      [...(fields()[index]?.querySelectorAll(selector) ?? [])].map((node) =>
        node.getAttribute('lang'),
      );
    expect(langOf(0, 'legend bdi')).to.deep.equal(['fr']);
    expect(langOf(0, '.choice bdi')).to.deep.equal(['fr', 'fr']);
    expect(langOf(5, '.choice bdi')).to.deep.equal([null, null, null]);
    const plain = setupPendingRequest({ ...ofTool, inputTypes: ['number'] });
    plain.context.locale = findLocale('en', 'fr');
    plain.view.redraw();
    plain.frames.flush();
    expect(plain.query('.entry label bdi').hasAttribute('lang')).to.equal(false);
  });

  it('has a step of one for integers only, and none for dates', () => {
    const { fields } = setupSchemaForm();
    const steps = fields().map(
      (field) => field.querySelector('input')?.getAttribute('step') ?? null,
    );
    expect([steps[1], steps[2], steps[4]]).to.deep.equal(['1', 'any', null]);
  });

  it('is filled in with the defaults of the schema', () => {
    const { fields, submit, answer } = setupSchemaForm({
      type: 'object',
      required: ['a', 'b', 'c', 'd'],
      properties: {
        a: { type: 'array', items: { type: 'string' }, default: ['x', 'y'] },
        b: { type: 'number', default: 2.5 },
        c: { enum: ['p', 'q'], default: 'q' },
        d: { type: 'array', items: { enum: [1, 2, 3] }, default: [1, 3] },
      },
    });
    const values = fields().map(
      (field) => field.querySelector<HTMLInputElement>('textarea, input')?.value,
    );
    expect(values.slice(0, 2)).to.deep.equal(['x\ny', '2.5']);
    submit();
    expect(answer()).to.deep.equal({
      type: 'json',
      value: { a: ['x', 'y'], b: 2.5, c: 'q', d: [1, 3] },
    });
  });

  it('has a row for a text, and three with a hint for a list', () => {
    const { fields } = setupSchemaForm();
    const rows = fields().map((field) => field.querySelector('textarea')?.rows ?? null);
    expect([rows[3], rows[6]]).to.deep.equal([1, 3]);
    expect(fields()[6]?.querySelector('.meta')?.textContent).to.equal('One per line.');
    expect(fields()[3]?.querySelector('.meta')).to.equal(null);
  });

  it('has the description of a list before its hint', () => {
    const { fields } = setupSchemaForm({
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'string' }, description: 'Where to?' } },
    });
    expect(fields()[0]?.querySelector('.meta')?.textContent).to.equal('Where to?\nOne per line.');
  });

  it('is a radio group for one choice and a group for several, and only a radio group has `aria-required`', () => {
    const { fields } = setupSchemaForm();
    const groups = [0, 5, 8].map((index) => fields()[index]?.querySelector('fieldset'));
    const attributesOf = (name: string): (string | null | undefined)[] =>
      groups.map((group) => group?.getAttribute(name));
    expect(attributesOf('role')).to.deep.equal(['radiogroup', 'radiogroup', 'group']);
    expect(attributesOf('aria-required')).to.deep.equal(['true', 'false', null]);
    expect(attributesOf('aria-invalid')).to.deep.equal(['false', 'false', null]);
    expect(groups.map((group) => group?.querySelector('input')?.type)).to.deep.equal([
      'radio',
      'radio',
      'checkbox',
    ]);
  });

  it('offers "no answer" for an optional choice only, and selects it without a default', () => {
    const { fields } = setupSchemaForm({
      type: 'object',
      required: ['a'],
      properties: {
        a: { enum: ['x', null], default: null },
        b: { enum: ['x', 'y'] },
        c: { enum: ['x', 'y'], default: 'y' },
      },
    });
    const choices = fields().map((field) =>
      [...field.querySelectorAll<HTMLInputElement>('input')].map(
        ({ value, defaultChecked }) => `${value}${defaultChecked ? ' checked' : ''}`,
      ),
    );
    expect(choices).to.deep.equal([['0'], ['0', '1', '-1 checked'], ['0', '1 checked', '-1']]);
  });

  it('focuses the checked one of several invalid choices', () => {
    const { choose, submit, host, error } = setupSchemaForm({
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'array', items: { enum: ['x', 'y', 'z'] }, minItems: 2 } },
    });
    choose('y');
    submit();
    expect(error()).to.equal('Check the highlighted fields.');
    expect((host.shadowRoot?.activeElement as HTMLInputElement).value).to.equal('1');
  });

  it('focuses the first field when all are valid', () => {
    const { view, host, fields } = setupSchemaForm();
    view.viewOf('@request:c')?.focus?.();
    expect(host.shadowRoot?.activeElement).to.equal(fields()[0]?.querySelector('input'));
  });

  it('has its default in the JSON editor, indented', () => {
    const { query } = setupSchemaForm({ type: 'object', default: { a: [1] } });
    expect(query<HTMLTextAreaElement>('textarea').value).to.equal('{\n  "a": [\n    1\n  ]\n}');
    expect(query('textarea').getAttribute('spellcheck')).to.equal('false');
  });

  it('has an empty JSON editor without a default', () => {
    const { query } = setupSchemaForm({ type: 'object' });
    expect(query<HTMLTextAreaElement>('textarea.code').value).to.equal('');
  });

  it('ignores a default that a field cannot show', () => {
    const { query } = setupSchemaForm({ type: 'string', default: { a: 1 } });
    expect(query<HTMLTextAreaElement>('textarea').value).to.equal('');
  });

  it('describes each field by its description and its error', () => {
    const { fields } = setupSchemaForm();
    for (const [index, field] of fields().entries()) {
      const ids = field.querySelector('[aria-describedby]')?.getAttribute('aria-describedby') ?? '';
      const [about, error] = ids.split(' ');
      expect(about, String(index)).to.equal(`${error ?? ''}-about`);
      expect(field.querySelector(`[id="${error ?? ''}"]`)?.className).to.equal('error-text');
    }
  });
});

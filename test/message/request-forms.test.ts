import { expect } from '@open-wc/testing';
import { createApprovalRequest, readApproval } from '../../src/backends/data-agent/run/approval.js';
import { createDecision } from '../../src/backends/data-agent/run/provide-input.js';
import { UbikError } from '../../src/errors.js';
import { findLocale } from '../../src/locales/locale.js';
import { lazyAnswerForm, lazyRequestView } from '../../src/message/request/lazy-request.js';
import { registerPartRenderer } from '../../src/message/parts/part-renderers.js';
import { ACTIVITY } from '../../src/model/part.js';
import { part, request, set } from './message-fixture.js';
import { setupForm, setupPendingRequest } from './request-fixture.js';

const toolRequest = { level: 'tool', executionId: 'e' };

describe('answer form', () => {
  for (const [type, selector] of [
    ['long_text', 'textarea[rows="6"]'],
    ['Long text', 'textarea[rows="6"]'],
    ['number', 'input[type=number][step=any]'],
    ['integer', 'input[type=number][step="1"]'],
    ['date', 'input[type=date]'],
    ['boolean', '.choice-button.primary + .choice-button.quiet'],
    ['yes-no', '.choice-button'],
    ['file', 'input[type=file]'],
    ['json', 'textarea.code[dir=ltr]'],
    ['hologram', 'textarea[rows="2"][dir=auto]'],
    ['__proto__', 'textarea[rows="2"]'],
  ] as const) {
    it(`renders the field for ${type}`, () => {
      const { query } = setupPendingRequest({ inputTypes: [type] });
      expect(query(`.request form ${selector}`)).not.to.equal(null);
    });
  }

  for (const [type, filled, expectedOfAgent, expectedOfTool] of [
    ['text', 'Ann', { type: 'text', text: 'Ann' }, { type: 'text', text: 'Ann' }],
    ['long_text', 'a\nb', { type: 'text', text: 'a\nb' }, { type: 'text', text: 'a\nb' }],
    ['number', '2.5', { type: 'text', text: '2.5' }, { type: 'json', value: 2.5 }],
    ['integer', '-3', { type: 'text', text: '-3' }, { type: 'json', value: -3 }],
    [
      'date',
      '2026-05-01',
      { type: 'text', text: '2026-05-01' },
      { type: 'text', text: '2026-05-01' },
    ],
    ['json', '[1, null]', { type: 'json', value: [1, null] }, { type: 'json', value: [1, null] }],
  ] as const) {
    it(`sends ${type} in the form that an agent and a tool expect`, () => {
      for (const [level, expected] of [
        [{}, expectedOfAgent],
        [toolRequest, expectedOfTool],
      ] as const) {
        const { query, submit, answer } = setupPendingRequest({ inputTypes: [type], ...level });
        query<HTMLInputElement>('form :is(textarea, input)').value = filled;
        submit();
        expect(answer()).to.deep.equal(expected);
      }
    });
  }

  it('masks secrets in every field, and does not show them after the answer', () => {
    const masked = (field: HTMLInputElement): boolean => {
      const mask = getComputedStyle(field).getPropertyValue('-webkit-text-security');
      // Browsers mask a password field and do not check its spelling, whatever these properties say.
      return field.type === 'password' || (mask === 'disc' && !field.spellcheck);
    };
    for (const secret of [
      { type: 'string', format: 'password' },
      { type: 'string', writeOnly: true },
      { type: 'integer', writeOnly: true },
      { type: 'string', format: 'date', writeOnly: true },
    ]) {
      const record = { type: 'object', properties: { name: { type: 'string' }, secret } };
      for (const schema of [secret, record]) {
        const fixture = setupPendingRequest({ ...toolRequest, schema });
        const fields = [
          ...fixture.root.querySelectorAll<HTMLInputElement>('form :is(textarea, input)'),
        ];
        expect(fields.map(masked), JSON.stringify(schema)).to.deep.equal(
          schema === record ? [false, true] : [true],
        );
        fixture.run(set('@request:c', 'state', 'answered'), set('@request:c', 'answer', '"1234"'));
        expect(fixture.text('.request')).not.to.contain('1234');
        fixture.run(set('@request:c', 'answer', '{"type":"declined"}'));
        expect(fixture.text('.request')).to.contain('Skipped');
      }
    }
  });

  it('rejects a secret that is no number or no date', () => {
    for (const [type, invalid, message, valid, value] of [
      [{ type: 'number' }, '12a', 'Enter a number.', '1.5', 1.5],
      [
        { type: 'string', format: 'date' },
        '1.5.1990',
        'Enter a complete date.',
        '1990-05-01',
        '1990-05-01',
      ],
    ] as const) {
      const schema = { ...type, writeOnly: true };
      const { fill, submit, answer, error } = setupPendingRequest({ ...toolRequest, schema });
      fill(invalid);
      submit();
      expect([answer(), error()]).to.deep.equal([undefined, message]);
      fill(valid);
      submit();
      expect(Object.values(answer() ?? {}).at(-1)).to.equal(value);
    }
  });

  it('sends a boolean', () => {
    const agent = setupPendingRequest({ inputTypes: ['boolean'] });
    agent.press('No');
    expect(agent.answer()).to.deep.equal({ type: 'text', text: 'No' });
    const tool = setupPendingRequest({ inputTypes: ['boolean'], ...toolRequest });
    tool.press('No');
    expect(tool.answer()).to.deep.equal({ type: 'json', value: false });
  });

  it('has a button for each of a few choices, and no other that submits', () => {
    const { query, root, press, answers, error, submit } = setupPendingRequest({
      options: ['Danube', 'Rhine', 'Elbe'],
    });
    const names = [...root.querySelectorAll('.request button')].map(({ textContent }) =>
      textContent.trim(),
    );
    expect(names).to.deep.equal(['Danube', 'Rhine', 'Elbe', 'Skip']);
    expect(root.querySelector('.primary'), 'equal choices').to.equal(null);
    expect(query('[role=group] [role=group]').ariaLabel).to.equal('Choose one');
    submit();
    expect(error()).to.equal('Choose one.');
    press('Rhine');
    press('Elbe');
    expect(answers.map(({ answer }) => answer)).to.deep.equal([{ type: 'text', text: 'Rhine' }]);
  });

  it('has buttons for labels of up to 40 characters, in the language of the question', () => {
    const { context, root, view, frames, press, answer } = setupPendingRequest({
      options: ['a', 'b'.repeat(40)],
    });
    context.locale = findLocale('en', 'it');
    view.redraw();
    frames.flush();
    const labels = [...root.querySelectorAll('.choice-button bdi')];
    expect(labels.map((label) => label.getAttribute('lang'))).to.deep.equal(['it', 'it']);
    press('b'.repeat(40));
    expect(answer()).to.deep.equal({ type: 'text', text: 'b'.repeat(40) });
    const plain = setupPendingRequest({ inputTypes: ['boolean'] });
    plain.context.locale = findLocale('en', 'it');
    plain.view.redraw();
    plain.frames.flush();
    expect(plain.root.querySelector('.choice-button bdi')?.hasAttribute('lang')).to.equal(false);
  });

  it('has the default of a choice as its primary button', () => {
    const primaryOf = (schema: object): string | undefined => {
      const { root } = setupPendingRequest({ ...toolRequest, inputTypes: ['json'], schema });
      const primary = [...root.querySelectorAll('.choice-button.primary')];
      expect(primary.length).to.be.at.most(1);
      return primary[0]?.textContent.trim();
    };
    expect(primaryOf({ enum: ['p', 'q'], default: 'q' })).to.equal('q');
    expect(primaryOf({ type: 'boolean', default: false })).to.equal('No');
    expect(primaryOf({ enum: ['p', 'q'] })).to.equal(undefined);
  });

  it('asks for a file that is missing', () => {
    const { submit, error, answers } = setupPendingRequest({ inputTypes: ['file'] });
    submit();
    expect(error()).to.equal(findLocale('en').text('requestNoFile'));
    expect(answers).to.deep.equal([]);
  });

  it('has radio buttons for many or long choices', () => {
    for (const options of [
      ['a', 'b', 'c', 'd', 'e', 'f'],
      ['a', 'b'.repeat(41)],
    ]) {
      const { root, choose, submit, answer } = setupPendingRequest({ options });
      expect(root.querySelectorAll('input[type=radio]').length).to.equal(options.length);
      submit();
      choose('a');
      submit();
      expect(answer()).to.deep.equal({ type: 'text', text: 'a' });
    }
  });

  it('sends several choices', () => {
    const options = ['Danube', { label: 'The Rhine', value: 'rhine' }, 7];
    const agent = setupPendingRequest({ inputTypes: ['choices'], options });
    agent.submit();
    expect(agent.error()).to.equal('Choose one.');
    agent.choose('The Rhine');
    agent.choose('7');
    agent.submit();
    expect(agent.answer()).to.deep.equal({ type: 'text', text: 'The Rhine\n7' });
    const tool = setupPendingRequest({ inputTypes: ['multi_select'], options, ...toolRequest });
    tool.choose('Danube');
    tool.choose('The Rhine');
    tool.submit();
    expect(tool.answer()).to.deep.equal({ type: 'json', value: ['Danube', 'rhine'] });
  });

  it('rejects an invalid number', () => {
    const { fill, query, submit, error, answers } = setupPendingRequest({
      inputTypes: ['integer'],
    });
    fill('2.5');
    submit();
    expect(error()).to.equal('Enter a value of type integer.');
    query<HTMLInputElement>('input').focus();
    fill('');
    submit();
    expect(error()).to.equal('Enter a number.');
    expect(answers).to.deep.equal([]);
  });

  it('asks for a date that is missing', () => {
    const { submit, error } = setupPendingRequest({ inputTypes: ['date'] });
    submit();
    expect(error()).to.equal('Enter a complete date.');
  });

  it('treats white space as empty', () => {
    const { fill, submit, error, answers } = setupPendingRequest({ inputTypes: ['json'] });
    fill('  \n ');
    submit();
    expect(error()).to.equal('Enter an answer.');
    expect(answers).to.deep.equal([]);
  });

  it('shows the position of a JSON error, and selects it', () => {
    const { fill, query, submit, error, answers } = setupPendingRequest({ inputTypes: ['json'] });
    for (const [text, words, marked] of [
      ['{"a": 1,\n "b": tru}', 'line 2, column 7, near “tru}”', 'tru}'],
      ['{"a" 1}', 'line 1, column 6, near “1}”', '1}'],
      ["{'a': 1}", "line 1, column 2, near “'a':”", "'a':"],
      ['[1,]', 'line 1, column 4, near “]”', ']'],
      ['[1] [2]', 'line 1, column 5, near “[2]”', '[2]'],
      ['01', 'line 1, column 1, near “01”', '01'],
      ['{"a": [1', 'the end is missing', ''],
    ] as const) {
      fill(text);
      submit();
      expect(error(), text).to.contain(words);
      const field = query<HTMLTextAreaElement>('textarea');
      expect(field.value.slice(field.selectionStart, field.selectionEnd), text).to.equal(marked);
    }
    expect(answers).to.deep.equal([]);
  });

  it('shows a loading note until its chunk is loaded, except for a text', async () => {
    const { value } = lazyAnswerForm;
    lazyAnswerForm.value = undefined;
    const { root, run, text } = setupPendingRequest({ inputTypes: ['number'] });
    const plain = setupPendingRequest({});
    lazyAnswerForm.value = value;
    expect(root.querySelector('form')).to.equal(null);
    expect(text('.request')).to.contain('Loading the form…');
    expect(plain.query('textarea').getAttribute('name')).to.equal('text');
    run(set('@request:c', 'prompt', 'How many?'));
    expect(root.querySelector('input[type=number]')).not.to.equal(null);
  });

  it('sends several choices to an agent as JSON when one of them is not a text', () => {
    const options = ['Danube', { label: 'The Rhine', value: { id: 'rhine' } }];
    const { choose, submit, answer } = setupPendingRequest({ inputTypes: ['choices'], options });
    choose('Danube');
    choose('The Rhine');
    submit();
    expect(answer()).to.deep.equal({ type: 'json', value: ['Danube', { id: 'rhine' }] });
  });

  it('sends a choice to an agent by its label, and to a tool by its value', () => {
    const options = [{ label: 'Two', value: 2 }];
    const agent = setupPendingRequest({ options });
    agent.press('Two');
    expect(agent.answer()).to.deep.equal({ type: 'text', text: 'Two' });
    const tool = setupPendingRequest({ options, ...toolRequest });
    tool.press('Two');
    expect(tool.answer()).to.deep.equal({ type: 'json', value: 2 });
  });

  it('sends a file without a text when the text is blank', () => {
    const { query, submit, answer } = setupPendingRequest({ inputTypes: ['file', 'text'] });
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], 'a.csv'));
    query<HTMLInputElement>('input[type=file]').files = transfer.files;
    query<HTMLTextAreaElement>('textarea').value = ' ';
    submit();
    expect(Object.keys(answer() ?? {})).to.deep.equal(['type', 'file']);
  });

  it('quotes at most twenty characters of a JSON error', () => {
    const { fill, submit, error } = setupPendingRequest({ inputTypes: ['json'] });
    fill(`{"a": ${'x'.repeat(30)}}`);
    submit();
    expect(error()).to.contain(`near “${'x'.repeat(20)}”`);
  });

  it('rejects a line that is not a number in a list of numbers', () => {
    const schema = { type: 'array', items: { type: 'number' } };
    const { fill, submit, error, answer } = setupPendingRequest({
      ...toolRequest,
      inputTypes: ['json'],
      schema,
    });
    fill('1\ntwo');
    submit();
    expect(error()).to.equal('Enter a number.');
    fill(' 1 \n\n2\n');
    submit();
    expect(answer()).to.deep.equal({ type: 'json', value: [1, 2] });
  });

  it('sends untouched texts unchanged, also blank ones and those with other line breaks', () => {
    const values = { indent: ' ', text: 'a\r\nb', end: '\n' };
    const args = Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }));
    const approval = readApproval({
      interrupt_info: { handle: { resume_token: 't' }, data: { tool_args: args } },
    });
    if (!approval) throw new Error('There is no approval.');
    const { submit, answer } = setupPendingRequest(createApprovalRequest(approval, 'm'));
    submit();
    const sent = answer();
    expect(sent).to.deep.equal({ type: 'json', value: values });
    if (!sent) throw new Error('There is no answer.');
    expect(createDecision(approval, sent)).to.include({ action: 'confirm' });
    expect(createDecision(approval, sent)).to.have.deep.property('modified_args', []);
  });

  it('sends an untouched default of another type in the type of its field', () => {
    const schema = { type: 'array', items: { type: 'string' }, default: [1, ' b '] };
    const { submit, answer } = setupPendingRequest({ ...toolRequest, schema });
    submit();
    expect(answer()).to.deep.equal({ type: 'json', value: ['1', 'b'] });
  });

  const tooBig = 'Enter 9,007,199,254,740,991 or less.';
  for (const [what, question, typed, expected] of [
    ['number of a tool', { ...toolRequest, inputTypes: ['integer'] }, '9007199254740993', tooBig],
    [
      'negative number of a tool',
      { ...toolRequest, inputTypes: ['number'] },
      '-12345678901234567890',
      'Enter -9,007,199,254,740,991 or more.',
    ],
    [
      'number in an object',
      { schema: { type: 'object', properties: { id: { type: 'integer' } } } },
      '9007199254740993',
      'Check the highlighted fields.',
    ],
    [
      'number in a list',
      { ...toolRequest, schema: { type: 'array', items: { type: 'integer' } } },
      '1\n9007199254740993',
      tooBig,
    ],
    [
      'power of two for a tool',
      { ...toolRequest, inputTypes: ['integer'] },
      '1152921504606846976',
      tooBig,
    ],
    ['number in JSON', { inputTypes: ['json'] }, '{"9": "9\\"0", "id": 9007199254740993}', tooBig],
  ] as const) {
    it(`rejects a ${what} whose digits would change`, () => {
      const { fill, submit, error, answers } = setupPendingRequest(question);
      fill(typed);
      submit();
      expect(error()).to.equal(expected);
      expect(answers).to.deep.equal([]);
    });
  }

  it('accepts large numbers in JSON with the digits that the form writes for them', () => {
    const schema = { type: 'object', default: { id: 12_345_678_901_234_567_000, a: 1e20, b: 1 } };
    const { fill, submit, answer } = setupPendingRequest({
      ...toolRequest,
      inputTypes: ['json'],
      schema,
    });
    const text = '{"id": 12345678901234567000, "a": 100000000000000000000, "b": 2}';
    fill(text);
    submit();
    expect(answer()).to.deep.equal({
      type: 'json',
      value: { id: 12_345_678_901_234_567_000, a: 1e20, b: 2 },
    });
  });

  it('selects the number in JSON whose digits would change', () => {
    const { fill, query, submit } = setupPendingRequest({ inputTypes: ['json'] });
    fill('["9007199254740993", 1e300, -9007199254740993]');
    submit();
    const { value, selectionStart, selectionEnd } = query<HTMLTextAreaElement>('form textarea');
    expect(value.slice(selectionStart, selectionEnd)).to.equal('-9007199254740993');
  });

  for (const [level, typed, expected] of [
    [{}, '12345678901234567890', { type: 'text', text: '12345678901234567890' }],
    [{}, '1152921504606846976', { type: 'text', text: '1152921504606846976' }],
    [{}, '1e20', { type: 'text', text: '100000000000000000000' }],
    [toolRequest, '9007199254740991', { type: 'json', value: 9_007_199_254_740_991 }],
    [toolRequest, '1e300', { type: 'json', value: 1e300 }],
    [toolRequest, '10000000000000000', { type: 'json', value: 1e16 }],
  ] as const) {
    it(`sends ${typed} to ${'level' in level ? 'a tool' : 'an agent'} without rounding it`, () => {
      const { fill, submit, answer } = setupPendingRequest({ inputTypes: ['number'], ...level });
      fill(typed);
      submit();
      expect(answer()).to.deep.equal(expected);
    });
  }

  it('sends the choice null, to an agent by its label', () => {
    const options = ['Danube', { label: 'None of them', value: null }];
    const agent = setupPendingRequest({ options });
    agent.press('None of them');
    expect(agent.answer()).to.deep.equal({ type: 'text', text: 'None of them' });
    const tool = setupPendingRequest({ options, ...toolRequest });
    tool.press('None of them');
    expect(tool.answer()).to.deep.equal({ type: 'json', value: null });
  });

  it('sends a labelled object of an enum as it is in the schema', () => {
    const rhine = { label: 'The Rhine', value: 'rhine' };
    const { press, answer } = setupPendingRequest({
      ...toolRequest,
      schema: { enum: [rhine, { label: 'Danube', value: 'danube' }] },
    });
    press('The Rhine');
    expect(answer()).to.deep.equal({ type: 'json', value: rhine });
  });
});

describe('form whose chunk cannot be loaded', () => {
  const { load, value } = lazyAnswerForm;

  afterEach(() => Object.assign(lazyAnswerForm, { load, value }));

  it('shows and reports the error once, and is loaded again on Retry', async () => {
    const failure = new UbikError('load-failed');
    let attempts = 0;
    const loaded = lazyAnswerForm.value;
    Object.assign(lazyAnswerForm, {
      value: undefined,
      load: () => {
        attempts += 1;
        return Promise.reject(failure);
      },
    });
    const { query, root, run, text, errors } = setupPendingRequest({ inputTypes: ['number'] });
    run(set('@request:c', 'prompt', 'How many?'));
    expect(attempts).to.equal(1);
    await new Promise((resolve) => setTimeout(resolve));
    expect(text('.request [role=alert]')).to.equal(failure.message);
    expect(errors).to.deep.equal([failure]);
    Object.assign(lazyAnswerForm, { value: loaded });
    query('.request button').click();
    expect(root.querySelector('.request button[type=button]')?.textContent.trim()).to.equal('Skip');
    expect(text('.request [role=alert]')).to.equal('');
    expect(root.querySelector('input[type=number]')).not.to.equal(null);
  });

  it('requests the chunk again on Retry', async () => {
    let attempts = 0;
    Object.assign(lazyAnswerForm, {
      value: undefined,
      load: () => {
        attempts += 1;
        return Promise.reject(new UbikError('load-failed'));
      },
    });
    const { query, text } = setupPendingRequest({ inputTypes: ['number'] });
    await new Promise((resolve) => setTimeout(resolve));
    query('.request button').click();
    expect(text('.request')).to.contain('Loading the form…');
    expect(attempts).to.equal(2);
  });
});

describe('request whose view is being loaded', () => {
  const { load } = lazyRequestView;
  let value: typeof lazyRequestView.value;
  const withLoad = (result: Promise<unknown>): object => ({ value: undefined, load: () => result });

  before(() => ({ value } = lazyRequestView));
  afterEach(() => Object.assign(lazyRequestView, { load, value }));

  it('shows the question, then its form, which gets the focus that the request has got meanwhile', async () => {
    Object.assign(lazyRequestView, withLoad(Promise.resolve(value)));
    const { query, root, view } = setupPendingRequest({ prompt: 'Which year?' });
    expect(query('.request .question').textContent).to.equal('Which year?');
    expect(root.querySelector('form')).to.equal(null);
    view.viewOf('@request:c')?.focus?.();
    await new Promise((resolve) => setTimeout(resolve));
    expect(root.querySelectorAll('.request')).to.have.length(1);
    expect(query('.request form').contains(query('.request textarea'))).to.equal(true);
    expect(view.viewOf('@request:c')?.node.matches(':focus-within')).to.equal(true);
  });

  it('is replaced by a renderer of the page that is loaded later', async () => {
    Object.assign(lazyRequestView, withLoad(Promise.resolve(value)));
    let show: () => void = () => undefined;
    const loaded = new Promise<void>((resolve) => (show = resolve));
    const unregister = registerPartRenderer('input-request', {
      mount: async (box) => {
        await loaded;
        box.textContent = 'Ours';
        return undefined;
      },
    });
    const { host, query, root, run, view } = setupForm();
    run(
      part('q', {
        ...{ kind: 'input-request', prompt: 'Which year?', inputTypes: ['text'] },
        ...{ checkpointName: 'c', answer: null },
      }),
      part('@q', request('q'), ACTIVITY),
    );
    unregister();
    await new Promise((resolve) => setTimeout(resolve));
    expect(view.viewOf('q')?.node.isConnected).to.equal(true);
    show();
    await new Promise((resolve) => setTimeout(resolve));
    expect(host.textContent).to.equal('Ours');
    expect(query('.body > .host > slot')).not.to.equal(null);
    expect(root.querySelector('.request')).to.equal(null);
  });

  it('shows and reports why it cannot be loaded, and tries again on Retry', async () => {
    const failure = new UbikError('load-failed');
    Object.assign(lazyRequestView, withLoad(Promise.reject(failure)));
    const { query, root, text, errors } = setupPendingRequest({ prompt: 'Which year?' });
    await new Promise((resolve) => setTimeout(resolve));
    expect(text('.request [role=alert]')).to.equal(failure.message);
    expect(errors).to.deep.equal([failure]);
    Object.assign(lazyRequestView, withLoad(Promise.resolve(value)));
    query('.request button').click();
    await new Promise((resolve) => setTimeout(resolve));
    expect(root.querySelectorAll('.request form textarea')).to.have.length(1);
  });
});

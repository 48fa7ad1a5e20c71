import { expect } from '@open-wc/testing';
import { UbikError } from '../../src/errors.js';
import { part, request, set, setupStage } from './message-stage.js';
import { setupForm } from './request-stage.js';

const question = (more: object = {}) =>
  part('request:c', {
    kind: 'input-request',
    prompt: 'Which year?',
    inputTypes: ['text'],
    checkpointName: 'c',
    answer: null,
    ...more,
  });

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('a request for input', () => {
  it('has no form when only the text asks, live or stored', () => {
    const { run, root, query } = setupForm();
    run(question());
    expect(root.querySelector('form')).to.equal(null);
    expect(query('.request .question').textContent).to.equal('Which year?');
  });

  it('has no form where nobody could take the answer', () => {
    const { run, root } = setupStage({ fields: { status: 'waiting' } });
    run(question(), part('@request:c', request('request:c'), '@activity'));
    expect(root.querySelector('form')).to.equal(null);
  });

  it('gets its form by activity, at the place of its part', () => {
    const { run, root } = setupForm();
    run(question(), part('@request:c', request('request:c'), '@activity'));
    expect(root.querySelectorAll('form').length).to.equal(1);
    expect(root.querySelector('.body form')).not.to.equal(null);
  });

  it('stands in the tail while it has no part, and answers from there', async () => {
    const { run, query, submit, answers } = setupForm();
    run(
      part(
        '@request:e',
        request(null, { level: 'tool', toolName: 'sql_query', prompt: 'Sure?' }),
        '@activity',
      ),
    );
    expect(query('.tail .request').textContent).to.contain(
      'Question from the assistant (Query the database)',
    );
    query<HTMLTextAreaElement>('textarea').value = 'Yes';
    submit();
    expect(answers).to.deep.equal([
      { message: 'm', request: '@request:e', answer: { type: 'text', text: 'Yes' } },
    ]);
  });

  it('sends once, however often it is pressed, and folds when it was taken', async () => {
    const { run, query, submit, answers, settle, text } = setupForm();
    run(question(), part('@request:c', request('request:c'), '@activity'));
    query<HTMLTextAreaElement>('textarea').value = '2025';
    submit();
    submit();
    query('.request .primary').click();
    expect(answers.length).to.equal(1);
    expect(query('.request form').getAttribute('aria-busy')).to.equal('true');
    settle()?.take();
    await settled();
    run(
      set('@request:c', 'state', 'answered'),
      set('@request:c', 'answer', '{"input":"2025","type":"text"}'),
    );
    expect(text('.request summary')).to.equal('Answered Which year? 2025');
    run(set('request:c', 'answer', '{"input":"2025","type":"text"}'));
    expect(text('.request summary')).to.equal('Answered Which year? 2025');
  });

  it('keeps the text and says why when the service refuses', async () => {
    const { run, query, submit, settle } = setupForm();
    run(question(), part('@request:c', request('request:c'), '@activity'));
    query<HTMLTextAreaElement>('textarea').value = '2025';
    submit();
    settle()?.refuse(new UbikError('network', 'no'));
    await settled();
    expect(query<HTMLTextAreaElement>('textarea').value).to.equal('2025');
    expect(query('[role=alert]').textContent).to.contain('cannot be reached');
    expect(query('.request form').getAttribute('aria-busy')).to.equal('false');
  });

  it('asks for what is missing and puts the focus there', () => {
    const { run, query, submit, answers, host } = setupForm();
    run(question(), part('@request:c', request('request:c'), '@activity'));
    submit();
    expect(answers).to.deep.equal([]);
    expect(query('[role=alert]').textContent).to.equal('Enter an answer.');
    expect(host.shadowRoot?.activeElement).to.equal(query('textarea'));
    expect(query('textarea').getAttribute('aria-invalid')).to.equal('true');
  });

  it('scrolls into view when it is focused without a form', () => {
    const { run, query, view, host } = setupForm();
    host.style.display = 'block';
    host.style.paddingBlock = '5000px';
    run(
      question(),
      part('@request:c', { ...request('request:c'), state: 'closed' } as never, '@activity'),
    );
    const box = query('.request');
    expect(query('.body').querySelectorAll('form').length).to.equal(0);
    window.scrollTo(0, 0);
    expect(box.getBoundingClientRect().top).to.be.greaterThan(window.innerHeight);
    view.viewOf('request:c')?.focus?.();
    expect(box.getBoundingClientRect().top).to.be.within(-1, window.innerHeight);
    host.remove();
  });

  it('checks JSON before it is sent, and sends its value', () => {
    const { run, query, submit, answers } = setupForm();
    run(part('@request:c', request(null, { inputTypes: ['json'] }), '@activity'));
    query<HTMLTextAreaElement>('textarea').value = '{"a":';
    submit();
    expect(query('[role=alert]').textContent).to.contain('Invalid JSON');
    query<HTMLTextAreaElement>('textarea').value = '{"a":[1]}';
    submit();
    expect(answers[0]?.answer).to.deep.equal({ type: 'json', value: { a: [1] } });
  });

  it('offers choices where there are some', () => {
    const { run, root, submit, answers } = setupForm();
    run(
      part(
        '@request:c',
        request(null, { options: ['Euro', { label: 'Dollar', value: { code: 'USD' } }] }),
        '@activity',
      ),
    );
    submit();
    expect(root.querySelector('[role=alert]')?.textContent).to.equal('Choose one.');
    root.querySelectorAll<HTMLInputElement>('input[type=radio]')[1]?.click();
    submit();
    expect(answers[0]?.answer).to.deep.equal({ type: 'json', value: { code: 'USD' } });
  });

  it('takes a file, with a text where both are asked for', () => {
    const { run, query, submit, answers } = setupForm();
    run(part('@request:c', request(null, { inputTypes: ['file', 'text'] }), '@activity'));
    submit();
    expect(query('[role=alert]').textContent).to.equal('Choose a file.');
    const file = new File(['x'], 'a.csv');
    const transfer = new DataTransfer();
    transfer.items.add(file);
    query<HTMLInputElement>('input[type=file]').files = transfer.files;
    query<HTMLTextAreaElement>('textarea').value = 'the new one';
    submit();
    expect(answers[0]?.answer).to.deep.include({ type: 'file', text: 'the new one' });
    expect((answers[0]?.answer as { file: File }).file.name).to.equal('a.csv');
  });

  it('shows an unknown type as a text field', () => {
    const { run, query } = setupForm();
    run(part('@request:c', request(null, { inputTypes: ['hologram'] }), '@activity'));
    expect(query('textarea').getAttribute('aria-label')).to.equal('Your answer');
  });

  it('declines with a sentence', () => {
    const { run, query, answers } = setupForm();
    run(part('@request:c', request(null), '@activity'));
    query('.request .quiet').click();
    expect(answers[0]?.answer).to.deep.equal({
      type: 'declined',
      text: "I don't want to answer this.",
    });
  });

  it('shows the time that is left, and takes nothing after it', () => {
    const { run, query, root, clock, frames, text } = setupForm();
    run(part('@request:c', request(null, { deadline: clock.now() + 62_000 }), '@activity'));
    expect(text('.buttons')).to.contain('Time left: 1m 2s');
    clock.tick(2);
    frames.flush();
    expect(text('.buttons')).to.contain('Time left: 1m 0s');
    clock.tick(60);
    frames.flush();
    expect(root.querySelector('form')).to.equal(null);
    expect(query('.request').textContent).to.contain('The time to answer has run out.');
    expect(clock.listeners.size).to.equal(0);
  });

  it('keeps what is being typed while anything else changes', () => {
    const { run, query } = setupForm();
    run(part('@request:c', request(null), '@activity'));
    const field = query<HTMLTextAreaElement>('textarea');
    field.value = 'half an ans';
    run(part('x', { kind: 'text' }), set('@request:c', 'prompt', 'Which year, exactly?'));
    expect(query('textarea')).to.equal(field);
    expect(field.value).to.equal('half an ans');
    expect(query('.question').textContent).to.equal('Which year, exactly?');
  });

  it('leaves the asking to a host that has taken it over', () => {
    const stage = setupStage({
      fields: { status: 'waiting' },
      acts: { provideInput: () => Promise.resolve(), isHandledByPage: () => true },
    });
    stage.run(part('@request:c', request(null), '@activity'));
    expect(stage.root.querySelector('form')).to.equal(null);
  });

  it('shows an answer of any form, and a refusal to answer', () => {
    const { run, text } = setupForm();
    run(question({ answer: '{"input":{"a":1},"type":"json"}' }));
    expect(text('.request summary')).to.equal('Answered Which year? {"a":1}');
    run(set('request:c', 'answer', '{"input":null,"type":"declined"}'));
    expect(text('.request summary')).to.equal('Answered Which year? Skipped');
    run(set('request:c', 'answer', '{"input":null,"type":"expired"}'));
    expect(text('.request summary')).to.contain('The time to answer has run out.');
    run(set('request:c', 'answer', 'plain'));
    expect(text('.request summary')).to.equal('Answered Which year? plain');
  });
});

import { expect } from '@open-wc/testing';
import { findLocale } from '../../src/locales/locale.js';
import { UbikError } from '../../src/errors.js';
import { MessageView } from '../../src/message/message-view.js';
import { part, request, set, setupMessageView } from './message-fixture.js';
import { setupForm } from './request-fixture.js';

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

describe('input request', () => {
  it('has no form without a pending request', () => {
    const { run, root, query } = setupForm();
    run(question());
    expect(root.querySelector('form')).to.equal(null);
    expect(query('.request .question').textContent).to.equal('Which year?');
  });

  it('has no form when the backend cannot send an answer', () => {
    const { run, root } = setupMessageView({ fields: { status: 'waiting' } });
    run(question(), part('@request:c', request('request:c'), '@activity'));
    expect(root.querySelector('form')).to.equal(null);
  });

  it('has a form at its part while its activity is pending', () => {
    const { run, root } = setupForm();
    run(question(), part('@request:c', request('request:c'), '@activity'));
    expect(root.querySelectorAll('form').length).to.equal(1);
    expect(root.querySelector('.body form')).not.to.equal(null);
  });

  it('is rendered at the end of the message while it has no part', async () => {
    const { run, query, submit, answers } = setupForm();
    run(
      part(
        '@request:e',
        request(null, { level: 'tool', toolName: 'sql_query', prompt: 'Sure?' }),
        '@activity',
      ),
    );
    expect(query('.message-status .request').textContent).to.contain(
      'Question from the assistant (Query the database)',
    );
    query<HTMLTextAreaElement>('textarea').value = 'Yes';
    submit();
    expect(answers).to.deep.equal([
      { message: 'm', request: '@request:e', answer: { type: 'text', text: 'Yes' } },
    ]);
  });

  it('sends the answer once, and collapses when it is accepted', async () => {
    const { run, query, submit, answers, pending, text } = setupForm();
    run(question(), part('@request:c', request('request:c'), '@activity'));
    query<HTMLTextAreaElement>('textarea').value = '2025';
    submit();
    submit();
    query('.request .primary').click();
    expect(answers.length).to.equal(1);
    expect(query('.request form').getAttribute('aria-busy')).to.equal('true');
    pending()?.resolve();
    await settled();
    run(
      set('@request:c', 'state', 'answered'),
      set('@request:c', 'answer', '{"input":"2025","type":"text"}'),
    );
    expect(text('.request summary')).to.equal('Answered Which year? 2025');
    run(set('request:c', 'answer', '{"input":"2025","type":"text"}'));
    expect(text('.request summary')).to.equal('Answered Which year? 2025');
  });

  it('keeps the text and shows the error when the service rejects the answer', async () => {
    const { run, query, submit, pending } = setupForm();
    run(question(), part('@request:c', request('request:c'), '@activity'));
    query<HTMLTextAreaElement>('textarea').value = '2025';
    submit();
    pending()?.reject(new UbikError('network', 'no'));
    await settled();
    expect(query<HTMLTextAreaElement>('textarea').value).to.equal('2025');
    expect(query('[role=alert]').textContent).to.contain('cannot be reached');
    expect(query('.request form').getAttribute('aria-busy')).to.equal('false');
  });

  it('keeps the text and shows no error when sending is aborted', async () => {
    const { run, query, submit, pending } = setupForm();
    run(question(), part('@request:c', request('request:c'), '@activity'));
    query<HTMLTextAreaElement>('textarea').value = '2025';
    submit();
    pending()?.reject(new UbikError('aborted'));
    await settled();
    expect(query<HTMLTextAreaElement>('textarea').value).to.equal('2025');
    expect(query('[role=alert]').textContent).to.equal('');
    expect(query('.request form').getAttribute('aria-busy')).to.equal('false');
  });

  it('keeps what was entered when its view is replaced, and what is entered after that', () => {
    const { run, query, view, frames } = setupForm();
    run(question(), part('@request:c', request('request:c'), '@activity'));
    const field = () => query<HTMLTextAreaElement>('textarea');
    field().value = 'First';
    view.replaceView('request:c');
    expect(field().value).to.equal('First');
    field().value = 'Second';
    view.redraw();
    frames.flush();
    expect(field().value).to.equal('Second');
  });

  it('keeps what was entered when another view of the message is removed', () => {
    const { run, query, view, frames, message, context } = setupForm();
    run(question(), part('@request:c', request('request:c'), '@activity'));
    const other = new MessageView(message(), context);
    const field = query<HTMLTextAreaElement>('textarea');
    field.value = '2025';
    other.dispose();
    view.redraw();
    frames.flush();
    expect(field.value).to.equal('2025');
  });

  it('keeps what was entered in a removed view, but not for another question with the same key', () => {
    const { run, query, view, message, context } = setupForm();
    run(question(), part('@request:c', request('request:c'), '@activity'));
    query<HTMLTextAreaElement>('textarea').value = '2025';
    view.dispose();
    const shown = (): string | undefined => {
      const other = new MessageView(message(), context);
      const value = other.node.querySelector('textarea')?.value;
      other.dispose();
      return value;
    };
    expect(shown()).to.equal('2025');
    run(set('request:c', 'prompt', 'Which month?'));
    expect(shown()).to.equal('');
  });

  it('does not keep an answer that was accepted after its view was removed', async () => {
    const { run, query, view, submit, pending, message, context } = setupForm();
    run(question(), part('@request:c', request('request:c'), '@activity'));
    query<HTMLTextAreaElement>('textarea').value = '2025';
    submit();
    view.dispose();
    pending()?.resolve();
    await settled();
    const other = new MessageView(message(), context);
    expect(other.node.querySelector('textarea')?.value).to.equal('');
    other.dispose();
  });

  it('focuses an empty field and shows an error', () => {
    const { run, query, submit, answers, host } = setupForm();
    run(question(), part('@request:c', request('request:c'), '@activity'));
    submit();
    expect(answers).to.deep.equal([]);
    expect(query('[role=alert]').textContent).to.equal('Enter an answer.');
    expect(host.shadowRoot?.activeElement).to.equal(query('textarea'));
    expect(query('textarea').getAttribute('aria-invalid')).to.equal('true');
  });

  it('scrolls into view on focus when it has no form', () => {
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

  it('validates JSON and sends its value', () => {
    const { run, query, submit, answers } = setupForm();
    run(part('@request:c', request(null, { inputTypes: ['json'] }), '@activity'));
    query<HTMLTextAreaElement>('textarea').value = '{"a":';
    submit();
    expect(query('[role=alert]').textContent).to.contain('Invalid JSON');
    query<HTMLTextAreaElement>('textarea').value = '{"a":[1]}';
    submit();
    expect(answers[0]?.answer).to.deep.equal({ type: 'json', value: { a: [1] } });
  });

  it('has a button for each option, and sends the value of the one that is chosen', () => {
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
    root.querySelectorAll<HTMLElement>('.choice-button')[1]?.click();
    expect(answers[0]?.answer).to.deep.equal({ type: 'json', value: { code: 'USD' } });
  });

  it('sends a file, with a text when both are accepted', () => {
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

  it('renders an unknown type as a text field', () => {
    const { run, query } = setupForm();
    run(part('@request:c', request(null, { inputTypes: ['hologram'] }), '@activity'));
    expect(query('textarea').getAttribute('aria-label')).to.equal('Your answer');
  });

  it('sends a text that declines the request when it is skipped', () => {
    const { run, query, answers } = setupForm();
    run(part('@request:c', request(null), '@activity'));
    query('.request .quiet').click();
    expect(answers[0]?.answer).to.deep.equal({
      type: 'declined',
      text: 'I don’t want to answer this.',
    });
  });

  it('shows the time left, and has no form after the deadline', () => {
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

  it('keeps the typed text while other fields change', () => {
    const { run, query } = setupForm();
    run(part('@request:c', request(null), '@activity'));
    const field = query<HTMLTextAreaElement>('textarea');
    field.value = 'half an ans';
    run(part('x', { kind: 'text' }), set('@request:c', 'prompt', 'Which year, exactly?'));
    expect(query('textarea')).to.equal(field);
    expect(field.value).to.equal('half an ans');
    expect(query('.question').textContent).to.equal('Which year, exactly?');
  });

  it('has no form when the host page answers the request', () => {
    const fixture = setupMessageView({
      fields: { status: 'waiting' },
      actions: { provideInput: () => Promise.resolve(), isHandledByPage: () => true },
    });
    fixture.run(part('@request:c', request(null), '@activity'));
    expect(fixture.root.querySelector('form')).to.equal(null);
  });

  it('shows any stored answer, and that the request was skipped or has expired', () => {
    const { query, run, text } = setupForm();
    run(question({ answer: '{"input":{"a":1},"type":"json"}' }));
    expect(text('.request summary')).to.equal('Answered Which year? {"a":1}');
    run(set('request:c', 'answer', '{"input":null,"type":"json"}'));
    expect(text('.request summary')).to.equal('Answered Which year? null');
    run(set('request:c', 'answer', '{"input":null,"type":"declined"}'));
    expect(text('.request summary')).to.equal('Which year? Skipped');
    expect(query('.request .glyph .icon').classList.contains('icon-ban')).to.equal(true);
    run(set('request:c', 'answer', '{"input":null,"type":"expired"}'));
    expect(text('.request summary')).to.equal('Which year? The time to answer has run out.');
    expect(query('.request .glyph .icon').classList.contains('icon-check')).to.equal(false);
    run(set('request:c', 'answer', 'plain'));
    expect(text('.request summary')).to.equal('Answered Which year? plain');
  });

  it('shows the text of a stored answer in the language of the content', () => {
    const { context, query, run } = setupForm();
    context.locale = findLocale('en', 'fr');
    const contentOf = (answer: string): (string | null)[] => {
      run(question({ answer }));
      const node = query('.request .content p:last-child');
      return [node.textContent, node.getAttribute('lang')];
    };
    expect(contentOf('{"input":"Deux","type":"text"}')).to.deep.equal(['Deux', 'fr']);
    expect(contentOf('{"input":true,"type":"json"}')).to.deep.equal(['Yes', null]);
    expect(contentOf('{"input":false,"type":"json"}')).to.deep.equal(['No', null]);
    expect(contentOf('{"input":null,"type":"declined"}')).to.deep.equal(['Skipped', null]);
  });

  it('is named by its question', () => {
    const { run, query, root } = setupForm();
    run(question());
    const id = query('.request').getAttribute('aria-labelledby') ?? '';
    expect(root.querySelector(`[id="${id}"]`)?.textContent).to.equal('Which year?');
    expect(query('.request').role).to.equal('group');
    run(set('request:c', 'answer', 'plain'));
    expect(root.querySelector(`[id="${id}"]`)?.textContent).to.equal('Which year?');
  });

  it('shows why it has no form', () => {
    const fixture = setupMessageView({
      fields: { status: 'waiting' },
      actions: { provideInput: () => Promise.resolve(), isHandledByPage: () => true },
    });
    fixture.run(question(), part('@request:c', request('request:c'), '@activity'));
    expect(fixture.text('.request')).to.contain('Answer this outside the chat.');
    expect(fixture.query('.request').dataset['state']).to.equal('external');
    fixture.run(set('@request:c', 'state', 'expired'));
    expect(fixture.text('.request')).to.contain('The time to answer has run out.');
    fixture.run(set('@request:c', 'state', 'closed'));
    expect(fixture.text('.request')).to.contain('No longer open');
  });

  it('is not shown at the end of the message after it was closed', () => {
    const { run, root } = setupForm();
    run(part('@request:c', request(null), '@activity'));
    expect(root.querySelector('.message-status .request')).not.to.equal(null);
    run(set('@request:c', 'state', 'closed'));
    expect(root.querySelector('.message-status .request')).to.equal(null);
  });

  it('is expired from its deadline on', () => {
    const { run, query, clock, frames } = setupForm();
    run(part('@request:c', request(null, { deadline: clock.now() + 1000 }), '@activity'));
    expect(query('.request').dataset['state']).to.equal('pending');
    clock.tick();
    frames.flush();
    expect(query('.request').dataset['state']).to.equal('expired');
  });

  it('has no timer without a deadline', () => {
    const { run, clock, root } = setupForm();
    run(part('@request:c', request(null), '@activity'));
    expect(clock.listeners.size).to.equal(0);
    expect(root.querySelector('.buttons .meta')).to.equal(null);
  });

  it('shows that it was answered when the answer is unknown', () => {
    const { run, text } = setupForm();
    run(question(), part('@request:c', request('request:c'), '@activity'));
    run(set('@request:c', 'state', 'answered'));
    expect(text('.request summary')).to.equal('Answered Which year? Answered');
  });

  it('shows a stored answer of another form unchanged', () => {
    const { run, text } = setupForm();
    for (const answer of ['{"a":1}', '[1,2]', '"2025"', '2025']) {
      run(question({ answer }));
      expect(text('.request summary'), answer).to.equal(`Answered Which year? ${answer}`);
    }
  });

  it('sends nothing when it is skipped while an answer is being sent', async () => {
    const { run, query, submit, answers, pending } = setupForm();
    run(part('@request:c', request(null), '@activity'));
    query<HTMLTextAreaElement>('textarea').value = '2025';
    submit();
    query('.request .quiet').click();
    expect(answers).to.have.length(1);
    pending()?.reject(new UbikError('network'));
    await settled();
    expect(query('[role=alert]').textContent).not.to.equal('');
    query('.request .quiet').click();
    expect(answers).to.have.length(2);
    expect(query('[role=alert]').textContent).to.equal('');
  });

  it('does not send white space', () => {
    const { run, query, submit, answers } = setupForm();
    run(part('@request:c', request(null), '@activity'));
    query<HTMLTextAreaElement>('textarea').value = ' \n ';
    submit();
    expect(answers).to.deep.equal([]);
    expect(query('[role=alert]').textContent).to.equal('Enter an answer.');
  });

  it('has a text area that is invalid only after an empty answer was submitted', () => {
    const { run, query, submit } = setupForm();
    run(part('@request:c', request(null), '@activity'));
    const area = query<HTMLTextAreaElement>('textarea');
    const attributes = ['aria-invalid', 'aria-required', 'dir', 'spellcheck', 'rows'];
    const values = (): (string | null)[] => attributes.map((name) => area.getAttribute(name));
    expect(values()).to.deep.equal(['false', 'true', 'auto', 'true', '2']);
    submit();
    expect(values()[0]).to.equal('true');
    area.value = '2025';
    submit();
    expect(values()[0]).to.equal('false');
  });
});

import { expect } from '@open-wc/testing';
import { lazyTools } from '../../src/elements/composer/lazy-composer-tools.js';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';
import { isReading, stopReading } from '../../src/message/read-aloud.js';
import type { PartTree } from '../../src/model/part.js';
import { contentOf } from '../controller/scripted-backend.js';
import { loadDataView } from '../message/message-fixture.js';
import { FAILURES, REJECTIONS } from '../helpers/error-codes.js';
import { setupBranches, MESSAGES, version } from './branch-fixture.js';
import { pressIgnoredEnter, swapController } from './chat-fixture.js';

type Fixture = Awaited<ReturnType<typeof setupBranches>>;

/** The dispatched events with their details. */
function listEvents(events: readonly CustomEvent<unknown>[]): (readonly [string, unknown])[] {
  return events.map(({ type, detail }) => [type, detail]);
}

/** Opens the edit form and types another text. */
async function rewrite(fixture: Fixture, text: string): Promise<void> {
  fixture.button('Edit').click();
  await fixture.settle();
  const field = fixture.field();
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

describe('edit form of a message', () => {
  it('replaces the message, sends on Enter, and shows the new branch', async () => {
    const fixture = await setupBranches();
    const { backend, press, settle, shown, events, focused, field } = fixture;
    await rewrite(fixture, 'New question');
    expect(field().getRootNode()).to.equal(fixture.root);
    press('Enter');
    await settle();
    expect(backend.stream.method).to.equal('edit');
    expect(backend.stream.args).to.deep.equal([
      't',
      'q2',
      { text: 'New question', attachments: [] },
    ]);
    expect(shown()[0]).to.equal('New question');
    expect(focused(), 'the focus is on the new Edit button').to.equal('Edit');
    backend.stream.begin();
    await settle();
    const detail = { threadId: 't', messageId: 'q2', text: 'New question' };
    expect(listEvents(events)).to.deep.include.members([
      ['ubik-message-edit', detail],
      ['ubik-message-edited', detail],
    ]);
    backend.threads.set(
      't',
      contentOf('t', [
        version('q4', 'user', 'New question, stored', ['q3', 'q1', 'q2', 'q4'], 40),
        version('a4', 'assistant', 'New answer'),
      ]),
    );
    backend.stream.finish('complete');
    await settle();
    expect(shown()).to.deep.equal(['New question, stored', 'New answer']);
  });

  it('keeps the files of the message', async () => {
    const question = version('q2', 'user', 'Second question');
    const attachments = [{ id: 'd1', name: 'a.pdf' }];
    const fields = { ...question.fields, attachments };
    const fixture = await setupBranches([{ ...question, fields }, ...MESSAGES.slice(1)]);
    await rewrite(fixture, 'New question');
    fixture.press('Enter');
    await fixture.settle();
    expect(fixture.backend.stream.args[2]).to.deep.equal({ text: 'New question', attachments });
    expect(fixture.text('.message .chips')).to.contain('a.pdf');
  });

  it('closes on Escape and restores the focus', async () => {
    const fixture = await setupBranches();
    await rewrite(fixture, 'New question');
    fixture.press('Escape');
    expect(fixture.root.querySelector('.edit')).to.equal(null);
    expect(fixture.focused()).to.equal('Edit');
    expect(fixture.shown()[0]).to.equal('Second question');
    expect(fixture.backend.streams.length).to.equal(0);
  });

  it('ignores keys of an input method and Shift+Enter', async () => {
    const fixture = await setupBranches();
    await rewrite(fixture, 'New');
    fixture.press('Enter', { isComposing: true });
    fixture.press('Escape', { isComposing: true });
    fixture.press('Enter', { shiftKey: true });
    await fixture.settle();
    expect(fixture.field().value).to.equal('New');
    expect(fixture.backend.streams.length).to.equal(0);
    pressIgnoredEnter(fixture.field());
    await fixture.settle();
    expect(fixture.backend.streams.length, 'ignored by the input method').to.equal(1);
  });

  it('does not send an empty text', async () => {
    const fixture = await setupBranches();
    await rewrite(fixture, '  ');
    fixture.press('Enter');
    await fixture.settle();
    expect(fixture.backend.streams.length).to.equal(0);
  });

  it('does not send a text over the length limit, and shows the reason', async () => {
    const fixture = await setupBranches();
    await lazyTools.load();
    fixture.chat.maxLength = 12;
    await fixture.settle();
    await rewrite(fixture, '1'.repeat(13));
    fixture.press('Enter');
    await fixture.settle();
    expect(fixture.backend.streams.length).to.equal(0);
    expect(fixture.text('form.edit .meta')).to.contain('up to 12 characters');
    await rewrite(fixture, '1'.repeat(12));
    fixture.press('Enter');
    await fixture.settle();
    expect(fixture.backend.streams.length).to.equal(1);
  });

  it('keeps its text for its message, and does not show it in another conversation', async () => {
    const fixture = await setupBranches();
    const { chat, controller, root, settle, field } = fixture;
    await rewrite(fixture, 'New question');
    await swapController(fixture);
    expect(fixture.shown()[0]).to.equal('Other question');
    expect(root.querySelector('.edit, .edited')).to.equal(null);
    chat.controller = controller;
    await settle();
    expect(field().value).to.equal('New question');
  });

  it('keeps the text when the host page cancels the event', async () => {
    const fixture = await setupBranches();
    fixture.chat.addEventListener('ubik-message-edit', (event) => {
      event.preventDefault();
    });
    await rewrite(fixture, 'New question');
    fixture.press('Enter');
    await fixture.settle();
    expect(fixture.backend.streams.length).to.equal(0);
    expect(fixture.field().value).to.equal('New question');
    expect(fixture.names()).to.deep.equal(['ubik-message-edit']);
  });
});

describe('regenerating an answer', () => {
  it('starts another version of the answer', async () => {
    const { backend, button, settle, focused, shown, names, query } = await setupBranches();
    button('Regenerate').focus();
    button('Regenerate').click();
    await settle();
    expect([backend.stream.method, backend.stream.args]).to.deep.equal([
      'regenerate',
      ['t', 'a2', {}],
    ]);
    backend.stream.begin();
    backend.stream.append(0, 'Another');
    await settle();
    expect(shown()).to.deep.equal(['Second question', 'Another']);
    expect(query('.message.assistant').matches(':focus'), 'it has no actions yet').to.equal(true);
    backend.stream.finish('complete');
    await settle();
    await settle();
    expect(focused()).to.equal('Regenerate');
    expect(names().filter((name) => name.startsWith('ubik-message'))).to.deep.equal([
      'ubik-message-regenerate',
      'ubik-message-regenerated',
    ]);
  });

  it('keeps the focus where the user moved it while the answer was written', async () => {
    const { backend, button, settle, query, write, press, root } = await setupBranches();
    button('Regenerate').focus();
    button('Regenerate').click();
    await settle();
    backend.stream.begin();
    backend.stream.append(0, 'Another');
    await settle();
    query('.field textarea').focus();
    backend.stream.finish('complete');
    await settle();
    await settle();
    write('Next question');
    press('Enter');
    await settle();
    backend.stream.begin();
    await settle();
    const answer = [...root.querySelectorAll<HTMLElement>('.message.assistant')].at(0);
    answer?.focus();
    backend.stream.finish('complete');
    await settle();
    await settle();
    expect(root.activeElement === answer).to.equal(true);
  });

  it('keeps the focus where the user moved it before the service rejected the run', async () => {
    const { backend, button, settle, query, write, press, root } = await setupBranches();
    button('Regenerate').focus();
    button('Regenerate').click();
    await settle();
    query('.field textarea').focus();
    backend.stream.fail(new UbikError('rate-limited', '', { status: 429 }));
    await settle();
    await settle();
    write('Next question');
    press('Enter');
    await settle();
    backend.stream.begin();
    await settle();
    const answer = query('.message.assistant');
    answer.tabIndex = -1;
    answer.focus();
    backend.stream.finish('complete');
    await settle();
    await settle();
    expect(root.activeElement === answer).to.equal(true);
  });

  it('does nothing when the host page cancels the event', async () => {
    const { backend, button, settle, chat } = await setupBranches();
    chat.addEventListener('ubik-message-regenerate', (event) => {
      event.preventDefault();
    });
    button('Regenerate').click();
    await settle();
    expect(backend.streams.length).to.equal(0);
  });
});

describe('a failed message action', () => {
  for (const code of REJECTIONS) {
    it(`shows an error in the message and loses nothing (${code})`, async () => {
      const fixture = await setupBranches();
      const { backend, press, settle, query, field, shown, focused } = fixture;
      await rewrite(fixture, 'New question');
      press('Enter');
      await settle();
      backend.stream.fail(new UbikError(code, '', { status: 400 }));
      await settle();
      expect(shown()).to.deep.equal(['Second question', 'Second answer']);
      expect(field().value).to.equal('New question');
      expect(query('.message.user .error-text').textContent.trim()).not.to.equal('');
      expect(focused()).to.equal('Edit message');
      press('Escape');
      expect(fixture.root.querySelector('.action-notices .error-text')).to.equal(null);
    });
  }

  it('shows an error at the answer that could not be regenerated', async () => {
    const { backend, button, settle, text, shown } = await setupBranches();
    button('Regenerate').click();
    await settle();
    backend.stream.fail(new UbikError('rate-limited', '', { status: 429 }));
    await settle();
    expect(shown()).to.deep.equal(['Second question', 'Second answer']);
    expect(text('.message.assistant .error-text')).to.contain('Too many requests');
  });

  it('does not focus a message of another conversation', async () => {
    const fixture = await setupBranches();
    const { backend, controller, press, settle, focused } = fixture;
    for (const id of ['b', 'c'])
      backend.threads.set(id, contentOf(id, [version(`q${id}`, 'user', `Question ${id}`)]));
    await rewrite(fixture, 'New question');
    press('Enter');
    await settle();
    await controller.openThread('b');
    await settle();
    expect(focused(), 'before the rejection').not.to.equal('Edit');
    backend.stream.fail(new UbikError('rate-limited', '', { status: 429 }));
    await settle();
    await controller.openThread('c');
    await settle();
    expect(focused(), 'after the rejection').not.to.equal('Edit');
  });

  it('shows no error in another conversation that is shown meanwhile', async () => {
    const fixture = await setupBranches();
    const { backend, button, chat, controller, settle, root, text } = fixture;
    controller.retain();
    button('Regenerate').click();
    await settle();
    await swapController(fixture);
    backend.stream.fail(new UbikError('rate-limited', '', { status: 429 }));
    await settle();
    expect(root.querySelector('.error-text')).to.equal(null);
    chat.controller = controller;
    await settle();
    expect(text('.message.assistant .error-text')).to.contain('Too many requests');
  });
});

describe('version pager', () => {
  /** A message with three versions, all of which the service can load. */
  async function setupVersions() {
    const ids = ['q3', 'q1', 'q2'];
    const texts = new Map([
      ['q1', 'First question'],
      ['q2', 'Second question'],
      ['q3', 'Third question'],
    ]);
    const make = (id: string) =>
      version(id, 'user', texts.get(id) ?? '', ids, Number(id.slice(1)) * 10);
    const fixture = await setupBranches(MESSAGES, make);
    fixture.backend.responses.set('switchBranch', (_, id) => {
      const answer = version(`a${String(id).slice(1)}`, 'assistant', `Answer to ${String(id)}`);
      return contentOf('t', [make(String(id)), answer]);
    });
    await whenLoaded(fixture);
    return fixture;
  }

  /** Waits until the visible pager has loaded the versions. */
  async function whenLoaded({ root, settle }: Fixture): Promise<void> {
    await new Promise((resolve) => {
      const observer = new IntersectionObserver(resolve);
      observer.observe(root.querySelector('.action-bar') as Element);
    });
    await settle();
    await settle();
  }

  it('numbers versions by age, loads missing ones once, and does not switch to them', async () => {
    const { backend, text } = await setupVersions();
    expect(text('.versions')).to.contain('2 of 3');
    expect([backend.count('loadMessage'), backend.count('switchBranch')]).to.deep.equal([2, 0]);
  });

  it('switches by arrow keys with its events and keeps the focus', async () => {
    const { backend, button, press, settle, shown, text, focused, events, query } =
      await setupVersions();
    button('Next version').focus();
    press('ArrowRight');
    await settle();
    await settle();
    expect(shown()).to.deep.equal(['Third question', 'Answer to q3']);
    expect(text('.versions')).to.contain('3 of 3');
    expect(focused()).to.equal('Next version');
    expect(button('Next version').getAttribute('aria-disabled')).to.equal('true');
    press('ArrowRight');
    press('ArrowLeft');
    await settle();
    await settle();
    expect(text('.versions')).to.contain('2 of 3');
    expect(backend.count('switchBranch')).to.equal(2);
    expect(query('.versions').getAttribute('aria-label')).to.equal('Versions: 2 of 3');
    expect(listEvents(events)).to.deep.equal(
      ['q3', 'q2'].flatMap((messageId) => [
        ['ubik-branch-switch', { threadId: 't', messageId }],
        ['ubik-branch-switched', { threadId: 't', messageId }],
      ]),
    );
  });

  it('reverses the arrow keys in right-to-left text', async () => {
    const { chat, button, press, settle, text } = await setupVersions();
    chat.style.direction = 'rtl';
    button('Next version').focus();
    press('ArrowLeft');
    await settle();
    await settle();
    expect(text('.versions')).to.contain('3 of 3');
  });

  it('stays at the version when the host page cancels or the request fails', async () => {
    const { backend, chat, button, settle, text, shown, focused } = await setupVersions();
    const cancel = (event: Event): void => {
      event.preventDefault();
    };
    chat.addEventListener('ubik-branch-switch', cancel);
    button('Next version').focus();
    button('Next version').click();
    await settle();
    expect(backend.count('switchBranch')).to.equal(0);
    chat.removeEventListener('ubik-branch-switch', cancel);
    for (const code of FAILURES) {
      backend.responses.set('switchBranch', () => {
        throw new UbikError(code, '', { status: 400 });
      });
      button('Next version').click();
      await settle();
      expect(text('.message.user .error-text'), code).not.to.equal('');
      expect(shown()[0]).to.equal('Second question');
      expect(focused()).to.equal('Next version');
    }
  });

  it('shows only the count while a version cannot be loaded, and drops a deleted one', async () => {
    const read = (code: UbikErrorCode) => (id: string) => {
      if (id === 'q3') return version('q3', 'user', 'Third', [], 30);
      throw new UbikError(code);
    };
    const fixture = await setupBranches(MESSAGES, read('server'));
    await whenLoaded(fixture);
    expect(fixture.text('.versions')).to.contain('3 versions');
    const other = await setupBranches(MESSAGES, read('not-found'));
    await whenLoaded(other);
    expect(other.text('.versions')).to.contain('1 of 2');
  });

  it('shows the same note about other versions, whether this page has loaded them or not', async () => {
    const unloaded = await setupBranches();
    expect(unloaded.text('.beside')).to.equal('More in other versions');
    const { button, settle, text } = await setupVersions();
    expect(text('.beside')).to.equal('More in other versions');
    for (const name of ['Next version', 'Previous version', 'Previous version', 'Next version']) {
      button(name).click();
      await settle();
      await settle();
    }
    expect(text('.beside')).to.equal('More in other versions');
  });
});

describe('message actions during a run', () => {
  it('are disabled with a reason', async () => {
    const fixture = await setupBranches();
    const { backend, button, settle, press } = fixture;
    await rewrite(fixture, 'Kept');
    const sent = fixture.controller.send({ text: 'More', attachments: [] });
    await settle();
    press('Enter');
    for (const name of ['Regenerate', 'Next version']) {
      expect(button(name).getAttribute('aria-disabled'), name).to.equal('true');
      expect(button(name).title).to.contain('not available while the assistant is working');
      button(name).click();
    }
    await settle();
    expect(fixture.field().value).to.equal('Kept');
    expect(backend.streams.length).to.equal(1);
    expect(backend.count('switchBranch')).to.equal(0);
    backend.stream.begin();
    await sent;
    backend.stream.finish('complete');
    await settle();
    expect(button('Regenerate').getAttribute('aria-disabled')).to.equal('false');
  });
});

describe('message actions without capabilities', () => {
  it('are not shown', async () => {
    const { backend, controller, settle, root } = await setupBranches();
    backend.capabilities.clear();
    backend.threads.set('u', contentOf('u', MESSAGES));
    await controller.openThread('u');
    await settle();
    const found = root.querySelectorAll('.edit-button, .regenerate-button, .versions');
    expect(found.length).to.equal(0);
  });
});

describe('reading an answer aloud', () => {
  // Keeps the object, which WebKit may collect together with the replaced methods.
  const synthesis = speechSynthesis;
  const { speak, cancel } = synthesis;
  let cancels = 0;

  beforeEach(() => {
    synthesis.speak = () => undefined;
    synthesis.cancel = () => (cancels += 1);
  });

  afterEach(() => {
    stopReading();
    Object.assign(synthesis, { speak, cancel });
  });

  /** A chat that reads its answer aloud. */
  async function setupReading() {
    const fixture = await setupBranches();
    fixture.backend.threads.set('other', contentOf('other', [version('q9', 'user', 'Question')]));
    fixture.backend.responses.set('switchBranch', () =>
      contentOf('t', [version('q3', 'user', 'Third question', ['q3', 'q1', 'q2'], 30)]),
    );
    const isAnswerRead = observeReading(fixture);
    fixture.button('Read aloud').click();
    expect(isAnswerRead()).to.equal(true);
    cancels = 0;
    return { ...fixture, isReading: isAnswerRead };
  }

  /** Returns a function that tells whether the message that is now the last one of a thread is being read. */
  function observeReading({ controller }: Pick<Fixture, 'controller'>): () => boolean {
    const { messages, head } = controller.thread ?? {};
    const answer = messages?.get(head ?? '');
    if (!answer) throw new Error('There is no answer.');
    return () => isReading(answer.parts);
  }

  const ends: readonly (readonly [string, (fixture: Fixture) => unknown])[] = [
    ['its chat is removed', ({ chat }) => chat.remove()],
    ['another thread is opened', ({ chat }) => chat.openThread('other')],
    ['a new conversation is started', ({ controller }) => controller.switchToNewThread()],
    ['another version is shown', ({ controller }) => controller.switchBranch('q3')],
    ['another controller is connected', swapController],
  ];
  for (const [when, act] of ends) {
    it(`stops when ${when}`, async () => {
      const fixture = await setupReading();
      await act(fixture);
      await fixture.settle();
      expect([cancels, fixture.isReading()]).to.deep.equal([1, false]);
    });
  }

  it('reads the data of the answer, and a text that a renderer of the page shows', async () => {
    await loadDataView('metric');
    const fixture = await setupBranches();
    const { backend, chat, controller, settle } = fixture;
    const spoken: string[] = [];
    synthesis.speak = ({ text }) => spoken.push(text);
    chat.renderers = [
      { kind: 'text', renderer: { mount: (box, { standard }) => box.append(standard()) } },
    ];
    const metric: PartTree = {
      ...{ kind: 'metric', key: 'metric', title: 'Rhine', unit: 'm', query: '' },
      columns: [{ name: 'level', type: 'number' }],
      rows: [[3.5]],
    };
    const answer = version('b', 'assistant', 'The *level*:');
    const withMetric = { ...answer, parts: [...answer.parts, metric] };
    backend.threads.set('u', contentOf('u', [version('q', 'user', 'Level?'), withMetric]));
    await controller.openThread('u');
    await settle();
    fixture.button('Read aloud').click();
    expect(spoken[0]).to.equal('The level:');
    expect(spoken.join(' ')).to.match(/Rhine.*3\.5/);
  });

  it('goes on in a transcript that shows another branch than the chat, and stops when it shows a third one', async () => {
    const { chat, controller, settle, backend } = await setupBranches();
    backend.responses.set('switchBranch', () =>
      contentOf('t', [version('q3', 'user', 'Third question', ['q3', 'q1', 'q2'], 30)]),
    );
    const head = controller.thread?.head ?? '';
    const isAnswerRead = observeReading({ controller });
    const transcript = document.createElement('ubik-transcript');
    Object.assign(transcript, { controller, head });
    chat.after(transcript);
    await settle();
    await controller.switchBranch('q3');
    await settle();
    const buttons = transcript.shadowRoot?.querySelectorAll('button') ?? [];
    [...buttons].find(({ title }) => title === 'Read aloud')?.click();
    expect(isAnswerRead()).to.equal(true);
    transcript.requestUpdate();
    await transcript.updateComplete;
    expect(isAnswerRead()).to.equal(true);
    transcript.head = controller.thread?.head ?? null;
    await transcript.updateComplete;
    expect(isAnswerRead()).to.equal(false);
    transcript.remove();
  });

  it('is offered by another chat, which then reads instead', async () => {
    const first = await setupReading();
    const second = await setupBranches();
    const isSecondRead = observeReading(second);
    expect([first.isReading(), isSecondRead()]).to.deep.equal([true, false]);
    second.button('Read aloud').click();
    expect([first.isReading(), isSecondRead()]).to.deep.equal([false, true]);
    expect(first.button('Read aloud').isConnected).to.equal(true);
  });

  it('is not stopped by a button of a message that is no longer read', async () => {
    const first = await setupReading();
    const transcript = document.createElement('ubik-transcript');
    transcript.controller = first.controller;
    first.chat.after(transcript);
    await first.settle();
    await first.settle();
    const { button } = first;
    const stop = button('Stop reading', transcript.shadowRoot ?? transcript);
    const second = await setupBranches();
    second.button('Read aloud').click();
    cancels = 0;
    stop.click();
    expect([observeReading(second)(), cancels]).to.deep.equal([true, 0]);
    expect(button('Read aloud', transcript.shadowRoot ?? transcript).isConnected).to.equal(true);
    transcript.remove();
  });

  it('goes on while its chat is updated, and does not observe the chat any more once it has stopped', async () => {
    const { chat, button, settle } = await setupReading();
    chat.requestUpdate();
    await settle();
    expect(cancels).to.equal(0);
    button('Stop reading').click();
    expect(cancels).to.equal(1);
    chat.remove();
    expect(cancels).to.equal(1);
  });
});

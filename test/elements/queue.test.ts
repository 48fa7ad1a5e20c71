import { expect } from '@open-wc/testing';
import { queueActions } from '../../src/controller/lazy-actions.js';
import { lazyQueueView } from '../../src/elements/queue/queue-controller.js';
import { labelFor } from '../../src/elements/queue/queue-edit-form.js';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';
import type { QueuedMessage } from '../../src/controller/controller-types.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { pressIgnoredEnter, pressKey, setupChat } from './chat-fixture.js';

type Fixture = Awaited<ReturnType<typeof setupChat>>;

/** Texts of the queued messages. */
function queuedTexts({ root }: Fixture): string[] {
  return [...root.querySelectorAll('.queue li .queued')].map((node) => node.textContent ?? '');
}

/** Texts that were sent. */
function sentTexts({ backend }: Fixture): string[] {
  return backend.streams
    .filter(({ method }) => method === 'send')
    .map(({ args }) => (args[1] as { text: string }).text);
}

/** Returns the button of an action: in a row of the queue, or among the actions for the text in the field. */
function findAction({ query }: Fixture, name: string, row = 1): HTMLElement {
  const of =
    name === 'queueAfter' || name === 'queueNow' ? '.draft-actions' : `li:nth-child(${row})`;
  return query(`.queue ${of} [data-act="${name}"]`);
}

/** Types a message and presses Enter. */
async function write(fixture: Fixture, text: string): Promise<void> {
  fixture.write(text);
  await fixture.settle();
  fixture.press('Enter');
  await fixture.settle();
}

/** An active run with queued messages. */
async function setupQueue(texts: readonly string[], mode = ''): Promise<Fixture> {
  const fixture = await setupChat((chat) => {
    chat.setAttribute('while-running', mode);
  });
  await fixture.start();
  for (const text of texts) await write(fixture, text);
  return fixture;
}

describe('message queue', () => {
  before(() => lazyQueueView.load());

  it('names a message by up to 60 UTF-16 units of its text, without half a surrogate pair', () => {
    const locale = { text: (_name: string, { text = '' } = {}) => text };
    const label = (length: number): string =>
      labelFor(locale as never, 'queueEdit', 'x'.repeat(length));
    const name = labelFor(locale as never, 'queueEdit', `${'x'.repeat(59)}😀`);
    expect(name).to.equal(`${'x'.repeat(59)}…`);
    expect(label(60)).to.equal('x'.repeat(60));
    expect(label(61)).to.equal(`${'x'.repeat(60)}…`);
  });

  it('requests its code once while that cannot be loaded, and again when the queue is needed anew', async () => {
    const { load } = lazyQueueView;
    let requests = 0;
    lazyQueueView.load = () => {
      requests += 1;
      return Promise.reject(new UbikError('load-failed'));
    };
    try {
      const fixture = await setupQueue([]);
      fixture.write('  ');
      await fixture.settle();
      expect(requests, 'not before a text is written').to.equal(0);
      fixture.write('Another question');
      await fixture.settle();
      fixture.backend.stream.append(0, 'An answer.');
      fixture.chat.requestUpdate();
      await fixture.settle();
      const errors = fixture.names().filter((name) => name === 'ubik-error');
      expect([requests, errors.length]).to.deep.equal([1, 1]);
      fixture.write('');
      await fixture.settle();
      lazyQueueView.load = load;
      fixture.write('The same');
      await fixture.settle();
      expect(findAction(fixture, 'queueAfter').checkVisibility()).to.equal(true);
    } finally {
      lazyQueueView.load = load;
    }
  });

  it('shows the messages that wait for the end of the answer, and sends the first of them then', async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    expect(fixture.field.value).to.equal('');
    expect(queuedTexts(fixture)).to.deep.equal(['Second', 'Third']);
    expect(fixture.text('.queue [role=status]')).to.equal(
      '2 messages will be sent after this answer.',
    );
    expect(sentTexts(fixture)).to.deep.equal(['Question']);
    fixture.backend.stream.finish('complete');
    await fixture.settle();
    expect(sentTexts(fixture)).to.deep.equal(['Question', 'Second']);
    expect(queuedTexts(fixture)).to.deep.equal(['Third']);
  });

  it('keeps what is written while the code of the queue is loading, without the queued text', async () => {
    const fixture = await setupQueue([]);
    queueActions.value = undefined;
    fixture.write('Second');
    fixture.press('Enter');
    expect(fixture.field.value).to.equal('Second');
    fixture.write('Second. Third');
    while (queuedTexts(fixture).length === 0) await fixture.settle();
    expect(queuedTexts(fixture)).to.deep.equal(['Second']);
    expect(fixture.field.value).to.equal('. Third');
    expect(fixture.controller.getDraft().text).to.equal('. Third');
  });

  it('dispatches ubik-message-queue before it queues a message, and keeps the text when the host page cancels', async () => {
    const fixture = await setupQueue(['Second']);
    const detail = { threadId: 'thread-id-1', text: 'Second', attachments: [] };
    const events = fixture.events.filter(({ type }) => type === 'ubik-message-queue');
    expect(events.map((event) => event.detail as object)).to.deep.equal([detail]);
    fixture.chat.addEventListener('ubik-message-queue', (event) => {
      event.preventDefault();
    });
    await write(fixture, 'Third');
    expect(fixture.field.value).to.equal('Third');
    expect(queuedTexts(fixture)).to.deep.equal(['Second']);
  });

  it('dispatches ubik-message-sent when the service has accepted the message', async () => {
    const fixture = await setupQueue(['Second']);
    fixture.backend.stream.finish('complete');
    await fixture.settle();
    fixture.backend.stream.begin('task-2');
    await fixture.settle();
    const sent = fixture.events.filter(({ type }) => type === 'ubik-message-sent');
    expect(sent.at(-1)?.detail).to.deep.equal({
      threadId: 'thread-id-1',
      text: 'Second',
      attachments: [],
    });
    expect(sent.length).to.equal(2);
  });

  it('stops the run and sends when while-running is stop', async () => {
    const fixture = await setupQueue(['Second'], 'stop');
    expect(fixture.backend.count('stop')).to.equal(1);
    expect(queuedTexts(fixture)).to.deep.equal(['Second']);
    expect(fixture.names()).to.include('ubik-run-stop');
    fixture.backend.stream.finish('stopped');
    await fixture.settle();
    expect(sentTexts(fixture)).to.deep.equal(['Question', 'Second']);
  });

  it('queues a text that begins with the one for which the run is being stopped', async () => {
    const fixture = await setupQueue(['No', 'No, take the other one'], 'stop');
    expect(queuedTexts(fixture).toSorted()).to.deep.equal(['No', 'No, take the other one']);
    expect(fixture.field.value).to.equal('');
  });

  it('neither stops nor sends when the host page cancels the stop, and keeps the text', async () => {
    const fixture = await setupQueue([], 'stop');
    fixture.chat.addEventListener('ubik-run-stop', (event) => {
      event.preventDefault();
    });
    await write(fixture, 'Second');
    expect(fixture.field.value).to.equal('Second');
    expect(fixture.backend.count('stop')).to.equal(0);
    expect([sentTexts(fixture), queuedTexts(fixture)]).to.deep.equal([['Question'], []]);
  });

  it('keeps the text in the field when while-running is draft', async () => {
    const fixture = await setupQueue(['Second'], 'draft');
    expect(fixture.field.value).to.equal('Second');
    expect(queuedTexts(fixture)).to.deep.equal([]);
    expect(fixture.text('.below > .meta')).to.equal('Saved as a draft');
    fixture.backend.stream.finish('complete');
    await fixture.settle();
    expect(sentTexts(fixture)).to.deep.equal(['Question']);
  });

  for (const [mode, words] of [
    ['', 'Enter to send after this answer'],
    ['stop', 'Enter to stop and send now'],
    ['nonsense', 'Enter to send after this answer'],
  ] as const) {
    it(`shows what Enter does (${mode || 'default'}), and offers the other actions`, async () => {
      const fixture = await setupQueue([], mode);
      expect(fixture.text('.below > .meta')).to.equal(words);
      expect(fixture.root.querySelector('.queue .draft-actions')).to.equal(null);
      fixture.write('Second');
      await fixture.settle();
      expect(fixture.text('.queue .draft-actions')).to.equal(
        'Send after this answer Stop and send now',
      );
      findAction(fixture, 'queueNow').click();
      await fixture.settle();
      expect(fixture.backend.count('stop')).to.equal(1);
      fixture.write('Third');
      await fixture.settle();
      findAction(fixture, 'queueAfter').click();
      await fixture.settle();
      expect(queuedTexts(fixture)[0]).to.equal('Second');
      expect(fixture.field.value).to.equal('');
      expect(fixture.root.activeElement).to.equal(fixture.field);
    });
  }

  it('offers no stop when the service has none', async () => {
    const fixture = await setupChat((chat) => {
      chat.whileRunning = 'stop';
    });
    fixture.backend.capabilities.delete('stop');
    await fixture.start();
    fixture.write('Second');
    await fixture.settle();
    expect(fixture.text('.queue .draft-actions')).to.equal('Send after this answer');
    fixture.press('Enter');
    await fixture.settle();
    expect(queuedTexts(fixture)).to.deep.equal(['Second']);
  });

  it('queues once on a double Enter and on a double click', async () => {
    const fixture = await setupQueue([]);
    fixture.write('once');
    fixture.press('Enter');
    fixture.press('Enter');
    await fixture.settle();
    expect(queuedTexts(fixture)).to.deep.equal(['once']);
    fixture.write('twice');
    await fixture.settle();
    const button = findAction(fixture, 'queueAfter');
    button.click();
    button.click();
    await fixture.settle();
    expect(queuedTexts(fixture)).to.deep.equal(['once', 'twice']);
    const stopAndSend = findAction(fixture, 'queueStopAndSend');
    stopAndSend.click();
    stopAndSend.click();
    await fixture.settle();
    fixture.backend.stream.finish('stopped');
    await fixture.settle();
    expect(fixture.backend.count('stop')).to.equal(1);
    expect(sentTexts(fixture)).to.deep.equal(['Question', 'once']);
  });

  it('does not queue an answer to a request that is being sent', async () => {
    const fixture = await setupQueue([]);
    fixture.backend.stream.request('@request:c');
    fixture.backend.stream.finish('waiting');
    await fixture.settle();
    fixture.write('2025');
    fixture.press('Enter');
    fixture.press('Enter');
    await fixture.settle();
    expect(queuedTexts(fixture)).to.deep.equal([]);
    expect(fixture.backend.count('provideInput')).to.equal(1);
  });

  it('lets a message be edited in place with the keyboard', async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    const edit = findAction(fixture, 'queueEdit');
    expect(edit.title).to.equal('Edit: Second');
    edit.focus();
    edit.click();
    await fixture.settle();
    const field = fixture.query<HTMLTextAreaElement>('.queue textarea');
    expect(fixture.root.activeElement).to.equal(field);
    // A message is not sent while it is edited.
    fixture.backend.stream.finish('complete');
    await fixture.settle();
    expect(sentTexts(fixture)).to.deep.equal(['Question']);
    expect(fixture.root.activeElement).to.equal(field);
    field.value = 'Better';
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', cancelable: true }));
    await fixture.settle();
    expect(sentTexts(fixture)).to.deep.equal(['Question', 'Better']);
    expect(queuedTexts(fixture)).to.deep.equal(['Third']);
  });

  it('restores the message when editing is cancelled', async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    findAction(fixture, 'queueEdit', 2).click();
    await fixture.settle();
    const field = fixture.query<HTMLTextAreaElement>('.queue textarea');
    field.value = 'Worse';
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    await fixture.settle();
    expect(queuedTexts(fixture)).to.deep.equal(['Second', 'Third']);
    expect(fixture.root.activeElement).to.equal(findAction(fixture, 'queueEdit', 2));
    expect(fixture.text('.queue [role=status]')).to.equal(
      '2 messages will be sent after this answer.',
    );
  });

  it('does not send a paused message that was edited or whose editing was cancelled', async () => {
    const fixture = await setupQueue(['Second']);
    fixture.backend.stream.finish('stopped');
    await fixture.settle();
    for (const key of ['Escape', 'Enter']) {
      findAction(fixture, 'queueEdit').click();
      await fixture.settle();
      const field = fixture.query<HTMLTextAreaElement>('.queue textarea');
      field.value = 'Better';
      field.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }));
      await fixture.settle();
      expect(queuedTexts(fixture)).to.deep.equal([key === 'Enter' ? 'Better' : 'Second']);
      expect(sentTexts(fixture)).to.deep.equal(['Question']);
    }
  });

  it('sends no paused message while another one is edited, so that none is sent with its old text', async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    fixture.backend.stream.finish('stopped');
    await fixture.settle();
    findAction(fixture, 'queueEdit').click();
    await fixture.settle();
    const field = fixture.query<HTMLTextAreaElement>('.queue textarea');
    field.value = 'Better';
    expect(fixture.text('.queue [role=status]')).to.equal('1 message hasn’t been sent.');
    pressKey(field, 'Enter');
    await fixture.settle();
    expect(sentTexts(fixture)).to.deep.equal(['Question']);
    fixture.query('.queue [role=status] button').click();
    await fixture.settle();
    expect(sentTexts(fixture)).to.deep.equal(['Question', 'Better']);
    expect(queuedTexts(fixture)).to.deep.equal(['Third']);
  });

  it('removes a message, and focuses the next one', async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    findAction(fixture, 'queueRemove').focus();
    findAction(fixture, 'queueRemove').click();
    await fixture.settle();
    expect(queuedTexts(fixture)).to.deep.equal(['Third']);
    expect(fixture.root.activeElement).to.equal(findAction(fixture, 'queueRemove'));
    findAction(fixture, 'queueRemove').click();
    await fixture.settle();
    expect(fixture.root.querySelector('.queue li')).to.equal(null);
    expect(fixture.root.activeElement).to.equal(fixture.field);
  });

  it('sends a message before the others on request', async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    findAction(fixture, 'queueStopAndSend', 2).click();
    await fixture.settle();
    expect(fixture.names()).to.include('ubik-run-stop');
    expect(queuedTexts(fixture)).to.deep.equal(['Third', 'Second']);
    fixture.backend.stream.finish('stopped');
    await fixture.settle();
    expect(sentTexts(fixture)).to.deep.equal(['Question', 'Third']);
  });

  it('pauses the rest after a stop, and sends it on request', async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    fixture.backend.stream.finish('stopped');
    await fixture.settle();
    expect(fixture.text('.queue [role=status] p')).to.equal('2 messages haven’t been sent.');
    let asked = 0;
    const refuse = (event: Event): void => {
      asked += 1;
      event.preventDefault();
    };
    fixture.chat.addEventListener('ubik-message-send', refuse);
    fixture.query('.queue [role=status] button').click();
    await fixture.settle();
    expect(asked).to.equal(1);
    expect(sentTexts(fixture)).to.deep.equal(['Question']);
    fixture.chat.removeEventListener('ubik-message-send', refuse);
    fixture.query('.queue [role=status] button').click();
    await fixture.settle();
    expect(sentTexts(fixture)).to.deep.equal(['Question', 'Second']);
    expect(fixture.root.activeElement).to.equal(fixture.field);
  });

  it('returns a message to the queue when another one is edited instead', async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    const { query, root, settle, text } = fixture;
    findAction(fixture, 'queueEdit').click();
    await settle();
    findAction(fixture, 'queueEdit', 2).click();
    await settle();
    expect(query<HTMLTextAreaElement>('.queue textarea').value).to.equal('Third');
    expect(root.querySelectorAll('.queue form').length).to.equal(1);
    expect(queuedTexts(fixture)).to.deep.equal(['Second']);
    expect(text('.queue [role=status]')).to.equal('2 messages will be sent after this answer.');
    fixture.backend.stream.finish('complete');
    await settle();
    expect(sentTexts(fixture)).to.deep.equal(['Question', 'Second']);
  });

  it('sends no message while the agent asks, also when a tool has asked before', async () => {
    const fixture = await setupQueue(['Second']);
    fixture.backend.stream.request('@request:e', 'tool');
    fixture.backend.stream.request('@request:c');
    fixture.backend.stream.finish('waiting');
    await fixture.settle();
    expect(findAction(fixture, 'queueBlocked').ariaDisabled).to.equal('true');
    expect(sentTexts(fixture)).to.deep.equal(['Question']);
  });

  it('offers to send the paused messages when no run is active, which dispatches the events of all of them', async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    fixture.backend.stream.finish('stopped');
    await fixture.settle();
    const { events, text, query, settle, root, field } = fixture;
    expect(text('.queue [role=status] button')).to.equal('Send');
    events.length = 0;
    query('.queue [role=status] button').click();
    expect(root.activeElement).to.equal(field);
    await settle();
    const sent = events.filter(({ type }) => type === 'ubik-message-send');
    expect(sent.map(({ detail }) => (detail as { text: string }).text)).to.deep.equal([
      'Second',
      'Third',
    ]);
  });

  // After a reload of the page there is no run that waits, only the request.
  for (const state of ['waiting', 'complete'] as const) {
    it(`does not send a message as the answer to a request, with a run that is ${state}`, async () => {
      const fixture = await setupQueue(['Second']);
      fixture.backend.stream.request('@request:c');
      fixture.backend.stream.finish(state);
      await fixture.settle();
      const button = findAction(fixture, 'queueBlocked');
      expect(button.getAttribute('aria-disabled')).to.equal('true');
      expect(button.title).to.contain('Answer the question first.');
      fixture.events.length = 0;
      button.click();
      await fixture.settle();
      expect(fixture.names()).to.deep.equal([]);
      expect(sentTexts(fixture)).to.deep.equal(['Question']);
      expect(queuedTexts(fixture)).to.deep.equal(['Second']);
    });
  }

  it('sends a message in another branch than that of a run which waits', async () => {
    const fixture = await setupQueue(['Second']);
    const { backend, controller, settle } = fixture;
    backend.stream.request('@request:e', 'tool');
    backend.stream.finish('waiting');
    await settle();
    const messages = [stored('b1', 'user', 'Other'), stored('b2', 'assistant', 'Another answer')];
    backend.responses.set('switchBranch', () => contentOf('thread-id-1', messages));
    await controller.switchBranch('b2');
    await settle();
    findAction(fixture, 'queueSend').click();
    await settle();
    expect(sentTexts(fixture)).to.deep.equal(['Question', 'Second']);
  });

  for (const [code, words] of [
    ['bad-request', ''],
    ['unauthorized', ''],
    ['forbidden', ''],
    ['not-found', 'This conversation doesn’t exist or was deleted.'],
    ['busy', ''],
    ['invalid', ''],
    ['rate-limited', ''],
    ['too-large', 'This is too large to send.'],
  ] as readonly (readonly [UbikErrorCode, string])[]) {
    it(`shows a message that the service rejects with ${code}, and the reason`, async () => {
      const fixture = await setupQueue(['Second']);
      fixture.backend.stream.finish('complete');
      await fixture.settle();
      fixture.backend.stream.fail(new UbikError(code, 'no'));
      await fixture.settle();
      expect(queuedTexts(fixture)).to.deep.equal(['Second']);
      expect(fixture.text('.queue .error-text')).to.match(/^Not sent\. .{10}/u);
      expect(fixture.text('.queue .error-text')).to.contain(words);
      expect(fixture.names().filter((name) => name === 'ubik-error').length).to.equal(1);
    });
  }

  for (const [what, serviceError, words] of [
    ['the meaning of its code', undefined, 'The service has a problem. Try again later.'],
    [
      'the words of the service',
      { description: 'No workers.', advice: 'Try at noon.', code: 'E7' },
      'No workers. Try at noon.',
    ],
  ] as const) {
    it(`shows why the service has started no run for a message: ${what}`, async () => {
      const fixture = await setupQueue(['Second']);
      fixture.backend.stream.finish('complete');
      await fixture.settle();
      fixture.backend.stream.fail(new UbikError('server', { serviceError }));
      await fixture.environment.advance(2000);
      expect(fixture.backend.stream.method).to.equal('rejoin');
      fixture.backend.stream.fail(new UbikError('not-found'));
      await fixture.settle();
      expect(fixture.text('.queue li .error-text')).to.equal(`Not sent. ${words}`);
    });
  }

  it('shows at the next message that the answer before it has failed', async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    fixture.backend.stream.finish('failed');
    await fixture.settle();
    const errors = [...fixture.root.querySelectorAll('.queue .error-text')];
    expect(errors.map((node) => node.textContent.replaceAll(/\s+/g, ' ').trim())).to.deep.equal([
      'Not sent. The assistant ended with an error.',
    ]);
    expect(fixture.query('.queue li').contains(errors[0] ?? null)).to.equal(true);
  });

  for (const code of ['forbidden', 'server', 'network', 'malformed-event'] as const) {
    it(`keeps a message in the queue until the run ends when the run cannot be stopped: ${code}`, async () => {
      const fixture = await setupQueue([], 'stop');
      fixture.backend.responses.set('stop', () => {
        throw new UbikError(code, 'no');
      });
      await write(fixture, 'Second');
      expect(queuedTexts(fixture)).to.deep.equal(['Second']);
      expect(fixture.query('.below [role=alert]')).to.be.instanceOf(HTMLElement);
      expect(fixture.names()).to.include('ubik-error');
      fixture.backend.stream.finish('complete');
      await fixture.settle();
      expect(sentTexts(fixture)).to.deep.equal(['Question', 'Second']);
    });
  }

  it('shows that a message was not sent because of another run, until that run ends', async () => {
    const fixture = await setupChat();
    await write(fixture, 'First');
    fixture.backend.stream.fail(new UbikError('busy', 'no'));
    await fixture.settle();
    expect(fixture.field.value).to.equal('First');
    expect(fixture.text('.below [role=alert]')).to.match(/^Not sent\. /u);
    const { controller } = fixture;
    void controller.send({ text: 'Second', attachments: [] });
    await fixture.settle();
    fixture.backend.stream.begin();
    await fixture.settle();
    expect(fixture.root.querySelector('.below [role=alert]')).not.to.equal(null);
    fixture.backend.stream.finish('complete');
    await fixture.settle();
    expect(fixture.root.querySelector('.below [role=alert]')).to.equal(null);
  });

  it('reports that a message was not sent while offline, and sends it only on request', async () => {
    const fixture = await setupQueue(['Second']);
    fixture.page.online = false;
    fixture.backend.stream.finish('complete');
    await fixture.settle();
    expect(fixture.text('.queue .error-text')).to.contain('Not sent.');
    fixture.page.online = true;
    fixture.page.wake('online');
    await fixture.settle();
    expect(sentTexts(fixture)).to.deep.equal(['Question']);
    findAction(fixture, 'queueSend').click();
    await fixture.settle();
    expect(sentTexts(fixture)).to.deep.equal(['Question', 'Second']);
  });

  it('shows any text as plain text', async () => {
    const text = '<img src=x onerror=alert(1)> \u202e gnp';
    const fixture = await setupQueue([text]);
    expect(queuedTexts(fixture)).to.deep.equal([text]);
    expect(fixture.root.querySelector('.queue img')).to.equal(null);
  });

  it('is the same in all elements of a controller', async () => {
    const fixture = await setupQueue(['Second']);
    const composer = document.createElement('ubik-composer');
    composer.controller = fixture.controller;
    fixture.box.append(composer);
    await composer.updateComplete;
    await fixture.settle();
    const list = fixture.controller.thread?.list('queue').values() ?? [];
    const [only] = [...list] as unknown as QueuedMessage[];
    expect(only?.text).to.equal('Second');
    expect(composer.shadowRoot?.querySelector('.queued')?.textContent).to.equal('Second');
  });

  it('names its list and its buttons, which are hidden while a message is edited', async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    const { query, root } = fixture;
    expect(query('.queue ol').ariaLabel).to.match(/\S/);
    const row = query('.queue li');
    expect(row.dataset['state']).to.equal('waiting');
    const titles = [...row.querySelectorAll('button')].map(({ title }) => title);
    expect(titles.length).to.equal(3);
    expect(titles.every((title) => title.includes('Second'))).to.equal(true);
    findAction(fixture, 'queueEdit').click();
    await fixture.settle();
    expect(root.querySelectorAll('.queue form').length).to.equal(1);
    expect(query('.queue li').querySelectorAll('[data-act]').length).to.equal(0);
    expect(queuedTexts(fixture)).to.deep.equal(['Third']);
    const area = query<HTMLTextAreaElement>('.queue textarea');
    expect(root.activeElement).to.equal(area);
    expect([area.value, area.ariaLabel?.includes('Second')]).to.deep.equal(['Second', true]);
    pressKey(area, 'Escape', { isComposing: true });
    pressKey(area, 'a');
    expect(root.querySelectorAll('.queue form').length).to.equal(1);
    pressKey(area, 'Escape');
    await fixture.settle();
    expect(queuedTexts(fixture)).to.deep.equal(['Second', 'Third']);
    expect(root.activeElement).to.equal(findAction(fixture, 'queueEdit'));
  });

  it('does not save an empty text, and saves with Enter', async () => {
    const fixture = await setupQueue(['Second']);
    const { query, root } = fixture;
    findAction(fixture, 'queueEdit').click();
    await fixture.settle();
    const area = query<HTMLTextAreaElement>('.queue textarea');
    area.value = '  ';
    pressKey(area, 'Enter');
    await fixture.settle();
    expect(root.querySelectorAll('.queue form').length).to.equal(1);
    expect(fixture.names(), 'nothing was tried').not.to.include('ubik-error');
    area.value = 'Changed';
    pressKey(area, 'Enter');
    await fixture.settle();
    expect(queuedTexts(fixture)).to.deep.equal(['Changed']);
    findAction(fixture, 'queueEdit').click();
    await fixture.settle();
    query<HTMLTextAreaElement>('.queue textarea').value = 'Changed again';
    pressIgnoredEnter(query('.queue textarea'));
    await fixture.settle();
    expect(queuedTexts(fixture)).to.deep.equal(['Changed again']);
  });

  it('describes each message: its attachments, and when it will be sent', async () => {
    const fixture = await setupQueue([]);
    const { controller, query, root, settle, text } = fixture;
    const attachments = [
      { id: 'a', name: 'a.pdf' },
      { id: 'b', name: 'b.pdf' },
    ];
    controller.setDraft({ text: 'Second', attachments });
    await write(fixture, 'Second');
    await write(fixture, 'Third');
    expect(query('.queue ol').ariaLabel).to.equal('Queued messages');
    expect(getComputedStyle(query('.queue ol')).display).to.equal('grid');
    const rows = (): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('.queue li')];
    const notes = (): string[][] =>
      rows().map((row) =>
        [...row.querySelectorAll(':scope > p')].map((each) =>
          each.textContent.replace(/\s+/g, ' ').trim(),
        ),
      );
    expect(notes()).to.deep.equal([['a.pdf b.pdf'], []]);
    expect(rows()[0]?.querySelectorAll(':scope > p .icon').length).to.equal(1);
    expect(new Set(rows().map(({ dataset }) => dataset['key'])).size).to.equal(2);
    const acts = (): (string | undefined)[][] =>
      rows().map((row) => [...row.querySelectorAll('button')].map(({ dataset }) => dataset['act']));
    const all = ['queueStopAndSend', 'queueEdit', 'queueRemove'];
    expect(acts()).to.deep.equal([all, all]);
    findAction(fixture, 'queueStopAndSend', 2).focus();
    findAction(fixture, 'queueStopAndSend', 2).click();
    await settle();
    expect(root.activeElement).to.equal(fixture.field);
    expect(queuedTexts(fixture)).to.deep.equal(['Third', 'Second']);
    expect(notes()).to.deep.equal([['Will be sent when the assistant stops.'], ['a.pdf b.pdf']]);
    expect(acts(), 'it is the next one already').to.deep.equal([['queueEdit', 'queueRemove'], all]);
    expect(text('.queue [role=status]')).to.equal('2 messages will be sent after this answer.');
    const disabled = [...root.querySelectorAll('.queue li button')].map(
      (each) => each.ariaDisabled,
    );
    expect(disabled).to.deep.equal(disabled.map(() => 'false'));
  });

  it('dispatches the events, with their details, when a message is sent before the others', async () => {
    const fixture = await setupQueue(['Second']);
    const { events, settle, controller } = fixture;
    const settings = { options: { mode: 'deep' }, context: { title: 'Danube', data: {} } };
    await controller.enqueue({ text: 'Third', attachments: [], ...settings });
    await settle();
    const seen = () => events.splice(0).map(({ type, detail }) => [type, detail as unknown]);
    seen();
    const thread = { threadId: 'thread-id-1' };
    const message = { ...thread, text: 'Third', attachments: [], ...settings };
    findAction(fixture, 'queueStopAndSend', 2).click();
    await settle();
    expect(seen().slice(0, 2)).to.deep.equal([
      ['ubik-message-send', message],
      ['ubik-run-stop', { ...thread, runId: 'task-1', resumed: false }],
    ]);
    fixture.write('Fourth');
    await settle();
    findAction(fixture, 'queueNow').click();
    await settle();
    expect(seen().map(([type]) => type)).to.deep.equal(['ubik-message-send', 'ubik-run-stop']);
  });

  it('dispatches no stop for a message that is sent when no run is active', async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    fixture.backend.stream.finish('stopped');
    await fixture.settle();
    fixture.events.length = 0;
    expect(findAction(fixture, 'queueSend', 2).title).to.equal('Send now: Third');
    findAction(fixture, 'queueSend', 2).click();
    await fixture.settle();
    expect(fixture.names()).to.include('ubik-message-send').and.not.to.include('ubik-run-stop');
    expect(sentTexts(fixture)).to.deep.equal(['Question', 'Third']);
    expect(fixture.text('.queue [role=status] p'), 'the other one is still paused').to.equal(
      '1 message hasn’t been sent.',
    );
    expect(fixture.text('.queue [role=status] button')).to.equal('Send after this answer');
    expect(fixture.query('.queue li').dataset['state']).to.equal('paused');
  });

  it('offers no button that needs a stop when the service has none', async () => {
    const fixture = await setupChat();
    fixture.backend.capabilities.delete('stop');
    await fixture.start();
    await write(fixture, 'Second');
    const acts = (): (string | undefined)[] =>
      [...fixture.root.querySelectorAll<HTMLElement>('.queue li button')].map(
        ({ dataset }) => dataset['act'],
      );
    expect(acts()).to.deep.equal(['queueEdit', 'queueRemove']);
    fixture.backend.stream.request('@request:e', 'tool');
    fixture.backend.stream.finish('waiting');
    await fixture.settle();
    expect(acts(), 'a tool waits').to.deep.equal(['queueEdit', 'queueRemove']);
  });

  it('announces to the host page that sending a message stops a run whose tool waits', async () => {
    const fixture = await setupQueue(['Second']);
    const { backend, chat, controller, settle } = fixture;
    backend.stream.request('@request:e', 'tool');
    backend.stream.finish('waiting');
    await settle();
    const cancelled: (string | null)[] = [];
    chat.addEventListener('ubik-run-stop', (event) => {
      cancelled.push(event.detail.runId);
      event.preventDefault();
    });
    findAction(fixture, 'queueStopAndSend').click();
    await settle();
    expect(cancelled).to.deep.equal([controller.thread?.run.id]);
    expect(backend.count('stop')).to.equal(0);
  });

  it('lets the host page cancel an edit, which keeps the form open', async () => {
    const fixture = await setupQueue([]);
    const { chat, query, root, settle, controller } = fixture;
    const message = { text: 'Second', attachments: [], options: { mode: 'deep' }, context: null };
    await controller.enqueue(message);
    await settle();
    const edits: object[] = [];
    let isAllowed = false;
    chat.addEventListener('ubik-queue-edit', (event) => {
      edits.push(event.detail);
      if (!isAllowed) event.preventDefault();
    });
    findAction(fixture, 'queueEdit').click();
    await settle();
    const area = query<HTMLTextAreaElement>('.queue textarea');
    const buttons = [...root.querySelectorAll('.queue form button')].map((each) =>
      each.textContent.trim(),
    );
    expect(buttons).to.deep.equal(['Save', 'Cancel']);
    area.value = 'Better';
    query('.queue form .primary').click();
    await settle();
    expect(edits).to.deep.equal([
      { threadId: 'thread-id-1', ...message, text: 'Better', previous: 'Second' },
    ]);
    expect(area.isConnected).to.equal(true);
    expect(area.value).to.equal('Better');
    isAllowed = true;
    query('.queue form .primary').click();
    await settle();
    expect(queuedTexts(fixture)).to.deep.equal(['Better']);
    expect(root.activeElement).to.equal(findAction(fixture, 'queueEdit'));
    findAction(fixture, 'queueEdit').click();
    await settle();
    query<HTMLTextAreaElement>('.queue textarea').value = 'Worse';
    query('.queue form .quiet').click();
    await settle();
    expect(queuedTexts(fixture)).to.deep.equal(['Better']);
    expect(edits.length).to.equal(2);
  });

  it('stops the propagation of Escape in its edit form, leaves Shift+Enter to the field, and submits no form', async () => {
    const fixture = await setupQueue(['Second']);
    findAction(fixture, 'queueEdit').click();
    await fixture.settle();
    const area = fixture.query<HTMLTextAreaElement>('.queue textarea');
    const passed: string[] = [];
    fixture.chat.addEventListener('keydown', ({ key }) => passed.push(key));
    const submit = new SubmitEvent('submit', { cancelable: true });
    area.form?.dispatchEvent(submit);
    expect(submit.defaultPrevented).to.equal(true);
    await fixture.settle();
    expect(fixture.root.querySelector('.queue form'), 'saved unchanged').to.equal(null);
    findAction(fixture, 'queueEdit').click();
    await fixture.settle();
    const again = fixture.query('.queue textarea');
    expect(pressKey(again, 'Enter', { shiftKey: true }).defaultPrevented).to.equal(false);
    pressKey(again, 'Escape');
    expect(passed).to.deep.equal(['Enter']);
  });

  for (const isComplete of [false, true]) {
    it(`sends a message whose editing ended with the change to another thread (${isComplete ? 'after' : 'before'} the end of the run)`, async () => {
      const fixture = await setupQueue(['Second', 'Third']);
      const { backend, controller, root, settle } = fixture;
      findAction(fixture, 'queueEdit').click();
      await settle();
      if (isComplete) backend.stream.finish('complete');
      await settle();
      expect(sentTexts(fixture), 'while it is edited').to.deep.equal(['Question']);
      controller.switchToNewThread();
      await settle();
      expect(root.querySelector('.queue form')).to.equal(null);
      if (!isComplete) backend.stream.finish('complete');
      await settle();
      expect(sentTexts(fixture)).to.deep.equal(['Question', 'Second']);
      expect(fixture.names()).not.to.include('ubik-error');
    });
  }

  it('shows the unsaved text again when a message is edited after another thread was shown, unless it was cancelled', async () => {
    const fixture = await setupQueue(['Second']);
    const { backend, controller, query, settle } = fixture;
    const area = (): HTMLTextAreaElement => query<HTMLTextAreaElement>('.queue textarea');
    const edit = async (): Promise<void> => {
      findAction(fixture, 'queueEdit').click();
      await settle();
    };
    const { id } = controller.thread ?? {};
    await edit();
    area().value = 'Changed';
    area().dispatchEvent(new InputEvent('input', { bubbles: true }));
    controller.switchToNewThread();
    await settle();
    await controller.openThread(id ?? '');
    await settle();
    await edit();
    expect(area().value).to.equal('Changed');
    pressKey(area(), 'Escape');
    await settle();
    await edit();
    expect(area().value).to.equal('Second');
    area().value = 'Changed here';
    area().dispatchEvent(new InputEvent('input', { bubbles: true }));
    controller.switchToNewThread();
    await settle();
    await controller.openThread(id ?? '');
    const [[key = ''] = []] = controller.thread?.list('queue') ?? [];
    await controller.updateQueued(key, { text: 'Changed elsewhere', attachments: [] });
    await settle();
    await edit();
    expect(area().value, 'after another change').to.equal('Changed elsewhere');
    expect(backend.count('send')).to.equal(1);
  });

  it('closes the form of a message that another element has removed', async () => {
    const fixture = await setupQueue(['Second', 'Third']);
    findAction(fixture, 'queueEdit').click();
    await fixture.settle();
    const [key = ''] = fixture.controller.thread?.list('queue').keys() ?? [];
    await fixture.controller.removeQueued(key);
    await fixture.settle();
    expect(fixture.root.querySelector('.queue form')).to.equal(null);
    expect(queuedTexts(fixture)).to.deep.equal(['Third']);
  });

  it('focuses the field when an edited message is sent, and leaves the focus on the button when removing fails', async () => {
    const fixture = await setupQueue(['Second']);
    findAction(fixture, 'queueEdit').click();
    await fixture.settle();
    fixture.backend.stream.finish('complete');
    await fixture.settle();
    pressKey(fixture.query('.queue textarea'), 'Enter');
    await fixture.settle();
    expect(sentTexts(fixture)).to.deep.equal(['Question', 'Second']);
    expect(fixture.root.activeElement).to.equal(fixture.field);
    await write(fixture, 'Third');
    const { removeQueued } = fixture.controller;
    Object.assign(fixture.controller, {
      removeQueued: () => Promise.reject(new UbikError('server')),
    });
    const button = findAction(fixture, 'queueRemove');
    button.focus();
    button.click();
    await fixture.settle();
    Object.assign(fixture.controller, { removeQueued });
    expect(queuedTexts(fixture)).to.deep.equal(['Third']);
    expect(fixture.root.activeElement).to.equal(button);
  });

  it('opens no form again for a message that was sent meanwhile and has failed', async () => {
    const fixture = await setupQueue(['Second']);
    fixture.backend.stream.finish('stopped');
    await fixture.settle();
    findAction(fixture, 'queueEdit').click();
    await fixture.settle();
    const [key = ''] = fixture.controller.thread?.list('queue').keys() ?? [];
    void fixture.controller.sendQueued(key);
    await fixture.settle();
    expect(fixture.root.querySelector('.queue form')).to.equal(null);
    fixture.backend.stream.fail(new UbikError('invalid'));
    await fixture.settle();
    expect(queuedTexts(fixture)).to.deep.equal(['Second']);
    expect(fixture.root.querySelector('.queue form')).to.equal(null);
  });

  it('is hidden without a controller, and shown again when the controller is connected again', async () => {
    const fixture = await setupQueue(['Second']);
    fixture.chat.controller = null;
    await fixture.settle();
    fixture.chat.requestUpdate();
    await fixture.chat.updateComplete;
    expect(queuedTexts(fixture)).to.deep.equal([]);
    fixture.chat.controller = fixture.controller;
    await fixture.settle();
    expect(queuedTexts(fixture)).to.deep.equal(['Second']);
  });
});

import { expect } from '@open-wc/testing';
import { lazyQueueView } from '../../src/elements/queue/queue-controller.js';
import { labelFor } from '../../src/elements/queue/queue-edit-form.js';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';
import type { QueuedMessage } from '../../src/controller/controller-types.js';
import { setupChat } from './chat-fixture.js';

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

function act({ query }: Fixture, name: string, row = 1): HTMLElement {
  const of =
    name === 'queueAfter' || name === 'queueNow' ? '.draft-actions' : `li:nth-child(${row})`;
  return query(`.queue ${of} [data-act="${name}"]`);
}

async function write(stage: Fixture, text: string): Promise<void> {
  stage.write(text);
  await stage.settle();
  stage.press('Enter');
  await stage.settle();
}

/** An active run with queued messages. */
async function setupQueue(texts: readonly string[], mode = ''): Promise<Fixture> {
  const stage = await setupChat((chat) => {
    chat.setAttribute('while-running', mode);
  });
  await stage.start();
  for (const text of texts) await write(stage, text);
  return stage;
}

describe('message queue during a run', () => {
  before(() => lazyQueueView.load());

  it('names a message by up to 60 characters of its text', () => {
    const locale = { text: (_name: string, { text = '' } = {}) => text };
    const label = (length: number): string =>
      labelFor(locale as never, 'queueEdit', 'x'.repeat(length));
    expect(label(60)).to.equal('x'.repeat(60));
    expect(label(61)).to.equal(`${'x'.repeat(60)}…`);
  });

  it('keeps a message until the answer is complete, and shows it', async () => {
    const stage = await setupQueue(['Second', 'Third']);
    expect(stage.field.value).to.equal('');
    expect(queuedTexts(stage)).to.deep.equal(['Second', 'Third']);
    expect(stage.text('.queue [role=status]')).to.equal(
      '2 messages will be sent after this answer.',
    );
    expect(sentTexts(stage)).to.deep.equal(['Question']);
    stage.backend.stream.finish('complete');
    await stage.settle();
    expect(sentTexts(stage)).to.deep.equal(['Question', 'Second']);
    expect(queuedTexts(stage)).to.deep.equal(['Third']);
  });

  it('dispatches ubik-message-queue before, and keeps the text when the host page cancels', async () => {
    const stage = await setupQueue(['Second']);
    const detail = { threadId: 'thread-id-1', text: 'Second', attachments: [] };
    const events = stage.events.filter(({ type }) => type === 'ubik-message-queue');
    expect(events.map((event) => event.detail as object)).to.deep.equal([detail]);
    stage.chat.addEventListener('ubik-message-queue', (event) => {
      event.preventDefault();
    });
    await write(stage, 'Third');
    expect(stage.field.value).to.equal('Third');
    expect(queuedTexts(stage)).to.deep.equal(['Second']);
  });

  it('dispatches ubik-message-sent when the service has accepted the message', async () => {
    const stage = await setupQueue(['Second']);
    stage.backend.stream.finish('complete');
    await stage.settle();
    stage.backend.stream.begin('task-2');
    await stage.settle();
    const told = stage.events.filter(({ type }) => type === 'ubik-message-sent');
    expect(told.at(-1)?.detail).to.deep.equal({
      threadId: 'thread-id-1',
      text: 'Second',
      attachments: [],
    });
    expect(told.length).to.equal(2);
  });

  it('stops the run and sends when while-running is stop', async () => {
    const stage = await setupQueue(['Second'], 'stop');
    expect(stage.backend.count('stop')).to.equal(1);
    expect(queuedTexts(stage)).to.deep.equal(['Second']);
    expect(stage.names()).to.include('ubik-run-stop');
    stage.backend.stream.finish('stopped');
    await stage.settle();
    expect(sentTexts(stage)).to.deep.equal(['Question', 'Second']);
  });

  it('neither stops nor sends when the host page cancels the stop, and keeps the text', async () => {
    const stage = await setupQueue([], 'stop');
    stage.chat.addEventListener('ubik-run-stop', (event) => {
      event.preventDefault();
    });
    await write(stage, 'Second');
    expect(stage.field.value).to.equal('Second');
    expect(stage.backend.count('stop')).to.equal(0);
  });

  it('keeps the text in the field when while-running is draft', async () => {
    const stage = await setupQueue(['Second'], 'draft');
    expect(stage.field.value).to.equal('Second');
    expect(queuedTexts(stage)).to.deep.equal([]);
    expect(stage.text('.below > .meta')).to.equal('Saved as a draft');
    stage.backend.stream.finish('complete');
    await stage.settle();
    expect(sentTexts(stage)).to.deep.equal(['Question']);
  });

  for (const [mode, words] of [
    ['', 'Enter to send after this answer'],
    ['stop', 'Enter to stop and send now'],
    ['nonsense', 'Enter to send after this answer'],
  ] as const) {
    it(`shows what Enter does (${mode || 'default'}), and offers the other actions`, async () => {
      const stage = await setupQueue([], mode);
      expect(stage.text('.below > .meta')).to.equal(words);
      expect(stage.root.querySelector('.queue .draft-actions')).to.equal(null);
      stage.write('Second');
      await stage.settle();
      expect(stage.text('.queue .draft-actions')).to.equal(
        'Send after this answer Stop and send now',
      );
      act(stage, 'queueNow').click();
      await stage.settle();
      expect(stage.backend.count('stop')).to.equal(1);
      stage.write('Third');
      await stage.settle();
      act(stage, 'queueAfter').click();
      await stage.settle();
      expect(queuedTexts(stage)[0]).to.equal('Second');
      expect(stage.field.value).to.equal('');
      expect(stage.root.activeElement).to.equal(stage.field);
    });
  }

  it('offers no stop when the service has none', async () => {
    const stage = await setupChat((chat) => {
      chat.whileRunning = 'stop';
    });
    stage.backend.capabilities.delete('stop' as never);
    await stage.start();
    stage.write('Second');
    await stage.settle();
    expect(stage.text('.queue .draft-actions')).to.equal('Send after this answer');
    stage.press('Enter');
    await stage.settle();
    expect(queuedTexts(stage)).to.deep.equal(['Second']);
  });

  it('queues once on a double Enter and on a double click', async () => {
    const stage = await setupQueue([]);
    stage.write('once');
    stage.press('Enter');
    stage.press('Enter');
    await stage.settle();
    expect(queuedTexts(stage)).to.deep.equal(['once']);
    stage.write('twice');
    await stage.settle();
    const button = act(stage, 'queueAfter');
    button.click();
    button.click();
    await stage.settle();
    expect(queuedTexts(stage)).to.deep.equal(['once', 'twice']);
    const resume = act(stage, 'queueStopAndSend');
    resume.click();
    resume.click();
    await stage.settle();
    stage.backend.stream.finish('stopped');
    await stage.settle();
    expect(stage.backend.count('stop')).to.equal(1);
    expect(sentTexts(stage)).to.deep.equal(['Question', 'once']);
  });

  it('does not queue an answer to a request that is being sent', async () => {
    const stage = await setupQueue([]);
    stage.backend.stream.request('@request:c');
    stage.backend.stream.finish('waiting');
    await stage.settle();
    stage.write('2025');
    stage.press('Enter');
    stage.press('Enter');
    await stage.settle();
    expect(queuedTexts(stage)).to.deep.equal([]);
    expect(stage.backend.count('provideInput')).to.equal(1);
  });

  it('lets a message be edited in place with the keyboard', async () => {
    const stage = await setupQueue(['Second', 'Third']);
    const edit = act(stage, 'queueEdit');
    expect(edit.title).to.equal('Edit: Second');
    edit.focus();
    edit.click();
    await stage.settle();
    const field = stage.query<HTMLTextAreaElement>('.queue textarea');
    expect(stage.root.activeElement).to.equal(field);
    // A message is not sent while it is edited.
    stage.backend.stream.finish('complete');
    await stage.settle();
    expect(sentTexts(stage)).to.deep.equal(['Question']);
    expect(stage.root.activeElement).to.equal(field);
    field.value = 'Better';
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', cancelable: true }));
    await stage.settle();
    expect(sentTexts(stage)).to.deep.equal(['Question', 'Better']);
    expect(queuedTexts(stage)).to.deep.equal(['Third']);
  });

  it('restores the message when editing is cancelled', async () => {
    const stage = await setupQueue(['Second', 'Third']);
    act(stage, 'queueEdit', 2).click();
    await stage.settle();
    const field = stage.query<HTMLTextAreaElement>('.queue textarea');
    field.value = 'Worse';
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    await stage.settle();
    expect(queuedTexts(stage)).to.deep.equal(['Second', 'Third']);
    expect(stage.root.activeElement).to.equal(act(stage, 'queueEdit', 2));
    expect(stage.text('.queue [role=status]')).to.equal(
      '2 messages will be sent after this answer.',
    );
  });

  it('does not send a paused message that was edited or whose editing was cancelled', async () => {
    const stage = await setupQueue(['Second']);
    stage.backend.stream.finish('stopped');
    await stage.settle();
    for (const key of ['Escape', 'Enter']) {
      act(stage, 'queueEdit').click();
      await stage.settle();
      const field = stage.query<HTMLTextAreaElement>('.queue textarea');
      field.value = 'Better';
      field.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }));
      await stage.settle();
      expect(queuedTexts(stage)).to.deep.equal([key === 'Enter' ? 'Better' : 'Second']);
      expect(sentTexts(stage)).to.deep.equal(['Question']);
    }
  });

  it('removes a message, and focuses the next one', async () => {
    const stage = await setupQueue(['Second', 'Third']);
    act(stage, 'queueRemove').focus();
    act(stage, 'queueRemove').click();
    await stage.settle();
    expect(queuedTexts(stage)).to.deep.equal(['Third']);
    expect(stage.root.activeElement).to.equal(act(stage, 'queueRemove'));
    act(stage, 'queueRemove').click();
    await stage.settle();
    expect(stage.root.querySelector('.queue li')).to.equal(null);
    expect(stage.root.activeElement).to.equal(stage.field);
  });

  it('sends a message before the others on request', async () => {
    const stage = await setupQueue(['Second', 'Third']);
    act(stage, 'queueStopAndSend', 2).click();
    await stage.settle();
    expect(stage.names()).to.include('ubik-run-stop');
    expect(queuedTexts(stage)).to.deep.equal(['Third', 'Second']);
    stage.backend.stream.finish('stopped');
    await stage.settle();
    expect(sentTexts(stage)).to.deep.equal(['Question', 'Third']);
  });

  it('pauses the rest after a stop, and sends it on request', async () => {
    const stage = await setupQueue(['Second', 'Third']);
    stage.backend.stream.finish('stopped');
    await stage.settle();
    expect(stage.text('.queue [role=status] p')).to.equal('2 messages haven’t been sent.');
    let asked = 0;
    const refuse = (event: Event): void => {
      asked += 1;
      event.preventDefault();
    };
    stage.chat.addEventListener('ubik-message-send', refuse);
    stage.query('.queue [role=status] button').click();
    await stage.settle();
    expect(asked).to.equal(1);
    expect(sentTexts(stage)).to.deep.equal(['Question']);
    stage.chat.removeEventListener('ubik-message-send', refuse);
    stage.query('.queue [role=status] button').click();
    await stage.settle();
    expect(sentTexts(stage)).to.deep.equal(['Question', 'Second']);
    expect(stage.root.activeElement).to.equal(stage.field);
  });

  it('does not send a message as the answer to a request', async () => {
    const stage = await setupQueue(['Second']);
    stage.backend.stream.request('@request:c');
    stage.backend.stream.finish('waiting');
    await stage.settle();
    const button = act(stage, 'queueBlocked');
    expect(button.getAttribute('aria-disabled')).to.equal('true');
    expect(button.title).to.contain('Answer the question first.');
    button.click();
    await stage.settle();
    expect(sentTexts(stage)).to.deep.equal(['Question']);
    expect(queuedTexts(stage)).to.deep.equal(['Second']);
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
      const stage = await setupQueue(['Second']);
      stage.backend.stream.finish('complete');
      await stage.settle();
      stage.backend.stream.fail(new UbikError(code, 'no'));
      await stage.settle();
      expect(queuedTexts(stage)).to.deep.equal(['Second']);
      expect(stage.text('.queue .error-text')).to.match(/^Not sent\. .{10}/u);
      expect(stage.text('.queue .error-text')).to.contain(words);
      expect(stage.names().filter((name) => name === 'ubik-error').length).to.equal(1);
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
      const stage = await setupQueue(['Second']);
      stage.backend.stream.finish('complete');
      await stage.settle();
      stage.backend.stream.fail(new UbikError('server', { serviceError }));
      await stage.environment.advance(2000);
      expect(stage.backend.stream.method).to.equal('rejoin');
      stage.backend.stream.fail(new UbikError('not-found'));
      await stage.settle();
      expect(stage.text('.queue li .error-text')).to.equal(`Not sent. ${words}`);
    });
  }

  it('shows at the next message that the answer before it has failed', async () => {
    const stage = await setupQueue(['Second', 'Third']);
    stage.backend.stream.finish('failed');
    await stage.settle();
    const errors = [...stage.root.querySelectorAll('.queue .error-text')];
    expect(errors.map((node) => node.textContent.replaceAll(/\s+/g, ' ').trim())).to.deep.equal([
      'Not sent. The assistant ended with an error.',
    ]);
    expect(stage.query('.queue li').contains(errors[0] ?? null)).to.equal(true);
  });

  for (const code of ['forbidden', 'server', 'network', 'malformed-event'] as const) {
    it(`keeps the text when the run cannot be stopped: ${code}`, async () => {
      const stage = await setupQueue([], 'stop');
      stage.backend.responses.set('stop', () => {
        throw new UbikError(code, 'no');
      });
      await write(stage, 'Second');
      expect(queuedTexts(stage)).to.deep.equal(['Second']);
      expect(stage.query('.below [role=alert]')).to.be.instanceOf(HTMLElement);
      expect(stage.names()).to.include('ubik-error');
      stage.backend.stream.finish('complete');
      await stage.settle();
      expect(sentTexts(stage)).to.deep.equal(['Question', 'Second']);
    });
  }

  it('reports another run only until that run ends', async () => {
    const stage = await setupChat();
    await write(stage, 'First');
    stage.backend.stream.fail(new UbikError('busy', 'no'));
    await stage.settle();
    expect(stage.field.value).to.equal('First');
    expect(stage.text('.below [role=alert]')).to.match(/^Not sent\. /u);
    const { controller } = stage;
    void controller.send({ text: 'Second', attachments: [] });
    await stage.settle();
    stage.backend.stream.begin();
    await stage.settle();
    expect(stage.root.querySelector('.below [role=alert]')).not.to.equal(null);
    stage.backend.stream.finish('complete');
    await stage.settle();
    expect(stage.root.querySelector('.below [role=alert]')).to.equal(null);
  });

  it('reports that a message waits for the network, and sends it on request', async () => {
    const stage = await setupQueue(['Second']);
    stage.page.online = false;
    stage.backend.stream.finish('complete');
    await stage.settle();
    expect(stage.text('.queue .error-text')).to.contain('Not sent.');
    stage.page.online = true;
    stage.page.wake('online');
    await stage.settle();
    expect(sentTexts(stage)).to.deep.equal(['Question']);
    act(stage, 'queueSend').click();
    await stage.settle();
    expect(sentTexts(stage)).to.deep.equal(['Question', 'Second']);
  });

  it('shows any text as plain text', async () => {
    const text = '<img src=x onerror=alert(1)> \u202e gnp';
    const stage = await setupQueue([text]);
    expect(queuedTexts(stage)).to.deep.equal([text]);
    expect(stage.root.querySelector('.queue img')).to.equal(null);
  });

  it('is the same in all elements of a controller', async () => {
    const stage = await setupQueue(['Second']);
    const composer = document.createElement('ubik-composer');
    composer.controller = stage.controller;
    stage.box.append(composer);
    await composer.updateComplete;
    await stage.settle();
    const list = stage.controller.thread?.list('queue').values() ?? [];
    const [only] = [...list] as unknown as QueuedMessage[];
    expect(only?.text).to.equal('Second');
    expect(composer.shadowRoot?.querySelector('.queued')?.textContent).to.equal('Second');
  });
});

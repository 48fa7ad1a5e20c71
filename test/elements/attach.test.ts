import { expect } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import { documentActions } from '../../src/controller/lazy-actions.js';
import { lazyDocuments } from '../../src/elements/documents/attachment-controller.js';
import { UbikError } from '../../src/errors.js';
import { contentOf, documentOf, stored } from '../controller/scripted-backend.js';
import { Deferred } from '../helpers/deferred.js';
import { waitFor } from '../helpers/wait-for.js';
import { setupChat, setupController } from './chat-fixture.js';

const file = (name: string): File => new File(['text'], name, { lastModified: 1 });

/** A chat whose service accepts uploads; the test ends each upload. */
async function setupAttaching() {
  await lazyDocuments.load();
  const chat = await setupChat();
  await chat.controller.loadUploads();
  chat.backend.capabilities.add('upload');
  chat.chat.requestUpdate();
  await chat.settle();
  const uploads: { arrive: () => void; fail: (error: UbikError) => void }[] = [];
  chat.backend.responses.set('uploadDocument', (_thread, sent) => {
    const { name } = sent as File;
    return new Promise((resolve, reject) => {
      uploads.push({
        arrive: () => {
          resolve(documentOf(`id of ${name}`, { name, status: 'pending' }));
        },
        fail: reject,
      });
    });
  });
  /** Drops data on the messages, or pastes it into the field. Returns whether the chat has handled it. */
  const transfer = async (type: 'drop' | 'paste', data: DataTransfer): Promise<boolean> => {
    const init = { bubbles: true, cancelable: true, composed: true };
    const event =
      type === 'drop'
        ? new DragEvent(type, { ...init, dataTransfer: data })
        : new ClipboardEvent(type, { ...init, clipboardData: data });
    chat.query(type === 'drop' ? '.scroller' : 'textarea').dispatchEvent(event);
    await chat.settle();
    return event.defaultPrevented;
  };
  const dataOf = (...files: readonly File[]): DataTransfer => {
    const data = new DataTransfer();
    for (const one of files) data.items.add(one);
    return data;
  };
  const chips = (): string[] =>
    [...chat.root.querySelectorAll('.attached bdi')].map((chip) => chip.textContent);
  return { ...chat, uploads, transfer, dataOf, chips };
}

describe('attachments of the composer', () => {
  it('have no button when the service accepts no uploads', async () => {
    const { root } = await setupChat();
    expect(root.querySelector('.attach') === null).to.equal(true);
  });

  it('scroll in a low window, with room for focus rings, and leave room for messages and field', async () => {
    try {
      await setViewport({ width: 320, height: 256 });
      const { chat, controller, query, root, settle } = await setupAttaching();
      const attachments = Array.from({ length: 12 }, (_, at) => ({
        id: `${at}`,
        name: `A file with a long name, number ${at}.pdf`,
      }));
      controller.setDraft({ text: '', attachments });
      await settle();
      const { clientHeight, scrollHeight } = query('.attached ul');
      expect(scrollHeight).to.be.above(clientHeight);
      const [list, send, frame] = [query('.attached ul'), query('.send'), chat].map((node) =>
        node.getBoundingClientRect(),
      );
      expect(query('.scroller').clientHeight).to.be.above(40);
      expect(send?.bottom).to.be.at.most(frame?.bottom ?? 0);
      const last = [...root.querySelectorAll('.attached .dismiss')].at(-1);
      last?.scrollIntoView({ block: 'end' });
      const right = last?.getBoundingClientRect().right ?? Infinity;
      expect((list?.right ?? 0) - right).to.be.at.least(4);
    } finally {
      await setViewport({ width: 800, height: 600 });
    }
  });

  it('are uploaded when files are dropped on the messages, and sent with the next message', async () => {
    const { transfer, dataOf, chips, uploads, write, press, settle, backend, query, text, root } =
      await setupAttaching();
    expect(await transfer('drop', dataOf(file('a.txt')))).to.equal(true);
    expect(chips()).to.deep.equal(['a.txt']);
    write('Read this');
    await settle();
    const pending = 'You can send when the files are uploaded.';
    expect(text('.below')).to.equal(pending);
    expect(root.querySelector('.below [role=alert]')).to.equal(null);
    press('Enter');
    await settle();
    expect(backend.count('send')).to.equal(0);
    expect(query('.send').ariaDisabled).to.equal('true');
    expect([text('.below'), text('.below [role=alert]')]).to.deep.equal([pending, pending]);
    uploads[0]?.arrive();
    await settle();
    expect(root.querySelector('.below [role=alert]')).to.equal(null);
    press('Enter');
    await settle();
    expect(backend.stream.args[1]).to.deep.equal({
      text: 'Read this',
      attachments: [{ id: 'id of a.txt', name: 'a.txt' }],
    });
    expect(chips()).to.deep.equal([]);
  });

  it('are uploaded to one new conversation when they are the first files of a page', async () => {
    const { backend, controller, dataOf, names, settle, transfer, uploads } =
      await setupAttaching();
    // As before the first upload of a page: the code that uploads is not loaded.
    documentActions.value = undefined;
    await transfer('drop', dataOf(file('a.txt'), file('b.txt')));
    await waitFor(() => uploads.length === 2);
    for (const upload of uploads) upload.arrive();
    await settle();
    expect(controller.getDraft().attachments.map(({ name }) => name)).to.deep.equal([
      'a.txt',
      'b.txt',
    ]);
    expect(names().filter((name) => name === 'ubik-thread-create').length).to.equal(1);
    expect(backend.count('createThread')).to.equal(1);
  });

  it('prevent that a message is sent without them before their upload begins', async () => {
    const fixture = await setupAttaching();
    const { backend, controller, dataOf, press, query, settle, text, transfer, write } = fixture;
    const queue = await controller.loadUploads();
    const { loadLimits } = queue;
    let release: () => void = () => undefined;
    queue.loadLimits = async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return loadLimits.call(queue);
    };
    await transfer('drop', dataOf(file('a.txt')));
    write('Read this');
    press('Enter');
    await settle();
    expect(backend.count('send')).to.equal(0);
    expect(query('.send').ariaDisabled).to.equal('true');
    expect(text('.below [role=alert]')).to.equal('You can send when the files are uploaded.');
    release();
    await settle();
    fixture.uploads[0]?.arrive();
    await settle();
    press('Enter');
    await settle();
    expect(backend.stream.args[1]).to.deep.include({
      attachments: [{ id: 'id of a.txt', name: 'a.txt' }],
    });
  });

  it('do not delay a message in another conversation before their upload begins', async () => {
    const { backend, controller, dataOf, settle, start, transfer, write, press } =
      await setupAttaching();
    await start();
    backend.stream.finish('complete');
    await settle();
    const queue = await controller.loadUploads();
    queue.loadLimits = () => new Promise(() => undefined);
    await transfer('drop', dataOf(file('a.txt')));
    controller.switchToNewThread();
    write('Another question');
    press('Enter');
    await settle();
    expect(backend.count('send')).to.equal(2);
  });

  it('are uploaded to the thread in which they were dropped, although another one is shown meanwhile', async () => {
    const fixture = await setupAttaching();
    const { backend, chat, chips, controller, dataOf, settle, start, transfer, uploads } = fixture;
    await start();
    backend.stream.finish('complete');
    await settle();
    const first = controller.thread;
    const queue = await controller.loadUploads();
    let release: (limits: object) => void = () => undefined;
    queue.loadLimits = () => new Promise((resolve) => (release = resolve));
    const threads: unknown[] = [];
    for (const name of ['ubik-document-add', 'ubik-document-added'] as const)
      chat.addEventListener(name, ({ detail }) => threads.push(detail.threadId));
    await transfer('drop', dataOf(file('a.txt')));
    controller.switchToNewThread();
    release({});
    await settle();
    expect(chips()).to.deep.equal([]);
    uploads[0]?.arrive();
    await settle();
    const [upload] = backend.calls.filter(({ method }) => method === 'uploadDocument');
    expect(upload?.args[0]).to.equal(first?.id);
    expect(threads).to.deep.equal([first?.id, first?.id]);
    expect(controller.getDraft().attachments).to.deep.equal([]);
    expect(controller.getDraft(first?.key).attachments).to.have.length(1);
  });

  it('stay in a new conversation, to be retried there, when another one is opened before their upload begins', async () => {
    const fixture = await setupAttaching();
    const { backend, chat, chips, controller, dataOf, query, settle, transfer, uploads } = fixture;
    backend.threads.set('t', contentOf('t', [stored('q', 'user', 'Question')]));
    const queue = await controller.loadUploads();
    let release: (limits: object) => void = () => undefined;
    queue.loadLimits = () => new Promise((resolve) => (release = resolve));
    const failures: unknown[] = [];
    chat.addEventListener('ubik-document-failed', ({ detail: { threadId, code, name } }) =>
      failures.push([threadId, code, name]),
    );
    chat.addEventListener('ubik-document-add', (event) => {
      if (event.detail.name === 'c.txt') event.preventDefault();
    });
    await transfer('drop', dataOf(file('a.txt'), file('b.txt'), file('c.txt')));
    await controller.openThread('t');
    release({});
    await settle();
    expect(uploads).to.have.length(0);
    expect(chips()).to.deep.equal([]);
    expect(failures).to.deep.equal([
      [null, 'upload-failed', 'a.txt'],
      [null, 'upload-failed', 'b.txt'],
    ]);
    controller.switchToNewThread();
    await settle();
    expect(chips()).to.deep.equal(['a.txt', 'b.txt']);
    query('.attached button:is([aria-label="Retry a.txt"], [title="Retry a.txt"])').click();
    await settle();
    uploads[0]?.arrive();
    await settle();
    const [upload] = backend.calls.filter(({ method }) => method === 'uploadDocument');
    expect(upload?.args[0]).to.equal(controller.thread?.id);
    expect(upload?.args[0]).not.to.equal('t');
    expect(controller.getDraft().attachments.map(({ name }) => name)).to.deep.equal(['a.txt']);
  });

  it('stay in a new conversation that could not be created before their upload begins', async () => {
    const fixture = await setupAttaching();
    const { backend, chips, controller, dataOf, names, query, settle, transfer, uploads } = fixture;
    const queue = await controller.loadUploads();
    let release: (limits: object) => void = () => undefined;
    queue.loadLimits = () => new Promise((resolve) => (release = resolve));
    const creation = new Deferred<never>();
    backend.responses.set('createThread', () => creation.promise);
    const sent = controller
      .send({ text: 'Of the page', attachments: [] })
      .catch(({ code }: UbikError) => code);
    await transfer('drop', dataOf(file('a.txt')));
    creation.reject(new UbikError('server'));
    expect(await sent).to.equal('server');
    release({});
    await settle();
    expect(uploads).to.have.length(0);
    expect(chips()).to.deep.equal(['a.txt']);
    backend.responses.delete('createThread');
    query('.attached button:is([aria-label="Retry a.txt"], [title="Retry a.txt"])').click();
    await settle();
    uploads[0]?.arrive();
    await settle();
    expect(names().filter((name) => name === 'ubik-thread-create')).to.have.length(1);
    expect(controller.getDraft().attachments.map(({ name }) => name)).to.deep.equal(['a.txt']);
  });

  it('of a new conversation are uploaded to the thread that its first message creates meanwhile', async () => {
    const fixture = await setupAttaching();
    const { backend, controller, dataOf, settle, transfer, uploads } = fixture;
    const queue = await controller.loadUploads();
    let release: (limits: object) => void = () => undefined;
    queue.loadLimits = () => new Promise((resolve) => (release = resolve));
    await transfer('drop', dataOf(file('a.txt')));
    void controller.send({ text: 'Of the page', attachments: [] });
    await settle();
    const id = controller.thread?.id;
    expect(id).to.be.a('string');
    release({});
    await settle();
    expect(uploads).to.have.length(1);
    const [upload] = backend.calls.filter(({ method }) => method === 'uploadDocument');
    expect(upload?.args[0]).to.equal(id);
  });

  it('prevent that a text is queued without them while they are uploaded', async () => {
    const fixture = await setupAttaching();
    const { controller, dataOf, query, settle, start, text, transfer, write } = fixture;
    await start();
    await transfer('drop', dataOf(file('a.txt')));
    write('Read this');
    await settle();
    await waitFor(() => fixture.root.querySelector('[data-act=queueAfter]') !== null);
    query('[data-act=queueAfter]').click();
    await settle();
    expect(controller.thread?.list('queue').size).to.equal(0);
    expect(text('.below [role=alert]')).to.equal('You can send when the files are uploaded.');
  });

  it('are created from a pasted file, but not from pasted text', async () => {
    const { transfer, dataOf, chips } = await setupAttaching();
    expect(await transfer('paste', dataOf(file('a.png')))).to.equal(true);
    const both = dataOf(file('picture-of-the-text.png'));
    both.setData('text/plain', 'text');
    expect(await transfer('paste', both)).to.equal(false);
    both.setData('text/plain', 'text with picture-of-the-text.png');
    expect(await transfer('paste', both), 'that ends in the name of a file').to.equal(false);
    const text = new DataTransfer();
    text.setData('text/plain', 'text');
    expect(await transfer('paste', text)).to.equal(false);
    expect(chips()).to.deep.equal(['a.png']);
  });

  it('are created from a pasted file that the system has copied together with its name', async () => {
    const { transfer, dataOf, chips } = await setupAttaching();
    const copied = dataOf(file('a.pdf'), file('Menu\u0308.pdf'));
    copied.setData('text/plain', 'a.pdf\n/folder/Men\u00fc.pdf');
    expect(await transfer('paste', copied)).to.equal(true);
    expect(chips()).to.have.length(2);
  });

  it('whose upload has failed leave the text in the field, which can be sent without them', async () => {
    const { transfer, dataOf, uploads, write, press, settle, backend, root, field } =
      await setupAttaching();
    write('Read this');
    await transfer('drop', dataOf(file('a.txt')));
    uploads[0]?.fail(new UbikError('network'));
    await settle();
    expect(root.querySelector('.attached .error-text')?.textContent).to.contain(
      'could not be uploaded',
    );
    expect(field.value).to.equal('Read this');
    press('Enter');
    await settle();
    expect(backend.stream.args[1]).to.deep.equal({ text: 'Read this', attachments: [] });
  });

  it('can be cancelled during their upload, and retried when it has failed', async () => {
    const { transfer, dataOf, uploads, settle, chips, query, controller, box, root, field } =
      await setupAttaching();
    const events: string[] = [];
    for (const name of ['added', 'cancelled', 'failed']) {
      box.addEventListener(`ubik-document-${name}`, () => events.push(name));
    }
    const press = async (name: string): Promise<void> => {
      query(`.attached button:is([aria-label="${name}"], [title="${name}"])`).click();
      await settle();
    };
    await transfer('drop', dataOf(file('a.txt'), file('b.txt')));
    await press('Cancel upload of a.txt');
    expect(chips()).to.deep.equal(['b.txt']);
    expect(root.activeElement).to.equal(field);
    uploads[1]?.fail(new UbikError('network'));
    await settle();
    await press('Retry b.txt');
    expect(query('.attached progress').checkVisibility()).to.equal(true);
    uploads[2]?.arrive();
    await settle();
    expect(controller.getDraft().attachments).to.deep.equal([{ id: 'id of b.txt', name: 'b.txt' }]);
    expect(events).to.deep.equal(['cancelled', 'failed', 'added']);
  });

  it('are removed by their button, after which the field has the focus', async () => {
    const { transfer, dataOf, uploads, settle, controller, query, chips, root, field } =
      await setupAttaching();
    await transfer('drop', dataOf(file('a.txt')));
    uploads[0]?.arrive();
    await settle();
    query('.attached .dismiss').click();
    await settle();
    expect(chips()).to.deep.equal([]);
    expect(controller.getDraft().attachments).to.deep.equal([]);
    expect(root.activeElement === field).to.equal(true);
  });

  it('are attached again without another upload when the same file is added again', async () => {
    const { transfer, dataOf, uploads, settle, query, chips, controller } = await setupAttaching();
    await transfer('drop', dataOf(file('a.txt')));
    uploads[0]?.arrive();
    await settle();
    query('.attached .dismiss').click();
    await settle();
    await transfer('drop', dataOf(file('a.txt')));
    expect(chips()).to.deep.equal(['a.txt']);
    expect(controller.getDraft().attachments).to.deep.equal([{ id: 'id of a.txt', name: 'a.txt' }]);
    expect(uploads.length).to.equal(1);
    await transfer('drop', dataOf(file('a.txt')));
    expect(query('.attached .error-text').textContent.trim()).to.equal(
      'This file has already been added.',
    );
  });

  it('stay while the text changes and when the service rejects the message', async () => {
    const { transfer, dataOf, uploads, settle, controller, write, press, backend, chips } =
      await setupAttaching();
    await transfer('drop', dataOf(file('a.txt')));
    uploads[0]?.arrive();
    await settle();
    write('Read');
    write('Read this');
    expect(controller.getDraft().attachments.length).to.equal(1);
    press('Enter');
    await settle();
    backend.stream.fail(new UbikError('invalid'));
    await settle();
    expect(controller.getDraft()).to.deep.equal({
      text: 'Read this',
      attachments: [{ id: 'id of a.txt', name: 'a.txt' }],
    });
    expect(chips()).to.deep.equal(['a.txt']);
  });

  it('are not sent with another text than that of the field, such as a suggested question', async () => {
    const { transfer, dataOf, uploads, settle, chat, backend } = await setupAttaching();
    await transfer('drop', dataOf(file('a.txt')));
    uploads[0]?.arrive();
    await settle();
    void chat.send('Which rivers?');
    await settle();
    expect(backend.stream.args[1]).to.deep.equal({ text: 'Which rivers?', attachments: [] });
  });

  it('are chosen with the Attach button, among the file types that are accepted', async () => {
    const { chat, query, settle, dataOf, chips } = await setupAttaching();
    expect(query('.attach').title).to.equal('Attach files');
    const input = query<HTMLInputElement>('.field input[type=file]');
    expect([input.multiple, input.hidden, input.accept]).to.deep.equal([true, true, '']);
    chat.uploadLimits = { types: ['.txt', '.pdf'] };
    await settle();
    expect(input.accept).to.equal('.txt,.pdf');
    let clicks = 0;
    input.addEventListener('click', (event) => {
      event.preventDefault();
      clicks += 1;
    });
    query('.attach').click();
    expect(clicks).to.equal(1);
    input.files = dataOf(file('one.txt'), file('two.txt')).files;
    input.dispatchEvent(new Event('change'));
    await settle();
    expect(chips()).to.deep.equal(['one.txt', 'two.txt']);
    expect(input.value, 'the same file can be chosen again').to.equal('');
  });

  it('have a hint where to drop files while they are dragged over the chat', async () => {
    const { chat, query, root, settle, dataOf, backend } = await setupAttaching();
    const drag = async (type: string): Promise<boolean> => {
      const init = { bubbles: true, cancelable: true, composed: true };
      const event = new DragEvent(type, { ...init, dataTransfer: dataOf(file('a.txt')) });
      query('.scroller').dispatchEvent(event);
      await settle();
      return event.defaultPrevented;
    };
    expect(root.querySelector('.drop-hint')?.checkVisibility()).not.to.equal(true);
    expect(await drag('dragover')).to.equal(true);
    expect(query('.drop-hint').textContent).to.equal('Drop files here');
    expect(query('.drop-hint').checkVisibility()).to.equal(true);
    expect(root.querySelectorAll('.drop-hint').length).to.equal(1);
    await drag('dragleave');
    expect(query('.drop-hint').checkVisibility()).to.equal(false);
    backend.capabilities.delete('upload');
    chat.requestUpdate();
    await settle();
    expect(await drag('dragover')).to.equal(false);
    expect(root.querySelector('.attach')).to.equal(null);
  });

  it('have no such hint over <ubik-documents>, which takes the files that are dropped there', async () => {
    const { chat, chips, query, root, settle, dataOf } = await setupAttaching();
    const documents = document.createElement('ubik-documents');
    documents.slot = 'end';
    chat.append(documents);
    await settle();
    const drag = (type: string, target?: Element | null): boolean => {
      const init = { bubbles: true, cancelable: true, composed: true };
      const dataTransfer = dataOf(file('a.txt'));
      target?.dispatchEvent(new DragEvent(type, { ...init, dataTransfer }));
      return chat.hasAttribute('data-dropping');
    };
    const panel = documents.shadowRoot?.querySelector('.documents');
    expect(drag('dragover', query('.scroller'))).to.equal(true);
    expect(drag('dragover', panel)).to.equal(false);
    expect(drag('dragover', query('.scroller'))).to.equal(true);
    expect(drag('drop', panel)).to.equal(false);
    await settle();
    expect(chips()).to.deep.equal([]);
    expect(documents.shadowRoot?.querySelectorAll('.file').length).to.equal(1);
    expect(root.querySelector('.attached ul')).to.equal(null);
  });

  it('have no hint where to drop files when the service accepts no uploads', async () => {
    const { query, root, settle, dataOf, backend, chat } = await setupAttaching();
    backend.capabilities.delete('upload');
    chat.requestUpdate();
    await settle();
    const init = { bubbles: true, cancelable: true, composed: true };
    const event = new DragEvent('dragover', { ...init, dataTransfer: dataOf(file('a.txt')) });
    query('.scroller').dispatchEvent(event);
    await settle();
    expect(event.defaultPrevented).to.equal(false);
    expect(root.querySelector('.drop-hint')?.checkVisibility()).not.to.equal(true);
  });

  it('are added to the thread that is being loaded', async () => {
    const { backend, chat, chips, controller, settle, transfer, dataOf, uploads } =
      await setupAttaching();
    const loading = new Deferred<ReturnType<typeof contentOf>>();
    backend.responses.set('loadThread', () => loading.promise);
    const opened = chat.openThread('t');
    await settle();
    await transfer('drop', dataOf(file('a.txt')));
    expect([uploads.length, backend.count('createThread')]).to.deep.equal([0, 0]);
    loading.resolve(contentOf('t', [stored('m1', 'user', 'Hello')]));
    await opened;
    await settle();
    await settle();
    expect(controller.thread?.id).to.equal('t');
    expect(uploads.length).to.equal(1);
    uploads[0]?.arrive();
    await settle();
    expect(chips()).to.deep.equal(['a.txt']);
  });

  it('are added to their thread when it is opened again while it is loading', async () => {
    const { backend, chat, controller, settle, root, transfer, dataOf, uploads } =
      await setupAttaching();
    const requests = [0, 1].map(() => new Deferred<ReturnType<typeof contentOf>>());
    let count = 0;
    backend.responses.set('loadThread', () => requests[(count += 1) - 1]?.promise);
    const openings = [chat.openThread('t')];
    await settle();
    await transfer('drop', dataOf(file('a.txt')));
    openings.push(chat.openThread('t'));
    await settle();
    for (const request of requests)
      request.resolve(contentOf('t', [stored('m1', 'user', 'Hello')]));
    await Promise.all(openings);
    await settle();
    await settle();
    expect(controller.thread?.id).to.equal('t');
    expect([uploads.length, root.querySelectorAll('.attached li').length]).to.deep.equal([1, 1]);
  });

  it('that are chosen for a new conversation are added to no thread that is opened while the code for them is loading', async () => {
    const { backend, chat, controller, settle, root, transfer, dataOf, uploads } =
      await setupAttaching();
    const { load } = lazyDocuments;
    const code = new Deferred<undefined>();
    const content = new Deferred<ReturnType<typeof contentOf>>();
    lazyDocuments.load = () => code.promise.then(() => load.call(lazyDocuments));
    try {
      backend.responses.set('loadThread', () => content.promise);
      await transfer('drop', dataOf(file('a.txt')));
      const opened = chat.openThread('o');
      await settle();
      code.resolve(undefined);
      await settle();
      content.resolve(contentOf('o', [stored('m1', 'user', 'Hello')]));
      await opened;
      await settle();
      await settle();
      const shown = (): number => root.querySelectorAll('.attached li').length;
      expect(controller.thread?.id).to.equal('o');
      expect([uploads.length, shown()]).to.deep.equal([0, 0]);
      controller.switchToNewThread();
      await settle();
      expect(shown(), 'kept for a new conversation').to.equal(1);
    } finally {
      lazyDocuments.load = load;
    }
  });

  it('are added to no other thread that is opened while theirs is loading', async () => {
    const { backend, chat, controller, settle, root, transfer, dataOf, uploads } =
      await setupAttaching();
    const content = (id: string) => contentOf(id, [stored('m1', 'user', 'Hello')]);
    const loading = new Deferred<ReturnType<typeof contentOf>>();
    backend.responses.set('loadThread', (id) =>
      id === 't' ? loading.promise : content(String(id)),
    );
    const opened = chat.openThread('t');
    await settle();
    await transfer('drop', dataOf(file('a.txt')));
    await chat.openThread('o');
    loading.resolve(content('t'));
    await opened;
    await settle();
    await settle();
    const shown = () => root.querySelectorAll('.attached li').length;
    expect(controller.thread?.id).to.equal('o');
    expect([uploads.length, shown()]).to.deep.equal([0, 0]);
    controller.switchToNewThread();
    await settle();
    expect(shown(), 'kept for a new conversation').to.equal(1);
  });

  it('of a composer without a chat are added to the thread that the page is loading', async () => {
    const { backend, box, chat, controller, dataOf, settle } = await setupAttaching();
    chat.remove();
    const composer = document.createElement('ubik-composer');
    composer.controller = controller;
    box.append(composer);
    await settle();
    const loading = new Deferred<ReturnType<typeof contentOf>>();
    backend.responses.set('loadThread', () => loading.promise);
    const opened = controller.openThread('t');
    const dataTransfer = dataOf(file('a.txt'));
    composer.dispatchEvent(new DragEvent('drop', { cancelable: true, dataTransfer }));
    await settle();
    loading.resolve(contentOf('t', [stored('m1', 'user', 'Hello')]));
    await opened;
    await settle();
    const uploads = backend.calls.filter(({ method }) => method === 'uploadDocument');
    expect(uploads.map(({ args }) => args[0])).to.deep.equal(['t']);
    expect(backend.count('createThread')).to.equal(0);
  });

  it('are not uploaded to the service of a controller that has replaced theirs', async () => {
    const { box, chat, controller, dataOf, settle, start } = await setupAttaching();
    await start();
    chat.remove();
    const composer = document.createElement('ubik-composer');
    composer.controller = controller;
    box.append(composer);
    await settle();
    const other = setupController();
    other.backend.capabilities.add('upload');
    other.backend.threads.set('o', contentOf('o', [stored('m1', 'user', 'Hello')]));
    await other.controller.openThread('o');
    const { load } = lazyDocuments;
    const held = new Deferred<undefined>();
    lazyDocuments.load = () => held.promise.then(() => load.call(lazyDocuments));
    try {
      const dataTransfer = dataOf(file('a.txt'));
      composer.dispatchEvent(new DragEvent('drop', { cancelable: true, dataTransfer }));
      composer.controller = other.controller;
      await settle();
      held.resolve(undefined);
      await settle();
      expect(other.backend.count('uploadDocument')).to.equal(0);
    } finally {
      lazyDocuments.load = load;
    }
  });

  it('do not include files that are only added to the documents', async () => {
    const { controller, root, settle, query, dataOf, transfer, chips } = await setupAttaching();
    await transfer('drop', dataOf(file('a.txt')));
    const queue = await controller.loadUploads();
    void queue.add(file('b.txt'));
    await settle();
    expect(queue.tasks.map(({ name }) => name)).to.deep.equal(['a.txt', 'b.txt']);
    expect(chips()).to.deep.equal(['a.txt']);
    queue.cancel(queue.tasks[0]?.key ?? '');
    await settle();
    expect(root.querySelector('.attached ul')).to.equal(null);
    expect(query('.send').title, 'it does not wait for the other file').to.equal('Send');
  });

  it('that the page or another element uploads are shown, and the message waits for them', async () => {
    const { box, chat, controller, query, root, settle, uploads, press, write, backend } =
      await setupAttaching();
    const queue = await controller.loadUploads();
    void queue.add(file('a.txt'), true);
    await settle();
    await settle();
    expect(query('.attached progress').ariaLabel).to.equal('a.txt');
    write('Read this');
    press('Enter');
    await settle();
    expect(backend.count('send')).to.equal(0);
    chat.remove();
    const other = document.createElement('ubik-composer');
    other.controller = controller;
    box.append(other);
    await settle();
    await settle();
    const row = other.shadowRoot?.querySelector('.attached progress');
    expect(row?.ariaLabel).to.equal('a.txt');
    box.append(chat);
    uploads[0]?.arrive();
    await settle();
    expect(root.querySelector('.attached progress')).to.equal(null);
    expect(query('.send').ariaDisabled).to.equal('false');
    press('Enter');
    await settle();
    expect(backend.stream.args[1]).to.deep.include({
      attachments: [{ id: 'id of a.txt', name: 'a.txt' }],
    });
  });

  it('show an error when their code cannot be loaded, and are attached on the next attempt', async () => {
    const { chips, dataOf, root, transfer, text } = await setupAttaching();
    const { load } = lazyDocuments;
    lazyDocuments.load = () => Promise.reject(new UbikError('load-failed'));
    try {
      await transfer('drop', dataOf(file('a.txt')));
    } finally {
      Object.assign(lazyDocuments, { load });
    }
    expect(text('.below [role=alert]')).not.to.equal('');
    expect(root.querySelector('.attached ul')).to.equal(null);
    await transfer('drop', dataOf(file('a.txt')));
    expect(chips()).to.deep.equal(['a.txt']);
  });

  it('of a draft try once to load their code when that fails, and once more when they are needed again', async () => {
    const { load } = lazyDocuments;
    let count = 0;
    lazyDocuments.load = () => {
      count += 1;
      // Each failure causes an update. A request in each update would never end.
      if (count >= 9) return new Promise(() => undefined);
      return Promise.reject(new UbikError('load-failed'));
    };
    try {
      const { backend, controller, query, settle, text } = await setupChat();
      const attachments = [{ id: 'a', name: 'a.txt' }];
      controller.setDraft({ text: '', attachments });
      await settle();
      controller.setDraft({ text: 'Read this', attachments });
      await settle();
      expect(text('.below [role=alert]')).not.to.equal('');
      expect(count).to.equal(1);
      controller.setDraft({ text: 'Read this', attachments: [] });
      await settle();
      controller.setDraft({ text: 'Read this', attachments });
      await settle();
      expect(count).to.equal(2);
      backend.threads.set('t', contentOf('t', [stored('q', 'user', 'Question')]));
      await controller.openThread('t');
      controller.setDraft({ text: 'In another conversation', attachments });
      await settle();
      expect(count, 'in another conversation').to.equal(3);
      backend.capabilities.add('upload');
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(file('b.txt'));
      for (let moves = 0; moves < 3; moves += 1) {
        query('.scroller').dispatchEvent(
          new DragEvent('dragover', { dataTransfer, bubbles: true, composed: true }),
        );
        await settle();
      }
      expect(count, 'once for a drag').to.equal(4);
    } finally {
      Object.assign(lazyDocuments, { load });
    }
  });

  it('of a draft are shown, each with a button that removes it', async () => {
    const { chips, controller, query, root, settle, field } = await setupAttaching();
    const names = ['a', 'b', 'c'];
    const attachments = names.map((id) => ({ id, name: `${id}.txt` }));
    controller.setDraft({ text: '', attachments });
    await settle();
    expect(chips()).to.deep.equal(['a.txt', 'b.txt', 'c.txt']);
    expect(query('.attached ul').ariaLabel).to.equal('Attachments');
    const remove = async (name: string): Promise<void> => {
      const button = query(`.attached [aria-label="Remove ${name}"]`);
      button.focus();
      button.click();
      await settle();
    };
    await remove('b.txt');
    expect(root.activeElement?.ariaLabel, 'the next one').to.equal('Remove c.txt');
    await remove('c.txt');
    expect(root.activeElement?.ariaLabel, 'the previous one').to.equal('Remove a.txt');
    expect(controller.getDraft().attachments).to.deep.equal([{ id: 'a', name: 'a.txt' }]);
    await remove('a.txt');
    expect(root.activeElement).to.equal(field);
    expect(root.querySelector('.attached ul')).to.equal(null);
  });

  it('are those of the connected controller; no other documents are reported as ready, and none while the chat is removed', async () => {
    const { chat, chips, controller, backend, environment, settle, transfer, dataOf, uploads } =
      await setupAttaching();
    const events: string[] = [];
    chat.addEventListener('ubik-document-ready', ({ detail }) => {
      events.push(detail.documentId ?? '');
    });
    /** Lets the service process a document after it has arrived. */
    const process = async (at: number): Promise<void> => {
      backend.documents = [];
      uploads[at]?.arrive();
      await settle();
      await environment.advance(1000);
      await settle();
    };
    await transfer('drop', dataOf(file('a.txt'), file('b.txt'), file('c.txt')));
    await process(0);
    expect(events).to.deep.equal(['id of a.txt']);
    const other = setupController();
    other.backend.capabilities.add('upload');
    chat.controller = other.controller;
    await settle();
    expect(chips(), 'another controller').to.deep.equal([]);
    await process(1);
    expect(events, 'of the previous controller').to.deep.equal(['id of a.txt']);
    chat.controller = controller;
    await settle();
    expect(chips()).to.deep.equal(['a.txt', 'b.txt', 'c.txt']);
    chat.remove();
    chat.requestUpdate();
    await chat.updateComplete;
    await process(2);
    expect(events, 'while it is removed').not.to.include('id of c.txt');
  });

  it('are not uploaded from a folder', async () => {
    const { root, settle, query, backend } = await setupAttaching();
    const item = {
      kind: 'file',
      getAsFile: () => file('folder'),
      webkitGetAsEntry: () => ({ isDirectory: true }),
    };
    const dropped = { types: ['Files'], items: [item, { kind: 'string', getAsFile: () => null }] };
    const event = new DragEvent('drop', { bubbles: true, cancelable: true, composed: true });
    Object.defineProperty(event, 'dataTransfer', { value: dropped });
    query('.scroller').dispatchEvent(event);
    await settle();
    expect(backend.count('uploadDocument')).to.equal(0);
    expect(root.querySelectorAll('.attached .file').length).to.equal(1);
    expect(query('.attached .error-text').textContent.trim()).to.equal(
      'This is a folder. Add the files in it.',
    );
    expect(query('.send').title, 'it does not wait for the file').to.equal('Send');
  });

  it('start the polling of documents that are being processed, which continues after they were sent', async () => {
    const { backend, controller, dataOf, environment, root, settle, start, transfer, uploads } =
      await setupAttaching();
    backend.responses.set('loadDocument', (id) =>
      documentOf(id as string, { status: 'processing' }),
    );
    await start();
    controller.setListItem('documents', 'd', { ...documentOf('d', { status: 'processing' }) });
    await settle();
    await environment.advance(5000);
    expect(backend.count('loadDocument')).to.equal(0);
    await transfer('drop', dataOf(file('a.txt')));
    uploads[0]?.arrive();
    await settle();
    controller.setDraft({ text: '', attachments: [] });
    await settle();
    expect(root.querySelector('.attached ul')).to.equal(null);
    await environment.advance(5000);
    expect(backend.count('loadDocument'), 'also after they were sent').to.be.greaterThan(0);
  });

  it('are polled at growing intervals, however often the chat is rendered', async () => {
    const { chat, backend, environment, settle, transfer, dataOf, uploads } =
      await setupAttaching();
    backend.responses.set('loadDocument', (id) =>
      documentOf(id as string, { name: 'a.txt', status: 'processing' }),
    );
    await transfer('drop', dataOf(file('a.txt')));
    uploads[0]?.arrive();
    await settle();
    for (let second = 0; second < 20; second += 1) {
      chat.requestUpdate();
      await chat.updateComplete;
      await environment.advance(1000);
    }
    expect(backend.count('loadDocument')).to.be.within(2, 6);
  });
});

describe('a message with a file that the page composes', () => {
  /** Composes a message that is sent when its file is uploaded, in a thread with one question. */
  async function composeWithFile() {
    const fixture = await setupAttaching();
    const { backend, chat, start, settle, uploads } = fixture;
    await start();
    backend.stream.finish('complete');
    await settle();
    const sent = chat.compose({ text: 'Read this', attachments: [file('a.txt')], send: true });
    while (uploads.length === 0) await settle();
    return { ...fixture, sent };
  }

  it('is sent when the file is uploaded', async () => {
    const { backend, sent, settle, uploads } = await composeWithFile();
    uploads[0]?.arrive();
    await settle();
    backend.stream.begin();
    await settle();
    expect(await sent).to.equal(true);
    expect(backend.count('send')).to.equal(2);
  });

  it('is not sent, nor what was written elsewhere, when another controller is connected meanwhile', async () => {
    const { backend, chat, sent, settle, uploads } = await composeWithFile();
    const other = setupController();
    other.controller.setDraft({ text: 'Unfinished', attachments: [] });
    chat.controller = other.controller;
    await settle();
    uploads[0]?.arrive();
    await settle();
    expect(await sent).to.equal(false);
    await other.environment.settle();
    expect([backend.count('send'), other.backend.count('send')]).to.deep.equal([1, 0]);
    expect(other.controller.getDraft().text).to.equal('Unfinished');
  });

  it('is sent in a new conversation, with the first file of the page', async () => {
    const { backend, chat, settle, uploads } = await setupAttaching();
    documentActions.value = undefined;
    const sent = chat.compose({ text: 'Read this', attachments: [file('a.txt')], send: true });
    await waitFor(() => uploads.length === 1);
    uploads[0]?.arrive();
    await settle();
    backend.stream.begin();
    await settle();
    expect(await sent).to.equal(true);
    expect(backend.stream.args[1]).to.deep.include({
      attachments: [{ id: 'id of a.txt', name: 'a.txt' }],
    });
  });

  it('is sent when all its files are uploaded, after which it observes no uploads', async () => {
    const fixture = await setupAttaching();
    const { backend, chat, controller, settle, uploads } = fixture;
    const queue = await controller.loadUploads();
    const { subscribe } = queue;
    const ends: boolean[] = [];
    Object.assign(queue, {
      subscribe: (listener: () => void) => {
        const end = subscribe.call(queue, listener);
        const at = ends.push(false) - 1;
        return () => {
          ends[at] = true;
          end();
        };
      },
    });
    const document = { id: 'd1', name: 'd.pdf' };
    // A document that is given twice is attached once.
    const attachments = [file('a.txt'), file('b.txt'), document, document];
    // The field normalizes the line break. That is no edit by the user, which would prevent sending.
    const sent = chat.compose({ text: 'Read\r\nthese', attachments, send: true });
    while (uploads.length < 2) await settle();
    uploads[0]?.arrive();
    await settle();
    expect(backend.count('send')).to.equal(0);
    uploads[1]?.arrive();
    await settle();
    backend.stream.begin();
    await settle();
    expect(await sent).to.equal(true);
    const { attachments: attached } = backend.stream.args[1] as { attachments: { id: string }[] };
    expect(attached.map(({ id }) => id)).to.have.members(['d1', 'id of a.txt', 'id of b.txt']);
    expect(ends).to.include(true);
  });

  it('says that it waits for the upload, during which nothing can be sent', async () => {
    const { backend, press, query, text, uploads, settle } = await composeWithFile();
    expect(text('.below > .meta')).to.equal('You can send when the files are uploaded.');
    // A text of the class `keys` is hidden while the composer has no focus.
    expect(query('.below > .meta').classList.contains('keys')).to.equal(false);
    expect(query('.send').ariaDisabled).to.equal('true');
    press('Enter');
    await settle();
    expect(backend.count('send')).to.equal(1);
    uploads[0]?.fail(new UbikError('forbidden'));
    await settle();
    expect(query('.below > .meta').classList.contains('keys')).to.equal(true);
  });

  it('stays in the field when the upload is cancelled', async () => {
    const { backend, controller, field, sent, settle } = await composeWithFile();
    const uploads = await controller.loadUploads();
    uploads.cancel(uploads.tasks[0]?.key ?? '');
    await settle();
    expect([field.value, backend.count('send')]).to.deep.equal(['Read this', 1]);
    expect(await sent).to.equal(false);
  });

  it('stays in the field when the user is still writing', async () => {
    const { backend, field, sent, settle, uploads, write } = await composeWithFile();
    write('Read this, and tell');
    uploads[0]?.arrive();
    await settle();
    expect([field.value, backend.count('send')]).to.deep.equal(['Read this, and tell', 1]);
    expect(await sent).to.equal(false);
  });

  it('stays in its thread when another one is shown, whose draft is not sent', async () => {
    const { backend, controller, field, sent, settle, uploads, write } = await composeWithFile();
    const thread = controller.thread?.key;
    controller.switchToNewThread();
    write('Half a sentence');
    uploads[0]?.arrive();
    await settle();
    expect([field.value, backend.count('send')]).to.deep.equal(['Half a sentence', 1]);
    expect(await sent).to.equal(false);
    expect(controller.getDraft(thread)).to.deep.include({
      text: 'Read this',
      attachments: [{ id: 'id of a.txt', name: 'a.txt' }],
    });
  });
});

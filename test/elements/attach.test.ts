import { expect } from '@open-wc/testing';
import { lazyDocuments } from '../../src/elements/documents/attachment-controller.js';
import { UbikError } from '../../src/errors.js';
import { documentOf } from '../controller/scripted-backend.js';
import { setupChat } from './chat-fixture.js';

const file = (name: string): File => new File(['text'], name, { lastModified: 1 });

/** A chat whose service accepts uploads; the test ends each upload. */
async function setupAttaching() {
  await lazyDocuments.load();
  const chat = await setupChat();
  await chat.controller.loadUploads();
  chat.backend.capabilities.add('upload' as never);
  chat.chat.requestUpdate();
  await chat.settle();
  const uploads: { arrive: () => void; fail: (error: UbikError) => void }[] = [];
  chat.backend.responses.set('uploadDocument', (_thread, sent) => {
    const { name } = sent as File;
    return new Promise((resolve, reject) => {
      uploads.push({
        arrive: () => {
          resolve(documentOf(`id of ${name}`, { name }));
        },
        fail: reject,
      });
    });
  });
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
  it('show no Attach button when the service accepts no uploads', async () => {
    const { root } = await setupChat();
    expect(root.querySelector('.attach') === null).to.equal(true);
  });

  it('upload files dropped anywhere on the chat and send them with the message', async () => {
    const { transfer, dataOf, chips, uploads, write, press, settle, backend, query, text } =
      await setupAttaching();
    expect(await transfer('drop', dataOf(file('a.txt')))).to.equal(true);
    expect(chips()).to.deep.equal(['a.txt']);
    write('Read this');
    await settle();
    press('Enter');
    await settle();
    expect(backend.count('send')).to.equal(0);
    expect(query('.send').ariaDisabled).to.equal('true');
    expect(text('.below')).to.contain('You can send when the files are uploaded.');
    uploads[0]?.arrive();
    await settle();
    press('Enter');
    await settle();
    expect(backend.stream.args[1]).to.deep.equal({
      text: 'Read this',
      attachments: [{ id: 'id of a.txt', name: 'a.txt' }],
    });
    expect(chips()).to.deep.equal([]);
  });

  it('upload a pasted file, but insert pasted text into the field', async () => {
    const { transfer, dataOf, chips } = await setupAttaching();
    expect(await transfer('paste', dataOf(file('a.png')))).to.equal(true);
    const both = dataOf(file('picture-of-the-text.png'));
    both.setData('text/plain', 'text');
    expect(await transfer('paste', both)).to.equal(false);
    const text = new DataTransfer();
    text.setData('text/plain', 'text');
    expect(await transfer('paste', text)).to.equal(false);
    expect(chips()).to.deep.equal(['a.png']);
  });

  it('keep the text when an upload fails, and allow sending without the file', async () => {
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

  it('cancel an upload and retry a failed one', async () => {
    const { transfer, dataOf, uploads, settle, chips, query, controller, box } =
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
    uploads[1]?.fail(new UbikError('network'));
    await settle();
    await press('Retry b.txt');
    expect(query('.attached progress').checkVisibility()).to.equal(true);
    uploads[2]?.arrive();
    await settle();
    expect(controller.getDraft().attachments).to.deep.equal([{ id: 'id of b.txt', name: 'b.txt' }]);
    expect(events).to.deep.equal(['cancelled', 'failed', 'added']);
  });

  it('remove a file on request and focus the field', async () => {
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

  it('are not sent with a suggested question', async () => {
    const { transfer, dataOf, uploads, settle, chat, backend } = await setupAttaching();
    await transfer('drop', dataOf(file('a.txt')));
    uploads[0]?.arrive();
    await settle();
    void chat.send('Which rivers?');
    await settle();
    expect(backend.stream.args[1]).to.deep.equal({ text: 'Which rivers?', attachments: [] });
  });
});

import { expect } from '@open-wc/testing';
import { lazyDocuments } from '../../src/elements/documents/attachment-controller.js';
import { UbikError } from '../../src/errors.js';
import { documentOf } from '../controller/scripted-backend.js';
import { setupChat } from './chat-stage.js';

const file = (name: string): File => new File(['text'], name, { lastModified: 1 });

/** A chat at a service that takes files; uploads end when the test says so. */
async function setupAttaching() {
  await lazyDocuments.load();
  const chat = await setupChat();
  chat.backend.capabilities.add('upload' as never);
  chat.chat.requestUpdate();
  await chat.settle();
  const ends: { arrive: () => void; fail: (error: UbikError) => void }[] = [];
  chat.backend.answers.set('uploadDocument', (_thread, sent) => {
    const { name } = sent as File;
    return new Promise((resolve, reject) => {
      ends.push({
        arrive: () => {
          resolve(documentOf(`id of ${name}`, { name }));
        },
        fail: reject,
      });
    });
  });
  const bring = async (type: 'drop' | 'paste', data: DataTransfer): Promise<boolean> => {
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
  return { ...chat, ends, bring, dataOf, chips };
}

describe('files that go with a message', () => {
  it('offers no button where the service takes no files', async () => {
    const { root } = await setupChat();
    expect(root.querySelector('.attach') === null).to.equal(true);
  });

  it('takes what is dropped anywhere on the chat, and sends it along when it has arrived', async () => {
    const { bring, dataOf, chips, ends, write, press, settle, backend, query, text } =
      await setupAttaching();
    expect(await bring('drop', dataOf(file('a.txt')))).to.equal(true);
    expect(chips()).to.deep.equal(['a.txt']);
    write('Read this');
    await settle();
    press('Enter');
    await settle();
    expect(backend.count('send')).to.equal(0);
    expect(query('.send').ariaDisabled).to.equal('true');
    expect(text('.below')).to.contain('You can send when the files are uploaded.');
    ends[0]?.arrive();
    await settle();
    press('Enter');
    await settle();
    expect(backend.stream.args[1]).to.deep.equal({
      text: 'Read this',
      attachments: [{ id: 'id of a.txt', name: 'a.txt' }],
    });
    expect(chips()).to.deep.equal([]);
  });

  it('takes a file that is pasted, but leaves text to the field', async () => {
    const { bring, dataOf, chips } = await setupAttaching();
    expect(await bring('paste', dataOf(file('a.png')))).to.equal(true);
    const both = dataOf(file('picture-of-the-text.png'));
    both.setData('text/plain', 'text');
    expect(await bring('paste', both)).to.equal(false);
    const text = new DataTransfer();
    text.setData('text/plain', 'text');
    expect(await bring('paste', text)).to.equal(false);
    expect(chips()).to.deep.equal(['a.png']);
  });

  it('keeps the text when a file does not arrive, and lets it be sent without', async () => {
    const { bring, dataOf, ends, write, press, settle, backend, root, field } =
      await setupAttaching();
    write('Read this');
    await bring('drop', dataOf(file('a.txt')));
    ends[0]?.fail(new UbikError('network'));
    await settle();
    expect(root.querySelector('.attached .complaint')?.textContent).to.contain('did not arrive');
    expect(field.value).to.equal('Read this');
    press('Enter');
    await settle();
    expect(backend.stream.args[1]).to.deep.equal({ text: 'Read this', attachments: [] });
  });

  it('stops a file on its way, and sends one again that did not arrive', async () => {
    const { bring, dataOf, ends, settle, chips, query, controller, box } = await setupAttaching();
    const told: string[] = [];
    for (const name of ['cancel', 'cancelled', 'retry', 'retried', 'failed']) {
      box.addEventListener(`ubik-document-${name}`, () => told.push(name));
    }
    const press = async (name: string): Promise<void> => {
      query(`.attached button:is([aria-label="${name}"], [title="${name}"])`).click();
      await settle();
    };
    await bring('drop', dataOf(file('a.txt'), file('b.txt')));
    await press('Cancel upload of a.txt');
    expect(chips()).to.deep.equal(['b.txt']);
    ends[1]?.fail(new UbikError('network'));
    await settle();
    await press('Retry b.txt');
    expect(query('.attached progress').checkVisibility()).to.equal(true);
    ends[2]?.arrive();
    await settle();
    expect(controller.draft().attachments).to.deep.equal([{ id: 'id of b.txt', name: 'b.txt' }]);
    expect(told).to.deep.equal(['cancel', 'cancelled', 'failed', 'retry', 'retried']);
  });

  it('leaves a file out on request and gives the focus to the field', async () => {
    const { bring, dataOf, ends, settle, controller, query, chips, root, field } =
      await setupAttaching();
    await bring('drop', dataOf(file('a.txt')));
    ends[0]?.arrive();
    await settle();
    query('.attached .dismiss').click();
    await settle();
    expect(chips()).to.deep.equal([]);
    expect(controller.draft().attachments).to.deep.equal([]);
    expect(root.activeElement === field).to.equal(true);
  });

  it('keeps what goes with a message while its text is written, and when the service refuses it', async () => {
    const { bring, dataOf, ends, settle, controller, write, press, backend, chips } =
      await setupAttaching();
    await bring('drop', dataOf(file('a.txt')));
    ends[0]?.arrive();
    await settle();
    write('Read');
    write('Read this');
    expect(controller.draft().attachments.length).to.equal(1);
    press('Enter');
    await settle();
    backend.stream.fail(new UbikError('invalid'));
    await settle();
    expect(controller.draft()).to.deep.equal({
      text: 'Read this',
      attachments: [{ id: 'id of a.txt', name: 'a.txt' }],
    });
    expect(chips()).to.deep.equal(['a.txt']);
  });

  it('sends a question to begin with without the files of another text', async () => {
    const { bring, dataOf, ends, settle, chat, backend } = await setupAttaching();
    await bring('drop', dataOf(file('a.txt')));
    ends[0]?.arrive();
    await settle();
    void chat.send('Which rivers?');
    await settle();
    expect(backend.stream.args[1]).to.deep.equal({ text: 'Which rivers?', attachments: [] });
  });
});

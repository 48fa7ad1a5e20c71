import { assert, expect } from '@open-wc/testing';
import type { DocumentInfo, Draft, Onboarding } from '../../src/backends/backend.js';
import { documentActions } from '../../src/controller/lazy-actions.js';
import { UbikError } from '../../src/errors.js';
import type { UbikDocumentAddEvent } from '../../src/events/index.js';
import { contentOf, documentOf, stored } from '../controller/scripted-backend.js';
import { accessibleName } from '../helpers/accessible-name.js';
import { Deferred } from '../helpers/deferred.js';
import { FAILURES } from '../helpers/error-codes.js';
import { pressKey, setupController } from './chat-fixture.js';
import { waitFor } from '../helpers/wait-for.js';
import { setupDocuments, type PrepareDocuments } from './documents-fixture.js';
import { NOON } from './scripted-clock.js';

type Fixture = Awaited<ReturnType<typeof setupDocuments>>;

/** A panel with two documents. */
const setupTwoDocuments = (prepare: PrepareDocuments = () => undefined) =>
  setupDocuments((conversation, documents) => {
    conversation.backend.documents = [documentOf('a'), documentOf('b')];
    prepare(conversation, documents);
  });

/** User actions on documents, with their events and the backend method that each action calls. */
const ACTIONS = [
  {
    name: 'star',
    isCancelable: false,
    past: 'starred',
    method: 'starDocument',
    run: (fixture: Fixture) => fixture.press('Star a.pdf'),
  },
  {
    name: 'unlink',
    isCancelable: true,
    past: 'unlinked',
    method: 'unlinkDocument',
    run: (fixture: Fixture) => fixture.remove('a.pdf'),
  },
  {
    name: 'link',
    isCancelable: true,
    past: 'linked',
    method: 'linkDocuments',
    run: async (fixture: Fixture) => {
      await fixture.press('From other conversations…');
      await fixture.press('Add c.pdf to this conversation');
    },
  },
  {
    name: 'add',
    isCancelable: true,
    past: 'added',
    method: 'uploadDocument',
    run: (fixture: Fixture) => fixture.drop(new File(['text'], 'notes.txt')),
  },
] as const;

/** A panel with two documents, and a third one to be found. */
const setupWithSearch = () =>
  setupTwoDocuments((_, documents) => {
    documents.findDocuments = () => Promise.resolve([documentOf('c')]);
  });

/** The response to a request for a page: one document, and there are more pages. */
const PARTIAL_PAGE = () => ({ items: [documentOf('a')], hasMore: true, total: 500 });

/** A panel that shows the first of several pages. */
const setupPaged = () =>
  setupDocuments(({ backend }) => void backend.responses.set('listDocuments', PARTIAL_PAGE));

/** Numbers of the requested pages. */
const requestedPages = ({ calls }: Fixture['backend']): unknown[] =>
  calls
    .filter(({ method }) => method === 'listDocuments')
    .map(({ args }) => (args[1] as { page: number }).page);

/** Documents with an uploaded file that the service could not process. It processes the same file when it is uploaded again. */
async function setupFailedProcessing() {
  const setup = await setupDocuments();
  const { backend, drop, environment } = setup;
  let sent = 0;
  backend.responses.set('uploadDocument', (_thread, file) => {
    const { name } = file as File;
    return Promise.resolve(documentOf(`d${(sent += 1)}`, { name, status: 'pending' }));
  });
  backend.responses.set('loadDocument', (id) =>
    documentOf(id as string, { name: 'a.txt', status: id === 'd1' ? 'failed' : 'completed' }),
  );
  await drop(new File(['text'], 'a.txt'));
  await environment.advance(1_000);
  return setup;
}

describe('<ubik-documents>', () => {
  it('lists the documents of the thread, the newest first', async () => {
    const { rows } = await setupDocuments(({ backend }) => {
      backend.documents = [documentOf('a'), documentOf('b', { status: 'processing' })];
    });
    expect(rows()).to.deep.equal([
      'b.pdf | Processing… · Jan 1, 1970',
      'a.pdf | Ready · Jan 1, 1970',
    ]);
  });

  for (const { name, isCancelable, past, method, run } of ACTIONS) {
    it(`dispatches the events of "${name}"`, async () => {
      const fixture = await setupWithSearch();
      await run(fixture);
      expect(fixture.names()).to.deep.equal(isCancelable ? [name, past] : [past]);
      const [first] = fixture.events;
      const after = fixture.events.at(-1);
      expect(first?.cancelable).to.equal(isCancelable);
      expect(after?.cancelable).to.equal(false);
      expect(first?.detail['threadId']).to.equal('thread-a');
      expect(Object.isFrozen(first?.detail)).to.equal(true);
      expect(after?.detail['documentId']).to.be.a('string');
      expect(fixture.backend.count(method)).to.equal(1);
    });

    if (isCancelable) {
      it(`does not "${name}" when the host page cancels the event`, async () => {
        const fixture = await setupWithSearch();
        fixture.documents.addEventListener(`ubik-document-${name}`, (event) => {
          event.preventDefault();
        });
        const before = fixture.rows();
        await run(fixture);
        expect(fixture.backend.count(method)).to.equal(0);
        expect(fixture.names()).to.deep.equal([name]);
        expect(fixture.rows().filter((row) => !row.startsWith('c.pdf'))).to.deep.equal(before);
      });
    }

    // A document that is no longer in the thread counts as removed.
    for (const code of FAILURES.filter((one) => name !== 'unlink' || one !== 'not-found')) {
      it(`shows an error and loses nothing when "${name}" fails with ${code}`, async () => {
        const fixture = await setupWithSearch();
        fixture.backend.responses.set(method, () => {
          throw new UbikError(code);
        });
        const before = fixture.rows();
        await run(fixture);
        expect(fixture.names()).not.to.contain(past);
        expect(fixture.names()).to.contain('ubik-error');
        expect(fixture.root.querySelector('.error-text')?.textContent.trim() ?? '').not.to.equal(
          '',
        );
        for (const row of before) expect(fixture.rows()).to.contain(row);
      });
    }
  }

  const notAList = 'not-a-list' as never;
  for (const [problem, code, find] of [
    ...FAILURES.map((each) => [each, each, () => Promise.reject(new UbikError(each))] as const),
    [
      'an error of the host page',
      'misuse',
      () => Promise.reject(new TypeError('Not mine.')),
    ] as const,
    ['a synchronous error', 'misuse', () => assert.fail('Not mine.')] as const,
    ['no value', 'misuse', () => Promise.resolve(undefined as never)] as const,
    ['a value that is no list', 'misuse', () => Promise.resolve(notAList)] as const,
  ]) {
    it(`shows that findDocuments failed (${problem}), and searches again on Retry`, async () => {
      const fixture = await setupTwoDocuments((_, documents) => {
        documents.findDocuments = find;
      });
      await fixture.press('From other conversations…');
      expect(fixture.events.map(({ type }) => type)).to.deep.equal(['ubik-error']);
      expect(fixture.events[0]?.detail['code']).to.equal(code);
      const message = fixture.root.querySelector('.picker [role=alert]')?.textContent.trim();
      expect(message).to.match(/\S\.$/);
      expect(fixture.rows().length, 'the documents stay').to.equal(2);
      if (code === 'misuse') {
        expect(fixture.events[0]?.detail['message']).to.equal(
          `The findDocuments of the host page ${/value/.test(problem) ? 'returned no array' : 'failed'}.`,
        );
      }
      const invalid = [
        ...[null, {}, { id: 1, name: {} }, { id: 'x', name: 4 }, { id: 4, name: 'x' }],
      ] as unknown as DocumentInfo[];
      fixture.documents.findDocuments = () => Promise.resolve([...invalid, documentOf('c')]);
      await fixture.press('Retry');
      await fixture.press('Add c.pdf to this conversation');
      expect(fixture.names().slice(1)).to.deep.equal(['link', 'linked']);
    });
  }

  for (const code of FAILURES) {
    it(`shows an error when the list fails (${code}), and loads it on Retry`, async () => {
      const { text, press, backend, rows, root } = await setupTwoDocuments(
        ({ backend: service }) => {
          service.responses.set('listDocuments', () => {
            throw new UbikError(code);
          });
        },
      );
      expect(rows()).to.deep.equal([]);
      expect(text()).not.to.contain('documents that you add here');
      expect(root.querySelectorAll('[role=alert]').length).to.equal(1);
      backend.responses.clear();
      await press('Retry');
      expect(rows().length).to.equal(2);
      expect(root.querySelectorAll('[role=alert]').length).to.equal(0);
    });
  }

  it('retries only the page that failed', async () => {
    const { press, backend, settle } = await setupPaged();
    backend.responses.set('listDocuments', () => {
      throw new UbikError('network');
    });
    await press('Show more');
    backend.responses.set('listDocuments', PARTIAL_PAGE);
    await press('Retry');
    await settle();
    expect(requestedPages(backend)).to.deep.equal([1, 2, 2]);
  });

  it('retries the first page when the list of the next thread fails', async () => {
    const { press, backend, settle, controller } = await setupPaged();
    await press('Show more');
    backend.threads.set('thread-b', contentOf('thread-b', [stored('m1', 'user', 'Question')]));
    backend.responses.set('listDocuments', () => {
      throw new UbikError('network');
    });
    await controller.openThread('thread-b');
    await settle();
    backend.responses.set('listDocuments', PARTIAL_PAGE);
    await press('Retry');
    expect(requestedPages(backend)).to.deep.equal([1, 2, 1, 1]);
  });

  it('shows only the buttons that the service supports', async () => {
    const { root } = await setupDocuments(
      ({ backend }) => {
        backend.documents = [documentOf('a')];
      },
      ['documents'],
    );
    const names = [...root.querySelectorAll('button')].map((button) => accessibleName(button));
    expect(names).to.deep.equal(['Attach a.pdf to the next message']);
    expect(root.querySelectorAll('div.buttons ~ .meta').length, 'about uploads').to.equal(0);
  });

  it('uploads a file that is dropped while a thread is loading to that thread', async () => {
    const { backend, controller, drop, settle } = await setupDocuments();
    controller.switchToNewThread();
    await settle();
    const loading = new Deferred<ReturnType<typeof contentOf>>();
    backend.responses.set('loadThread', () => loading.promise);
    const opened = controller.openThread('thread-b');
    await drop(new File(['text'], 'notes.txt'));
    loading.resolve(contentOf('thread-b', [stored('m1', 'user', 'Question')]));
    await opened;
    await settle();
    const uploads = backend.calls.filter(({ method }) => method === 'uploadDocument');
    expect(uploads.map(({ args }) => args[0])).to.deep.equal(['thread-b']);
    expect(backend.count('createThread')).to.equal(0);
  });

  it('does not upload a file that is dropped while a thread is loading to another thread that is opened meanwhile', async () => {
    const { backend, controller, drop, rows, settle } = await setupDocuments();
    controller.switchToNewThread();
    await settle();
    const content = (id: string) => contentOf(id, [stored('m1', 'user', 'Question')]);
    const loading = new Deferred<ReturnType<typeof contentOf>>();
    backend.responses.set('loadThread', (id) =>
      id === 'thread-b' ? loading.promise : content(String(id)),
    );
    const opened = controller.openThread('thread-b');
    await drop(new File(['text'], 'notes.txt'));
    await controller.openThread('thread-a');
    loading.resolve(content('thread-b'));
    await opened;
    await settle();
    expect(controller.thread?.id).to.equal('thread-a');
    expect([backend.count('uploadDocument'), rows()]).to.deep.equal([0, []]);
    controller.switchToNewThread();
    await settle();
    expect(rows().map((row) => row.split(' | ')[0])).to.deep.equal(['notes.txt']);
  });

  /** Drops a file while `thread-b` is loading, which then fails. */
  async function setupFailedLoading() {
    const fixture = await setupDocuments();
    const { backend, controller, drop, settle } = fixture;
    controller.switchToNewThread();
    await settle();
    const loading = new Deferred<never>();
    backend.responses.set('loadThread', () => loading.promise);
    const opened = controller.openThread('thread-b').catch(() => undefined);
    await drop(new File(['text'], 'notes.txt'));
    loading.reject(new UbikError('network'));
    await opened;
    await settle();
    return fixture;
  }

  it('keeps a file that is dropped while a thread is loading for a retry in that thread when it fails to load', async () => {
    const { backend, controller, press, rows, settle, events } = await setupFailedLoading();
    const listed = () => rows().map((row) => row.split(' | ')[0]);
    expect(listed(), 'where no thread is shown').to.deep.equal(['notes.txt']);
    expect([backend.count('createThread'), backend.count('uploadDocument')]).to.deep.equal([0, 0]);
    expect(events.at(-1)?.type).to.equal('ubik-document-failed');
    backend.responses.set('loadThread', (id) =>
      contentOf(String(id), [stored('m1', 'user', 'Question')]),
    );
    await controller.openThread('thread-a');
    await settle();
    expect(listed(), 'in another thread').to.deep.equal([]);
    await controller.openThread('thread-b');
    await settle();
    expect(listed(), 'in its thread').to.deep.equal(['notes.txt']);
    await press('Retry notes.txt');
    const uploads = backend.calls.filter(({ method }) => method === 'uploadDocument');
    expect(uploads.map(({ args }) => args[0])).to.deep.equal(['thread-b']);
  });

  it('retries a failed file while its thread is loading again in that thread', async () => {
    const { backend, controller, names, press, settle } = await setupFailedLoading();
    const loading = new Deferred<ReturnType<typeof contentOf>>();
    backend.responses.set('loadThread', () => loading.promise);
    const opened = controller.openThread('thread-b');
    await press('Retry notes.txt');
    await press('Retry notes.txt');
    loading.resolve(contentOf('thread-b', [stored('m1', 'user', 'Question')]));
    await opened;
    await settle();
    expect(controller.thread?.id).to.equal('thread-b');
    const uploads = backend.calls.filter(({ method }) => method === 'uploadDocument');
    expect(uploads.map(({ args }) => args[0])).to.deep.equal(['thread-b']);
    expect(backend.count('createThread')).to.equal(0);
    expect(names()).to.deep.equal(['add', 'failed', 'added']);
  });

  it('passes the file to a host page that uploads it itself', async () => {
    const { documents, drop } = await setupDocuments();
    let name = '';
    documents.addEventListener('ubik-document-add', (event: UbikDocumentAddEvent) => {
      event.preventDefault();
      name = event.file.name;
    });
    await drop(new File(['text'], 'notes.txt'));
    expect(name).to.equal('notes.txt');
  });

  it('rejects each invalid file with a reason and uploads the valid ones', async () => {
    const { drop, rows, events } = await setupDocuments((_, documents) => {
      documents.uploadLimits = { maxBytes: 10, types: ['.txt'] };
    });
    await drop(
      new File([], 'empty.txt'),
      new File(['more than ten'], 'large.txt'),
      new File(['x'], 'film.mp4'),
      new File(['x'], 'good.txt', { lastModified: 1 }),
      new File(['x'], 'good.txt', { lastModified: 1 }),
    );
    expect(rows()).to.deep.equal([
      'empty.txt | This file is empty.',
      'large.txt | This file is too large (1 kB).',
      'film.mp4 | This file type isn’t supported.',
      'good.txt | This file has already been added.',
      'good.txt | Queued · Jan 1, 1970',
    ]);
    const codes = events
      .filter(({ type }) => type === 'ubik-document-failed')
      .map(({ detail }) => detail['code']);
    expect(codes).to.deep.equal(['empty', 'too-large', 'wrong-type', 'duplicate']);
  });

  it('describes the upload limits', async () => {
    const { text } = await setupDocuments((_, documents) => {
      documents.uploadLimits = { maxFiles: 3, maxBytes: 2_500_000, types: ['.pdf', '.csv'] };
    });
    expect(text()).to.contain('Up to 3 documents. Up to 2.5 MB each. File types: .pdf, .csv.');
  });

  for (const [maxBytes, size] of [
    [1, '1 kB'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [999_999, '1 MB'],
    [999_949_999, '999.9 MB'],
    [999_950_000, '1 GB'],
    [1_500_000_000, '1.5 GB'],
  ] as const) {
    it(`shows a size of ${maxBytes} bytes as ${size}`, async () => {
      const { root } = await setupDocuments((_, documents) => {
        documents.uploadLimits = { maxBytes };
      });
      const described = [...root.querySelectorAll('.drop-zone .meta')].at(-1)?.textContent;
      expect(described).to.equal(`Up to ${size} each.`);
    });
  }

  it('uses the upload limits of the service when the host page sets none', async () => {
    const uploadLimits = { maxBytes: 1 };
    const { drop, rows, text } = await setupDocuments(({ backend }) => {
      const loadOnboarding = () => Promise.resolve({ greeting: null, starters: [], uploadLimits });
      Object.assign(backend, { loadOnboarding });
    });
    expect(text()).to.contain('Up to 1 kB each.');
    await drop(new File(['xx'], 'a.txt'));
    expect(rows()).to.deep.equal(['a.txt | This file is too large (1 kB).']);
  });

  it('describes and applies upload limits that are set later, and those of the service without them', async () => {
    const { documents, drop, rows, root, settle, text } = await setupDocuments(({ backend }) => {
      const uploadLimits = { types: ['.csv'] };
      const loadOnboarding = () => Promise.resolve({ greeting: null, starters: [], uploadLimits });
      Object.assign(backend, { loadOnboarding });
    });
    const accepted = () => root.querySelector<HTMLInputElement>('input[type=file]')?.accept;
    documents.uploadLimits = { types: ['.pdf'] };
    await settle();
    expect(text()).to.contain('File types: .pdf.');
    expect(accepted()).to.equal('.pdf');
    await drop(new File(['x'], 'a.csv'));
    expect(rows()).to.deep.equal(['a.csv | This file type isn’t supported.']);
    documents.uploadLimits = null;
    await settle();
    expect(text()).to.contain('File types: .csv.');
    expect(accepted()).to.equal('.csv');
  });

  it('asks the service for its limits when the host page removes its own', async () => {
    const { documents, settle, text } = await setupDocuments(({ backend }, element) => {
      element.uploadLimits = { maxFiles: 3 };
      const uploadLimits = { maxBytes: 1000 };
      const loadOnboarding = () => Promise.resolve({ greeting: null, starters: [], uploadLimits });
      Object.assign(backend, { loadOnboarding });
    });
    expect(text()).to.contain('Up to 3 documents.');
    documents.uploadLimits = null;
    await settle();
    expect(text()).to.contain('Up to 1 kB each.');
    expect(text()).not.to.contain('Up to 3 documents.');
  });

  it('ignores upload limits that arrive late from the service of the previous controller', async () => {
    const late = new Deferred<Onboarding>();
    const { documents, settle, text } = await setupDocuments(({ backend }) => {
      Object.assign(backend, { loadOnboarding: () => late.promise });
    });
    const { backend, controller } = setupController();
    backend.capabilities.add('upload');
    documents.controller = controller;
    await settle();
    late.resolve({ greeting: null, starters: [], uploadLimits: { maxFiles: 3 } });
    await settle();
    expect(text()).to.contain('Add files');
    expect(text()).not.to.contain('Up to 3 documents.');
  });

  it('shows the progress of an upload, cancels it, and moves the focus', async () => {
    const fixture = await setupDocuments();
    const { drop, rows, press, settle, backend, names, root } = fixture;
    let reportProgress: (sent: number, total: number) => void = () => undefined;
    backend.responses.set('uploadDocument', (_thread, _file, progress, signal) => {
      reportProgress = progress as typeof reportProgress;
      return new Promise((_, reject) => {
        (signal as AbortSignal).addEventListener('abort', () => {
          reject(new UbikError('aborted'));
        });
      });
    });
    await drop(new File(['text'], 'a.txt'));
    reportProgress(1_500_000, 2_500_000);
    await settle();
    expect(rows()).to.deep.equal(['a.txt | 1.5 MB of 2.5 MB']);
    expect(root.querySelector('progress')?.value).to.equal(1_500_000);
    await press('Cancel upload of a.txt');
    expect(rows()).to.deep.equal([]);
    expect(names()).to.deep.equal(['add', 'cancelled']);
    expect(root.activeElement?.textContent.trim()).to.equal('Add files…');
  });

  it('retries an upload that failed', async () => {
    const { drop, rows, press, backend, names } = await setupDocuments();
    backend.responses.set('uploadDocument', () => {
      throw new UbikError('network');
    });
    await drop(new File(['text'], 'a.txt'));
    expect(rows()).to.deep.equal(['a.txt | The file could not be uploaded. Try again.']);
    backend.responses.clear();
    await press('Retry a.txt');
    expect(rows()[0]).to.contain('a.txt | Queued');
    expect(names()).to.deep.equal(['add', 'ubik-error', 'failed', 'added']);
  });

  it('polls a document while visible and announces the outcome', async () => {
    const { environment, settle, rows, names, root, backend } = await setupDocuments(
      ({ backend: service }) => {
        service.documents = [documentOf('a', { status: 'pending' })];
      },
    );
    backend.responses.set('loadDocument', (id) =>
      documentOf(id as string, { status: 'failed', error: 'No text was found.' }),
    );
    await environment.advance(1_000);
    await settle();
    expect(rows()).to.deep.equal([
      'a.pdf | Couldn’t read this file. No text was found. Add the file again to retry.',
    ]);
    expect(names()).to.deep.equal(['failed']);
    expect(root.querySelector('[role=status]')?.textContent).to.equal('Couldn’t read a.pdf.');
  });

  it('uploads a file again that could not be processed, and replaces its document', async () => {
    const { rows, press, settle, environment, backend, events, root, controller } =
      await setupFailedProcessing();
    await settle();
    expect(rows()).to.deep.equal(['a.txt | Couldn’t read this file. | Upload again']);
    await press('Upload again: a.txt');
    await environment.advance(1_000);
    await settle();
    expect(rows()[0]).to.contain('a.txt | Ready');
    expect(rows().length).to.equal(1);
    expect(backend.count('unlinkDocument')).to.equal(1);
    expect(controller.getDraft().attachments, 'it was not attached').to.deep.equal([]);
    expect(
      events.map(({ type, detail }) => [type.replace('ubik-document-', ''), detail['documentId']]),
    ).to.deep.equal([
      ['add', null],
      ['added', 'd1'],
      ['failed', 'd1'],
      ['added', 'd2'],
      ['ready', 'd2'],
    ]);
    expect(root.activeElement !== null).to.equal(true);
  });

  it('replaces a document in its thread when another one is shown while its file is uploaded again', async () => {
    const { press, settle, backend, controller } = await setupFailedProcessing();
    await settle();
    const { thread } = controller;
    const { id } = thread ?? {};
    void controller.send({ text: 'Question', attachments: [] });
    await settle();
    backend.stream.begin();
    const other = { id: 'b', name: 'b.txt' };
    await controller.enqueue({ text: 'Second', attachments: [other, { id: 'd1', name: 'a.txt' }] });
    let upload: (document: unknown) => void = () => undefined;
    backend.responses.set('uploadDocument', () => new Promise((resolve) => (upload = resolve)));
    await press('Upload again: a.txt');
    controller.switchToNewThread();
    upload(documentOf('d2', { name: 'a.txt' }));
    await settle();
    const [unlink] = backend.calls.filter(({ method }) => method === 'unlinkDocument');
    expect(unlink?.args).to.deep.equal([id, 'd1']);
    const [message] = [...(thread?.list('queue').values() ?? [])] as unknown as Draft[];
    expect(message?.attachments, 'of a queued message').to.deep.equal([
      other,
      { id: 'd2', name: 'a.txt' },
    ]);
  });

  it('asks for the file when a failed document was uploaded elsewhere', async () => {
    const { rows, root } = await setupDocuments(({ backend: service }) => {
      service.documents = [documentOf('a', { status: 'failed' })];
    });
    expect(rows()[0]).to.contain('Add the file again');
    expect(root.querySelector('.reupload') === null).to.equal(true);
  });

  it('does not poll while hidden', async () => {
    const { environment, settle, backend, documents } = await setupDocuments(
      ({ backend: service }, element) => {
        service.documents = [documentOf('a', { status: 'pending' })];
        element.hidden = true;
      },
    );
    await environment.advance(60_000);
    expect(backend.count('loadDocument')).to.equal(0);
    documents.hidden = false;
    // The IntersectionObserver of the panel reports in the same frame.
    await new Promise((resolve) => new IntersectionObserver(resolve).observe(documents));
    await settle();
    await environment.advance(1_000);
    expect(backend.count('loadDocument')).to.equal(1);
  });

  it('moves the focus to Undo when a document is removed, and then to the next row', async () => {
    const { press, root, clock, settle, remove } = await setupTwoDocuments();
    await press('Remove b.pdf from this conversation');
    expect(root.activeElement?.textContent.trim()).to.equal('Undo');
    expect(root.activeElement?.getAttribute('aria-description')).to.equal('Removed: b.pdf');
    clock.pass(8);
    await settle();
    expect(root.activeElement).to.have.property('title', 'Star a.pdf');
    await remove('a.pdf');
    expect(root.activeElement?.textContent.trim()).to.equal('Add files…');
  });

  it('attaches a document to the next message, and detaches it when it is removed', async () => {
    const { press, controller } = await setupTwoDocuments();
    const other = { id: 'other', name: 'other.pdf' };
    controller.setDraft({ text: '', attachments: [other] });
    await press('Attach a.pdf to the next message');
    expect(controller.getDraft().attachments).to.deep.equal([other, { id: 'a', name: 'a.pdf' }]);
    await press('Remove a.pdf from this conversation');
    expect(controller.getDraft().attachments).to.deep.equal([other]);
  });

  it('finds documents of other threads and shows how many threads were searched', async () => {
    const fixture = await setupTwoDocuments(({ backend }) => {
      const summary = (id: string) => ({ id, title: id, createdAt: 1, updatedAt: 1 });
      backend.responses.set('listThreads', () => ({
        items: ['thread-a', 'thread-b', 'thread-c'].map(summary),
        hasMore: false,
        total: 3,
      }));
      backend.responses.set('listDocuments', (thread) => ({
        items: thread === 'thread-b' ? [documentOf('a'), documentOf('far')] : backend.documents,
        hasMore: false,
        total: 2,
      }));
    });
    await fixture.press('From other conversations…');
    expect(fixture.rows()[0]).to.equal('far.pdf');
    expect(fixture.text()).to.contain('Searched 2 other conversations.');
    await fixture.press('Add far.pdf to this conversation');
    expect(fixture.backend.calls.at(-1)).to.deep.equal({
      method: 'linkDocuments',
      args: ['thread-a', ['far']],
    });
    expect(fixture.rows()[0]).to.contain('far.pdf | Ready');
  });

  it('links a document that is chosen while a thread is loading to that thread', async () => {
    const { backend, controller, press, settle, events, names } = await setupWithSearch();
    controller.switchToNewThread();
    await settle();
    await press('From other conversations…');
    const loading = new Deferred<ReturnType<typeof contentOf>>();
    backend.responses.set('loadThread', () => loading.promise);
    const opened = controller.openThread('thread-c');
    await press('Add c.pdf to this conversation');
    expect(names(), 'while the thread is loading').to.deep.equal([]);
    loading.resolve(contentOf('thread-c', [stored('m1', 'user', 'Question')]));
    await opened;
    await settle();
    expect(names()).to.deep.equal(['link', 'linked']);
    expect(events.map(({ detail }) => detail['threadId'])).to.deep.equal(['thread-c', 'thread-c']);
    expect(backend.calls.at(-1)?.args[0]).to.equal('thread-c');
    expect(backend.count('createThread')).to.equal(0);
  });

  it('asks the page before a linked document creates a thread', async () => {
    const { controller, backend, documents, press, names, settle } = await setupWithSearch();
    controller.switchToNewThread();
    await settle();
    documents.addEventListener('ubik-thread-create', (event) => event.preventDefault(), {
      once: true,
    });
    await press('From other conversations…');
    await press('Add c.pdf to this conversation');
    expect(names()).to.deep.equal(['link', 'ubik-thread-create']);
    expect(backend.count('createThread')).to.equal(0);
    await press('Add c.pdf to this conversation');
    expect(names().slice(2)).to.deep.equal(['link', 'ubik-thread-create', 'linked']);
    expect(backend.count('createThread')).to.equal(1);
  });

  it('closes the picker on Escape and restores the focus', async () => {
    const { press, root, settle, documents } = await setupWithSearch();
    await press('From other conversations…');
    const field = root.querySelector('input[type=search]');
    expect(root.activeElement === field).to.equal(true);
    const passed: string[] = [];
    documents.addEventListener('keydown', ({ key }) => passed.push(key));
    expect(pressKey(field, 'a').defaultPrevented).to.equal(false);
    expect(pressKey(field, 'Escape').defaultPrevented).to.equal(true);
    expect(passed, 'what is around the picker stays open').to.deep.equal(['a']);
    await settle();
    expect(root.activeElement?.textContent.trim()).to.equal('From other conversations…');
    expect(root.querySelector('input[type=search]') === null).to.equal(true);
  });

  it('shows names as plain text without control characters and bidi overrides', async () => {
    const { rows, root } = await setupDocuments(({ backend }) => {
      backend.documents = [documentOf('a', { name: '<b>\u202efdp.exe\u0007</b>' })];
    });
    expect(rows()[0]).to.contain('b> | Ready');
    expect(root.querySelector('.file b') === null).to.equal(true);
  });
});

describe('the rows of documents', () => {
  it('have one height, whatever their names, states and actions are', async () => {
    const { root } = await setupDocuments(({ backend }, documents) => {
      documents.style.cssText = 'display: block; width: 280px';
      backend.documents = [
        documentOf('a', { name: 'a.pdf' }),
        documentOf('b', { name: `${'a very long name '.repeat(6)}.pdf`, starred: true }),
        documentOf('c', { name: `${'x'.repeat(80)}.md`, status: 'pending' }),
      ];
    });
    const rows = [...root.querySelectorAll<HTMLElement>('.file')];
    expect(rows.length).to.equal(3);
    expect(new Set(rows.map(({ offsetHeight }) => offsetHeight)).size).to.equal(1);
    const last = rows.at(-1);
    const right = (selector: string): number =>
      last?.querySelector(selector)?.getBoundingClientRect().right ?? 0;
    expect(right('.file-name')).to.equal(right('.buttons'));
    expect(last?.querySelector<HTMLElement>('.file-name')?.title).to.equal('a.pdf');
  });

  it('show their states in colour before the styles of messages are loaded', async () => {
    const { root } = await setupDocuments(({ backend }) => {
      backend.documents = [
        documentOf('a', { name: 'a.pdf' }),
        documentOf('b', { name: 'b.pdf', status: 'pending' }),
      ];
    });
    const isOfMessages = ({ cssRules }: CSSStyleSheet): boolean =>
      [...cssRules].some((rule) => (rule as CSSStyleRule).selectorText === '.message');
    const { adoptedStyleSheets: sheets } = root;
    expect(sheets.filter(isOfMessages).length).to.equal(1);
    root.adoptedStyleSheets = sheets.filter((sheet) => !isOfMessages(sheet));
    const icons = ['processing', 'ready'].map((state) =>
      root.querySelector(`[data-state=${state}] .file-state .icon`),
    );
    const [busy, ready] = icons.map((icon) => icon && getComputedStyle(icon));
    expect(busy?.color).not.to.equal(ready?.color);
    expect([busy?.fill, ready?.fill]).to.deep.equal([busy?.color, 'none']);
  });

  for (const [lang, state] of [
    ['en', 'Processing…'],
    ['de', 'Wird verarbeitet …'],
  ] as const) {
    it(`show the whole state in a narrow panel, whose width their buttons do not exceed (${lang})`, async () => {
      const { root, documents, text } = await setupDocuments(({ backend }, panel) => {
        panel.style.cssText = 'display: block; width: 256px';
        panel.lang = lang;
        backend.documents = [
          documentOf('a', { name: 'a.pdf', status: 'processing' }),
          documentOf('b', { name: 'b.pdf', createdAt: NOON }),
        ];
      });
      await waitFor(() => text().includes(state));
      const states = [...root.querySelectorAll<HTMLElement>('.file-state > :first-child')];
      expect(states.length).to.equal(2);
      for (const node of states) expect(node.scrollWidth).to.equal(node.clientWidth);
      const right = (selector: string): number =>
        root.querySelector(selector)?.getBoundingClientRect().right ?? 0;
      for (const node of root.querySelectorAll('.file .buttons')) {
        expect(node.getBoundingClientRect().right).to.be.at.most(right('.files'));
      }
      expect(documents.scrollWidth).to.equal(documents.clientWidth);
    });
  }
});

describe('a removed document', () => {
  it('is removed at the service after 8 seconds, during which it can be undone', async () => {
    const { press, rows, clock, settle, backend, names, text } = await setupTwoDocuments();
    await press('Remove b.pdf from this conversation');
    expect(rows()[0]).to.equal('Removed: b.pdf');
    clock.pass(7);
    await settle();
    expect(backend.count('unlinkDocument')).to.equal(0);
    clock.pass(1);
    await settle();
    expect(backend.calls.at(-1)).to.deep.equal({
      method: 'unlinkDocument',
      args: ['thread-a', 'b'],
    });
    expect(rows().length).to.equal(1);
    expect(names()).to.deep.equal(['unlink', 'unlinked']);
    expect(text()).to.contain('b.pdf is no longer in this conversation.');
    expect(clock.waiting).to.equal(0);
  });

  it('is restored when the removal is undone: in its position, with its star, and attached', async () => {
    const fixture = await setupTwoDocuments();
    const { press, rows, clock, settle, backend, controller, root, names } = fixture;
    await press('Star b.pdf');
    await press('Attach b.pdf to the next message');
    const before = rows();
    await press('Remove b.pdf from this conversation');
    expect(controller.getDraft().attachments).to.deep.equal([]);
    await press('Undo');
    clock.pass(20);
    await settle();
    expect(rows()).to.deep.equal(before);
    expect(controller.getDraft().attachments).to.deep.equal([{ id: 'b', name: 'b.pdf' }]);
    const pressed = [...root.querySelectorAll('.file')].map((row) =>
      [...row.querySelectorAll('[aria-pressed]')].map((toggle) => toggle.ariaPressed),
    );
    expect(pressed).to.deep.equal([
      ['true', 'true'],
      ['false', 'false'],
    ]);
    expect(backend.count('unlinkDocument')).to.equal(0);
    expect(names()).to.deep.equal(['starred', 'unlink']);
    expect(root.activeElement).to.have.property('title', 'Star b.pdf');
  });

  it('is not removed when it is attached to the next message again', async () => {
    const { press, controller, clock, settle, backend, rows } = await setupTwoDocuments();
    await press('Remove a.pdf from this conversation');
    controller.setDraft({ text: '', attachments: [{ id: 'a', name: 'a.pdf' }] });
    await settle();
    expect(rows().join()).not.to.contain('Removed: ');
    clock.pass(8);
    await settle();
    expect(backend.count('unlinkDocument')).to.equal(0);
    expect(controller.getDraft().attachments.length).to.equal(1);
  });

  it('is removed before the next message is sent, which the agent answers without it', async () => {
    const { press, controller, settle, backend } = await setupTwoDocuments();
    await press('Remove b.pdf from this conversation');
    const removal = new Deferred<undefined>();
    backend.responses.set('unlinkDocument', () => removal.promise);
    void controller.send({ text: 'Question', attachments: [] });
    await settle();
    expect([backend.count('unlinkDocument'), backend.count('send')]).to.deep.equal([1, 0]);
    expect(backend.calls.at(-1)?.args).to.deep.equal(['thread-a', 'b']);
    removal.resolve(undefined);
    await settle();
    expect(backend.count('send')).to.equal(1);
  });

  it('is removed before a queued message of its thread is sent while another one is shown, whose removals can still be undone', async () => {
    const { press, controller, settle, backend, rows } = await setupTwoDocuments(({ backend }) => {
      backend.threads.set('thread-b', contentOf('thread-b', [stored('m2', 'user', 'Other')]));
    });
    void controller.send({ text: 'Question', attachments: [] });
    await settle();
    backend.stream.begin();
    await controller.enqueue({ text: 'Second', attachments: [] });
    await press('Remove b.pdf from this conversation');
    await controller.openThread('thread-b');
    await settle();
    await press('Remove a.pdf from this conversation');
    const removal = new Deferred<undefined>();
    backend.responses.set('unlinkDocument', () => removal.promise);
    backend.streams[0]?.finish('complete');
    await settle();
    expect([backend.count('unlinkDocument'), backend.count('send')]).to.deep.equal([1, 1]);
    expect(backend.calls.at(-1)?.args).to.deep.equal(['thread-a', 'b']);
    expect(rows()).to.include('Removed: a.pdf');
    removal.resolve(undefined);
    await settle();
    expect(backend.count('send')).to.equal(2);
  });

  it('is detached from queued messages, also from the one before which it is removed, and attached again by Undo', async () => {
    const { press, controller, settle, backend } = await setupTwoDocuments();
    const a = { id: 'a', name: 'a.pdf' };
    const b = { id: 'b', name: 'b.pdf' };
    void controller.send({ text: 'Question', attachments: [] });
    await settle();
    backend.stream.begin();
    const options = { mode: 'deep' };
    await controller.enqueue({ text: 'Second', attachments: [a, b], options });
    await controller.enqueue({ text: 'Third', attachments: [] });
    const queued = () =>
      [...(controller.thread?.list('queue').values() ?? [])].map(
        (message) => (message as unknown as Draft).attachments,
      );
    await press('Remove b.pdf from this conversation');
    expect(queued()).to.deep.equal([[a], []]);
    await press('Undo');
    expect(queued()).to.deep.equal([[a, b], []]);
    await press('Remove b.pdf from this conversation');
    backend.stream.finish('complete');
    await settle();
    expect(backend.count('unlinkDocument')).to.equal(1);
    expect(backend.stream.args[1]).to.deep.equal({ text: 'Second', attachments: [a], options });
  });

  it('is removed at once when the page is closed, by a keepalive request', async () => {
    const { press, backend } = await setupTwoDocuments();
    await press('Remove b.pdf from this conversation');
    window.dispatchEvent(new PageTransitionEvent('pagehide'));
    expect(backend.calls.at(-1)).to.deep.equal({
      method: 'unlinkDocument',
      args: ['thread-a', 'b', true],
    });
  });

  it('is removed at once when the element is removed, but not when it is moved', async () => {
    const { press, backend, box, documents, settle } = await setupTwoDocuments();
    await press('Remove b.pdf from this conversation');
    box.prepend(documents);
    await settle();
    expect(backend.count('unlinkDocument')).to.equal(0);
    documents.remove();
    await settle();
    expect(backend.calls.filter(({ method }) => method === 'unlinkDocument')).to.deep.equal([
      { method: 'unlinkDocument', args: ['thread-a', 'b'] },
    ]);
  });

  it('is removed at once when the element has no controller any more', async () => {
    const { press, backend, documents, settle } = await setupTwoDocuments();
    await press('Remove b.pdf from this conversation');
    documents.controller = null;
    await settle();
    expect(backend.count('unlinkDocument')).to.equal(1);
  });

  it('is removed from its thread when another one is shown meanwhile', async () => {
    const fixture = await setupTwoDocuments(({ backend }) => {
      backend.threads.set('thread-b', contentOf('thread-b', [stored('m2', 'user', 'Other')]));
    });
    const { press, backend, controller, clock, settle, rows } = fixture;
    await press('Remove b.pdf from this conversation');
    await controller.openThread('thread-b');
    await settle();
    expect(rows().some((row) => row.startsWith('Removed'))).to.equal(false);
    clock.pass(8);
    await settle();
    expect(backend.calls.filter(({ method }) => method === 'unlinkDocument')).to.deep.equal([
      { method: 'unlinkDocument', args: ['thread-a', 'b'] },
    ]);
  });

  it('is attached after Undo only if it was attached before; a second click on Remove or Undo does nothing', async () => {
    const { press, controller, clock, root, settle, rows, names, events } =
      await setupTwoDocuments();
    await press('Remove b.pdf from this conversation');
    await press('Undo');
    expect(controller.getDraft().attachments, 'without attachments').to.deep.equal([]);
    await press('Attach a.pdf to the next message');
    events.length = 0;
    const before = rows();
    const click = async (name: string): Promise<void> => {
      const buttons = [...root.querySelectorAll('button')];
      const button = buttons.find((one) => (one.title || one.textContent.trim()) === name);
      button?.click();
      button?.click();
      await settle();
    };
    await click('Remove b.pdf from this conversation');
    expect(names()).to.deep.equal(['unlink']);
    expect(rows()).to.deep.equal(['Removed: b.pdf', before[1]]);
    await click('Undo');
    expect(rows()).to.deep.equal(before);
    expect(controller.getDraft().attachments.map(({ id }) => id)).to.deep.equal(['a']);
    expect(clock.waiting).to.equal(0);
  });

  it('is hidden while the service removes it, cannot be restored then, and returns when that fails', async () => {
    const { press, backend, clock, settle, rows, root, text } = await setupTwoDocuments();
    const removal = new Deferred<undefined>();
    backend.responses.set('unlinkDocument', () => removal.promise);
    await press('Remove b.pdf from this conversation');
    const undo = root.querySelector<HTMLElement>('.undo');
    clock.pass(8);
    undo?.click();
    await settle();
    expect(rows().map((row) => row.slice(0, 5))).to.deep.equal(['a.pdf']);
    removal.reject(new UbikError('forbidden'));
    await settle();
    expect(rows().map((row) => row.slice(0, 5))).to.deep.equal(['b.pdf', 'a.pdf']);
    expect(text()).to.contain('The service does not allow this.');
    expect(text()).not.to.contain('is no longer in this conversation');
  });

  it('counts as removed when the thread no longer contains it', async () => {
    const { remove, backend, rows, names } = await setupTwoDocuments();
    backend.responses.set('unlinkDocument', () => {
      throw new UbikError('not-found');
    });
    await remove('b.pdf');
    expect(rows().length).to.equal(1);
    expect(names()).to.deep.equal(['unlink', 'unlinked']);
  });
});

describe('files for <ubik-documents>', () => {
  /** A drag event with files, or with text. */
  const createDrag = (type: string, hasFiles = true, relatedTarget: EventTarget | null = null) => {
    const dataTransfer = new DataTransfer();
    if (hasFiles) dataTransfer.items.add(new File(['x'], 'a.txt'));
    else dataTransfer.setData('text/plain', 'x');
    return new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, relatedTarget });
  };

  it('are chosen with a button, and can be chosen again', async () => {
    const { root, press, settle, backend, controller } = await setupDocuments((_, documents) => {
      documents.uploadLimits = { types: ['.txt', '.pdf'] };
    });
    const input = root.querySelector<HTMLInputElement>('input[type=file]');
    if (!input) throw new Error('There is no input.');
    expect([input.multiple, input.hidden, input.accept]).to.deep.equal([true, true, '.txt,.pdf']);
    let clicks = 0;
    input.addEventListener('click', (event) => {
      event.preventDefault();
      clicks += 1;
    });
    await press('Add files…');
    expect(clicks).to.equal(1);
    const transfer = new DataTransfer();
    transfer.items.add(new File(['text'], 'one.txt'));
    transfer.items.add(new File(['text'], 'two.txt'));
    input.files = transfer.files;
    input.dispatchEvent(new Event('change'));
    await settle();
    expect(backend.count('uploadDocument')).to.equal(2);
    expect(input.value).to.equal('');
    expect(controller.getDraft().attachments, 'not attached').to.deep.equal([]);
  });

  it('are accepted while they are dragged over the panel', async () => {
    const { root } = await setupDocuments();
    const target = root.querySelector('.documents') as HTMLElement;
    const isDropping = (): boolean => target.hasAttribute('data-dropping');
    const text = createDrag('dragover', false);
    target.dispatchEvent(text);
    expect([text.defaultPrevented, isDropping()], 'text').to.deep.equal([false, false]);
    const files = createDrag('dragover');
    target.dispatchEvent(files);
    expect([files.defaultPrevented, isDropping()]).to.deep.equal([true, true]);
    target.dispatchEvent(createDrag('dragleave', true, target.firstElementChild));
    expect(isDropping(), 'still inside').to.equal(true);
    target.dispatchEvent(createDrag('dragleave', true, document.body));
    expect(isDropping(), 'outside').to.equal(false);
    target.dispatchEvent(createDrag('dragover'));
    target.dispatchEvent(createDrag('dragleave'));
    expect(isDropping(), 'outside the window').to.equal(false);
    target.dispatchEvent(createDrag('dragover'));
    target.dispatchEvent(createDrag('drop'));
    expect(isDropping(), 'dropped').to.equal(false);
  });

  it('are not accepted by a service without uploads, or when the page has handled them', async () => {
    const { root, backend, documents } = await setupDocuments();
    const target = root.querySelector('.documents') as HTMLElement;
    const handle = (event: Event): void => event.preventDefault();
    target.firstElementChild?.addEventListener('drop', handle);
    target.firstElementChild?.dispatchEvent(createDrag('drop'));
    expect(backend.count('uploadDocument')).to.equal(0);
    backend.capabilities.delete('upload');
    documents.requestUpdate();
    await documents.updateComplete;
    const event = createDrag('drop');
    target.dispatchEvent(event);
    expect(event.defaultPrevented).to.equal(false);
    expect(root.querySelector('.drop-zone, input[type=file]')).to.equal(null);
  });

  it('are pasted, unless there is text, which office programs copy with a picture of it', async () => {
    const { root, backend, settle } = await setupDocuments();
    const target = root.querySelector('.documents') as HTMLElement;
    const paste = async (hasText: boolean): Promise<boolean> => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['x'], 'a.png'));
      if (hasText) clipboardData.setData('text/plain', 'x');
      const init = { clipboardData, bubbles: true, cancelable: true };
      const event = new ClipboardEvent('paste', init);
      target.dispatchEvent(event);
      await settle();
      return event.defaultPrevented;
    };
    expect(await paste(true)).to.equal(false);
    expect(backend.count('uploadDocument')).to.equal(0);
    expect(await paste(false)).to.equal(true);
    expect(backend.count('uploadDocument')).to.equal(1);
  });
});

describe('attachments in <ubik-documents>', () => {
  it('are removed from the next message by the same button', async () => {
    const { press, controller, root } = await setupTwoDocuments();
    const name = 'Attach a.pdf to the next message';
    const isPressed = (): (string | null)[] =>
      [...root.querySelectorAll('button')]
        .filter((button) => accessibleName(button) === name)
        .map(({ ariaPressed }) => ariaPressed);
    await press(name);
    expect(isPressed()).to.deep.equal(['true']);
    await press(name);
    expect(isPressed()).to.deep.equal(['false']);
    expect(controller.getDraft().attachments).to.deep.equal([]);
  });

  for (const [before, after] of [
    [['d1'], ['d2']],
    [['other'], ['other']],
    [
      ['d1', 'other'],
      ['other', 'd2'],
    ],
  ] as const) {
    it(`are replaced when their own file is uploaded again, and other ones stay (attached: ${before.join()})`, async () => {
      const { press, settle, environment, controller } = await setupFailedProcessing();
      const attachments = before.map((id) => ({ id, name: 'a.txt' }));
      controller.setDraft({ text: '', attachments });
      await settle();
      await press('Upload again: a.txt');
      await environment.advance(1_000);
      await settle();
      expect(controller.getDraft().attachments.map(({ id }) => id)).to.have.members(after);
      expect(controller.getDraft().attachments.length).to.equal(after.length);
    });
  }
});

describe('a file that could not be uploaded again', () => {
  for (const name of ['Retry a.txt', 'Upload again: a.txt']) {
    it(`replaces its document when "${name}" is pressed`, async () => {
      const { backend, press, rows, settle, environment, controller } =
        await setupFailedProcessing();
      controller.setDraft({ text: '', attachments: [{ id: 'd1', name: 'a.txt' }] });
      await settle();
      const upload = backend.responses.get('uploadDocument');
      backend.responses.set('uploadDocument', () => Promise.reject(new UbikError('network')));
      await press('Upload again: a.txt');
      expect(rows().length).to.equal(2);
      if (upload) backend.responses.set('uploadDocument', upload);
      await press(name);
      await environment.advance(1_000);
      await settle();
      expect(controller.getDraft().attachments.map(({ id }) => id)).to.deep.equal(['d2']);
      expect(rows().length).to.equal(1);
      expect(rows()[0]).to.contain('a.txt | Ready');
      expect(backend.count('unlinkDocument')).to.equal(1);
    });
  }
});

describe('list of <ubik-documents>', () => {
  it('is marked as busy while it is loading, and says when there are no documents', async () => {
    const pages: ((value: unknown) => void)[] = [];
    const { root, settle, text } = await setupDocuments(({ backend }) => {
      backend.responses.set('listDocuments', () => new Promise((resolve) => pages.push(resolve)));
    });
    const list = root.querySelector('ul.files');
    expect([list?.ariaLabel, list?.ariaBusy]).to.deep.equal(['Documents', 'true']);
    expect(text()).to.contain('Loading');
    expect(text()).not.to.contain('documents that you add here');
    pages[0]?.({ items: [], hasMore: false, total: 0 });
    await settle();
    expect(list?.ariaBusy).to.equal('false');
    expect(text()).not.to.contain('Loading');
    expect(text()).to.contain('documents that you add here');
    expect(root.querySelector('h2')?.getAttribute('part')).to.equal('heading');
    expect(root.querySelector('.drop-zone')).not.to.equal(null);
    expect(root.querySelector('.error-text')).to.equal(null);
    expect(pages.length, 'requests').to.equal(1);
  });

  it('does not say that there are none while there are documents or more pages', async () => {
    const { text, press, backend, root, settle } = await setupPaged();
    expect(text()).not.to.contain('documents that you add here');
    const page = new Deferred<unknown>();
    backend.responses.set('listDocuments', () => page.promise);
    await press('Show more');
    expect(root.querySelector('ul.files')?.ariaBusy).to.equal('true');
    expect(text()).to.contain('Loading documents…');
    page.resolve({ items: [documentOf('b')], hasMore: false, total: 2 });
    await settle();
    expect(
      [...root.querySelectorAll('button')].map((each) => each.textContent.trim()),
    ).not.to.include('Show more');
    expect(text()).to.contain('b.pdf');
  });

  it('ignores the late page of another thread', async () => {
    const pages = new Map<string, (value: unknown) => void>();
    const { rows, settle, controller, backend, root } = await setupDocuments(
      ({ backend: service }) => {
        service.threads.set('thread-b', contentOf('thread-b', [stored('m2', 'user', 'Other')]));
        service.responses.set(
          'listDocuments',
          (id) => new Promise((resolve) => pages.set(id as string, resolve)),
        );
      },
    );
    await controller.openThread('thread-b');
    await settle();
    pages.get('thread-b')?.({ items: [documentOf('b')], hasMore: true, total: 2 });
    await settle();
    pages.get('thread-a')?.({ items: [documentOf('a')], hasMore: false, total: 1 });
    await settle();
    expect(rows().map((row) => row.slice(0, 5))).to.deep.equal(['b.pdf']);
    const names = [...root.querySelectorAll('button')].map((each) => each.textContent.trim());
    expect(names, 'there are more pages').to.include('Show more');
    expect(backend.count('listDocuments')).to.equal(2);
  });

  it('ignores the late error of another thread, and an aborted request', async () => {
    const requests: Deferred<unknown>[] = [];
    const { settle, controller, root, events } = await setupDocuments(({ backend }) => {
      backend.threads.set('thread-b', contentOf('thread-b', [stored('m2', 'user', 'Other')]));
      backend.responses.set('listDocuments', () => {
        const request = new Deferred<unknown>();
        requests.push(request);
        return request.promise;
      });
    });
    await controller.openThread('thread-b');
    await settle();
    requests[0]?.reject(new UbikError('server'));
    await settle();
    expect(root.querySelector('ul.files')?.ariaBusy, 'still loading').to.equal('true');
    requests[1]?.reject(new UbikError('aborted'));
    await settle();
    expect(requests.length).to.equal(2);
    expect(root.querySelector('[role=alert]')).to.equal(null);
    expect(events).to.deep.equal([]);
  });

  it('ignores the late page of another controller that shows the same thread', async () => {
    const late = new Deferred<unknown>();
    const { documents, settle, root, text } = await setupDocuments(({ backend }) => {
      backend.responses.set('listDocuments', () => late.promise);
    });
    const other = setupController();
    other.backend.capabilities.add('documents');
    other.backend.responses.set('listDocuments', () => new Promise(() => undefined));
    other.backend.threads.set('thread-a', contentOf('thread-a', [stored('m1', 'user', 'Q')]));
    await other.controller.openThread('thread-a');
    documents.controller = other.controller;
    await settle();
    late.resolve({ items: [], hasMore: true, total: 100 });
    await settle();
    expect(root.querySelector('ul.files')?.ariaBusy).to.equal('true');
    expect(text()).not.to.contain('Show more');
  });

  it('shows the error of an action until the next one', async () => {
    const { press, backend, root } = await setupTwoDocuments();
    backend.responses.set('starDocument', () => {
      throw new UbikError('forbidden');
    });
    await press('Star a.pdf');
    expect(root.querySelectorAll('.documents > div > .error-text').length).to.equal(1);
    expect(root.querySelector('.error-text')?.getAttribute('role')).to.equal('alert');
    backend.responses.delete('starDocument');
    await press('Star a.pdf');
    expect(root.querySelector('.error-text')).to.equal(null);
  });

  it('announces a document that is ready', async () => {
    const { environment, settle, backend, root, names } = await setupDocuments(
      ({ backend: service }) => {
        service.documents = [documentOf('a', { status: 'pending' })];
      },
    );
    backend.responses.set('loadDocument', (id) => documentOf(id as string));
    await environment.advance(1_000);
    await settle();
    expect(names()).to.deep.equal(['ready']);
    expect(root.querySelector('p.hidden[role=status]')?.textContent).to.equal('a.pdf is ready.');
  });
});

describe('rows of <ubik-documents>', () => {
  const setupRows = () =>
    setupDocuments(({ backend }) => {
      backend.documents = ['a', 'b', 'c'].map((id) => documentOf(id));
    });

  for (const [removed, focused] of [
    ['a.pdf', 'Star b.pdf'],
    ['b.pdf', 'Star a.pdf'],
    ['c.pdf', 'Star b.pdf'],
  ] as const) {
    it(`leave the focus at the position of a removed one, or at the last (${removed})`, async () => {
      const { remove, root } = await setupRows();
      await remove(removed);
      expect(root.activeElement).to.have.property('title', focused);
    });
  }

  it('follow the processing after the element was moved, and no longer when it is removed', async () => {
    const { environment, backend, box, documents, settle } = await setupDocuments(
      ({ backend: service }) => {
        service.documents = [documentOf('a', { status: 'pending' })];
        service.responses.set('loadDocument', () => documentOf('a', { status: 'pending' }));
      },
    );
    const isPolled = async (): Promise<boolean> => {
      const before = backend.count('loadDocument');
      await environment.advance(60_000);
      return backend.count('loadDocument') > before;
    };
    const sibling = document.createElement('p');
    box.append(sibling);
    sibling.after(documents);
    await settle();
    await settle();
    expect(await isPolled(), 'moved').to.equal(true);
    documents.remove();
    await settle();
    expect(await isPolled(), 'removed').to.equal(false);
    box.append(documents);
    await settle();
    await settle();
    expect(await isPolled(), 'added again').to.equal(true);
  });

  it('are updated once for a change of an upload, however often the element was rendered', async () => {
    const { controller, documents, settle } = await setupRows();
    let updates = 0;
    const queue = await controller.loadUploads();
    for (let turn = 0; turn < 3; turn += 1) {
      documents.requestUpdate();
      await settle();
    }
    const { requestUpdate } = documents;
    documents.requestUpdate = (...args) => {
      updates += 1;
      requestUpdate.apply(documents, args);
    };
    queue.refuse(new File([], 'a.txt'), 'empty', false);
    expect(updates).to.equal(1);
  });
});

describe('picker of <ubik-documents>', () => {
  const OPEN = 'From other conversations…';
  const type = async ({ root, settle }: Fixture, text: string): Promise<void> => {
    const field = root.querySelector<HTMLInputElement>('input[type=search]');
    if (!field) throw new Error('There is no search field.');
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await settle();
  };
  const found = ({ root }: Fixture): string[] =>
    [...root.querySelectorAll('.picker .file-name')].map((each) => each.textContent.trim());

  it('is toggled by its button, which says whether it is open', async () => {
    const fixture = await setupWithSearch();
    const button = (): HTMLElement | undefined =>
      [...fixture.root.querySelectorAll('button')].find((one) => one.textContent.trim() === OPEN);
    expect(button()?.ariaExpanded).to.equal('false');
    await fixture.press(OPEN);
    expect(button()?.ariaExpanded).to.equal('true');
    const picker = fixture.root.querySelector('.picker');
    expect([picker?.role, picker?.ariaLabel]).to.deep.equal(['group', OPEN]);
    await fixture.press(OPEN);
    expect(fixture.root.querySelector('.picker')).to.equal(null);
    expect(fixture.root.activeElement).to.equal(button());
    await fixture.press(OPEN);
    await fixture.press('Close');
    expect(fixture.root.querySelector('.picker')).to.equal(null);
    expect(fixture.root.activeElement).to.equal(button());
  });

  it('asks findDocuments again with each character, and drops late results', async () => {
    const asked: { query: string; signal: AbortSignal; answer: (all: DocumentInfo[]) => void }[] =
      [];
    const fixture = await setupTwoDocuments((_, documents) => {
      documents.findDocuments = (query, signal) =>
        new Promise((answer) => asked.push({ query, signal, answer }));
    });
    await fixture.press(OPEN);
    await type(fixture, 'c');
    expect(asked.map(({ query, signal }) => [query, signal.aborted])).to.deep.equal([
      ['', true],
      ['c', false],
    ]);
    const status = (): string =>
      fixture.root.querySelector('.picker [role=status]')?.textContent ?? '';
    expect(status()).to.contain('Searching');
    expect(fixture.root.querySelector('.picker ul')?.ariaBusy).to.equal('true');
    asked[0]?.answer([documentOf('old')]);
    await fixture.settle();
    expect(found(fixture)).to.deep.equal([]);
    expect(status()).to.contain('Searching');
    // The host page decides what matches; linked documents are omitted.
    asked[1]?.answer([documentOf('x'), documentOf('a')]);
    await fixture.settle();
    expect(found(fixture)).to.deep.equal(['x.pdf']);
    expect(status()).to.equal('');
    await fixture.press('Close');
    expect(asked.length).to.equal(2);
  });

  it('filters what it has found in other threads, page by page', async () => {
    const summary = (id: string) => ({ id, title: id, createdAt: 1, updatedAt: 1 });
    const fixture = await setupTwoDocuments(({ backend }) => {
      backend.responses.set('listThreads', (request) => {
        const { page } = request as { page: number };
        return { items: [summary(`t${page}`)], hasMore: page < 2, total: 2 };
      });
      backend.responses.set('listDocuments', (thread) => ({
        items:
          thread === 'thread-a'
            ? backend.documents
            : [documentOf(`${thread as string}-Plan`, { starred: true })],
        hasMore: false,
        total: 1,
      }));
    });
    await fixture.press(OPEN);
    expect(found(fixture)).to.deep.equal(['t1-Plan.pdf']);
    await fixture.press('Keep searching');
    expect(found(fixture)).to.deep.equal(['t1-Plan.pdf', 't2-Plan.pdf']);
    expect(fixture.root.querySelector('.picker [role=status]')?.textContent).to.equal(
      'Searched 2 other conversations.',
    );
    const names = [...fixture.root.querySelectorAll('.picker .buttons button')].map((each) =>
      each.textContent.trim(),
    );
    expect(names.at(-1)).to.equal('Close');
    expect(names, 'everything was searched').not.to.include('Keep searching');
    await type(fixture, ' T2-plan ');
    expect(found(fixture)).to.deep.equal(['t2-Plan.pdf']);
    await type(fixture, 'nothing');
    const status = fixture.root.querySelector('.picker [role=status]');
    expect(status?.textContent).to.equal('Nothing found. Searched 2 other conversations.');
    expect(fixture.backend.count('listThreads')).to.equal(2);
    await fixture.press(OPEN);
    await fixture.press(OPEN);
    expect(fixture.root.querySelector<HTMLInputElement>('input[type=search]')?.value).to.equal('');
    await fixture.press('Add t1-Plan.pdf to this conversation');
    const [star] = fixture.root.querySelectorAll('.files .file button');
    expect(star?.ariaPressed, 'the star belongs to the other conversation').to.equal('false');
  });

  it('shows what it has found in each conversation at once, and asks for no more when it is closed', async () => {
    const summary = (id: string) => ({ id, title: id, createdAt: 1, updatedAt: 1 });
    const pages = new Map<string, Deferred<unknown>>();
    const fixture = await setupDocuments(({ backend }) => {
      backend.responses.set('listThreads', () => {
        return { items: ['t1', 't2', 't3'].map(summary), hasMore: false, total: 3 };
      });
      backend.responses.set('listDocuments', (thread) => {
        if (thread === 'thread-a') return { items: [], hasMore: false, total: 0 };
        const page = new Deferred<unknown>();
        pages.set(thread as string, page);
        return page.promise;
      });
    });
    const answer = async (id: string): Promise<void> => {
      pages.get(id)?.resolve({ items: [documentOf(id)], hasMore: false, total: 1 });
      await fixture.settle();
    };
    await fixture.press(OPEN);
    await answer('t1');
    expect(found(fixture)).to.deep.equal(['t1.pdf']);
    const status = fixture.root.querySelector('.picker [role=status]');
    expect(status?.textContent).to.equal('Searching…');
    expect([...pages.keys()]).to.deep.equal(['t1', 't2']);
    await fixture.press('Close');
    await answer('t2');
    expect([...pages.keys()], 'closed').to.deep.equal(['t1', 't2']);
    expect(fixture.events).to.deep.equal([]);
  });

  it('ignores the error of an outdated search, and says when nothing was found', async () => {
    const asked: Deferred<DocumentInfo[]>[] = [];
    const fixture = await setupTwoDocuments((_, documents) => {
      documents.findDocuments = () => {
        const search = new Deferred<DocumentInfo[]>();
        asked.push(search);
        return search.promise;
      };
    });
    await fixture.press(OPEN);
    await type(fixture, 'c');
    asked[0]?.reject(new UbikError('server'));
    await fixture.settle();
    expect(fixture.root.querySelector('.picker [role=alert]')).to.equal(null);
    expect(fixture.events).to.deep.equal([]);
    const status = fixture.root.querySelector('.picker [role=status]');
    expect(status?.textContent).to.equal('Searching…');
    asked[1]?.resolve([]);
    await fixture.settle();
    expect(status?.textContent).to.equal('Nothing found.');
    const names = [...fixture.root.querySelectorAll('.picker .buttons button')].map((each) =>
      each.textContent.trim(),
    );
    expect(names).to.deep.equal(['Close']);
  });

  it('ignores what a closed search finds after another search has begun', async () => {
    const pages: Deferred<unknown>[] = [];
    const fixture = await setupDocuments(({ backend }) => {
      backend.responses.set('listThreads', () => ({
        items: [{ id: 't1', title: 'T', createdAt: 1, updatedAt: 1 }],
        hasMore: false,
        total: 1,
      }));
      backend.responses.set('listDocuments', (thread) => {
        if (thread === 'thread-a') return { items: [], hasMore: false, total: 0 };
        const page = new Deferred<unknown>();
        pages.push(page);
        return page.promise;
      });
    });
    await fixture.press(OPEN);
    await fixture.press('Close');
    await fixture.press(OPEN);
    expect(pages.length).to.equal(2);
    const answer = async (at: number, id: string): Promise<void> => {
      pages[at]?.resolve({ items: [documentOf(id)], hasMore: false, total: 1 });
      await fixture.settle();
    };
    await answer(0, 'old');
    expect(found(fixture)).to.deep.equal([]);
    await answer(1, 'new');
    expect(found(fixture)).to.deep.equal(['new.pdf']);
  });

  it('finds nothing at a service that lists no threads, and offers no further search', async () => {
    const fixture = await setupDocuments(({ backend }) => {
      Object.assign(backend, { listThreads: undefined });
    });
    await fixture.press(OPEN);
    expect(fixture.root.querySelector('.picker [role=status]')?.textContent).to.equal(
      'Nothing found. Searched 0 other conversations.',
    );
    const names = [...fixture.root.querySelectorAll('.picker .buttons button')].map((each) =>
      each.textContent.trim(),
    );
    expect(names).to.deep.equal(['Close']);
    expect(fixture.events).to.deep.equal([]);
  });

  it('links a document once when its button is pressed again before the service has responded', async () => {
    const { backend, names, press, settle } = await setupWithSearch();
    const response = new Deferred<undefined>();
    backend.responses.set('linkDocuments', () => response.promise);
    await press(OPEN);
    await press('Add c.pdf to this conversation');
    await press('Add c.pdf to this conversation');
    response.resolve(undefined);
    await settle();
    expect(backend.count('linkDocuments')).to.equal(1);
    expect(names().filter((name) => name === 'linked')).to.have.length(1);
  });

  it('links a document to a new thread once, although its button is pressed before and after the code is loaded, and then to another thread', async () => {
    const { backend, controller, press, settle } = await setupWithSearch();
    backend.responses.set('linkDocuments', () => new Promise(() => undefined));
    const { load, value } = documentActions;
    const held = new Deferred<undefined>();
    Object.assign(documentActions, {
      value: undefined,
      load: () => held.promise.then(() => load.call(documentActions)),
    });
    try {
      controller.switchToNewThread();
      await settle();
      await press(OPEN);
      await press('Add c.pdf to this conversation');
      held.resolve(undefined);
      await settle();
      await settle();
      expect(backend.count('linkDocuments')).to.equal(1);
      await press('Add c.pdf to this conversation');
      expect(backend.count('linkDocuments')).to.equal(1);
      await controller.openThread('thread-a');
      await settle();
      await press('Add c.pdf to this conversation');
      expect(backend.count('linkDocuments')).to.equal(2);
    } finally {
      Object.assign(documentActions, { load, value });
    }
  });

  it('links a document to another thread while it is being linked to the first', async () => {
    const { backend, controller, press, settle } = await setupWithSearch();
    backend.responses.set('linkDocuments', () => new Promise(() => undefined));
    await press(OPEN);
    await press('Add c.pdf to this conversation');
    controller.switchToNewThread();
    await settle();
    await press('Add c.pdf to this conversation');
    await press('Add c.pdf to this conversation');
    expect(backend.count('linkDocuments')).to.equal(2);
  });

  it('dispatches ubik-document-linked with the thread to which it has linked a document, although another one is shown', async () => {
    const { backend, controller, events, press, settle } = await setupWithSearch();
    const response = new Deferred<undefined>();
    backend.responses.set('linkDocuments', () => response.promise);
    await press(OPEN);
    await press('Add c.pdf to this conversation');
    controller.switchToNewThread();
    await settle();
    response.resolve(undefined);
    await settle();
    const linked = events.filter(({ type }) => type === 'ubik-document-linked');
    expect(linked.map(({ detail }) => detail['threadId'])).to.deep.equal(['thread-a']);
  });

  it('shows why a document could not be linked', async () => {
    const fixture = await setupWithSearch();
    fixture.backend.responses.set('linkDocuments', () => {
      throw new UbikError('forbidden');
    });
    await fixture.press(OPEN);
    await fixture.press('Add c.pdf to this conversation');
    const names = [...fixture.root.querySelectorAll('.picker > .buttons button')].map((button) =>
      button.textContent.trim(),
    );
    expect(names, 'nothing to search again').to.deep.equal(['Close']);
    expect(fixture.root.querySelectorAll('.picker [role=alert]').length).to.equal(1);
    fixture.backend.responses.delete('linkDocuments');
    await fixture.press('Add c.pdf to this conversation');
    expect(fixture.root.querySelector('.picker [role=alert]')).to.equal(null);
    expect(found(fixture), 'linked').to.deep.equal([]);
  });

  it('stops the search when the element is removed', async () => {
    const signals: AbortSignal[] = [];
    const fixture = await setupTwoDocuments((_, documents) => {
      documents.findDocuments = (_query, signal) => {
        signals.push(signal);
        return new Promise(() => undefined);
      };
    });
    await fixture.press(OPEN);
    fixture.documents.remove();
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);
    fixture.box.append(fixture.documents);
    await fixture.settle();
    expect(fixture.root.querySelector('.picker')).to.equal(null);
  });
});

describe('panel of <ubik-documents>', () => {
  const DAY = 86_400_000;

  it('shows type, name, state and date of documents, and what each toggle does', async () => {
    const { root, rows } = await setupDocuments(({ backend }) => {
      backend.documents = [
        documentOf('a', { createdAt: null }),
        documentOf('b', { status: 'pending', createdAt: NOON - DAY }),
        documentOf('c', { status: 'Virus scan', name: 'c', starred: true }),
        documentOf('d', { status: 'failed', error: '<i>Broken</i>' }),
        documentOf('e', { name: '\u202e', createdAt: new Date(2025, 11, 31).getTime() }),
      ];
    });
    expect(rows()).to.deep.equal([
      'Document | Ready · Dec 31, 2025',
      'd.pdf | Couldn’t read this file. <i>Broken</i> Add the file again to retry.',
      'c | Virus scan · Jan 1, 1970',
      'b.pdf | Queued · Mar 14',
      'a.pdf | Ready',
    ]);
    const all = [...root.querySelectorAll<HTMLElement>('.file')];
    const states = all.map(({ dataset, part }) => [dataset['state'], part.value]);
    expect(states).to.deep.equal(
      ['ready', 'failed', 'processing', 'processing', 'ready'].map((state) => [state, 'document']),
    );
    const types = all.map((row) => row.querySelector<HTMLElement>('.file-icon')?.dataset['type']);
    expect(types).to.deep.equal(['', 'pdf', '', 'pdf', 'pdf']);
    const icons = all.map((row) => row.querySelectorAll('.file-icon .icon').length);
    expect(icons, 'of files without an extension').to.deep.equal([1, 0, 1, 0, 0]);
    const busy = all.map((row) => row.querySelectorAll('.busy').length);
    expect(busy).to.deep.equal([0, 0, 1, 1, 0]);
    const star = all[2]?.querySelector('button');
    const other = all[3]?.querySelector('button');
    expect([star?.title, star?.ariaPressed, other?.ariaPressed]).to.deep.equal([
      'Star c',
      'true',
      'false',
    ]);
    const fills = [star, other].map((button) => {
      const icon = button?.querySelector('.icon-star');
      return icon && getComputedStyle(icon).fill !== 'none';
    });
    expect(fills, 'filled where it is on').to.deep.equal([true, false]);
  });

  it('shows name, state and progress of uploads, and what the buttons do', async () => {
    const fixture = await setupDocuments((_, element) => {
      element.uploadLimits = { maxBytes: 2000 };
    });
    const { backend, drop, root, settle, events, rows } = fixture;
    const sent: {
      report: (sent: number, total: number) => void;
      fail: (error: UbikError) => void;
    }[] = [];
    backend.responses.set('uploadDocument', (_thread, _file, report) => {
      return new Promise((_resolve, fail) => {
        sent.push({ report: report as (sent: number, total: number) => void, fail });
      });
    });
    const file = (name: string, size = 1500): File => new File(['x'.repeat(size)], name);
    await drop(
      file('a.txt'),
      file('b\u202e.txt'),
      file('c.txt'),
      file('d.txt'),
      file('e.txt', 2001),
    );
    expect(rows()[3], 'three at a time').to.equal('d.txt | Queued (2 kB)');
    sent[0]?.report(1000, 1500);
    sent[2]?.fail(new UbikError('network'));
    await settle();
    sent[3]?.fail(new UbikError('too-large'));
    await settle();
    expect(rows()).to.deep.equal([
      'a.txt | 1 kB of 2 kB',
      'b.txt | 0 kB of 2 kB The file name was adjusted.',
      'c.txt | The file could not be uploaded. Try again.',
      'd.txt | This is too large to send.',
      'e.txt | This file is too large (2 kB).',
    ]);
    const alerts = [...root.querySelectorAll('.file [role=alert]')].map((one) =>
      one.textContent.trim(),
    );
    expect(alerts, 'announced').to.deep.equal([
      'The file could not be uploaded. Try again.',
      'This is too large to send.',
      'This file is too large (2 kB).',
    ]);
    const all = [...root.querySelectorAll<HTMLElement>('.file')];
    expect(all.map(({ dataset }) => dataset['state'])).to.deep.equal([
      'sending',
      'sending',
      'failed',
      'failed',
      'refused',
    ]);
    expect(all.map(({ part }) => part.value)).to.deep.equal(all.map(() => 'document'));
    expect(new Set(all.map(({ dataset }) => dataset['key'])).size).to.equal(5);
    const names = all.map((row) => [...row.querySelectorAll('button')].map(accessibleName));
    expect(names).to.deep.equal([
      ['Cancel upload of a.txt'],
      ['Cancel upload of b.txt'],
      ['Retry c.txt', 'Dismiss c.txt'],
      ['Retry d.txt', 'Dismiss d.txt'],
      ['Dismiss e.txt'],
    ]);
    const bars = all.map((row) => row.querySelector('progress'));
    expect(bars.map((bar) => bar && [bar.max, bar.value, bar.ariaLabel])).to.deep.equal([
      [1500, 1000, 'a.txt'],
      [1500, 0, 'b.txt'],
      null,
      null,
      null,
    ]);
    const details = events
      .filter(({ type }) => type === 'ubik-document-failed')
      .map(({ detail }) => [detail['name'], detail['size'], detail['code'], detail['documentId']]);
    expect(details).to.deep.equal([
      ['e.txt', 2001, 'too-large', null],
      ['c.txt', 1500, 'upload-failed', null],
      ['d.txt', 1500, 'too-large', null],
    ]);
    expect(events.find(({ type }) => type === 'ubik-document-add')?.detail).to.deep.equal({
      threadId: 'thread-a',
      documentId: null,
      name: 'a.txt',
      size: 1500,
    });
  });

  it('reports the id of the thread that an upload creates, and the name that the service gives the document', async () => {
    const { controller, drop, events, backend, settle } = await setupDocuments();
    controller.switchToNewThread();
    await settle();
    backend.responses.set('uploadDocument', () =>
      documentOf('d1', { name: '', status: 'pending' }),
    );
    await drop(new File(['x'], 'a.txt'));
    await settle();
    const seen = events.map(({ type, detail }) => [type.replace('ubik-', ''), detail]);
    const file = { name: 'a.txt', size: 1 };
    expect(seen.slice(0, 3)).to.deep.equal([
      ['document-add', { threadId: null, documentId: null, ...file }],
      ['thread-create', { threadId: null }],
      ['document-added', { threadId: 'thread-id-1', documentId: 'd1', ...file }],
    ]);
    expect(controller.getDraft().attachments, 'not attached').to.deep.equal([]);
    events.length = 0;
    backend.responses.set('uploadDocument', () =>
      documentOf('d2', { name: 'renamed.txt', status: 'pending' }),
    );
    await drop(new File(['x'], 'b.txt'));
    expect(events.map(({ type }) => type)).not.to.include('ubik-thread-create');
    expect(events.at(-1)?.detail).to.include({ documentId: 'd2', name: 'renamed.txt' });
  });

  it('reports the thread of an upload when another one is shown before it has arrived or failed', async () => {
    const { controller, drop, events, backend, settle } = await setupDocuments();
    controller.switchToNewThread();
    await settle();
    const pending: Deferred<DocumentInfo>[] = [];
    backend.responses.set('uploadDocument', () => {
      const upload = new Deferred<DocumentInfo>();
      pending.push(upload);
      return upload.promise;
    });
    await drop(new File(['x'], 'a.txt'), new File(['x'], 'b.txt'));
    const created = controller.thread?.id ?? '';
    await controller.openThread('thread-a');
    await settle();
    events.length = 0;
    pending[0]?.resolve(documentOf('d1', { name: 'a.txt', status: 'completed' }));
    pending[1]?.reject(new UbikError('server'));
    await settle();
    const seen = (): unknown[] =>
      events
        .filter(({ type }) => type.startsWith('ubik-document-'))
        .map(({ type, detail }) => [type.slice('ubik-document-'.length), detail['threadId']]);
    expect(seen()).to.have.deep.members([
      ['added', created],
      ['failed', created],
    ]);
    backend.threads.set(created, contentOf(created, []));
    await controller.openThread(created);
    await settle();
    expect(seen().slice(2), 'processed, reported when it is shown').to.deep.equal([
      ['ready', created],
    ]);
  });

  it('reports stars, removals and failures with the id and name of the document', async () => {
    const { press, events, remove, environment, backend, settle, controller } =
      await setupDocuments(({ backend: service }) => {
        service.documents = [documentOf('a', { status: 'pending' }), documentOf('b')];
      });
    const common = { threadId: 'thread-a', size: null };
    const b = { ...common, documentId: 'b', name: 'b.pdf' };
    await press('Star b.pdf');
    expect(events.at(-1)?.detail).to.deep.equal({ ...b, starred: true });
    await press('Star b.pdf');
    expect(events.at(-1)?.detail).to.deep.equal({ ...b, starred: false });
    await remove('b.pdf');
    expect(events.slice(-2).map(({ detail }) => detail)).to.deep.equal([b, b]);
    backend.responses.set('loadDocument', () =>
      documentOf('a', { status: 'failed', error: 'No.' }),
    );
    await environment.advance(1000);
    await settle();
    expect(events.at(-1)?.detail).to.deep.equal({
      ...common,
      documentId: 'a',
      name: 'a.pdf',
      code: 'processing',
      message: 'No.',
    });
    expect(controller.thread?.id).to.equal('thread-a');
  });

  it('says that there are no documents only while there are neither documents nor uploads', async () => {
    const { text, drop, backend, root } = await setupDocuments();
    expect(text()).to.contain('documents that you add here');
    backend.responses.set('uploadDocument', () => new Promise(() => undefined));
    await drop(new File(['x'], 'a.txt'));
    expect(root.querySelectorAll('.file').length).to.equal(1);
    expect(text(), 'an upload').not.to.contain('documents that you add here');
    const { text: textOfTwo } = await setupTwoDocuments();
    expect(textOfTwo(), 'documents').not.to.contain('documents that you add here');
  });

  it('keeps the focus on a control that stays', async () => {
    const { press, root } = await setupTwoDocuments();
    await press('Attach b.pdf to the next message');
    expect(root.activeElement).to.have.property('title', 'Attach b.pdf to the next message');
  });

  it('requests limits once from a service that rejects the request, and no documents from a service without them', async () => {
    let asked = 0;
    const { documents, backend, settle, root, text } = await setupDocuments(
      ({ backend: service }) => {
        const loadOnboarding = () => {
          asked += 1;
          return Promise.reject(new UbikError('server'));
        };
        Object.assign(service, { loadOnboarding });
      },
      ['upload'],
    );
    for (let turn = 0; turn < 3; turn += 1) {
      documents.requestUpdate();
      await settle();
    }
    expect(asked).to.equal(1);
    expect(backend.count('listDocuments')).to.equal(0);
    expect(root.querySelector('ul.files')?.ariaBusy).to.equal('false');
    expect(text()).not.to.contain('Up to');
  });

  it('reports once that the list cannot be loaded', async () => {
    const { events, root } = await setupDocuments(({ backend }) => {
      backend.responses.set('listDocuments', () => Promise.reject(new UbikError('server')));
    });
    expect(events.map(({ type, detail }) => [type, detail['code']])).to.deep.equal([
      ['ubik-error', 'server'],
    ]);
    expect(root.querySelectorAll('.error-text[role=alert]').length).to.equal(1);
    expect(root.querySelector('ul.files')?.ariaBusy).to.equal('false');
  });

  it('follows another controller, and sends pending removals to the service of the previous one', async () => {
    const { documents, backend, press, settle, rows, environment, names } = await setupDocuments(
      ({ backend: service }) => {
        service.documents = [documentOf('a', { status: 'pending' }), documentOf('b')];
      },
    );
    await press('Remove b.pdf from this conversation');
    const other = setupController();
    for (const name of ['documents', 'link'] as const) other.backend.capabilities.add(name);
    other.backend.documents = [documentOf('z')];
    other.backend.threads.set('thread-a', contentOf('thread-a', [stored('m1', 'user', 'Q')]));
    await other.controller.openThread('thread-a');
    documents.controller = other.controller;
    await settle();
    await other.environment.settle();
    await settle();
    expect(backend.count('unlinkDocument')).to.equal(1);
    expect(rows().map((row) => row.slice(0, 5))).to.deep.equal(['z.pdf']);
    expect(backend.calls.at(-1)?.args).to.deep.equal(['thread-a', 'b']);
    const before = names().length;
    await environment.advance(60_000);
    expect(backend.count('loadDocument'), 'no longer polled').to.equal(0);
    expect(names().length).to.equal(before);
  });

  it('does not poll documents while the page is in the background', async () => {
    const { environment, backend, settle } = await setupDocuments(({ backend: service }) => {
      service.documents = [documentOf('a', { status: 'pending' })];
    });
    const setHidden = (value: boolean): void => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    try {
      setHidden(true);
      await environment.advance(60_000);
      expect(backend.count('loadDocument')).to.equal(0);
      setHidden(false);
      await environment.advance(1000);
      await settle();
      expect(backend.count('loadDocument')).to.equal(1);
    } finally {
      Reflect.deleteProperty(document, 'hidden');
    }
  });

  it('keeps a removal that can be undone when the thread is renamed, without loading the list again', async () => {
    const { press, controller, backend, settle, rows } = await setupTwoDocuments(
      ({ backend: service }) => {
        service.capabilities.add('rename');
      },
    );
    await press('Remove b.pdf from this conversation');
    await controller.renameThread('thread-a', 'Another title');
    await settle();
    expect(backend.count('unlinkDocument')).to.equal(0);
    expect(rows()[0]).to.equal('Removed: b.pdf');
    expect(backend.count('listDocuments'), 'the list is not loaded again').to.equal(1);
  });

  it('keeps the row of a removed document, with a button to undo', async () => {
    const { press, root } = await setupTwoDocuments();
    await press('Remove b.pdf from this conversation');
    const [row] = root.querySelectorAll<HTMLElement>('.file');
    expect([row?.className, row?.dataset['state'], row?.part.value]).to.deep.equal([
      'file removed',
      'removed',
      'document',
    ]);
    expect(row?.querySelector<HTMLElement>('.file-icon')?.dataset['type']).to.equal('pdf');
    expect(
      [...(row?.querySelectorAll('button') ?? [])].map((each) => each.textContent.trim()),
    ).to.deep.equal(['Undo']);
  });

  it('keeps the list of the shown thread when a document of the previous one was removed in another tab', async () => {
    const fixture = await setupTwoDocuments(({ backend }) => {
      backend.threads.set('thread-b', contentOf('thread-b', [stored('m2', 'user', 'Other')]));
      backend.responses.set('unlinkDocument', () => Promise.reject(new UbikError('not-found')));
    });
    const { press, controller, clock, settle, rows, names } = fixture;
    await press('Remove b.pdf from this conversation');
    await controller.openThread('thread-b');
    await settle();
    clock.pass(8);
    await settle();
    expect(rows().map((row) => row.slice(0, 5))).to.deep.equal(['b.pdf', 'a.pdf']);
    expect(names()).to.deep.equal(['unlink', 'unlinked']);
  });

  it('shows no empty reason for a failed document', async () => {
    const { root } = await setupDocuments(({ backend }) => {
      backend.documents = [documentOf('a', { status: 'failed' })];
    });
    expect(root.querySelectorAll('.file .error-text bdi').length).to.equal(0);
  });

  it('drops files that wait for the limits when another controller is connected', async () => {
    const limits = new Deferred<Onboarding>();
    const { documents, drop, settle, backend, rows, events } = await setupDocuments(
      ({ backend: service }) => {
        Object.assign(service, { loadOnboarding: () => limits.promise });
      },
    );
    await drop(new File(['x'], 'a.txt'));
    const other = setupController();
    other.backend.capabilities.add('upload');
    documents.controller = other.controller;
    await settle();
    limits.resolve({ greeting: null, starters: [] });
    await settle();
    await other.environment.settle();
    expect([rows(), events]).to.deep.equal([[], []]);
    const sent = [backend, other.backend].map((each) => each.count('uploadDocument'));
    expect(sent).to.deep.equal([0, 0]);
  });

  it('uploads a failed document again only once, and not to a service without uploads', async () => {
    const { press, backend, documents, settle, root, rows } = await setupFailedProcessing();
    await settle();
    backend.responses.set('uploadDocument', () => new Promise(() => undefined));
    const button = (): HTMLElement | null => root.querySelector('.reupload');
    expect(button()?.ariaDisabled).to.equal('false');
    expect(rows()[0]).not.to.contain('Add the file again');
    await press('Upload again: a.txt');
    expect(button()?.ariaDisabled).to.equal('true');
    const before = backend.count('uploadDocument');
    button()?.click();
    await settle();
    expect(backend.count('uploadDocument')).to.equal(before);
    backend.capabilities.delete('upload');
    documents.requestUpdate();
    await settle();
    expect(button()).to.equal(null);
    expect(rows().at(-1)).not.to.contain('Add the file again');
  });

  it('continues a search on Retry in the thread in which it has failed', async () => {
    const summary = (id: string) => ({ id, title: id, createdAt: 1, updatedAt: 1 });
    let works = false;
    const { press, root, backend, text } = await setupTwoDocuments(({ backend: service }) => {
      service.responses.set('listThreads', () => ({
        items: ['t1', 'thread-a', 't2'].map(summary),
        hasMore: false,
        total: 3,
      }));
      service.responses.set('listDocuments', (thread) => {
        if (thread === 't2' && !works) throw new UbikError('server');
        const items = thread === 'thread-a' ? service.documents : [documentOf(String(thread))];
        return { items, hasMore: false, total: 1 };
      });
    });
    const found = (): (string | undefined)[] =>
      [...root.querySelectorAll('.picker .file-name')].map((each) => each.textContent.trim());
    await press('From other conversations…');
    expect(found(), 'found before').to.deep.equal(['t1.pdf']);
    expect(root.querySelectorAll('.picker [role=alert]').length).to.equal(1);
    expect(root.querySelector('.picker ul')?.ariaBusy).to.equal('false');
    works = true;
    await press('Retry');
    expect(found()).to.deep.equal(['t1.pdf', 't2.pdf']);
    expect(text()).to.contain('Searched 2 other conversations.');
    const pages = backend.calls
      .filter(({ method }) => method === 'listThreads')
      .map(({ args }) => args[0]);
    expect(pages).to.deep.equal([
      { page: 1, limit: 20 },
      { page: 1, limit: 20 },
    ]);
    expect(root.querySelectorAll('.picker [role=alert]').length).to.equal(0);
  });
});

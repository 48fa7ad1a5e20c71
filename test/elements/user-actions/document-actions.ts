import { UbikError } from '../../../src/errors.js';
import { documentOf } from '../../controller/scripted-backend.js';
import { setupDocuments } from '../documents-fixture.js';
import type { ActionFixture, UserAction } from './user-action.js';

type DocumentFixture = Awaited<ReturnType<typeof setupDocuments>>;

/** A documents panel with a document, and another one that can be linked. */
async function setupPanel(
  perform: (fixture: DocumentFixture) => Promise<unknown>,
  prepare?: (fixture: DocumentFixture) => Promise<unknown>,
): Promise<ActionFixture> {
  const fixture = await setupDocuments(({ backend }, documents) => {
    backend.documents = [documentOf('a')];
    documents.findDocuments = () => Promise.resolve([documentOf('c')]);
  });
  await prepare?.(fixture);
  const { documents: target, rows } = fixture;
  return { ...fixture, target, perform: () => perform(fixture), snapshot: rows };
}

const file = (): File => new File(['text'], 'notes.txt');

/** Drops a file whose upload fails. */
async function failUpload({ backend, drop }: DocumentFixture): Promise<void> {
  backend.responses.set('uploadDocument', () => Promise.reject(new UbikError('network')));
  await drop(file());
  backend.responses.clear();
}

/** Drops a file whose upload does not end. */
async function startUpload({ backend, drop }: DocumentFixture): Promise<void> {
  backend.responses.set('uploadDocument', () => new Promise(() => undefined));
  await drop(file());
}

const events = (before: string | null, after: string) => ({
  before: before && `ubik-document-${before}`,
  after: `ubik-document-${after}`,
});

/** Actions on documents. */
export const DOCUMENT_ACTIONS: readonly UserAction[] = [
  {
    ...{ name: 'upload a file', ...events('add', 'added'), method: 'uploadDocument' },
    setUp: () => setupPanel(({ drop }) => drop(file())),
  },
  {
    ...{ name: 'cancel an upload', ...events(null, 'cancelled'), method: null },
    setUp: () => setupPanel(({ press }) => press('Cancel upload of notes.txt'), startUpload),
  },
  {
    ...{ name: 'retry an upload', ...events(null, 'added'), method: 'uploadDocument' },
    setUp: () => setupPanel(({ press }) => press('Retry notes.txt'), failUpload),
  },
  {
    ...{
      name: 'add a document of another thread',
      ...events('link', 'linked'),
      method: 'linkDocuments',
    },
    setUp: () =>
      setupPanel(
        ({ press }) => press('Add c.pdf to this conversation'),
        ({ press }) => press('From other conversations…'),
      ),
  },
  {
    ...{ name: 'remove a document', ...events('unlink', 'unlinked'), method: 'unlinkDocument' },
    setUp: () => setupPanel(({ remove }) => remove('a.pdf')),
  },
  {
    ...{ name: 'star a document', ...events(null, 'starred'), method: 'starDocument' },
    setUp: () => setupPanel(({ press }) => press('Star a.pdf')),
  },
];

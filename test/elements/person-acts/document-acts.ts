import { UbikError } from '../../../src/errors.js';
import { documentOf } from '../../controller/scripted-backend.js';
import { setupDocuments } from '../documents-stage.js';
import type { ActStage, PersonAct } from './person-act.js';

type DocumentStage = Awaited<ReturnType<typeof setupDocuments>>;

/** A list with a document, and another one that can be linked. */
async function setupList(
  act: (stage: DocumentStage) => Promise<unknown>,
  prepare?: (stage: DocumentStage) => Promise<unknown>,
): Promise<ActStage> {
  const stage = await setupDocuments(({ backend }, documents) => {
    backend.documents = [documentOf('a')];
    documents.findDocuments = () => Promise.resolve([documentOf('c')]);
  });
  await prepare?.(stage);
  const { documents: target, rows } = stage;
  return { ...stage, target, act: () => act(stage), kept: rows };
}

const file = (): File => new File(['text'], 'notes.txt');

/** A file that the network has lost. */
async function lose({ backend, drop }: DocumentStage): Promise<void> {
  backend.answers.set('uploadDocument', () => Promise.reject(new UbikError('network')));
  await drop(file());
  backend.answers.clear();
}

/** A file on its way. */
async function hold({ backend, drop }: DocumentStage): Promise<void> {
  backend.answers.set('uploadDocument', () => new Promise(() => undefined));
  await drop(file());
}

const events = (before: string, past: string) => ({
  before: `ubik-document-${before}`,
  past: `ubik-document-${past}`,
});

/** What a person does with documents. */
export const DOCUMENT_ACTS: readonly PersonAct[] = [
  {
    ...{ name: 'adding a file', ...events('add', 'added'), method: 'uploadDocument' },
    setUp: () => setupList(({ drop }) => drop(file())),
  },
  {
    ...{ name: 'giving a file up', ...events('cancel', 'cancelled'), method: null },
    setUp: () => setupList(({ press }) => press('Cancel upload of notes.txt'), hold),
  },
  {
    ...{
      name: 'sending a file once more',
      ...events('retry', 'retried'),
      method: 'uploadDocument',
    },
    setUp: () => setupList(({ press }) => press('Retry notes.txt'), lose),
  },
  {
    ...{ name: 'linking a document', ...events('link', 'linked'), method: 'linkDocuments' },
    setUp: () =>
      setupList(
        ({ press }) => press('Add c.pdf to this conversation'),
        ({ press }) => press('From other conversations…'),
      ),
  },
  {
    ...{ name: 'taking a document out', ...events('unlink', 'unlinked'), method: 'unlinkDocument' },
    setUp: () => setupList(({ press }) => press('Remove a.pdf from this conversation')),
  },
  {
    ...{ name: 'marking a document', ...events('star', 'starred'), method: 'starDocument' },
    setUp: () => setupList(({ press }) => press('Star a.pdf')),
  },
];

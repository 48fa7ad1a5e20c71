import { expect } from '@open-wc/testing';
import { documentOf } from '../conversation/scripted-backend.js';
import { setupDocuments } from './documents-stage.js';

describe('<ubik-documents>', () => {
  it('lists the documents of the thread, the newest first', async () => {
    const { rows } = await setupDocuments(({ backend }) => {
      backend.documents = [documentOf('a'), documentOf('b', { status: 'processing' })];
    });
    expect(rows()).to.deep.equal([
      'b.pdf | Being read… · Jan 1, 1970',
      'a.pdf | Ready · Jan 1, 1970',
    ]);
  });

  it('sends a file that is dropped and shows it as a document', async () => {
    const { drop, rows, names, backend } = await setupDocuments();
    await drop(new File(['text'], 'notes.txt'));
    expect(backend.calls.at(-1)?.method).to.equal('upload');
    expect(rows()[0]).to.contain('notes.txt | Waiting to be read…');
    expect(names()).to.deep.equal(['add', 'added']);
  });
});

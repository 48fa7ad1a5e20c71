/** @import { Case } from '../cases.mjs' */
/** @import { Service } from '../kit/backend.mjs' */
import { DOCUMENTS } from '../fixtures/documents.mjs';
import { THREADS } from '../fixtures/threads.mjs';
import { fail, neverSettle } from '../kit/backend.mjs';
import { converse, find, make, press } from '../kit/make.mjs';

const CAPABILITIES = /** @type {const} */ (['documents', 'upload', 'link', 'star', 'threads']);

/** @param {string} name @param {string} title @param {Service} service @param {Case['act']} [act] @returns {Case} */
const panel = (name, title, service, act) => ({
  name: `documents-${name}`,
  title,
  size: 'side',
  make: async (look) =>
    make('ubik-documents', look, {
      controller: await converse({
        messages: [],
        capabilities: CAPABILITIES,
        threads: THREADS,
        ...service,
      }),
    }),
  ...(act && { act }),
});

/** @type {readonly Case[]} */
export const documents = [
  panel('all', 'Documents in each state', { documents: DOCUMENTS }),
  panel('none', 'List without documents', { documents: [] }),
  panel('loading', 'List that is loading', { documents: neverSettle() }),
  panel('unreachable', 'List that could not be loaded', { documents: fail('network') }),
  panel(
    'uploads',
    'Active upload and failed upload',
    { documents: DOCUMENTS.slice(0, 1) },
    async (element) => {
      const box = await find(element, '.documents');
      const dataTransfer = new DataTransfer();
      for (const name of ['lengths.csv', 'refused.csv']) {
        dataTransfer.items.add(new File(['x'.repeat(5000)], name));
      }
      box.dispatchEvent(
        new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, composed: true }),
      );
    },
  ),
  panel(
    'picker',
    'Picker with documents of other conversations',
    { documents: DOCUMENTS.slice(0, 1), others: DOCUMENTS.slice(1) },
    (element) => press(element, '.quiet[aria-expanded]'),
  ),
];

import { expect } from '@open-wc/testing';
import { lazyKeyboardShortcuts } from '../../src/elements/keyboard/lazy-keyboard.js';
import { loadLanguage } from '../../src/locales/languages.js';
import '../helpers/load-lazy-modules.js';
import { checkpoint } from '../controller/checkpoints/build-tree.js';
import { documentOf } from '../controller/scripted-backend.js';
import { version } from './branch-fixture.js';
import { waitFor } from '../helpers/wait-for.js';
import { pressKey, setupChat } from './chat-fixture.js';
import { setupCheckpointPanel, setupCheckpointChat } from './checkpoints-fixture.js';
import { pressButton, restoreFirstCheckpoint } from './compare-fixture.js';
import { setupDocuments } from './documents-fixture.js';
import { findWrongLanguages, readTexts, CONTENT_MARK } from './read-languages.js';
import { setupMap } from './map-fixture.js';
import { PASSAGE, setupCitation } from './passage-fixture.js';
import { setupThreads, threadsOf } from './thread-fixture.js';

/** Expects that content is marked as Italian and the interface as English. */
function expectLanguages(tree: Node): void {
  const texts = [...readTexts(tree)].map(([text]) => text);
  expect(texts.filter((text) => text.includes(CONTENT_MARK))).to.not.have.length(0);
  expect(texts.filter((text) => !text.includes(CONTENT_MARK))).to.not.have.length(0);
  expect(findWrongLanguages(tree, 'it')).to.deep.equal([]);
}

const CHECKPOINTS = [
  checkpoint('c1', { runId: 'task-1', step: 1, title: `Cercare ${CONTENT_MARK}` }),
  checkpoint('c2', { runId: 'task-1', title: `Dire ${CONTENT_MARK}` }),
];

describe('lang attributes of panels and dialogs on an Italian page', () => {
  const page = document.documentElement;
  const before = page.lang;
  beforeEach(() => {
    page.lang = 'it';
  });
  afterEach(() => {
    page.lang = before;
  });

  it('are right in the thread list', async () => {
    const { root, press } = await setupThreads(threadsOf(3, `Discorso ${CONTENT_MARK}`));
    expectLanguages(root);
    await press(`Discorso ${CONTENT_MARK} 1`, 'Rename');
    expectLanguages(root);
  });

  it('are right in the documents panel', async () => {
    const name = `${CONTENT_MARK}.pdf`;
    const { root } = await setupDocuments(({ backend }) => {
      backend.documents = [documentOf('a', { name }), documentOf('b', { name, status: 'failed' })];
    });
    expectLanguages(root);
  });

  it('are right in the checkpoints panel', async () => {
    const { root } = await setupCheckpointPanel(CHECKPOINTS);
    expectLanguages(root);
  });

  it('are right in the restore dialog', async () => {
    const { openDialog, dialog } = await setupCheckpointChat(CHECKPOINTS);
    await openDialog(0);
    expectLanguages(dialog());
  });

  it('are right in the version pager and the branch map', async () => {
    const own = version('q2', 'user', `Domanda ${CONTENT_MARK}`, ['q1', 'q2']);
    const { chat, root } = await setupMap(
      (id) => version(id, 'user', `Altra domanda ${CONTENT_MARK}`, ['q1', 'q2']),
      [own],
    );
    expectLanguages(root);
    expectLanguages(chat.renderRoot);
  });

  it('are right in the passage of a citation', async () => {
    const passage = {
      ...PASSAGE,
      documentName: `${CONTENT_MARK}.pdf`,
      text: `Lungo ${CONTENT_MARK}.`,
    };
    const { panel } = await setupCitation(() => passage);
    expectLanguages(panel());
  });

  it('are right in the message queue', async () => {
    const fixture = await setupChat();
    await fixture.start();
    fixture.write(`Poi ${CONTENT_MARK}`);
    await fixture.settle();
    fixture.press('Enter');
    await fixture.settle();
    const waiting = fixture.query('.queue');
    expectLanguages(waiting);
    fixture.query('.queue [data-act="queueEdit"]').click();
    await fixture.settle();
    expect(findWrongLanguages(waiting, 'it')).to.deep.equal([]);
  });
});

describe('a dialog that is open while the language changes', () => {
  before(() => loadLanguage('de'));

  for (const [name, title, open] of [
    [
      'of a checkpoint',
      'Diesen Sicherungspunkt wiederherstellen?',
      async () => {
        const fixture = await setupCheckpointChat();
        await fixture.openDialog(0);
        return fixture;
      },
    ],
    [
      'that compares branches',
      'Varianten vergleichen',
      async () => {
        const fixture = await restoreFirstCheckpoint();
        await pressButton(fixture, 'Compare both branches…');
        return fixture;
      },
    ],
    [
      'of the keyboard shortcuts',
      'Tastenkürzel',
      async () => {
        const fixture = await setupCheckpointChat();
        fixture.query('.scroller').focus();
        await lazyKeyboardShortcuts.load();
        await fixture.settle();
        pressKey(fixture.query('.scroller'), '?');
        return fixture;
      },
    ],
    ['of the branch map', 'Varianten', () => setupMap()],
  ] satisfies [
    string,
    string,
    () => Promise<Pick<Awaited<ReturnType<typeof setupChat>>, 'chat' | 'settle'>>,
  ][]) {
    it(`follows the new language: dialog ${name}`, async () => {
      const { chat, settle } = await open();
      await settle();
      const dialog = await waitFor(() => chat.shadowRoot?.querySelector('dialog'));
      const english = dialog.textContent;
      chat.lang = 'de';
      await settle();
      await settle();
      expect(dialog.querySelector('h2')?.textContent).to.equal(title);
      const buttons = Array.from(dialog.querySelectorAll('button'), ({ textContent }) =>
        textContent.trim(),
      );
      expect(buttons.filter((text) => text !== '' && english.includes(text))).to.deep.equal([]);
      expect(dialog.open).to.equal(true);
    });
  }
});

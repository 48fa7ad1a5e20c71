import { expect } from '@open-wc/testing';
import '../helpers/all-there.js';
import { checkpoint } from '../controller/ways/tree.js';
import { documentOf } from '../controller/scripted-backend.js';
import { version } from './branch-stage.js';
import { setupChat } from './chat-stage.js';
import { setupCheckpointPanel, setupCheckpointChat } from './checkpoints-stage.js';
import { setupDocuments } from './documents-stage.js';
import { findWrong, readAll, SAID } from './language-witness.js';
import { setupMap } from './map-stage.js';
import { PASSAGE, setupCited } from './passage-stage.js';
import { setupThreads, threadsOf } from './thread-stage.js';

/** Everything that is seen or heard there is in the language of who says it. */
function expectRight(tree: Node): void {
  const all = [...readAll(tree)].map(([words]) => words);
  expect(all.filter((words) => words.includes(SAID))).to.not.have.length(0);
  expect(all.filter((words) => !words.includes(SAID))).to.not.have.length(0);
  expect(findWrong(tree, 'it')).to.deep.equal([]);
}

const POINTS = [
  checkpoint('c1', { taskId: 'task-1', step: 1, title: `Cercare ${SAID}` }),
  checkpoint('c2', { taskId: 'task-1', title: `Dire ${SAID}` }),
];

describe('the language of what stands beside a conversation, in an Italian page', () => {
  const page = document.documentElement;
  const before = page.lang;
  beforeEach(() => {
    page.lang = 'it';
  });
  afterEach(() => {
    page.lang = before;
  });

  it('holds in the list of conversations', async () => {
    const { root, press } = await setupThreads(threadsOf(3, `Discorso ${SAID}`));
    expectRight(root);
    await press(`Discorso ${SAID} 1`, 'Rename');
    expectRight(root);
  });

  it('holds in the documents', async () => {
    const name = `${SAID}.pdf`;
    const { root } = await setupDocuments(({ backend }) => {
      backend.documents = [documentOf('a', { name }), documentOf('b', { name, status: 'failed' })];
    });
    expectRight(root);
  });

  it('holds in the line of checkpoints', async () => {
    const { root } = await setupCheckpointPanel(POINTS);
    expectRight(root);
  });

  it('holds in the question before going back', async () => {
    const { openDialog, dialog } = await setupCheckpointChat(POINTS);
    await openDialog(0);
    expectRight(dialog());
  });

  it('holds in the versions and their map', async () => {
    const own = version('q2', 'user', `Domanda ${SAID}`, ['q1', 'q2']);
    const { chat, root } = await setupMap(
      (id) => version(id, 'user', `Altra domanda ${SAID}`, ['q1', 'q2']),
      [own],
    );
    expectRight(root);
    expectRight(chat.renderRoot);
  });

  it('holds in the passage of a citation', async () => {
    const passage = { ...PASSAGE, documentName: `${SAID}.pdf`, text: `Lungo ${SAID}.` };
    const { panel } = await setupCited(() => passage);
    expectRight(panel());
  });

  it('holds in what waits behind a run', async () => {
    const stage = await setupChat();
    await stage.start();
    stage.write(`Poi ${SAID}`);
    await stage.settle();
    stage.press('Enter');
    await stage.settle();
    const waiting = stage.query('.waiting');
    expectRight(waiting);
    stage.query('.waiting [data-act="queueEdit"]').click();
    await stage.settle();
    expect(findWrong(waiting, 'it')).to.deep.equal([]);
  });
});

import { expect } from '@open-wc/testing';
import { UbikError } from '../../src/errors.js';
import type { ViewActions } from '../../src/message/part-view.js';
import type { Change } from '../../src/model/change.js';
import type { Thread } from '../../src/model/thread.js';
import { setupMessageView } from './message-fixture.js';
import { threadOf } from './thread-of.js';

/** Waits until the callbacks of settled promises have run. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const RESTORED = { checkpoint: 'c1', hint: null };
const siblingIds = ['m1', 'm'];

/** A thread in which message `m` is the second answer to a question; the first one, `m1`, was followed by `x1`. */
const threadOfBranches = (...more: Change[]): Thread =>
  threadOf(
    'm',
    {
      q: { role: 'user' },
      m1: { parent: 'q', siblingIds },
      x1: { parent: 'm1', role: 'user' },
      m: { parent: 'q', siblingIds },
    },
    ...more,
  );

/** A message that was restored from a checkpoint, with these actions. */
function setupRestored(actions: ViewActions = {}) {
  const fixture = setupMessageView({
    actions,
    fields: { restoredFrom: RESTORED, status: 'complete' },
  });
  const buttons = (): HTMLButtonElement[] => [
    ...fixture.root.querySelectorAll<HTMLButtonElement>('.message-header button'),
  ];
  return {
    ...fixture,
    buttons,
    labels: () => buttons().map(({ textContent }) => textContent.trim()),
    click: async (): Promise<void> => {
      buttons()[0]?.click();
      await settled();
      fixture.frames.flush();
    },
  };
}

describe('message header', () => {
  it('is empty for an ordinary message', () => {
    const { text, query } = setupMessageView();
    expect(text('.message-header')).to.equal('');
    expect(query('.message-header').childElementCount).to.equal(0);
  });

  it('lists the attachments, including those that are added later', () => {
    const attachments = [{ id: '1', name: '<b>.pdf' }];
    const { query, run, text } = setupMessageView({ fields: { role: 'user', attachments } });
    expect(text('.chips')).to.equal('<b>.pdf');
    expect(query('.chips').getAttribute('aria-label')).to.equal('Attachments');
    const value = [...attachments, { id: '2', name: 'late.pdf' }];
    run({ type: 'set', message: 'm', part: null, path: ['attachments'], value });
    const names = [...query('.chips').children].map(({ textContent }) => textContent);
    expect(names).to.deep.equal(['<b>.pdf', 'late.pdf']);
  });

  it('shows the title of the context before the attachments', () => {
    const attachments = [{ id: '1', name: 'a.pdf' }];
    const fields = { role: 'user', contextTitle: 'Danube', attachments } as const;
    const { root } = setupMessageView({ fields });
    const chips = [...root.querySelectorAll('.message-header .chip')];
    expect(chips.map(({ textContent }) => textContent.trim())).to.deep.equal(['Danube', 'a.pdf']);
  });

  it('shows the checkpoint and the hint with which the branch was restored', () => {
    const { text } = setupRestored();
    expect(text('.message-header')).to.equal('Restored from “c1”');
    const hinted = setupMessageView({
      fields: { restoredFrom: { checkpoint: 'c1', hint: 'Shorter' } },
    });
    expect(hinted.text('.message-header')).to.equal('Restored from “c1” with the hint: Shorter');
  });

  it('names a checkpoint with a generated name by the step before it', () => {
    const step = { kind: 'step', number: 2, single: false, state: 'completed' } as const;
    const partsOf = (message: string, title: string): Change => ({
      type: 'content',
      message,
      parts: [
        { ...step, key: `${message} s`, title },
        { kind: 'text', key: `${message} t`, text: 'Found' },
        { kind: 'checkpoint', key: `${message} c`, name: message === 'm1' ? 'c1' : 'c2' },
      ],
    });
    const thread = threadOfBranches(partsOf('m1', 'Read'), partsOf('m', 'Write'));
    expect(setupRestored({ thread }).text('.message-header')).to.contain(
      'Restored from “After step 2: Read”',
    );
  });
});

describe('previous branch of a restored message', () => {
  const switchBranch = (): Promise<boolean> => Promise.resolve(true);
  const compareBranches = (): void => undefined;

  it('has no buttons when nothing can show it, or when there is none', () => {
    expect(setupRestored({ thread: threadOfBranches() }).labels()).to.deep.equal([]);
    expect(setupRestored({ switchBranch, compareBranches }).labels()).to.deep.equal([]);
    const thread = threadOf('m', { m: {} });
    expect(setupRestored({ thread, switchBranch, compareBranches }).labels()).to.deep.equal([]);
  });

  it('can be shown and compared', () => {
    const thread = threadOfBranches();
    expect(setupRestored({ thread, switchBranch, compareBranches }).labels()).to.deep.equal([
      'Show the earlier branch',
      'Compare both branches…',
    ]);
    expect(setupRestored({ thread, switchBranch }).labels()).to.have.length(1);
  });

  it('cannot be compared while it is not loaded', () => {
    const thread = threadOf('m', { m: { siblingIds } });
    const { labels } = setupRestored({ thread, switchBranch, compareBranches });
    expect(labels()).to.deep.equal(['Show the earlier branch']);
  });

  it('cannot be shown while its id is unknown', () => {
    const thread = threadOf('m', {
      q: { role: 'user' },
      m1: { parent: 'q', id: null },
      m: { parent: 'q', siblingIds: ['m'] },
    });
    const { labels } = setupRestored({ thread, switchBranch, compareBranches });
    expect(labels()).to.deep.equal(['Compare both branches…']);
  });

  it('is shown from its newest loaded message or, while none is loaded, from the version with which it begins', async () => {
    const shown: string[] = [];
    const show = (id: string): Promise<boolean> => Promise.resolve(shown.push(id) > 0);
    await setupRestored({ thread: threadOfBranches(), switchBranch: show }).click();
    const unloaded = threadOf('m', { m: { siblingIds } });
    await setupRestored({ thread: unloaded, switchBranch: show }).click();
    expect(shown).to.deep.equal(['x1', 'm1']);
  });

  it('is compared with the branch of the message', () => {
    const compared: string[] = [];
    const { buttons } = setupRestored({
      thread: threadOfBranches(),
      compareBranches: (key) => void compared.push(key),
    });
    buttons()[0]?.click();
    expect(compared).to.deep.equal(['m']);
  });

  it('cannot be shown while a run is in progress, and the button shows the reason', async () => {
    const shown: string[] = [];
    const run = { type: 'thread', set: { run: { state: 'streaming' } } } as const;
    const { buttons, click } = setupRestored({
      thread: threadOfBranches(run),
      switchBranch: (id) => Promise.resolve(shown.push(id) > 0),
    });
    const [button] = buttons();
    expect(button?.getAttribute('aria-disabled')).to.equal('true');
    expect(button?.title).to.equal(new UbikError('busy').message);
    await click();
    expect(shown).to.deep.equal([]);
  });

  it('shows that it replaces the shown branch', () => {
    const { buttons } = setupRestored({ thread: threadOfBranches(), switchBranch });
    expect(buttons()[0]?.title).to.equal('This replaces what is shown now.');
    expect(buttons()[0]?.getAttribute('aria-disabled')).to.equal('false');
  });

  it('shows an error in the message until the next attempt', async () => {
    const error = new UbikError('network');
    let isRefused = true;
    const { click, root, text } = setupRestored({
      thread: threadOfBranches(),
      switchBranch: () => (isRefused ? Promise.reject(error) : Promise.resolve(true)),
    });
    await click();
    expect(text('.message-header [role=alert]')).to.equal(error.message);
    isRefused = false;
    await click();
    expect(root.querySelector('.message-header [role=alert]')).to.equal(null);
  });

  it('shows no error when the attempt is aborted', async () => {
    const { click, root } = setupRestored({
      thread: threadOfBranches(),
      switchBranch: () => Promise.reject(new UbikError('aborted')),
    });
    await click();
    expect(root.querySelector('.message-header [role=alert]')).to.equal(null);
  });

  it('keeps the focus while the message stays', async () => {
    const { buttons, click, host } = setupRestored({
      thread: threadOfBranches(),
      switchBranch,
    });
    buttons()[0]?.focus();
    await click();
    expect(host.shadowRoot?.activeElement).to.equal(buttons()[0]);
  });
});

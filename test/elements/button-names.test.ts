import { expect } from '@open-wc/testing';
import '../../src/elements/branches/branch-map-panel.js';
import '../../src/elements/checkpoints/checkpoints-panel.js';
import { lazyDocuments } from '../../src/elements/documents/attachment-controller.js';
import '../../src/elements/sides/side-panels.js';
import '../../src/elements/threads/threads-panel.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { documentOf, type ScriptedBackend } from '../controller/scripted-backend.js';
import { accessibleName, findDeep } from '../helpers/accessible-name.js';
import { waitFor } from '../helpers/wait-for.js';
import { CHECKPOINTS, THREAD } from './checkpoints-fixture.js';
import { setupChat } from './chat-fixture.js';
import { threadsOf } from './thread-fixture.js';

const CAPABILITIES = [
  ...['threads', 'rename', 'delete', 'documents', 'upload', 'link', 'star'],
  ...['edit', 'regenerate', 'branches'],
] as const;

/** A chat with two answers, a thread list at its start, and documents, checkpoints and branches at its end. */
async function setupPage() {
  await lazyDocuments.load();
  const fixture = await setupChat((chat: UbikChat) => {
    chat.style.width = '1300px';
    const backend = chat.controller?.backend as ScriptedBackend;
    for (const name of CAPABILITIES) backend.capabilities.add(name);
    backend.responses.set('listThreads', () => ({ items: threadsOf(2), hasMore: false, total: 2 }));
    backend.documents = [documentOf('a'), documentOf('b')];
    backend.checkpoints = CHECKPOINTS;
    const end = document.createElement('div');
    end.slot = 'end';
    for (const name of ['ubik-documents', 'ubik-checkpoints', 'ubik-branch-map']) {
      end.append(document.createElement(name));
    }
    const start = document.createElement('ubik-thread-list');
    start.slot = 'start';
    chat.append(start, end);
  });
  fixture.backend.threads.set('t', THREAD);
  await fixture.chat.openThread('t');
  await fixture.settle();
  const buttons = (): HTMLElement[] =>
    findDeep(fixture.box, 'button:not([hidden]), [role="button"]');
  for (const selector of ['.message .more', '.thread-more', '.file button', '.point button']) {
    await waitFor(() => buttons().filter((button) => button.matches(selector)).length > 1);
  }
  return { ...fixture, buttons };
}

/** Kind of a button, by its class and icon. Two buttons of one kind do the same for their items. */
function kindOf(button: HTMLElement): string {
  // A message and the list of checkpoints name a checkpoint alike, and both buttons restore it.
  if (button.matches('.checkpoint button, .point button')) return 'restore';
  const icon = button.querySelector('svg')?.classList.value ?? '';
  return [button.className, icon, button.textContent.trim()].filter(Boolean).join(' ');
}

/**
 * The message or list item of a button. Assistive technology announces it on the way to the button, so the same name in two items is clear
 * from the context (WCAG 2.4.6, 4.1.2). Different kinds of buttons are distinguished only by their names.
 */
function itemOf(button: HTMLElement): Element | null {
  return button.closest('.message, [role="article"], li');
}

describe('buttons of a page', () => {
  it('have a name, and share it only when they do the same in different items', async () => {
    const { buttons } = await setupPage();
    for (const name of new Set(buttons().map(accessibleName))) {
      const alike = buttons().filter((button) => accessibleName(button) === name);
      expect(name, alike.map(kindOf).join()).to.not.equal('');
      const kinds = new Set(alike.map(kindOf));
      expect([...kinds], `kinds of button called "${name}"`).to.have.length(1);
      if (alike.length === 1) continue;
      const items = new Set(alike.map(itemOf));
      expect(items.has(null), `"${name}" is in an item`).to.equal(false);
      expect(items.size, `items with "${name}"`).to.equal(alike.length);
    }
  });

  it('have names that say what they open', async () => {
    const { buttons } = await setupPage();
    const named = (selector: string): string[] => [
      ...new Set(
        buttons()
          .filter((button) => button.matches(selector))
          .map(accessibleName),
      ),
    ];
    expect(named('.message .more')).to.deep.equal(['More actions']);
    expect(named('.side-toggle-end')).to.deep.equal(['Details panel']);
    expect(named('.thread-more')).to.deep.equal([
      'More actions for “Talk 0”',
      'More actions for “Talk 1”',
    ]);
  });
});

import { expect } from '@open-wc/testing';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { setupChat } from './chat-fixture.js';

/** Adds a light DOM element to a slot. */
function addToSlot(chat: UbikChat, slot: string): void {
  const node = document.createElement('p');
  node.slot = slot;
  node.textContent = `The page's ${slot}`;
  chat.append(node);
}

describe('content of the host page in a chat', () => {
  it('is shown in the slots header, empty and footer', async () => {
    const { chat, query, start } = await setupChat((element) => {
      for (const slot of ['header', 'empty', 'footer']) addToSlot(element, slot);
    });
    const tops = ['header', 'empty', 'footer'].map((name) => {
      const node = chat.querySelector(`[slot=${name}]`);
      expect(node?.checkVisibility()).to.equal(true);
      return node?.getBoundingClientRect().top ?? NaN;
    });
    expect(tops).to.deep.equal([...tops].sort((left, right) => left - right));
    expect(query('.greeting').checkVisibility()).to.equal(false);
    await start();
    expect(chat.querySelector('[slot=empty]')?.checkVisibility()).to.equal(false);
  });

  it('is rendered at each message, and cleaned up when the message is removed', async () => {
    const cleanups: string[] = [];
    const { chat, start, root, settle, controller } = await setupChat((element) => {
      element.messageAvatar = (box, { role }) => {
        box.textContent = role === 'user' ? 'Me' : 'Bot';
        return () => cleanups.push(role);
      };
      element.messageActions = (box) => {
        box.append(document.createElement('button'));
        return undefined;
      };
    });
    await start();
    const boxes = [...chat.children].filter(({ slot }) => slot.endsWith('-avatar'));
    expect(boxes.map(({ textContent }) => textContent)).to.deep.equal(['Me', 'Bot']);
    expect(boxes.every((box) => box.checkVisibility())).to.equal(true);
    expect(root.querySelectorAll('.message-footer > .actions').length).to.equal(2);
    controller.switchToNewThread();
    await settle();
    expect(cleanups).to.deep.equal(['user', 'assistant']);
    expect(chat.children.length).to.equal(0);
  });

  it('does not affect the message when a renderer throws', async () => {
    const { start, text, names } = await setupChat((element) => {
      element.messageAvatar = () => {
        throw new Error('The page is broken.');
      };
    });
    await start('A question');
    expect(text('.message.user')).to.contain('A question');
    expect(names()).to.include('ubik-error');
  });
});

import { expect } from '@open-wc/testing';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { setupChat } from './chat-stage.js';

/** A chat with something of the page's own in a slot. */
function put(chat: UbikChat, slot: string): void {
  const node = document.createElement('p');
  node.slot = slot;
  node.textContent = `The page's ${slot}`;
  chat.append(node);
}

describe('what the page puts into a chat', () => {
  it('stands above the messages, in place of the greeting, and below the composer', async () => {
    const { chat, query, start } = await setupChat((made) => {
      for (const slot of ['header', 'empty', 'footer']) put(made, slot);
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

  it('is drawn at each message, and told when the message is no longer shown', async () => {
    const told: string[] = [];
    const { chat, start, root, settle, controller } = await setupChat((made) => {
      made.messageAvatar = (box, { role }) => {
        box.textContent = role === 'user' ? 'Me' : 'Bot';
        return () => told.push(`gone: ${role}`);
      };
      made.messageActions = (box) => {
        box.append(document.createElement('button'));
        return undefined;
      };
    });
    await start();
    const boxes = [...chat.children].filter(({ slot }) => slot.endsWith('-avatar'));
    expect(boxes.map(({ textContent }) => textContent)).to.deep.equal(['Me', 'Bot']);
    expect(boxes.every((box) => box.checkVisibility())).to.equal(true);
    expect(root.querySelectorAll('.foot > .actions').length).to.equal(2);
    controller.switchToNewThread();
    await settle();
    expect(told).to.deep.equal(['gone: user', 'gone: assistant']);
    expect(chat.children.length).to.equal(0);
  });

  it('costs nothing else when it throws', async () => {
    const { start, text, names } = await setupChat((made) => {
      made.messageAvatar = () => {
        throw new Error('The page is broken.');
      };
    });
    await start('A question');
    expect(text('.message.user')).to.contain('A question');
    expect(names()).to.include('ubik-error');
  });
});

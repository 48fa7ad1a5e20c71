import { expect } from '@open-wc/testing';
import type { ConnectedHost } from '../../src/elements/base/connected-host.js';
import type { ElementContext } from '../../src/elements/base/view-context.js';
import { saveThread } from '../../src/elements/menu/menu-items.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { setupChat } from './chat-fixture.js';
import '../helpers/load-lazy-modules.js';

/** Saves a thread with this title in each format; returns the files. */
async function saveAll(title: string): Promise<readonly { name: string; type: string }[]> {
  const { chat, controller, backend, settle } = await setupChat();
  const content = contentOf('t', [stored('q', 'user', 'How long?')]);
  backend.threads.set('t', { ...content, thread: { ...content.thread, title } });
  await controller.openThread('t');
  await settle();
  const own = HTMLAnchorElement.prototype.click;
  const links: HTMLAnchorElement[] = [];
  HTMLAnchorElement.prototype.click = function () {
    links.push(this);
  };
  try {
    const { viewContext } = chat as unknown as { readonly viewContext: ElementContext };
    const host = { controller, context: viewContext } as ConnectedHost;
    for (const format of ['markdown', 'html', 'json'] as const)
      await saveThread(host, format, null);
  } finally {
    HTMLAnchorElement.prototype.click = own;
  }
  return Promise.all(
    links.map(async ({ download, href }) => ({
      name: download,
      // Firefox adds the character encoding.
      type: (await (await fetch(href)).blob()).type.replace(/;.*/, ''),
    })),
  );
}

describe('saved thread', () => {
  it('is a file named after the title, with the extension and type of its format', async () => {
    expect(await saveAll('Refunds')).to.deep.equal([
      { name: 'Refunds.md', type: 'text/markdown' },
      { name: 'Refunds.html', type: 'text/html' },
      { name: 'Refunds.json', type: 'application/json' },
    ]);
  });

  it('has a file name that is valid on every platform', async () => {
    const [file] = await saveAll(' a/b: "c"\u202e ');
    expect(file?.name).to.equal('a b c.md');
    expect((await saveAll('...'))[0]?.name).to.equal('conversation.md');
  });

  it('is not written without a controller', async () => {
    const own = HTMLAnchorElement.prototype.click;
    let saved = 0;
    HTMLAnchorElement.prototype.click = () => void (saved += 1);
    try {
      await saveThread({ controller: null } as ConnectedHost, 'json', null);
      expect(saved).to.equal(0);
    } finally {
      HTMLAnchorElement.prototype.click = own;
    }
  });

  it('has only the messages of the branch that a transcript shows', async () => {
    const { controller, backend, settle, box } = await setupChat();
    const messages = [
      stored('q1', 'user', 'First'),
      stored('a1', 'assistant', 'One'),
      stored('q2', 'user', 'Second'),
      stored('a2', 'assistant', 'Two'),
    ];
    backend.threads.set('t', contentOf('t', messages));
    await controller.openThread('t');
    const transcript = document.createElement('ubik-transcript');
    transcript.controller = controller;
    const shown = [...(controller.thread?.messages.values() ?? [])].find(({ id }) => id === 'a1');
    transcript.head = shown?.key ?? null;
    box.append(transcript);
    await settle();
    await settle();
    const root = transcript.shadowRoot as ShadowRoot;
    root.querySelector<HTMLElement>('.assistant .more')?.click();
    await settle();
    const own = HTMLAnchorElement.prototype.click;
    const saved = new Promise<string>((resolve) => {
      HTMLAnchorElement.prototype.click = function () {
        resolve(this.href);
      };
    });
    try {
      const items = [...root.querySelectorAll<HTMLElement>('[role=menuitem]')];
      items.find(({ textContent }) => textContent.trim() === 'Markdown')?.click();
      const text = await (await fetch(await saved)).text();
      expect([text.includes('First'), text.includes('Second')]).to.deep.equal([true, false]);
    } finally {
      HTMLAnchorElement.prototype.click = own;
    }
  });
});

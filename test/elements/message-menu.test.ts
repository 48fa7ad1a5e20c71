import { expect } from '@open-wc/testing';
import { findLocale } from '../../src/locales/locale.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { waitFor } from './checkpoints-fixture.js';
import { ANSWER, setupMenu } from './menu-fixture.js';

/** Replaces the clipboard: records what is written, or rejects. */
function setupClipboard(allowed = true) {
  const written: Record<string, string>[] = [];
  const own = Object.getOwnPropertyDescriptor(navigator, 'clipboard');
  const record = async (content: Record<string, string>): Promise<void> => {
    await Promise.resolve();
    if (!allowed) throw new DOMException('No', 'NotAllowedError');
    written.push(content);
  };
  const clipboard = {
    writeText: (text: string) => record({ 'text/plain': text }),
    write: async ([item]: ClipboardItem[]) => {
      const read = async (type: string): Promise<string> =>
        (await item?.getType(type))?.text() ?? '';
      await record({
        'text/plain': await read('text/plain'),
        'text/html': await read('text/html'),
      });
    },
  };
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
  return {
    written,
    restore: () => {
      Reflect.deleteProperty(navigator, 'clipboard');
      if (own) Object.defineProperty(navigator, 'clipboard', own);
    },
  };
}

describe('message menu', () => {
  it('opens at its button, has the keyboard navigation of a menu, and returns the focus', async () => {
    const { open, menu, more, labels, press, focused, query } = await setupMenu();
    expect(more().getAttribute('aria-haspopup')).to.equal('menu');
    const { top, left } = query('.assistant .more').getBoundingClientRect();
    await open();
    expect(query('.assistant .more').getBoundingClientRect().top, 'nothing moves').to.equal(top);
    expect(menu()?.matches(':popover-open')).to.equal(true);
    expect(menu()?.getBoundingClientRect().left, 'is at its button').to.equal(left);
    expect(more().ariaExpanded).to.equal('true');
    expect(labels()).to.deep.equal([
      'Copy as Markdown',
      'Copy with formatting',
      'Copy as plain text',
      'Markdown',
      'Web page (HTML)',
      'JSON',
      'Keyboard shortcuts',
    ]);
    const walk = ['ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home', 'w'].map((key) => {
      expect(press(key).defaultPrevented, key).to.equal(true);
      return focused();
    });
    expect(walk).to.deep.equal([
      'Copy with formatting',
      'Keyboard shortcuts',
      'Copy as Markdown',
      'Keyboard shortcuts',
      'Copy as Markdown',
      'Web page (HTML)',
    ]);
    press('Escape');
    expect(menu() === null).to.equal(true);
    expect([more().matches(':focus'), more().ariaExpanded]).to.deep.equal([true, 'false']);
    await open();
    window.dispatchEvent(new PointerEvent('pointerdown'));
    expect(menu() === null, 'pressed elsewhere').to.equal(true);
    await open();
    await open();
    expect(menu() === null, 'its button pressed again').to.equal(true);
  });

  it('shows the exact time of a message, and only the applicable items for a question', async () => {
    const { open, query, labels } = await setupMenu();
    await open('user');
    expect(labels()).to.deep.equal(['Copy as plain text', 'Keyboard shortcuts']);
    const time = query<HTMLTimeElement>('.message-menu time');
    expect(time.dateTime).to.equal('1970-01-01T00:00:00.001Z');
    expect(time.textContent).to.contain('1970');
  });

  it('shows the time to the first token of an answer when the service sends it', async () => {
    const { open, text, backend, controller, settle } = await setupMenu();
    const answer = stored('b', 'assistant', 'Yes.');
    const usage = { seconds: 3.42, tokens: 918, firstTokenMs: 640 };
    const fields = { ...answer.fields, usage };
    const question = stored('q2', 'user', 'Why?');
    backend.threads.set('u', contentOf('u', [question, { ...answer, fields }]));
    await controller.openThread('u');
    await settle();
    await open();
    expect(text('.message-menu > .meta')).to.contain('First token after 0.6s');
  });

  it('copies an answer as Markdown, as safe HTML, and as plain text', async () => {
    const clipboard = setupClipboard();
    const { open, choose, readStatus } = await setupMenu();
    await open();
    const items = ['Copy as Markdown', 'Copy with formatting', 'Copy as plain text'];
    for (const [at, name] of items.entries()) {
      await choose(name);
      await waitFor(() => clipboard.written.length > at && readStatus());
      expect(readStatus()).to.equal('Copied');
    }
    clipboard.restore();
    const [markdown, rich, plain] = clipboard.written;
    expect(markdown).to.deep.equal({ 'text/plain': ANSWER });
    expect(rich?.['text/html']).to.contain('<strong>Thirty</strong> days.');
    expect(rich?.['text/html'])
      .to.match(/<li[^>]*>.*one/)
      .and.not.match(/href="javascript|<b>x/);
    expect(plain?.['text/plain']).to.match(/^Thirty days\.\n\n• one\n+• two\n\n.*<b>x<\/b>$/);
    expect(rich?.['text/plain']).to.equal(plain?.['text/plain']);
  });

  it('reports that the browser does not allow copying', async () => {
    const clipboard = setupClipboard(false);
    const { open, choose, readStatus } = await setupMenu();
    await open();
    await choose('Copy with formatting');
    await waitFor(readStatus);
    clipboard.restore();
    expect(readStatus()).to.equal(findLocale('en').text('menuCopyFailed'));
  });

  it('copies the link made by the host page, and has no such item without one', async () => {
    const clipboard = setupClipboard();
    const { chat, open, choose, labels, press, events } = await setupMenu();
    chat.messageLink = ({ id }) => `https://example.org/#${id ?? ''}`;
    await open();
    await choose('Copy link');
    clipboard.restore();
    expect(clipboard.written).to.deep.equal([{ 'text/plain': 'https://example.org/#a' }]);
    press('Escape');
    chat.messageLink = () => {
      throw new Error('Broken');
    };
    await open();
    expect(labels()).to.not.include('Copy link');
    expect(events.map(({ type }) => type)).to.deep.equal(['ubik-error']);
  });
});

describe('feedback on an answer', () => {
  it('is dispatched with its reason, remembered, and can be withdrawn', async () => {
    const { rate, query, settle, events, root } = await setupMenu();
    await rate('bad');
    const field = query<HTMLTextAreaElement>('.feedback textarea');
    expect(field.matches(':focus')).to.equal(true);
    field.value = ' Too short ';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    query('.feedback .primary').click();
    await settle();
    expect(query('.bad-button').matches(':focus')).to.equal(true);
    expect(query('.bad-button').ariaPressed).to.equal('true');
    await rate('bad');
    expect(root.querySelector('.feedback') === null, 'withdrawn without a form').to.equal(true);
    const base = { threadId: 't', messageId: 'a' };
    expect(events.map(({ type, detail }) => [type, detail as unknown])).to.deep.equal(
      [
        { ...base, rating: 'down', reason: 'Too short' },
        { ...base, rating: null, reason: '' },
      ].flatMap((detail) => [
        ['ubik-message-feedback', detail],
        ['ubik-message-feedback-given', detail],
      ]),
    );
    expect(query('.bad-button').ariaPressed).to.equal('false');
  });

  it('keeps the form open when the host page cancels', async () => {
    const { chat, rate, query, settle, names } = await setupMenu();
    chat.addEventListener('ubik-message-feedback', (event) => {
      event.preventDefault();
    });
    await rate('good');
    query('.feedback .primary').click();
    await settle();
    expect(query('.feedback').isConnected).to.equal(true);
    expect(names()).to.deep.equal(['ubik-message-feedback']);
  });
});

describe('menu item to export a thread', () => {
  it('saves a file named after the thread', async () => {
    const { open, choose, settle, menu } = await setupMenu();
    const own = HTMLAnchorElement.prototype.click;
    const saved: string[] = [];
    const written = new Promise<void>((resolve) => {
      HTMLAnchorElement.prototype.click = function () {
        this.addEventListener('click', (event) => {
          event.preventDefault();
          saved.push(this.download);
          resolve();
        });
        own.call(this);
      };
    });
    await open();
    await choose('JSON');
    await written;
    await settle();
    HTMLAnchorElement.prototype.click = own;
    expect(saved).to.have.length(1);
    expect(saved[0]).to.match(/\.json$/);
    expect(menu() === null, 'closes when it is written').to.equal(true);
  });
});

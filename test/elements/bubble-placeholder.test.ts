import { expect, fixture, html } from '@open-wc/testing';
import { showBubblePlaceholders } from '../../src/elements/window/bubble-placeholder.js';

/** Returns the label of the placeholder's launcher, with the direction and language of its host. */
function readPlaceholder(chat: Element | null): {
  readonly name: string;
  readonly dir: string;
  readonly lang: string;
} {
  const host = chat?.shadowRoot?.querySelector<HTMLElement>('div');
  const button = host?.shadowRoot?.querySelector('button');
  if (!host || !button) throw new Error('The chat has no placeholder.');
  return { name: button.ariaLabel ?? '', dir: host.dir, lang: host.lang };
}

/** Renders the placeholder of a chat inside an element with this language and direction. */
async function renderPlaceholder(box: {
  lang: string;
  dir?: string;
}): Promise<ReturnType<typeof readPlaceholder>> {
  const page = await fixture(html`<div></div>`);
  Object.assign(page, box);
  page.innerHTML = '<ubik-chat layout="bubble"></ubik-chat>';
  showBubblePlaceholders(() => new Promise(() => undefined));
  return readPlaceholder(page.firstElementChild);
}

describe('the placeholder of a bubble', () => {
  it('uses the language of the enclosing element', async () => {
    expect(await renderPlaceholder({ lang: 'de-AT' })).to.deep.equal({
      name: 'Chat öffnen',
      dir: '',
      lang: '',
    });
  });

  it('falls back to English for Traditional Chinese instead of Simplified Chinese', async () => {
    expect((await renderPlaceholder({ lang: 'zh-CN' })).name).to.equal('打开聊天');
    expect((await renderPlaceholder({ lang: 'zh-TW' })).name).to.equal('Open chat');
  });

  it('has the direction of a right-to-left language, also of one without strings', async () => {
    expect((await renderPlaceholder({ lang: 'ar' })).dir).to.equal('rtl');
    expect(await renderPlaceholder({ lang: 'he' })).to.deep.equal({
      name: 'Open chat',
      dir: 'rtl',
      lang: 'en',
    });
  });

  it('shows that the chat is loading, then the error; the next click retries', async () => {
    const page = await fixture(html`<div></div>`);
    page.innerHTML = '<ubik-chat layout="bubble"></ubik-chat>';
    let attempts = 0;
    let fail = (): void => undefined;
    showBubblePlaceholders(() => {
      attempts += 1;
      return new Promise((_resolve, reject) => {
        fail = () => reject(new Error('down'));
      });
    });
    const root = page.firstElementChild?.shadowRoot?.firstElementChild?.shadowRoot;
    const button = root?.querySelector('button');
    const status = (): string =>
      root?.querySelector('[role=status]:not([hidden])')?.textContent ?? '';
    button?.click();
    expect(status()).to.equal('Loading…');
    fail();
    await new Promise((resolve) => setTimeout(resolve));
    expect(status()).to.contain('could not be loaded');
    expect(attempts).to.equal(1);
    button?.click();
    button?.click();
    expect(attempts).to.equal(2);
  });

  it('sets no direction when the host page declares one', async () => {
    expect((await renderPlaceholder({ lang: 'ar', dir: 'ltr' })).dir).to.equal('');
  });
});

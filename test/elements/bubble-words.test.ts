import { expect, fixture, html } from '@open-wc/testing';
import { showBubblePlaceholders } from '../../src/elements/window/bubble-placeholder.js';

/** The button that stands there before the chat is fetched, and the direction and language that it was given. */
function standInOf(chat: Element | null): {
  readonly name: string;
  readonly dir: string;
  readonly lang: string;
} {
  const host = chat?.shadowRoot?.querySelector<HTMLElement>('div');
  const button = host?.shadowRoot?.querySelector('button');
  if (!host || !button) throw new Error('Nothing stands in for the chat.');
  return { name: button.ariaLabel ?? '', dir: host.dir, lang: host.lang };
}

/** What stands in for a chat in some box of a page. */
async function standInWith(box: {
  lang: string;
  dir?: string;
}): Promise<ReturnType<typeof standInOf>> {
  const page = await fixture(html`<div></div>`);
  Object.assign(page, box);
  page.innerHTML = '<ubik-chat layout="bubble"></ubik-chat>';
  showBubblePlaceholders(() => new Promise(() => undefined));
  return standInOf(page.firstElementChild);
}

describe('the button of a bubble before its chat is fetched', () => {
  it('speaks the language of what is around it', async () => {
    expect(await standInWith({ lang: 'de-AT' })).to.deep.equal({
      name: 'Chat öffnen',
      dir: '',
      lang: '',
    });
  });

  it('gives who reads traditional Chinese no simplified Chinese', async () => {
    expect((await standInWith({ lang: 'zh-CN' })).name).to.equal('打开聊天');
    expect((await standInWith({ lang: 'zh-TW' })).name).to.equal('Open chat');
  });

  it('stands where the chat will, also in a language that is read from right to left and has no words here', async () => {
    expect((await standInWith({ lang: 'ar' })).dir).to.equal('rtl');
    expect(await standInWith({ lang: 'he' })).to.deep.equal({
      name: 'Open chat',
      dir: 'rtl',
      lang: 'en',
    });
  });

  it('says that the chat is loaded, and that it could not be; the next press tries again', async () => {
    const page = await fixture(html`<div></div>`);
    page.innerHTML = '<ubik-chat layout="bubble"></ubik-chat>';
    let tries = 0;
    let fail = (): void => undefined;
    showBubblePlaceholders(() => {
      tries += 1;
      return new Promise((_resolve, reject) => {
        fail = () => reject(new Error('down'));
      });
    });
    const root = page.firstElementChild?.shadowRoot?.firstElementChild?.shadowRoot;
    const button = root?.querySelector('button');
    const words = (): string =>
      root?.querySelector('[role=status]:not([hidden])')?.textContent ?? '';
    button?.click();
    expect(words()).to.equal('Loading…');
    fail();
    await new Promise((resolve) => setTimeout(resolve));
    expect(words()).to.contain('could not be loaded');
    expect(tries).to.equal(1);
    button?.click();
    button?.click();
    expect(tries).to.equal(2);
  });

  it('leaves the direction to a page that has said one', async () => {
    expect((await standInWith({ lang: 'ar', dir: 'ltr' })).dir).to.equal('');
  });
});

import { expect } from '@open-wc/testing';
import '../helpers/load-lazy-modules.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { loadLanguage } from '../../src/locales/languages.js';
import { findLocale, registerLocale, type Locale } from '../../src/locales/locale.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { nextFrame, setupController } from './chat-fixture.js';

describe('strings of a language', () => {
  it('that are registered take precedence over those of its file', async () => {
    registerLocale('es', { send: 'Mandar' });
    await loadLanguage('es');
    expect(findLocale('es').text('send')).to.equal('Mandar');
    registerLocale('es-MX', { stop: 'Alto' });
    expect(findLocale('es-MX').text('stop')).to.equal('Alto');
    expect([findLocale('es').text('stop'), findLocale('es-MX').text('cancel')]).to.deep.equal([
      'Detener',
      'Cancelar',
    ]);
  });

  it('are in simplified Chinese only for language tags of simplified Chinese', async () => {
    for (const tag of ['zh', 'zh-CN', 'zh-Hans', 'zh-SG']) await loadLanguage(tag);
    const sends = ['zh', 'zh-CN', 'zh-Hans-MY', 'zh-TW', 'zh-Hant'].map((tag) =>
      findLocale(tag).text('send'),
    );
    expect(sends).to.deep.equal(['发送', '发送', '发送', 'Send', 'Send']);
    expect(loadLanguage('zh-HK')).to.equal(undefined);
    expect(loadLanguage('not a tag!')).to.equal(undefined);
  });

  it('follow English plural rules when they fall back to English', async () => {
    await loadLanguage('ja');
    expect(findLocale('ja').text('entries', { count: 1 })).to.equal('1 件');
    expect(findLocale('ko').text('entries', { count: 1 })).to.equal('1 entry');
  });
});

describe('language of <ubik-chat>', () => {
  const root = document.documentElement;
  let chat: UbikChat;

  beforeEach(() => {
    chat = document.createElement('ubik-chat');
  });
  afterEach(() => {
    chat.remove();
    root.lang = 'en';
    root.removeAttribute('dir');
  });

  const nameOf = (name: string): string | undefined =>
    chat.shadowRoot?.querySelector<HTMLElement>(name)?.title;
  const directionOf = (): string =>
    getComputedStyle(chat.shadowRoot?.querySelector('.ubik') as Element).direction;

  it('shows English until the language file is loaded', async () => {
    chat.lang = 'de-AT';
    document.body.append(chat);
    await chat.updateComplete;
    expect(nameOf('.send')).to.equal('Send');
    await loadLanguage('de-AT');
    expect(nameOf('.send')).to.equal('Senden');
  });

  it('changes with the lang attribute of the page', async () => {
    root.lang = 'de';
    document.body.append(chat);
    await chat.updateComplete;
    await loadLanguage('de');
    expect(nameOf('.send')).to.equal('Senden');
    root.lang = 'en';
    await Promise.resolve();
    await chat.updateComplete;
    expect(nameOf('.send')).to.equal('Send');
  });

  it('changes with lang and dir attributes in the shadow trees that contain the element', async () => {
    await loadLanguage('de');
    await loadLanguage('ar');
    const outer = document.body.appendChild(document.createElement('div'));
    const [place, inner] = [document.createElement('div'), document.createElement('div')];
    outer.attachShadow({ mode: 'open' }).append(place);
    place.append(inner);
    inner.attachShadow({ mode: 'open' }).append(chat);
    await chat.updateComplete;
    const shown = async (): Promise<(string | undefined)[]> => {
      await Promise.resolve();
      await chat.updateComplete;
      return [nameOf('.send'), directionOf()];
    };
    const [german, arabic] = [findLocale('de').text('send'), findLocale('ar').text('send')];
    place.lang = 'de';
    expect(await shown()).to.deep.equal([german, 'ltr']);
    inner.lang = 'ar';
    expect(await shown()).to.deep.equal([arabic, 'rtl']);
    place.dir = 'ltr';
    expect(await shown()).to.deep.equal([arabic, 'ltr']);
    outer.remove();
  });

  it('changes, also in messages, when the chat is moved to a place with another language', async () => {
    await loadLanguage('de');
    const { backend, controller } = setupController();
    backend.threads.set('t', contentOf('t', [stored('q', 'user', 'Wie lang?')]));
    await controller.openThread('t');
    chat.controller = controller;
    const place = document.body.appendChild(document.createElement('div'));
    place.lang = 'de';
    const names = async () => {
      for (let frame = 0; frame < 4; frame += 1) await nextFrame();
      return [nameOf('.send'), chat.shadowRoot?.querySelector('.message')?.ariaLabel];
    };
    document.body.append(chat);
    expect(await names()).to.deep.equal(['Send', 'You']);
    place.append(chat);
    expect(await names()).to.deep.equal(['Senden', findLocale('de').text('you')]);
    place.remove();
  });

  it('is read again for its own changes only, and not after a removal', async () => {
    await loadLanguage('de');
    await loadLanguage('ja');
    const { controller } = setupController();
    chat.controller = controller;
    document.body.append(chat);
    for (let frame = 0; frame < 4; frame += 1) await nextFrame();
    let updates = 0;
    chat.addController({ hostUpdated: () => void (updates += 1) });
    const settle = async (): Promise<void> => {
      for (let frame = 0; frame < 3; frame += 1) await nextFrame();
    };
    const beside = document.body.appendChild(document.createElement('p'));
    beside.lang = 'de';
    beside.dir = 'rtl';
    await settle();
    expect(updates, 'another element').to.equal(0);
    chat.lang = 'de';
    await settle();
    const slot = (): string | null | undefined =>
      chat.shadowRoot?.querySelector('slot[name=empty]')?.getAttribute('lang');
    expect([nameOf('.send'), slot()]).to.deep.equal(['Senden', null]);
    chat.remove();
    updates = 0;
    root.lang = 'ja';
    registerLocale('de', { unknown: 'x' } as never);
    await settle();
    expect(updates, 'removed').to.equal(0);
    beside.remove();
  });

  it('is not loaded for an element outside of the document', async () => {
    const { viewContext } = document.createElement('ubik-markdown') as unknown as {
      viewContext: { locale: Locale };
    };
    chat.lang = 'fr';
    const outside = (chat as unknown as { viewContext: { locale: Locale } }).viewContext.locale;
    expect([outside.lang, viewContext.locale.text('send')]).to.deep.equal(['fr', 'Send']);
    // Loads the file without adding its strings. If the chat had requested it, they would be added by now.
    await import('../../src/locales/fr.js');
    expect(findLocale('fr').text('send')).to.equal('Send');
  });

  it('inherits the locale of the page for glyphs and line breaks', async () => {
    if (!CSS.supports('-webkit-locale', '"ja"')) return;
    document.body.append(chat);
    await chat.updateComplete;
    const box = chat.shadowRoot?.querySelector('.ubik') as Element;
    const locales = ['ja', 'zh'].map((lang) => {
      root.lang = lang;
      // Chromium serializes the value with quotes, WebKit without.
      return getComputedStyle(box).getPropertyValue('-webkit-locale').replaceAll('"', '');
    });
    expect(locales).to.deep.equal(['ja', 'zh']);
  });

  it('aligns an empty field by the direction of the language', async () => {
    chat.lang = 'ar';
    document.body.append(chat);
    await chat.updateComplete;
    const field = chat.shadowRoot?.querySelector('textarea') as HTMLTextAreaElement;
    const directions: string[] = [];
    for (const text of ['', 'Hello', 'مرحبا', '']) {
      field.value = text;
      directions.push(getComputedStyle(field).direction);
    }
    expect(directions).to.deep.equal(['rtl', 'ltr', 'rtl', 'rtl']);
  });

  it('is right to left with its language unless the page sets dir', async () => {
    chat.lang = 'ar-EG';
    document.body.append(chat);
    await chat.updateComplete;
    expect(directionOf()).to.equal('rtl');
    root.dir = 'ltr';
    await Promise.resolve();
    await chat.updateComplete;
    expect(directionOf()).to.equal('ltr');
    root.removeAttribute('dir');
    chat.lang = 'en';
    await chat.updateComplete;
    expect(directionOf()).to.equal('ltr');
  });

  it('follows its own dir attribute rather than that of the page or its language', async () => {
    document.body.append(chat);
    const directions: string[] = [];
    for (const [pageDir, lang, dir] of [
      ['', 'en', 'rtl'],
      ['rtl', 'en', 'ltr'],
      ['ltr', 'ar', 'rtl'],
      ['', 'ar', 'ltr'],
    ] as const) {
      root.dir = pageDir;
      chat.lang = lang;
      chat.dir = dir;
      await chat.updateComplete;
      directions.push(directionOf());
    }
    expect(directions).to.deep.equal(['rtl', 'ltr', 'rtl', 'ltr']);
  });
});

describe('language of <ubik-markdown>', () => {
  it('is that of the page for the content, and English for the interface when there are no strings in it', async () => {
    const place = document.body.appendChild(document.createElement('div'));
    const message = document.createElement('ubik-markdown');
    message.content = 'Testo';
    place.lang = 'it';
    place.append(message);
    await message.updateComplete;
    const langs = (): (string | null | undefined)[] =>
      ['.ubik', '.text'].map((name) =>
        message.shadowRoot?.querySelector(name)?.getAttribute('lang'),
      );
    expect(langs()).to.deep.equal(['en', 'it']);
    place.lang = 'pt';
    await Promise.resolve();
    await message.updateComplete;
    expect(langs()).to.deep.equal(['en', 'pt']);
    place.remove();
  });
});

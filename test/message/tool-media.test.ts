import { expect } from '@open-wc/testing';
import { UbikError } from '../../src/errors.js';
import { loadLanguage } from '../../src/locales/languages.js';
import { findLocale } from '../../src/locales/locale.js';
import type { ViewActions } from '../../src/message/part-view.js';
import { lazyToolContent } from '../../src/message/tool/tool-view.js';
import type { ToolFile } from '../../src/model/part.js';
import { waitFor } from '../helpers/wait-for.js';
import { part, set, setupMessageView, step, tool } from './message-fixture.js';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** An image that can be decoded. */
function pixelImage(): Blob {
  const bytes = Uint8Array.from(atob(PIXEL), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: 'image/png' });
}

/** Runs `use` as if the chunk with the content of tools was not loaded, and every attempt to load it failed. */
function withoutToolContent<T>(use: () => T): T {
  const { value } = lazyToolContent;
  lazyToolContent.value = undefined;
  lazyToolContent.load = () => Promise.reject(new UbikError('load-failed'));
  try {
    return use();
  } finally {
    lazyToolContent.value = value;
    Reflect.deleteProperty(lazyToolContent, 'load');
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const fileOf = (name: string, more: Partial<ToolFile> = {}): ToolFile => ({
  ...{ name, address: `https://service.test/${name}`, stored: true },
  ...more,
});

/** A finished tool whose result names these files. */
function setupFiles(files: readonly ToolFile[], actions: ViewActions = {}) {
  const fixture = setupMessageView({ actions: { findToolFiles: () => files, ...actions } });
  fixture.run(part('tool:1', tool('1', { state: 'done', result: '{}' })));
  return { ...fixture, shown: () => [...fixture.root.querySelectorAll<HTMLElement>('.media > *')] };
}

const neverResolve = (): Promise<Blob> => new Promise(() => undefined);

describe('files of a tool', () => {
  it('are missing without a result, and when findToolFiles returns none', () => {
    let calls = 0;
    const actions = {
      findToolFiles: () => [fileOf(`${(calls += 1)}.png`)],
      loadToolFile: neverResolve,
    };
    const { run, root } = setupMessageView({ actions });
    run(part('tool:1', tool('1')));
    expect([calls, root.querySelector('.media > *')]).to.deep.equal([0, null]);
    expect(setupFiles([]).shown()).to.deep.equal([]);
  });

  it('are at most twenty', () => {
    const files = Array.from({ length: 21 }, (_, index) => fileOf(`${index}.png`));
    const { shown } = setupFiles(files, { loadToolFile: neverResolve });
    expect(shown()).to.have.length(20);
    expect(shown().at(-1)?.textContent).to.equal('19.png');
  });

  it('are links when the service cannot load them', () => {
    const { shown } = setupFiles([fileOf('a.png')]);
    expect(shown().map(({ textContent }) => textContent)).to.deep.equal([
      'a.png https://service.test/a.png',
    ]);
  });

  it('are shown at once when they are safe images, else saved with a button', () => {
    const names = ['a.PNG', 'b.jpeg', 'c.webp', 'd.svg', 'e.pdf', 'png'];
    const requested: string[] = [];
    const { shown } = setupFiles(
      names.map((name) => fileOf(name)),
      {
        loadToolFile: (address) => {
          requested.push(address);
          return neverResolve();
        },
      },
    );
    expect(
      shown().map(({ localName, textContent }) => `${localName} ${textContent}`),
    ).to.deep.equal([
      'figure a.PNG',
      'figure b.jpeg',
      'figure c.webp',
      'button Save d.svg',
      'button Save e.pdf',
      'button Save png',
    ]);
    expect(requested).to.have.length(3);
  });

  it('are images by their bytes and have the type of their name, whatever the type of the service', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"><script>0</script></svg>';
    const files: Record<string, Blob> = {
      'drawing.png': new Blob([svg], { type: 'image/svg+xml' }),
      'page.gif': new Blob(['<!doctype html><p>Page'], { type: 'text/html' }),
      'pixel.JPG': new Blob([pixelImage()], { type: 'text/html' }),
    };
    const { shown } = setupFiles(
      Object.keys(files).map((name) => fileOf(name)),
      {
        loadToolFile: (address) => Promise.resolve(files[address.split('/').at(-1) ?? ''] as Blob),
      },
    );
    const [drawing, page, pixel] = shown();
    await waitFor(() => [drawing, page].every((figure) => figure?.querySelector('button')));
    expect([drawing, page].map((figure) => figure?.querySelector('img'))).to.deep.equal([
      null,
      null,
    ]);
    expect(drawing?.textContent).to.equal('The file drawing.png couldn’t be loaded. Retry');
    const image = pixel?.querySelector('img') as HTMLImageElement;
    await image.decode();
    expect(image.naturalWidth).to.equal(1);
    expect((await (await fetch(image.src)).blob()).type).to.equal('image/jpeg');
  });

  it('are shown when their code is loaded after it could not be loaded', async () => {
    const { shown, errors, query, frames } = withoutToolContent(() =>
      setupFiles([fileOf('a.pdf')]),
    );
    await settled();
    expect([shown().length, errors.map(({ code }) => code)]).to.deep.equal([0, ['load-failed']]);
    const details = query<HTMLDetailsElement>('details.tool');
    const opened = new Promise((resolve) => details.addEventListener('toggle', resolve));
    details.open = true;
    await opened;
    frames.flush();
    expect(shown().map(({ textContent }) => textContent)).to.deep.equal([
      'a.pdf https://service.test/a.pdf',
    ]);
  });

  it('open their step when their code is loaded after the step was rendered', async () => {
    const { query, frames } = withoutToolContent(() => {
      const fixture = setupMessageView({ actions: { findToolFiles: () => [fileOf('a.pdf')] } });
      const call = tool('1', { state: 'done', result: '{}' });
      fixture.run(part('step:1', { ...step(1), state: 'completed' } as ReturnType<typeof step>));
      fixture.run(part('tool:1', call, 'step:1'), set(null, 'status', 'complete'));
      return fixture;
    });
    await settled();
    expect(query<HTMLDetailsElement>('.step').open).to.equal(false);
    const details = query<HTMLDetailsElement>('details.tool');
    const opened = new Promise((resolve) => details.addEventListener('toggle', resolve));
    details.open = true;
    await opened;
    frames.flush();
    expect(query('.media').childElementCount).to.equal(1);
    expect(query<HTMLDetailsElement>('.step').open).to.equal(true);
  });

  it('follow the language and the link policy; an image that is shown is not loaded again', async () => {
    const requested: string[] = [];
    const files = [
      fileOf('a.png'),
      fileOf('b.pdf'),
      fileOf('', { address: 'note:1', stored: false }),
    ];
    const { context, view, frames, shown, query } = setupFiles(files, {
      loadToolFile: (address) => {
        requested.push(address);
        return Promise.resolve(pixelImage());
      },
    });
    await settled();
    const image = query('.media img');
    expect(shown().map(({ localName }) => localName)).to.deep.equal(['figure', 'button', 'bdi']);
    await loadLanguage('fr');
    context.locale = findLocale('fr');
    context.checkLink = (href) => ({ href, host: '', notice: null });
    view.redraw();
    frames.flush();
    expect(shown().map(({ localName }) => localName)).to.deep.equal(['figure', 'button', 'a']);
    expect(shown()[1]?.textContent).to.equal('Enregistrer b.pdf');
    expect([query('.media img') === image, requested.length]).to.deep.equal([true, 1]);
  });

  it('are loaded once when the language changes meanwhile, and have their texts in the new language', async () => {
    const requests: (() => void)[] = [];
    const { context, view, frames, shown } = setupFiles([fileOf('a.png'), fileOf('b.pdf')], {
      loadToolFile: () =>
        new Promise((_, reject) => requests.push(() => void reject(new Error('403')))),
    });
    shown()[1]?.click();
    await loadLanguage('fr');
    context.locale = findLocale('fr');
    view.redraw();
    frames.flush();
    expect(requests.length).to.equal(2);
    for (const reject of requests) reject();
    await settled();
    const { text } = context.locale;
    expect(shown().map(({ textContent }) => textContent)).to.deep.equal([
      `${text('mediaFailed', { name: 'a.png' })} ${text('retry')}`,
      text('mediaFailed', { name: 'b.pdf' }),
    ]);
  });

  it('are saved under their name when their button is pressed', async () => {
    const saved: string[] = [];
    const { click } = HTMLAnchorElement.prototype;
    HTMLAnchorElement.prototype.click = function () {
      saved.push(this.download);
    };
    try {
      const { shown } = setupFiles([fileOf('e.pdf')], {
        loadToolFile: () => Promise.resolve(new Blob(['x'])),
      });
      shown()[0]?.click();
      await settled();
    } finally {
      HTMLAnchorElement.prototype.click = click;
    }
    expect(saved).to.deep.equal(['e.pdf']);
  });

  it('are requested once while they are loading, however often their button is pressed', async () => {
    const requests: (() => void)[] = [];
    const { query } = setupFiles([fileOf('e.pdf')], {
      loadToolFile: () =>
        new Promise((_, reject) => requests.push(() => void reject(new Error('403')))),
    });
    const button = query('.media button');
    button.click();
    button.click();
    expect([requests.length, button.ariaBusy]).to.deep.equal([1, 'true']);
    requests[0]?.();
    await settled();
    expect(button.ariaBusy).to.equal(null);
    button.click();
    expect(requests.length).to.equal(2);
  });

  it('are replaced by a message in the language of the interface when they cannot be loaded', async () => {
    const actions = {
      findToolFiles: () => [fileOf('a.png')],
      loadToolFile: () => Promise.reject(new Error('403')),
    };
    const { context, run, query } = setupMessageView({ actions });
    context.locale = findLocale('en', 'fr');
    run(part('tool:1', tool('1', { state: 'done', result: '{}' })));
    expect(query('.media figure').lang).to.equal('fr');
    await settled();
    expect(query('.media figure').textContent).to.equal('The file a.png couldn’t be loaded. Retry');
    expect(query('.media figure').hasAttribute('lang')).to.equal(false);
  });

  it('are loaded again on request after a failure, without losing the focus', async () => {
    let isOffline = true;
    const { query, remove } = setupFiles([fileOf('a.png')], {
      loadToolFile: () => (isOffline ? Promise.reject(new Error()) : Promise.resolve(pixelImage())),
    });
    await settled();
    for (const expected of ['BUTTON', 'FIGURE']) {
      isOffline = expected === 'BUTTON';
      query('.media button').focus();
      query('.media button').click();
      expect(query('.media figure').textContent).to.equal('a.png');
      await settled();
      const { activeElement } = query('.media').getRootNode() as ShadowRoot;
      expect(activeElement?.tagName).to.equal(expected);
    }
    expect(query<HTMLImageElement>('.media img').alt).to.equal('a.png');
    remove();
  });

  it('keep the focus when they are rendered again, in another language', async () => {
    const files = [fileOf('a.png'), fileOf('e.pdf'), fileOf('b', { stored: false })];
    const { query, root, view, context, frames, remove } = setupFiles(files, {
      loadToolFile: () => Promise.reject(new Error('403')),
    });
    const redraw = (): void => {
      view.redraw();
      frames.flush();
    };
    const focused = (): string | null | undefined =>
      (root.getRootNode() as ShadowRoot).activeElement?.textContent;
    await settled();
    await loadLanguage('fr');
    query('.media figure button').focus();
    redraw();
    await settled();
    expect(focused()).to.equal('Retry');
    query('.media > button').focus();
    context.locale = findLocale('fr');
    redraw();
    expect(focused()).to.equal('Enregistrer e.pdf');
    context.checkLink = (href) => ({ href, host: '', notice: null });
    redraw();
    query('.media a').focus();
    redraw();
    expect(focused()).to.equal('https://service.test/b');
    remove();
  });

  it('show no failure after the view was disposed', async () => {
    let reject = (): void => undefined;
    const { query, remove } = setupFiles([fileOf('a.png')], {
      loadToolFile: () => new Promise((_, fail) => (reject = () => void fail(new Error('403')))),
    });
    const figure = query('.media figure');
    remove();
    reject();
    await settled();
    expect(figure.textContent).to.equal('a.png');
  });

  it('have their Save button again while they are loaded again after a failure', async () => {
    const results = [Promise.reject(new Error()), new Promise<Blob>(() => undefined)];
    const { query } = setupFiles([fileOf('e.pdf')], {
      loadToolFile: () => results.shift() as Promise<Blob>,
    });
    const button = query('.media button');
    button.click();
    await settled();
    expect(button.textContent).to.equal('The file e.pdf couldn’t be loaded.');
    button.click();
    expect(button.textContent).to.equal('Save e.pdf');
  });

  it('can be saved by the URL of an image until the view is disposed', async () => {
    const { root, remove } = setupFiles([fileOf('a.png')], {
      loadToolFile: () => Promise.resolve(pixelImage()),
    });
    await new Promise((resolve) =>
      root.addEventListener('load', resolve, { capture: true, once: true }),
    );
    await settled();
    const url = root.querySelector('img')?.src ?? '';
    const saved = await (await fetch(url)).arrayBuffer();
    expect(saved.byteLength).to.equal(pixelImage().size);
    remove();
    const isRevoked = await fetch(url).then(
      () => false,
      () => true,
    );
    expect(isRevoked).to.equal(true);
  });

  it('are replaced by a message when they are images that cannot be decoded, whose URLs are revoked', async () => {
    const revoked: string[] = [];
    const { revokeObjectURL } = URL;
    URL.revokeObjectURL = (url) => void revoked.push(url);
    try {
      const { root, query } = setupFiles([fileOf('a.png')], {
        loadToolFile: () => Promise.resolve(new Blob(['no image'], { type: 'image/png' })),
      });
      const failed = new Promise((resolve) =>
        root.addEventListener('error', resolve, { capture: true, once: true }),
      );
      await settled();
      const url = root.querySelector('img')?.src;
      await failed;
      await settled();
      expect(revoked).to.deep.equal([url]);
      expect(query('.media figure').textContent).to.equal(
        'The file a.png couldn’t be loaded. Retry',
      );
    } finally {
      URL.revokeObjectURL = revokeObjectURL;
    }
  });

  it('show at most 2,048 characters of their URL when they are links', () => {
    const start = 'https://elsewhere.test/';
    const addressOf = (length: number): string => start + 'x'.repeat(length - start.length);
    const files = [2048, 2049].map((length) =>
      fileOf('', { address: addressOf(length), stored: false }),
    );
    const links = setupFiles(files).shown();
    expect(links.map(({ textContent }) => textContent)).to.deep.equal([
      addressOf(2048),
      `${addressOf(2048)}…`,
    ]);
    expect(links.map((link) => link.getAttribute('href'))).to.deep.equal(
      files.map(({ address }) => address),
    );
  });

  it('have names in the language of the content', () => {
    const { context, run, root } = setupMessageView({
      actions: { findToolFiles: () => [fileOf('a.png', { stored: false })] },
    });
    context.locale = findLocale('en', 'fr');
    run(part('tool:1', tool('1', { state: 'done', result: '{}' })));
    expect(root.querySelector<HTMLElement>('.media .meta')?.lang).to.equal('fr');
  });
});

import { expect } from '@open-wc/testing';
import { createManualFrameScheduler } from '../../src/dom/manual-frames.js';
import { findLocale, registerLocale } from '../../src/locales/locale.js';
import {
  createMarkdownRenderer,
  type MarkdownPolicy,
  type MarkdownRendererOptions,
} from '../../src/message/markdown-renderer.js';

const DATA_IMAGE = 'data:image/png;base64,iVBORw0KGgo=';

/** A renderer whose language and policy can be changed. */
function setupRenderer(options: Partial<MarkdownRendererOptions> = {}) {
  const frames = createManualFrameScheduler();
  let ids = 0;
  const state: { locale: ReturnType<typeof findLocale>; policy: MarkdownPolicy } = {
    locale: findLocale('en'),
    policy: {},
  };
  const renderer = createMarkdownRenderer({
    frames,
    createId: () => `md-${(ids += 1)}`,
    locale: () => state.locale,
    policy: () => state.policy,
    shouldLoadImage: () => true,
    ...options,
  });
  const render = (text: string): HTMLElement => {
    const container = document.createElement('div');
    const body = renderer.createMarkdown(container, () => null);
    body.append(text);
    void body.end();
    frames.flush();
    return container;
  };
  return { state, renderer, render };
}

const textsOf = (root: ParentNode, selector: string): string[] =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());

const labelsOf = (root: ParentNode, selector: string): (string | null)[] =>
  [...root.querySelectorAll(selector)].map((node) => node.getAttribute('aria-label'));

describe('strings of Markdown', () => {
  it('name an image by its text and its host if it has them', () => {
    const { render } = setupRenderer();
    const root = render(
      [
        '![a](https://img.example/a.png)',
        '![](https://img.example/b.png)',
        `![c](${DATA_IMAGE})`,
        `![](${DATA_IMAGE})`,
        '![e](javascript:x)',
        '![](javascript:x)',
      ].join(' '),
    );
    expect(textsOf(root, '.ubik-image')).to.deep.equal([
      'Load image “a” from img.example',
      'Load image from img.example',
      'Load image “c”',
      'Load image',
      'Image: e',
      'Image',
    ]);
  });

  it('name a code block by its language when it has one', () => {
    const root = setupRenderer().render('```js\n1\n```\n\n```\n2\n```');
    expect(labelsOf(root, '.ubik-code [role=region]')).to.deep.equal(['Code, js', 'Code']);
  });

  it('name tables, tasks and footnotes', () => {
    const root = setupRenderer().render(
      '| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] one\n- [ ] two\n\nx[^1]\n\n[^1]: Note',
    );
    const labels = labelsOf(root, '[aria-label]');
    for (const label of [
      'Table with 2 columns',
      'Done',
      'To do',
      'Footnotes',
      'Footnote 1',
      'Back to reference 1',
    ]) {
      expect(labels, labels.join(', ')).to.include(label);
    }
  });

  it('are in the language of the interface, with its lang inside content of another language', () => {
    const { state, render } = setupRenderer();
    registerLocale('x-md', { imageOf: 'Bild {alt}' });
    state.locale = findLocale('x-md');
    expect(textsOf(render('![e](javascript:x)'), '.ubik-image')).to.deep.equal(['Bild e']);
    state.locale = findLocale('en', 'fr');
    const image = render('![e](javascript:x)').querySelector<HTMLElement>('.ubik-image');
    expect(image?.lang).to.equal('en');
  });
});

describe('policy of Markdown', () => {
  it('is read each time something is rendered or checked', () => {
    const { state, renderer, render } = setupRenderer();
    expect(renderer.checkLink('/x')).to.equal(null);
    expect(render(`![a](${DATA_IMAGE})`).querySelector('img')).to.equal(null);
    state.policy = { linkBase: 'https://base.example/', imagePolicy: 'data' };
    expect(renderer.checkLink('/x')?.href).to.equal('https://base.example/x');
    expect(render(`![a](${DATA_IMAGE})`).querySelector('img')).not.to.equal(null);
  });

  it('shows the host of a link whose text contains another one', () => {
    const { renderer } = setupRenderer();
    expect(renderer.checkLink('https://evil.example/', 'bank.example')?.notice).to.equal(
      'evil.example',
    );
  });

  it('lets the host page prevent loading an image', () => {
    const requested: string[] = [];
    const { render } = setupRenderer({
      shouldLoadImage: (url) => {
        requested.push(url);
        return false;
      },
    });
    const root = render('![a](https://img.example/a.png)');
    root.querySelector<HTMLElement>('button.ubik-image')?.click();
    expect(requested).to.deep.equal(['https://img.example/a.png']);
    expect(root.querySelector('img')).to.equal(null);
  });
});

describe('ids of Markdown', () => {
  it('are unique among all texts', () => {
    const { render } = setupRenderer();
    const ids = [render('x[^1]\n\n[^1]: N'), render('x[^1]\n\n[^1]: N')].map((root) =>
      [...root.querySelectorAll('[id]')].map(({ id }) => id),
    );
    const all = ids.flat();
    expect(all.length).to.be.above(1);
    expect(new Set(all).size).to.equal(all.length);
  });
});

import { expect } from '@open-wc/testing';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { setupView } from './setup-view.js';

const urlPolicy = createUrlPolicy({
  imagePolicy: 'allow',
  imageOrigins: ['https://ok.invalid/a/'],
});
const image = (index: number): string => `![${index}](https://ok.invalid/a/${index}.png)`;
const images = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => image(from + index)).join(' ');

describe('images that load automatically', () => {
  it('load lazily and send no referrer', () => {
    const { box, add } = setupView({ urlPolicy });
    add(`${image(1)} ![no](https://other.invalid/a/1.png)\n\n`);
    const [loaded] = box.querySelectorAll('img');
    expect(loaded?.getAttribute('loading')).to.equal('lazy');
    expect(loaded?.getAttribute('referrerpolicy')).to.equal('no-referrer');
    expect(box.querySelector('button.ubik-image')?.textContent).to.contain('other.invalid');
  });

  it('are at most twenty per text for any chunking', () => {
    const text = `${images(0, 15)}\n\n- ${images(15, 30)}\n\n`;
    for (const size of [1, text.length]) {
      const { box, add } = setupView({ urlPolicy });
      for (let at = 0; at < text.length; at += size) add(text.slice(at, at + size));
      const names = [...box.querySelectorAll('img')].map(({ alt }) => alt);
      expect(names).to.deep.equal(Array.from({ length: 20 }, (_, index) => `${index}`));
      expect(box.querySelectorAll('button.ubik-image')).to.have.length(10);
    }
  });

  it('do not count when they are truncated', () => {
    const { box, view, frames, add } = setupView({ urlPolicy });
    for (let turn = 0; turn < 5; turn += 1) {
      add(`Start.\n\n${images(0, 25)}\n\n`);
      expect(box.querySelectorAll('img'), `turn ${turn}`).to.have.length(20);
      view.truncate(0);
      frames.flush();
    }
  });
});

describe('button that loads an image', () => {
  it('shows the host unchanged when the description has bidirectional controls', () => {
    const { box, add } = setupView({ urlPolicy: createUrlPolicy() });
    add('![\u2067a\u202eb\u2069](https://evil.test/a.png) ');
    expect(box.textContent).to.equal('Load image “ab” from evil.test');
  });
});

describe('an image that the user has loaded', () => {
  /** Renders a text and loads its image. */
  const setupLoaded = (text: string) => {
    const setup = setupView({ urlPolicy: createUrlPolicy() });
    setup.add(text);
    setup.box.querySelector<HTMLElement>('button.ubik-image')?.click();
    expect(setup.box.querySelectorAll('img')).to.have.length(1);
    return setup;
  };

  it('stays in the link around it when its paragraph is rendered again', () => {
    const { box, add } = setupLoaded('[![CI](https://a.example/b.svg)][ci] is green');
    add('.\n\n[ci]: https://ci.example/\n\n');
    expect(box.textContent).to.match(/is green\.$/);
    expect(box.querySelectorAll('.ubik-image')).to.have.length(1);
    expect(box.querySelectorAll('a .ubik-image')).to.have.length(1);
  });

  it('can be loaded again after it could not be loaded, without losing the focus', async () => {
    const setup = setupView({
      urlPolicy: createUrlPolicy({ imagePolicy: 'link' }),
    });
    const { box, add } = setup;
    document.body.append(box);
    add('![plot](https://ok.invalid/p.png)\n\n');
    for (let turn = 0; turn < 2; turn += 1) {
      const button = box.querySelector<HTMLElement>('button.ubik-image');
      button?.focus();
      button?.click();
      const loaded = box.querySelector('img');
      expect(document.activeElement).to.equal(loaded);
      loaded?.dispatchEvent(new Event('error'));
      expect(document.activeElement).to.equal(button);
      expect(box.textContent).to.equal('Load image “plot” from ok.invalid');
    }
    box.remove();
  });

  it('is removed with its text', () => {
    const { box, view, frames } = setupLoaded('Text ![plot](https://a.example/p.png)');
    view.truncate(5);
    frames.flush();
    expect(box.querySelector('.ubik-image')).to.equal(null);
  });

  it('keeps its place before a nested list', () => {
    const { box, add } = setupLoaded(
      '- See [a][r] and ![plot](https://a.example/p.png)\n  - nested\n',
    );
    add('\n[r]: https://r.example/\n\n');
    expect(box.querySelector('li')?.textContent).to.match(/^See a and .*plot.*nested\s*$/);
    expect(box.querySelectorAll('.ubik-image')).to.have.length(1);
  });
});

import { expect } from '@open-wc/testing';
import { createManualFrameScheduler } from '../../src/dom/manual-frames.js';
import { findLocale } from '../../src/locales/locale.js';
import type { MarkdownBody } from '../../src/message/part-view.js';
import { createLazyMarkdown, lazyMarkdown } from '../../src/message/lazy-markdown.js';

// The first body loads the chunk for the whole page, so the tests depend on their order.
describe('lazy Markdown', () => {
  const frames = createManualFrameScheduler();
  let ids = 0;
  const renderer = createLazyMarkdown({
    frames,
    createId: () => `lazy-${(ids += 1)}`,
    locale: () => findLocale('en'),
    policy: () => ({}),
    shouldLoadImage: () => true,
  });
  const container = document.createElement('div');
  const disposed = document.createElement('div');
  const open = document.createElement('div');
  const changedAfterEnd = [1, 2].map(() => document.createElement('div'));
  const failed = document.createElement('div');
  let openBody: MarkdownBody;

  before(() => {
    lazyMarkdown.load = () => Promise.reject(new Error('offline'));
    renderer.createMarkdown(failed, () => null).append('**Zero**');
    Reflect.deleteProperty(lazyMarkdown, 'load');
  });

  it('shows plain text without inline marks and without links until it is loaded', () => {
    openBody = renderer.createMarkdown(open, () => null);
    openBody.append('One');
    const body = renderer.createMarkdown(container, () => null);
    const disposedBody = renderer.createMarkdown(disposed, () => null);
    body.append('**One** \uE000a\uE001two');
    expect(container.textContent).to.equal('**One** two');
    expect(container.classList.contains('plain')).to.equal(true);
    body.truncate(8);
    body.append('three [link');
    expect(container.textContent).to.equal('**One** three [link');
    expect(renderer.checkLink('https://a.example/')).to.equal(null);
    void body.end();
    for (const [index, node] of changedAfterEnd.entries()) {
      const again = renderer.createMarkdown(node, () => null);
      again.append(index === 0 ? 'a' : 'a [link and more');
      void again.end();
      if (index === 0) again.append(' [link');
      else again.truncate('a [link'.length);
    }
    disposedBody.append('**Two**');
    disposedBody.dispose();
  });

  it('renders the text as Markdown once it is loaded', async () => {
    await lazyMarkdown.load();
    await Promise.resolve();
    frames.flush();
    expect(container.querySelector('strong')?.textContent).to.equal('One');
    // Only at the end is it clear that the bracket starts no link.
    expect(container.textContent.trim()).to.equal('One three [link');
    expect(container.classList.contains('plain')).to.equal(false);
    expect(renderer.checkLink('https://a.example/')?.href).to.equal('https://a.example/');
    expect(failed.querySelector('strong')?.textContent, 'after a failure').to.equal('Zero');
  });

  it('withholds unfinished syntax of a text that has changed after its end', () => {
    expect(changedAfterEnd.map((node) => node.textContent.trim())).to.deep.equal(['a', 'a']);
  });

  it('renders nothing into a container whose body was disposed', () => {
    expect(disposed.querySelector('strong')).to.equal(null);
  });

  it('renders Markdown at once after it was loaded', () => {
    const later = document.createElement('div');
    const laterBody = renderer.createMarkdown(later, () => null);
    laterBody.append('*now*');
    void laterBody.end();
    frames.flush();
    expect(later.querySelector('em')?.textContent).to.equal('now');
  });

  it('passes later changes on to the Markdown that has replaced the text', () => {
    openBody.append(' *more*');
    openBody.truncate(3);
    openBody.append(' *two*');
    void openBody.end();
    frames.flush();
    expect(open.textContent.trim()).to.equal('One two');
    expect(open.querySelector('em')?.textContent).to.equal('two');
    openBody.redraw();
    frames.flush();
    expect(open.querySelector('em')?.textContent).to.equal('two');
    openBody.dispose();
  });
});

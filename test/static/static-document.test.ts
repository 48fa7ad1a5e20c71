import { expect } from '@open-wc/testing';
import { createManualFrameScheduler } from '../../src/dom/manual-frames.js';
import { createMarkdownView } from '../../src/markdown/markdown-view.js';
import { createStaticDocument, printHtml } from '../../src/static/static-document.js';
import { createRandom } from '../helpers/seeded-random.js';
import { seedsUpTo } from '../helpers/sample.js';
import { loadExamples } from '../markdown/commonmark-examples.js';
import { randomMarkdown } from '../markdown/random-markdown.js';
import { permissivePolicy, renderAtOnce } from '../markdown/setup-view.js';

/** Renders Markdown with a static document, parses the printed HTML, and serializes the result. */
function renderStatic(text: string): string {
  const document = createStaticDocument();
  const frames = createManualFrameScheduler();
  const box = document.createElement('div');
  const options = { document, frames, urlPolicy: permissivePolicy, idPrefix: 'view' };
  const view = createMarkdownView(box, options);
  view.append(text);
  frames.flush();
  void view.end();
  frames.flush();
  view.dispose();
  // A document from DOMParser loads no images.
  const parsed = new DOMParser().parseFromString(printHtml(box), 'text/html');
  return parsed.body.firstElementChild?.innerHTML ?? '';
}

/** Renders Markdown with the DOM of the browser, serializes and parses it, so that it can be compared with parsed HTML. */
function renderInBrowser(text: string): string {
  const parsed = new DOMParser().parseFromString(
    `<div>${renderAtOnce(text, true)}</div>`,
    'text/html',
  );
  return parsed.body.firstElementChild?.innerHTML ?? '';
}

describe('static document', () => {
  it('has the same content as the DOM of a browser for all CommonMark examples', async () => {
    const examples = await loadExamples();
    const different = examples.filter(
      ({ markdown }) => renderStatic(markdown) !== renderInBrowser(markdown),
    );
    expect(different.map(({ number }) => number)).to.deep.equal([]);
  });

  for (const seed of seedsUpTo(100)) {
    it(`has the same content as the DOM of a browser for random Markdown, seed ${String(seed)}`, () => {
      const text = randomMarkdown(createRandom(seed), 20);
      expect(renderStatic(text)).to.equal(renderInBrowser(text));
    });
  }

  it('has the same content as the DOM of a browser for a long text', () => {
    const rows = Array.from(
      { length: 300 },
      (_, row) => `| ${String(row)} | [a](https://a.test/) |`,
    );
    const text = `${'A long paragraph with **words**. '.repeat(4000)}\n\n| n | link |\n|--:|---|\n${rows.join('\n')}\n\n[^1]: A note.\n\nSee[^1]. ${'More. '.repeat(2000)}`;
    expect(renderStatic(text)).to.equal(renderInBrowser(text));
  });

  it('has the same content as the DOM of a browser for a table of many rows without a line end', () => {
    const text = `| n |\n|--:|${'\n| 42 |'.repeat(11)}`;
    expect(renderStatic(text)).to.equal(renderInBrowser(text));
  });

  it('rejects invalid names of elements and attributes', () => {
    const document = createStaticDocument();
    for (const name of ['', 'a b', 'a>', 'x onload=', '"', '!--']) {
      expect(() => document.createElement(name), name).to.throw(TypeError);
      expect(() => document.createElement('p').setAttribute(name, ''), name).to.throw(TypeError);
    }
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { LANGUAGES } from '../../demo/pages/gallery/axes.mjs';
import { setupGallery } from './gallery-fixture.js';

/** The cases with the most text in the least space. */
const CASES = [
  // First, so that it is prepared while the code that renders messages is still being loaded.
  'chat-waiting-out-of-sight',
  ...['chat-empty', 'run-waiting', 'run-failed', 'run-queue', 'message-actions', 'tool-open'],
  ...['request-form', 'request-complaints', 'composer-files', 'threads-all', 'documents-all'],
  ...['documents-uploads', 'checkpoints-all', 'layout-page-phone'],
  ...['data-table', 'data-chart-line', 'data-metric', 'data-code'],
  ...['data-web-search-open', 'data-passages', 'data-page'],
  // The buttons that open these cases are found in each language.
  ...['message-edit', 'threads-rename', 'documents-picker'],
];

/** A right-to-left language, and the language with the longest words. */
const TESTED: readonly string[] = ['ar', 'de'];

/** Runs in the page: returns the elements whose content is wider than they are, and buttons with more than two lines. */
function findTooWide(): string[] {
  const found: string[] = [];
  const isCut = (node: Element): boolean => {
    const { overflowX, textOverflow } = getComputedStyle(node);
    // Scrollable elements, and texts with an ellipsis, may overflow.
    if (/auto|scroll/.test(overflowX) || textOverflow === 'ellipsis') return false;
    return node.clientWidth > 1 && node.scrollWidth > node.clientWidth + 1;
  };
  // The label of a button has at most two lines.
  const isTall = (node: Element): boolean => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines =
      range.getBoundingClientRect().height / parseFloat(getComputedStyle(node).lineHeight);
    return node.matches('button:not([dir])') && !node.querySelector('[dir], bdi') && lines > 2.5;
  };
  const visit = (root: ParentNode, outerCase: string): void => {
    for (const node of root.querySelectorAll('*')) {
      const name = node.closest<HTMLElement>('[data-case]')?.dataset['case'] ?? outerCase;
      if (node.shadowRoot) visit(node.shadowRoot, name);
      if (root instanceof ShadowRoot && node.matches('.ubik, button, label, h2, h3, legend, p')) {
        if (isCut(node) || isTall(node))
          found.push(`${name}: ${node.className}: ${node.textContent.trim()}`);
      }
    }
  };
  visit(document, '');
  return found;
}

suite('texts fit into a page of 320 px', () => {
  const open = setupGallery();

  for (const { lang, name, dir } of LANGUAGES.filter(({ lang }) => TESTED.includes(lang))) {
    test(`in ${name}`, async (context) => {
      const gallery = open();
      if (!gallery)
        return context.skip('The Chromium of the development packages does not run here.');
      await gallery.show(CASES, { look: { lang, width: '320' } });
      const shown = await gallery.page.evaluate(() =>
        document
          .querySelector('ubik-chat')
          ?.shadowRoot?.querySelector('.send')
          ?.getAttribute('title'),
      );
      assert.ok(shown && shown !== 'Send');
      assert.equal(await gallery.page.evaluate(() => document.documentElement.dir), dir);
      assert.deepEqual(await gallery.page.evaluate(findTooWide), []);
      assert.deepEqual(gallery.errors, []);
    });
  }
});

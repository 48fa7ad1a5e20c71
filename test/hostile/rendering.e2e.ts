import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAttacks, type Attack } from './attacks.js';
import { assertNoFindings, setupTestBrowser } from './security-fixture.js';

const testBrowser = setupTestBrowser();
const attacks = listAttacks();

/** Renders each attack in its own element, in chunks of a size, all side by side. */
async function showAll(all: readonly Attack[], tag: string, size: number): Promise<void> {
  // The code of <ubik-message> and of Markdown is loaded with the first one. Wait for it, or else the whole text would be rendered at once, or
  // as plain text.
  const first = document.createElement(tag) as HTMLElement & Growing;
  first.content = '**loaded**';
  document.body.append(first);
  while (!first.shadowRoot?.querySelector('strong'))
    await new Promise((resolve) => setTimeout(resolve));
  first.remove();
  const elements = all.map(() => document.createElement(tag) as HTMLElement & Growing);
  document.body.append(...elements);
  const longest = Math.max(...all.map(({ text }) => text.length));
  for (let end = size; end < longest + size; end += size) {
    for (const [index, { text }] of all.entries()) {
      const element = elements[index];
      if (!element || end >= text.length + size) continue;
      element.streaming = end < text.length;
      element.content = text.slice(0, end);
    }
    await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => setTimeout(resolve));
  }
}

interface Growing {
  content: string;
  streaming: boolean;
}

/** Serializes and parses the contents of the elements three times; returns the kinds of elements and attributes that appear only then. */
function reparse(): string[] {
  const kinds = (root: ParentNode): string[] =>
    [...root.querySelectorAll('*')].flatMap((element) => [
      element.localName,
      ...[...element.attributes].map(({ name }) => `${element.localName} ${name}`),
    ]);
  const added = new Set<string>();
  for (const { shadowRoot } of document.querySelectorAll('ubik-message, ubik-markdown')) {
    if (!shadowRoot) continue;
    const known = new Set(kinds(shadowRoot));
    let html = shadowRoot.innerHTML;
    for (let round = 0; round < 3; round += 1) {
      const template = document.createElement('template');
      template.innerHTML = html;
      for (const kind of kinds(template.content)) if (!known.has(kind)) added.add(kind);
      html = template.innerHTML;
    }
  }
  return [...added];
}

/** Counts what was rendered. */
function countShown(tag: string): { texts: number; links: number; pictures: number } {
  const roots = [...document.querySelectorAll(tag)].map(({ shadowRoot }) => shadowRoot);
  const count = (selector: string): number =>
    roots.reduce((sum, root) => sum + (root?.querySelectorAll(selector).length ?? 0), 0);
  const texts = roots.filter((root) => root?.textContent.trim()).length;
  return { texts, links: count('a[href]'), pictures: count('[data-ubik-action=image]') };
}

for (const [guard, how, tag, size] of [
  ['open', 'at once', 'ubik-message', 1e6],
  ['strict', 'at once', 'ubik-markdown', 1e6],
  ['strict', 'streamed in pieces', 'ubik-message', 7],
  ['open', 'streamed letter by letter', 'ubik-markdown', 1],
] as const) {
  test(`hostile text, ${how}, has no effect on a page with ${guard} policy`, async () => {
    const testPage = await testBrowser().open(`/${guard}`, how === 'at once' ? 'real' : 'fast');
    await testPage.page.evaluate(showAll, attacks, tag, size);
    assertNoFindings(await testPage.findings());
    const shown = await testPage.page.evaluate(countShown, tag);
    assert.ok(shown.texts > attacks.length * 0.95, `only ${String(shown.texts)} texts are shown`);
    assert.ok(shown.links > 40 && shown.pictures > 25, JSON.stringify(shown));
    if (guard === 'open') assert.deepEqual(await testPage.page.evaluate(reparse), []);
  });
}

test('pressing every button in hostile text runs nothing, and loads only images that the buttons name', async () => {
  const testPage = await testBrowser().open('/open');
  await testPage.page.evaluate(showAll, attacks, 'ubik-markdown', 1e6);
  // Long texts are rendered in slices: wait until there are enough buttons of images.
  while ((await testPage.page.evaluate(countShown, 'ubik-markdown')).pictures <= 25);
  await testPage.page.evaluate(() => {
    for (const { shadowRoot } of document.querySelectorAll('ubik-markdown')) {
      for (const button of shadowRoot?.querySelectorAll('button') ?? []) button.click();
    }
  });
  const { requests, dom, ...rest } = await testPage.findings();
  const pictures = dom.filter((finding) => finding.startsWith('src: https://evil.test/'));
  assert.ok(pictures.length > 3, 'the images are inserted');
  assert.deepEqual(
    dom.filter((finding) => !pictures.includes(finding) && !/^<img [\w-]+>$/.test(finding)),
    [],
  );
  assert.ok(requests.every((address) => address.startsWith('https://evil.test/')));
  assert.deepEqual([rest.ran, rest.globals, rest.reports], [[], [], []]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { openPage } from '../../scripts/browser.mjs';
import { openVisitor } from './chat-page.js';
import { setupDemo } from './setup.js';
import { onlyExhaustive } from '../helpers/sample.js';

const getFixture = setupDemo();

/** Cases of the gallery with buttons that the conversation of the first test does not have. */
const CASES = [
  ...['layout-page', 'layout-drawer', 'run-queue', 'run-waiting', 'composer-files'],
  ...['composer-dictation-paste', 'branches-pager', 'chat-passage', 'window-panel'],
];

/** Nodes of the accessibility tree whose description repeats their name, as `role name`; `nodes` is the number of named nodes. */
async function findRepeated(page: Page): Promise<{ nodes: number; repeated: string[] }> {
  const session = await page.createCDPSession();
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const named = nodes
    .filter(({ ignored, name }) => !ignored && clean(name?.value) !== '')
    .map(({ role, name, description }) => ({
      role: String(role?.value),
      name: clean(name?.value),
      description: clean(description?.value),
    }));
  const repeated = named.filter(({ name, description }) => name === description);
  return { nodes: named.length, repeated: repeated.map(({ role, name }) => `${role} ${name}`) };
}

const clean = (text: unknown): string =>
  typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').trim() : '';

test('no node in the accessibility tree of a conversation has its name as its description', async () => {
  const chat = await getFixture().open();
  await chat.ask('How does an answer survive a broken network?');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForRendering();
  const { nodes, repeated } = await findRepeated(chat.page);
  assert.ok(nodes > 50, `${nodes} nodes with a name`);
  assert.deepEqual(repeated, []);
});

test('a long list is one list with all its items in the accessibility tree', async () => {
  const { page } = await getFixture().open();
  await page.evaluate(() => {
    const text = document.createElement('ubik-markdown');
    const items = Array.from({ length: 250 }, (_, index) => `${index + 1}. entry\n`);
    Object.assign(text, { content: items.join('') });
    document.body.append(text);
    return (text as HTMLElement & { updateComplete: Promise<unknown> }).updateComplete;
  });
  // The tree of Chromium lacks items that are skipped because they are far from the viewport (decision 198).
  await page.setViewport({ width: 800, height: 12_000 });
  await page.waitForFunction(() => {
    const root = document.querySelector('body > ubik-markdown')?.shadowRoot;
    const items = [...(root?.querySelectorAll('li') ?? [])];
    const isRendered = (item: Element): boolean =>
      item.checkVisibility({ contentVisibilityAuto: true });
    return items.length === 250 && items.every(isRendered);
  });
  const session = await page.createCDPSession();
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  /** The children of a node, with those of ignored nodes in their place. */
  const childrenOf = ({ childIds = [] }: (typeof nodes)[number]): typeof nodes =>
    childIds.flatMap((id) => {
      const child = byId.get(id);
      if (!child) return [];
      return child.ignored ? childrenOf(child) : [child];
    });
  const lists = nodes.filter(({ ignored, role }) => !ignored && role?.value === 'list');
  const items = lists.map((list) =>
    childrenOf(list).filter(({ role }) => role?.value === 'listitem'),
  );
  assert.equal(Math.max(...items.map(({ length }) => length)), 250);
});

test(
  'no node in the accessibility tree of some gallery cases has its name as its description',
  onlyExhaustive,
  async () => {
    const visitor = await openVisitor();
    const page = await openPage(visitor);
    await page.goto(`${getFixture().demo.url}/gallery.html?case=${CASES.join(',')}`);
    await page.waitForSelector('html[data-made]');
    await page.waitForNetworkIdle({ idleTime: 0 });
    const { nodes, repeated } = await findRepeated(page);
    await visitor.close();
    assert.ok(nodes > 100, `${nodes} nodes with a name`);
    assert.deepEqual([...new Set(repeated)], []);
  },
);

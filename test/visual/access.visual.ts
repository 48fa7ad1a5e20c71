import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, suite, test } from 'node:test';
import type * as Axe from 'axe-core';
import { Gallery, type CaseNote, type View } from './gallery-stage.js';

/** Ways of looking, and what is looked at in each: words and roles are the same in every colour. */
const VIEWS: readonly (View & { readonly title: string; readonly rules: Axe.RunOptions })[] = [
  { title: 'in light', rules: {} },
  { title: 'in dark', look: { scheme: 'dark' }, rules: only('color-contrast') },
  { title: 'from right to left', look: { dir: 'rtl' }, rules: without('color-contrast') },
];

function only(rule: string): Axe.RunOptions {
  return { runOnly: { type: 'rule', values: [rule] } };
}

function without(rule: string): Axe.RunOptions {
  return { rules: { [rule]: { enabled: false } } };
}

/** Something that axe found: the rule, the case, and where. */
type Finding = string;

declare global {
  interface Window {
    readonly axe: typeof Axe;
  }
}

/** Runs in the page. Cases stand beside each other here only: what is wrong with two of them is wrong with none. */
async function runAxe(options: Axe.RunOptions): Promise<Finding[]> {
  const caseOf = (node: Element | null | undefined): string => {
    const box = node?.closest('[data-case]');
    if (box instanceof HTMLElement) return box.dataset['case'] ?? '';
    const root = node?.getRootNode();
    return root instanceof ShadowRoot ? caseOf(root.host) : '';
  };
  const { violations } = await window.axe.run(document, {
    resultTypes: ['violations'],
    elementRef: true,
    ...options,
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.flatMap(({ element, target, any, all, none }) => {
      const found = [...any, ...all, ...none];
      const others = found.flatMap(({ relatedNodes = [] }) =>
        relatedNodes.map((related) => (related as { element?: Element }).element),
      );
      const isBetweenCases =
        id === 'landmark-unique' && !others.some((other) => caseOf(other) === caseOf(element));
      const said = found.map(({ message }) => message).join('; ');
      return isBetweenCases ? [] : [`${id}: ${caseOf(element)}: ${target.flat().at(-1)}: ${said}`];
    }),
  );
}

suite('axe finds nothing in the gallery', () => {
  let gallery: Gallery | null = null;
  let cases: readonly CaseNote[] = [];
  let source = '';

  before(async () => {
    gallery = await Gallery.open();
    cases = (await gallery?.list()) ?? [];
    source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });
  after(() => gallery?.close());

  async function look(names: readonly string[], view: View, rules: Axe.RunOptions) {
    if (!gallery) return [];
    await gallery.show(names, view);
    await gallery.page.evaluate(source);
    return gallery.page.evaluate(runAxe, rules);
  }

  for (const { title, rules, ...view } of VIEWS) {
    test(title, async (context) => {
      if (!gallery) return context.skip('The browser of the package does not run here.');
      const together = cases.filter(({ alone }) => alone === null).map(({ name }) => name);
      const found = await look(together, view, rules);
      for (const { name, alone } of cases.filter((one) => one.alone !== null)) {
        const offline = alone === 'offline' ? { offline: '' } : {};
        found.push(...(await look([name], { ...view, look: { ...view.look, ...offline } }, rules)));
      }
      assert.deepEqual(found, []);
    });
  }
});

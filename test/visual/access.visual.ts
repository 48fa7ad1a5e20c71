import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { before, suite, test } from 'node:test';
import type * as Axe from 'axe-core';
import { findFaintFields } from './field-edges.js';
import { Gallery, type CaseNote, type Look } from './gallery-fixture.js';
import { isExhaustive } from '../helpers/sample.js';

/** A combination of settings, and the cases that are tested with it. Texts and roles are not tested for each colour scheme, which does not affect them. */
interface Combination {
  readonly title: string;
  readonly look: Look;
  readonly rules: Axe.RunOptions;
  /** Prefixes of the names of excluded cases. */
  readonly excludedPrefixes?: readonly string[];
}

const COMBINATIONS: readonly Combination[] = [
  { title: 'in light', look: { scheme: 'light' }, rules: {} },
  { title: 'in dark', look: { scheme: 'dark' }, rules: only('color-contrast') },
  ...(isExhaustive ? otherCombinations() : []),
];

/** The combinations of exhaustive tests only: roles and names hardly depend on the direction, and `contrast.visual.ts` measures the colours of each theme. */
function otherCombinations(): readonly Combination[] {
  const themes = ['paper', 'slate', 'contrast'] as const;
  const schemes = ['light', 'dark'] as const;
  return [
    { title: 'from right to left', look: { dir: 'rtl' }, rules: allExcept('color-contrast') },
    ...themes.flatMap((theme) =>
      schemes.map((scheme) => ({
        title: `in the theme "${theme}", ${scheme}`,
        look: { theme, scheme },
        rules: only('color-contrast'),
        // Cases with long texts or other scripts have no additional colours.
        excludedPrefixes: ['long-', 'script-'],
      })),
    ),
  ];
}

function only(rule: string): Axe.RunOptions {
  return { runOnly: { type: 'rule', values: [rule] } };
}

function allExcept(rule: string): Axe.RunOptions {
  return { rules: { [rule]: { enabled: false } } };
}

/** A finding of axe: the rule, the case, and the element. */
type Finding = string;

declare global {
  interface Window {
    readonly axe: typeof Axe;
  }
}

/** Runs in the page. Ignores findings that exist only because several cases are on one page, such as landmarks of one name in two cases. */
async function runAxe(
  options: Axe.RunOptions,
  excludedPrefixes: readonly string[] = [],
): Promise<Finding[]> {
  const caseOf = (node: Element | null | undefined): string => {
    const box = node?.closest('[data-case]');
    if (box instanceof HTMLElement) return box.dataset['case'] ?? '';
    const root = node?.getRootNode();
    return root instanceof ShadowRoot ? caseOf(root.host) : '';
  };
  const exclude = excludedPrefixes
    .map((prefix) => `[data-case^="${prefix}"]`)
    .filter((selector) => document.querySelector(selector));
  const { violations } = await window.axe.run(exclude.length > 0 ? { exclude } : document, {
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
      const messages = found.map(({ message }) => message).join('; ');
      return isBetweenCases
        ? []
        : [`${id}: ${caseOf(element)}: ${target.flat().at(-1)}: ${messages}`];
    }),
  );
}

suite('axe finds nothing in the gallery, and no field has a faint border', () => {
  /** The findings by combination; null where the Chromium of the development packages does not run. */
  let found: ReadonlyMap<Combination, readonly Finding[]> | null = null;

  // Each page is loaded once and then switched between the combinations.
  before(async () => {
    const gallery = await Gallery.open();
    if (!gallery) return;
    const source = await readFile(
      createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
      'utf8',
    );
    const all = new Map<Combination, Finding[]>(
      COMBINATIONS.map((combination) => [combination, []]),
    );
    for (const { names, offline } of toPages(await gallery.list())) {
      await gallery.show(names, { look: offline ? { offline: '' } : {} });
      await gallery.page.evaluate(source);
      for (const [combination, findings] of all) {
        await gallery.switchTo(combination.look);
        findings.push(
          ...(await gallery.page.evaluate(runAxe, combination.rules, combination.excludedPrefixes)),
        );
        // axe does not test the borders of fields.
        findings.push(...(await gallery.page.evaluate(findFaintFields)));
      }
    }
    await gallery.close();
    found = all;
  });

  for (const combination of COMBINATIONS) {
    test(combination.title, (context) => {
      if (!found)
        return context.skip('The Chromium of the development packages does not run here.');
      assert.deepEqual(found.get(combination), []);
    });
  }
});

/** Distributes cases over pages: those that share a page, then each of those that need a separate one. */
function toPages(cases: readonly CaseNote[]) {
  const together = cases.filter(({ alone }) => alone === null).map(({ name }) => name);
  const apart = cases.filter(({ alone }) => alone !== null);
  return [
    { names: together, offline: false },
    ...apart.map(({ name, alone }) => ({ names: [name], offline: alone === 'offline' })),
  ];
}

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { before, suite, test } from 'node:test';
import type * as Axe from 'axe-core';
import { findFaintFields } from './field-edges.js';
import { Gallery, type CaseNote, type Look } from './gallery-stage.js';
import { isExhaustive } from '../helpers/sample.js';

/** A way of looking, and what is looked at in it: words and roles are the same in every colour. */
interface View {
  readonly title: string;
  readonly look: Look;
  readonly rules: Axe.RunOptions;
  /** Cases that are left out, by the begin of their names. */
  readonly without?: readonly string[];
}

const VIEWS: readonly View[] = [
  { title: 'in light', look: { scheme: 'light' }, rules: {} },
  { title: 'in dark', look: { scheme: 'dark' }, rules: only('color-contrast') },
  ...(isExhaustive ? otherViews() : []),
];

/** Roles and names are those of the other direction, and the colours of each theme are measured in `contrast.visual.ts`. */
function otherViews(): readonly View[] {
  const themes = ['paper', 'slate', 'contrast'] as const;
  const schemes = ['light', 'dark'] as const;
  return [
    { title: 'from right to left', look: { dir: 'rtl' }, rules: without('color-contrast') },
    ...themes.flatMap((theme) =>
      schemes.map((scheme) => ({
        title: `in the theme "${theme}", ${scheme}`,
        look: { theme, scheme },
        rules: only('color-contrast'),
        // What is only long, or in another script, has no colour that the others have not.
        without: ['long-', 'script-'],
      })),
    ),
  ];
}

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
async function runAxe(
  options: Axe.RunOptions,
  without: readonly string[] = [],
): Promise<Finding[]> {
  const caseOf = (node: Element | null | undefined): string => {
    const box = node?.closest('[data-case]');
    if (box instanceof HTMLElement) return box.dataset['case'] ?? '';
    const root = node?.getRootNode();
    return root instanceof ShadowRoot ? caseOf(root.host) : '';
  };
  const exclude = without
    .map((begin) => `[data-case^="${begin}"]`)
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
      const said = found.map(({ message }) => message).join('; ');
      return isBetweenCases ? [] : [`${id}: ${caseOf(element)}: ${target.flat().at(-1)}: ${said}`];
    }),
  );
}

suite('axe finds nothing in the gallery', () => {
  /** What was found in each way of looking; null where the browser of the package does not run. */
  let found: ReadonlyMap<View, readonly Finding[]> | null = null;

  // Each page is loaded once and turned from one way of looking into the next, as a person's system does it.
  before(async () => {
    const gallery = await Gallery.open();
    if (!gallery) return;
    const source = await readFile(
      createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
      'utf8',
    );
    const all = new Map<View, Finding[]>(VIEWS.map((view) => [view, []]));
    for (const { names, offline } of toPages(await gallery.list())) {
      await gallery.show(names, { look: offline ? { offline: '' } : {} });
      await gallery.page.evaluate(source);
      for (const [view, findings] of all) {
        await gallery.turn(view.look);
        findings.push(...(await gallery.page.evaluate(runAxe, view.rules, view.without)));
        // Axe does not look at the edges of fields.
        findings.push(...(await gallery.page.evaluate(findFaintFields)));
      }
    }
    await gallery.close();
    found = all;
  });

  for (const view of VIEWS) {
    test(view.title, (context) => {
      if (!found) return context.skip('The browser of the package does not run here.');
      assert.deepEqual(found.get(view), []);
    });
  }
});

/** Cases that stand together on one page, and those that need one for themselves. */
function toPages(cases: readonly CaseNote[]) {
  const together = cases.filter(({ alone }) => alone === null).map(({ name }) => name);
  const apart = cases.filter(({ alone }) => alone !== null);
  return [
    { names: together, offline: false },
    ...apart.map(({ name, alone }) => ({ names: [name], offline: alone === 'offline' })),
  ];
}

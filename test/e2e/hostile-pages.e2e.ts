/** A sample of the pages of `npm run test:hosts`: those that have found faults before. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HOSTILE_PAGES, startHostileSite, type HostileSite } from '../helpers/hostile-pages.js';

const SAMPLE = [
  'page with important styles for all elements',
  'page with extended prototypes',
  'page with frozen intrinsics',
  'page whose root has a font size of 8 px',
  'page with two versions of the script',
];

let site: HostileSite;

before(async () => {
  site = await startHostileSite(fileURLToPath(new URL('../../dist', import.meta.url)));
});

after(() => site.close());

for (const name of SAMPLE) {
  test(`${name} has a chat that works and looks as in a clean page`, async () => {
    const page = HOSTILE_PAGES.find((one) => one.name === name);
    assert.ok(page);
    await site.check(page);
  });
}

/** Chats of the packed package in the pages of old, strict and broken hosts. */
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { HOSTILE_PAGES, startHostileSite, type HostileSite } from '../helpers/hostile-pages.js';
import { PACKAGE_FOLDER } from './host-site.js';

let site: HostileSite;

before(async () => {
  site = await startHostileSite(join(PACKAGE_FOLDER, 'dist'));
});

after(() => site.close());

for (const page of HOSTILE_PAGES) {
  test(`${page.name} has a chat that works and looks as in a clean page`, () => site.check(page));
}

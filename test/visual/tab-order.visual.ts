import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { KeyboardUser } from '../e2e/keyboard-user.js';
import { setupGallery } from './gallery-fixture.js';
import { TAB_ORDER } from './tab-order.js';
import { sampleOf } from '../helpers/sample.js';

const WALKS = [
  ['ltr', 'Tab'],
  ['ltr', 'Shift+Tab'],
  ['rtl', 'Tab'],
  ['rtl', 'Shift+Tab'],
] as const;

suite('the Tab key', () => {
  const open = setupGallery();

  for (const [name, stops] of sampleOf(TAB_ORDER, 3)) {
    test(`moves through "${name}" in reading order, and backwards with Shift`, async (context) => {
      const gallery = open();
      if (!gallery)
        return context.skip('The Chromium of the development packages does not run here.');
      await gallery.show([name]);
      const user = await KeyboardUser.create(gallery.page);
      // Controls that appear on demand, such as the tools of a table, exist after the first pass.
      await user.moveThrough('Tab');
      for (const [dir, key] of sampleOf(WALKS, 3)) {
        await gallery.switchTo({ dir });
        const expected = key === 'Tab' ? stops : stops.toReversed();
        assert.deepEqual(await user.moveThrough(key), expected, `${dir}, ${key}`);
      }
    });
  }
});

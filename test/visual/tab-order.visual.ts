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

suite('Tab leads through a chat', () => {
  const open = setupGallery();

  for (const [name, stops] of sampleOf(TAB_ORDER, 3)) {
    test(`${name}: tab order is the reading order, and reversed with Shift+Tab`, async (context) => {
      const gallery = open();
      if (!gallery) return context.skip('The browser of the package does not run here.');
      await gallery.show([name]);
      const person = await KeyboardUser.create(gallery.page);
      // Controls that appear on demand, such as the tools of a table, exist after the first pass.
      await person.moveThrough('Tab');
      for (const [dir, key] of sampleOf(WALKS, 3)) {
        await gallery.turn({ dir });
        const expected = key === 'Tab' ? stops : stops.toReversed();
        assert.deepEqual(await person.moveThrough(key), expected, `${dir}, ${key}`);
      }
    });
  }
});

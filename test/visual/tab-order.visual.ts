import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { KeyboardPerson } from '../e2e/keyboard-person.js';
import { setupGallery } from './gallery-stage.js';
import { TAB_ORDER } from './tab-order.js';

suite('Tab leads through a chat', () => {
  const open = setupGallery();

  for (const [name, stops] of TAB_ORDER) {
    test(`${name}: in the order in which it is read, and back`, async (context) => {
      const gallery = open();
      if (!gallery) return context.skip('The browser of the package does not run here.');
      await gallery.show([name]);
      const person = await KeyboardPerson.at(gallery.page);
      // What comes only when it is wanted, such as the tools of a table, is there after the first time.
      await person.walk('Tab');
      for (const dir of ['ltr', 'rtl']) {
        await gallery.turn({ dir });
        assert.deepEqual(await person.walk('Tab'), stops, dir);
        assert.deepEqual(await person.walk('Shift+Tab'), stops.toReversed(), dir);
      }
    });
  }
});

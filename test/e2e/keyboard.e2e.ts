/** A whole conversation with the keyboard alone: nothing is clicked, and nothing is given the focus but by keys. */
import { after, before, describe, it } from 'node:test';
import { PANEL_SCENARIOS } from './keyboard-panel-scenarios.js';
import { KeyboardSession } from './keyboard-session.js';
import { MESSAGE_SCENARIOS } from './keyboard-message-scenarios.js';

describe('one person with a keyboard', () => {
  let story: KeyboardSession;
  let isLost = false;
  before(async () => {
    story = await KeyboardSession.start();
  });
  after(() => story.close());

  for (const [name, chapter] of Object.entries({ ...MESSAGE_SCENARIOS, ...PANEL_SCENARIOS })) {
    it(name, async (context) => {
      // Those that go on from one that failed have nothing to tell.
      if (isLost) return context.skip('a chapter before this one has failed');
      isLost = true;
      await chapter(story);
      isLost = false;
    });
  }
});

/** A whole conversation by keyboard: nothing is clicked, and only keys move the focus. */
import { after, before, describe, it } from 'node:test';
import { PANEL_SCENARIOS } from './keyboard-panel-scenarios.js';
import { KeyboardSession } from './keyboard-session.js';
import { MESSAGE_SCENARIOS } from './keyboard-message-scenarios.js';

describe('user with only a keyboard', () => {
  let story: KeyboardSession;
  let isLost = false;
  before(async () => {
    story = await KeyboardSession.start();
  });
  after(() => story.close());

  for (const [name, chapter] of Object.entries({ ...MESSAGE_SCENARIOS, ...PANEL_SCENARIOS })) {
    it(name, async (context) => {
      // Scenarios that continue from a failed one cannot run.
      if (isLost) return context.skip('a chapter before this one has failed');
      isLost = true;
      await chapter(story);
      isLost = false;
    });
  }
});

/** A whole conversation by keyboard: nothing is clicked, and only keys move the focus. */
import { after, before, describe, it } from 'node:test';
import { PANEL_SCENARIOS } from './keyboard-panel-scenarios.js';
import { KeyboardSession } from './keyboard-session.js';
import { MESSAGE_SCENARIOS } from './keyboard-message-scenarios.js';

describe('user with only a keyboard', () => {
  let session: KeyboardSession;
  let hasFailed = false;
  before(async () => {
    session = await KeyboardSession.start();
  });
  after(() => session.close());

  for (const [name, runScenario] of Object.entries({ ...MESSAGE_SCENARIOS, ...PANEL_SCENARIOS })) {
    it(name, async (context) => {
      // Each scenario continues where the previous one has ended, so none can run after a failed one.
      if (hasFailed) return context.skip('an earlier scenario has failed');
      hasFailed = true;
      await runScenario(session);
      hasFailed = false;
    });
  }
});

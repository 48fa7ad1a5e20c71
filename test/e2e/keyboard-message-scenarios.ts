import assert from 'node:assert/strict';
import { FIELD, MESSAGES, type KeyboardScenarios } from './keyboard-session.js';

/** The actions in the messages and in the message field, in order. */
export const MESSAGE_SCENARIOS: KeyboardScenarios = {
  'moves from the top of the page to the chat, selects a starter and answers the agent': async (
    session,
  ) => {
    const { chat, user } = session;
    await chat.waitForText('New conversation', 'ubik-thread-list');
    await chat.waitForText('Which is the biggest river');
    await user.moveTo('button New conversation');
    await user.moveTo(MESSAGES, 'F6');
    await user.moveTo('button Which is the biggest river in Europe?');
    await user.press('Enter');
    await chat.waitForEvent('ubik-run-paused');
    await chat.find('.request form');
    await user.expectFocus(MESSAGES);
    await chat.find('.request .choice-button');
    await user.moveTo('button discharge');
    await user.press('Enter');
    await user.expectFocus(FIELD);
    await session.waitForAnswer();
    await chat.waitForText('Volga');
  },
  'sends a question, reads the answer, and opens the passage of a citation': async (session) => {
    const { chat, user } = session;
    await session.ask('How does an answer survive a broken network?');
    await user.expectFocus(FIELD);
    await user.moveTo(MESSAGES, 'Shift+F6');
    await user.press('ArrowUp');
    await user.expectFocus('article Assistant, 6 of 6: ');
    await chat.waitForText('2 steps');
    await user.press('Enter');
    await user.expectFocus('DisclosureTriangle 2 steps');
    await chat.find('button.cite');
    await user.moveTo('button Source 1');
    await user.press('Enter');
    await user.expectFocus('complementary ');
    await chat.find('.passage mark');
    // F6 also reaches the passage beside the messages.
    await user.moveTo('button New conversation', 'F6');
    await user.moveTo('complementary ', 'Shift+F6');
    await user.press('Escape');
    await user.expectFocus('button Source 1');
    await session.waitUntilRemoved('.passage');
    await chat.find('.cite-card:popover-open');
    // Each Escape leaves one level: the citation card, the message, the message list.
    await user.press('Escape');
    await user.expectFocus('button Source 1');
    await session.waitUntilRemoved('.cite-card:popover-open');
    await user.press('Escape');
    await user.expectFocus('article Assistant, 6 of 6: ');
    await user.press('Escape');
    await user.expectFocus(FIELD);
  },
  'stops a run': async (session) => {
    const { chat, demo, user } = session;
    await demo.control({ pause: { point: 'tool' } });
    await user.type('Analyse the rivers');
    await user.press('Enter');
    await demo.control({ whenPaused: true });
    await chat.find('[data-act=stop]');
    await user.moveTo('button Stop');
    await user.press('Enter');
    await chat.waitForText('Stopping…');
    await user.expectFocus('button Stopping…');
    await demo.control({ resume: true });
    await chat.waitForEvent('ubik-run-stopped');
    await user.expectFocus('button Send');
    await chat.waitForText('Stopped');
  },
  'answers the requests of a tool, each in a separate form, and skips one': async (session) => {
    const { chat, user } = session;
    await user.press('Shift+Tab');
    await user.expectFocus(FIELD);
    await user.type('Ask me for a number, a date, a choice, a yes or no and a long text');
    await user.press('Enter');
    await chat.waitForEvent('ubik-input-required', 6);
    // The focus of a user who types never moves.
    await user.expectFocus(FIELD);
    await chat.find('.request form .choice-button');
    await user.moveTo(MESSAGES, 'Shift+F6');
    await user.press('End');
    await user.press('Enter');
    await user.moveTo('textbox Your answer');
    assert.match(await user.readFocusContext(), /^group Describe your trip\., article Assistant/u);
    await user.type('By boat');
    // After each answer the focus moves to the next request.
    await session.sendAnswer('spinbutton Your answer', 'How many days do you have?');
    await user.type('12');
    await session.sendAnswer('Date Your answer', 'When do you want to start?');
    await user.type('05012026');
    await session.sendAnswer('button Danube', 'Which river would you like to travel?');
    await user.moveTo('button Rhine');
    await user.press('Enter');
    await user.expectFocus('button Yes');
    assert.ok((await user.readFocusContext()).includes('Do you want to go by boat?'));
    await user.moveTo('button Skip');
    await user.press('Enter');
    await user.expectFocus(FIELD);
    await session.waitForAnswer();
    for (const told of ['By boat', '12', '2026-05-01', 'Rhine']) {
      await chat.waitForText(`You told me: ${told}`);
    }
  },
  'answers a request of the agent from a list, and skips another one': async (session) => {
    const { chat, user } = session;
    await user.type('Ask me yourself for a choice');
    await user.press('Enter');
    await chat.waitForEvent('ubik-run-paused', 2);
    await chat.find('.request .choice-button');
    await user.moveTo('button Rhine', 'Shift+Tab');
    await user.press('Enter');
    await user.expectFocus(FIELD);
    await session.waitForAnswer();
    await user.type('Ask me yourself for a number');
    await user.press('Enter');
    await chat.waitForEvent('ubik-run-paused', 3);
    await chat.find('.request [type=number]');
    await user.moveTo('button Skip', 'Shift+Tab');
    await user.press('Enter');
    await user.expectFocus(FIELD);
    await session.waitForAnswer();
  },
  'edits a question, switches between its versions and regenerates the answer': async (session) => {
    const { chat, user } = session;
    await session.ask('What is 17 * 23?');
    await chat.waitForText('391');
    await user.moveTo('button Edit', 'Shift+Tab');
    await user.press('Enter');
    await user.expectFocus('textbox Edit message');
    await user.press('Escape');
    await user.expectFocus('button Edit');
    await user.press('Enter');
    await user.expectFocus('textbox Edit message');
    await user.press('Control+a');
    await user.type('What is 17 * 24?');
    await user.press('Enter');
    await session.waitForAnswer();
    await chat.waitForText('408');
    await chat.waitForText('2 of 2');
    await user.expectFocus('button Edit');
    await user.moveTo('button Previous version');
    await user.press('Enter');
    await chat.waitForText('391');
    await user.expectFocus('button Previous version');
    await user.press('ArrowRight');
    await chat.waitForText('408');
    await user.expectFocus('button Next version');
    await user.moveTo('button Regenerate');
    await user.press('Enter');
    await session.waitForAnswer();
    await user.expectFocus('button Regenerate');
  },
  'opens the branch map and selects a branch': async (session) => {
    const { chat, user } = session;
    await user.moveTo('button Branches', 'Shift+Tab');
    await user.press('Enter');
    await user.expectFocus('button Close');
    await user.press('Escape');
    await user.expectFocus('button Branches');
    await user.press('Enter');
    await user.expectFocus('button Close');
    await chat.page.waitForFunction(() =>
      document
        .querySelector('ubik-chat')
        ?.shadowRoot?.querySelector('dialog ubik-branch-map')
        ?.shadowRoot?.querySelector('.point'),
    );
    await user.moveTo('treeitem');
    await user.press('End');
    await user.moveTo('treeitem You: What is 17 * 23?', 'ArrowUp');
    await user.press('Enter');
    await session.waitUntilRemoved('dialog');
    await chat.waitForText('391');
    await user.expectFocus('button Branches');
  },
  'restores a checkpoint with a hint, and compares both branches': async (session) => {
    const { chat, user } = session;
    await user.moveTo(FIELD, 'F6');
    await session.ask('Summarise all documents');
    await user.moveTo('DisclosureTriangle', 'Shift+Tab');
    await user.press('Enter');
    await user.moveTo('button Restore…');
    await user.press('Enter');
    await user.expectFocus('textbox What should change this time?');
    await user.press('Escape');
    await user.expectFocus('button Restore…');
    await user.press('Enter');
    await user.expectFocus('textbox What should change this time?');
    await user.type('use only the second document');
    await user.press('Enter');
    await session.waitForAnswer();
    await chat.waitForText('with the hint: use only the second document');
    await user.expectFocus('article Assistant');
    await user.press('End');
    await user.press('Enter');
    await user.expectFocus('button Show the earlier branch');
    await user.moveTo('button Compare both branches…');
    await user.press('Enter');
    await chat.find('.compare [data-only]');
    await user.expectFocus('dialog Compare branches');
    await user.press('Escape');
    await user.expectFocus('button Compare both branches…');
    await user.press('Enter');
    await chat.find('.compare [data-only]');
    await user.moveTo('button Continue on this branch');
    await user.press('Enter');
    await session.waitUntilRemoved('dialog');
    await user.expectFocus('article Assistant');
  },
};

import assert from 'node:assert/strict';
import { FIELD, MESSAGES, type KeyboardScenarios } from './keyboard-session.js';

/** The actions in the messages and in the message field, in order. */
export const MESSAGE_SCENARIOS: KeyboardScenarios = {
  'moves from the top of the page to the chat, selects a starter and answers the agent': async (
    story,
  ) => {
    const { chat, user: person } = story;
    await story.waitForText('ubik-thread-list', 'New conversation');
    await chat.waitForText('Which is the biggest river');
    await person.moveTo('button New conversation');
    await person.moveTo(MESSAGES, 'F6');
    await person.moveTo('button Which is the biggest river in Europe?');
    await person.press('Enter');
    await chat.waitForEvent('ubik-run-paused');
    await chat.find('.request form');
    await person.expectFocus(MESSAGES);
    await chat.find('.request .choice-button');
    await person.moveTo('button discharge');
    await person.press('Enter');
    await person.expectFocus(FIELD);
    await story.waitForAnswer();
    await chat.waitForText('Volga');
  },
  'sends a question, reads the answer, and opens the passage of a citation': async (story) => {
    const { chat, user: person } = story;
    await story.ask('How does an answer survive a broken network?');
    await person.expectFocus(FIELD);
    await person.moveTo(MESSAGES, 'Shift+F6');
    await person.press('ArrowUp');
    await person.expectFocus('article Assistant, 6 of 6: ');
    await person.press('Enter');
    await person.expectFocus('DisclosureTriangle 2 steps');
    await person.moveTo('button Source 1');
    await person.press('Enter');
    await person.expectFocus('complementary ');
    await chat.find('.passage mark');
    // F6 also reaches the panel with the passage.
    await person.moveTo('button New conversation', 'F6');
    await person.moveTo('complementary ', 'Shift+F6');
    await person.press('Escape');
    await person.expectFocus('button Source 1');
    await story.waitUntilRemoved('.passage');
    // Each Escape closes one level: the citation card, the message, the message list.
    await person.press('Escape');
    await person.expectFocus('button Source 1');
    await story.waitUntilRemoved('.cite-card:popover-open');
    await person.press('Escape');
    await person.expectFocus('article Assistant, 6 of 6: ');
    await person.press('Escape');
    await person.expectFocus(FIELD);
  },
  'stops a run': async (story) => {
    const { chat, demo, user: person } = story;
    await demo.control({ pause: { point: 'tool' } });
    await person.type('Analyse the rivers');
    await person.press('Enter');
    await demo.control({ whenPaused: true });
    await chat.find('[data-act=stop]');
    await person.moveTo('button Stop');
    await person.press('Enter');
    await chat.waitForText('Stopping…');
    await person.expectFocus('button Stopping…');
    await demo.control({ resume: true });
    await chat.waitForEvent('ubik-run-stopped');
    await person.expectFocus('button Send');
    await chat.waitForText('Stopped');
  },
  'answers the requests of a tool, each in a separate form, and skips one': async (story) => {
    const { chat, user: person } = story;
    await person.press('Shift+Tab');
    await person.expectFocus(FIELD);
    await person.type('Ask me for a number, a date, a choice, a yes or no and a long text');
    await person.press('Enter');
    await chat.waitForEvent('ubik-input-required', 6);
    // The focus of a user who types never moves.
    await person.expectFocus(FIELD);
    await chat.find('.request form .choice-button');
    await person.moveTo(MESSAGES, 'Shift+F6');
    await person.press('End');
    await person.press('Enter');
    await person.moveTo('textbox Your answer');
    assert.match(
      await person.readFocusContext(),
      /^group Describe your trip\., article Assistant/u,
    );
    await person.type('By boat');
    // After each answer the focus moves to the next request.
    await story.sendAnswer('spinbutton Your answer', 'How many days do you have?');
    await person.type('12');
    await story.sendAnswer('Date Your answer', 'When do you want to start?');
    await person.type('05012026');
    await story.sendAnswer('button Danube', 'Which river would you like to travel?');
    await person.moveTo('button Rhine');
    await person.press('Enter');
    await person.expectFocus('button Yes');
    assert.ok((await person.readFocusContext()).includes('Do you want to go by boat?'));
    await person.moveTo('button Skip');
    await person.press('Enter');
    await person.expectFocus(FIELD);
    await story.waitForAnswer();
    for (const told of ['By boat', '12', '2026-05-01', 'Rhine']) {
      await chat.waitForText(`You told me: ${told}`);
    }
  },
  'answers a request of the agent from a list, and skips another one': async (story) => {
    const { chat, user: person } = story;
    await person.type('Ask me yourself for a choice');
    await person.press('Enter');
    await chat.waitForEvent('ubik-run-paused', 2);
    await chat.find('.request .choice-button');
    await person.moveTo('button Rhine', 'Shift+Tab');
    await person.press('Enter');
    await person.expectFocus(FIELD);
    await story.waitForAnswer();
    await person.type('Ask me yourself for a number');
    await person.press('Enter');
    await chat.waitForEvent('ubik-run-paused', 3);
    await chat.find('.request [type=number]');
    await person.moveTo('button Skip', 'Shift+Tab');
    await person.press('Enter');
    await person.expectFocus(FIELD);
    await story.waitForAnswer();
  },
  'edits a question, switches between its versions and regenerates the answer': async (story) => {
    const { chat, user: person } = story;
    await story.ask('What is 17 * 23?');
    await chat.waitForText('391');
    await person.moveTo('button Edit', 'Shift+Tab');
    await person.press('Enter');
    await person.expectFocus('textbox Edit message');
    await person.press('Escape');
    await person.expectFocus('button Edit');
    await person.press('Enter');
    await person.expectFocus('textbox Edit message');
    await person.press('Control+a');
    await person.type('What is 17 * 24?');
    await person.press('Enter');
    await story.waitForAnswer();
    await chat.waitForText('408');
    await person.expectFocus('button Edit');
    await person.moveTo('button Previous version');
    await person.press('Enter');
    await chat.waitForText('391');
    await person.expectFocus('button Previous version');
    await person.press('ArrowRight');
    await chat.waitForText('408');
    await person.expectFocus('button Next version');
    await person.moveTo('button Regenerate');
    await person.press('Enter');
    await story.waitForAnswer();
    await person.expectFocus('button Regenerate');
  },
  'opens the branch map and selects a branch': async (story) => {
    const { chat, user: person } = story;
    await person.moveTo('button Branches', 'Shift+Tab');
    await person.press('Enter');
    await person.expectFocus('button Close');
    await person.press('Escape');
    await person.expectFocus('button Branches');
    await person.press('Enter');
    await person.expectFocus('button Close');
    await person.moveTo('treeitem');
    await person.press('End');
    await person.moveTo('treeitem You: What is 17 * 23?', 'ArrowUp');
    await person.press('Enter');
    await story.waitUntilRemoved('dialog');
    await chat.waitForText('391');
    await person.expectFocus('button Branches');
  },
  'restores a checkpoint with a hint, and compares both branches': async (story) => {
    const { chat, user: person } = story;
    await person.moveTo(FIELD, 'F6');
    await story.ask('Summarise all documents');
    await person.moveTo('DisclosureTriangle', 'Shift+Tab');
    await person.press('Enter');
    await person.moveTo('button Restore…');
    await person.press('Enter');
    await person.expectFocus('textbox What should change this time?');
    await person.press('Escape');
    await person.expectFocus('button Restore…');
    await person.press('Enter');
    await person.expectFocus('textbox What should change this time?');
    await person.type('use only the second document');
    await person.press('Enter');
    await story.waitForAnswer();
    await chat.waitForText('with the hint: use only the second document');
    await person.expectFocus(MESSAGES);
    await person.press('End');
    await person.press('Enter');
    await person.expectFocus('button Show the earlier branch');
    await person.moveTo('button Compare both branches…');
    await person.press('Enter');
    await chat.find('.compare [data-only]');
    await person.expectFocus('dialog Compare branches');
    await person.press('Escape');
    await person.expectFocus('button Compare both branches…');
    await person.press('Enter');
    await chat.find('.compare [data-only]');
    await person.moveTo('button Continue on this branch');
    await person.press('Enter');
    await story.waitUntilRemoved('dialog');
    await person.expectFocus(MESSAGES);
  },
};

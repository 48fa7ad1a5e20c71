import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FIELD, MESSAGES, type KeyboardScenarios } from './keyboard-session.js';

/** The actions in the side panels and on one message, in order. */
export const PANEL_SCENARIOS: KeyboardScenarios = {
  'adds a document, stars it, attaches it and removes it': async (session) => {
    const { chat, demo, user } = session;
    const path = join(demo.dataDir, 'herons.md');
    await writeFile(path, 'The grey heron nests in tall trees.');
    await user.moveTo('tab Documents', 'F6');
    await user.moveTo('button Add files…');
    await session.chooseFile(path);
    await chat.waitForEvent('ubik-document-ready');
    await chat.waitForText('herons.md', 'ubik-documents');
    await user.expectFocus('button Add files…');
    await user.moveTo('button Star herons.md');
    await user.press('Enter');
    await chat.waitForEvent('ubik-document-starred');
    await user.expectFocus('button Star herons.md');
    await user.moveTo('button Attach herons.md');
    await user.press('Enter');
    await chat.find('.chip');
    await user.moveTo(FIELD, 'F6');
    await user.moveTo('button Remove herons.md', 'Shift+Tab');
    await user.press('Enter');
    await session.waitUntilRemoved('.chip');
    await user.expectFocus(FIELD);
    await user.moveTo('button Attach herons.md', 'F6');
    await user.moveTo('button Remove herons.md');
    await user.press('Enter');
    await chat.waitForEvent('ubik-document-unlinked');
    // The focus moves to the document beside the removed one. Which one that is depends on the citations of the answers.
    await user.expectFocus('button Star ');
    // The button beside the message field opens the same file picker.
    await user.moveTo(FIELD, 'F6');
    await user.moveTo('button Attach files', 'Shift+Tab');
    await session.chooseFile(path);
    await chat.find('.chip');
    await user.expectFocus('button Attach files');
  },
  'moves through the details panel, collapses and expands it': async (session) => {
    const { user } = session;
    // F6 focuses the element of the section that was focused last.
    await user.moveTo('button Star ', 'F6');
    await user.moveTo('tab Documents', 'Shift+Tab');
    await user.press('ArrowRight');
    await user.expectFocus('tab Checkpoints');
    await user.moveTo('button Restore…');
    await user.press('Enter');
    await user.expectFocus('textbox What should change this time?');
    await user.press('Escape');
    await user.expectFocus('button Restore…');
    await user.moveTo('separator Width of Details panel');
    await user.press('Enter');
    await user.expectFocus('button Details panel');
    await user.press('Enter');
    await user.expectFocus('separator Width of Details panel');
  },
  'starts, finds, opens, renames and deletes conversations, and undoes the deletion': async (
    session,
  ) => {
    const { chat, user } = session;
    await user.moveTo('button New conversation', 'F6');
    await user.press('Enter');
    await user.expectFocus('button New conversation');
    await user.moveTo('button Attach files', 'F6');
    await user.moveTo(FIELD);
    await session.ask('What is 2 + 2?');
    await user.moveTo('button New conversation', 'F6');
    await user.moveTo('searchbox Search conversations');
    await user.type('biggest');
    await chat.waitForTexts('ubik-thread-list', '.thread-open', 1);
    await user.moveTo('button Which is the biggest river');
    await user.press('Enter');
    await chat.waitForText('Summarise all documents');
    await user.expectFocus('button Which is the biggest river');
    await user.moveTo('searchbox', 'Shift+Tab');
    await user.press('Control+a', 'Delete');
    await chat.waitForTexts('ubik-thread-list', '.thread-open', 2);
    await user.moveTo('button Which is the biggest river');
    await user.press('F2');
    await user.expectFocus('textbox New name');
    await user.type('Rivers');
    await user.press('Enter');
    await chat.waitForEvent('ubik-thread-renamed');
    await user.expectFocus('button Rivers');
    await user.moveTo('button More actions for “Rivers”');
    await user.press('Enter');
    await user.expectFocus('button More actions for “Rivers”');
    await user.moveTo('button Rename');
    await user.press('Escape');
    await user.expectFocus('button Rivers');
    await user.press('Delete');
    await user.expectFocus('button Undo');
    await user.press('Enter');
    await user.expectFocus('button Rivers');
    await chat.waitForText('Summarise all documents');
  },
  'opens the menu of a message, rates it and copies it': async (session) => {
    const { chat, user } = session;
    await user.moveTo(MESSAGES, 'F6');
    await user.press('End');
    await user.press('Enter');
    await user.moveTo('button More');
    await user.press('Enter');
    await user.expectFocus('menuitem Copy as Markdown');
    await user.press('Escape');
    await user.expectFocus('button More');
    await user.press('Enter');
    await user.expectFocus('menuitem Copy as Markdown');
    await user.press('Enter');
    // The menu stays open and reports the result, whether or not the browser allows it.
    await chat.find('.message-menu [role=status]:not(:empty)');
    await user.expectFocus('menuitem Copy as Markdown');
    await user.press('Escape');
    await user.moveTo('button Good answer', 'Shift+Tab');
    await user.press('Enter');
    await user.expectFocus('textbox Why? (optional)');
    await user.moveTo('button Send feedback');
    await user.press('Enter');
    await chat.waitForEvent('ubik-message-feedback-given');
    await user.expectFocus('button Good answer');
  },
  'shows the keyboard shortcuts, and has never lost the focus': async (session) => {
    const { chat, user } = session;
    await user.press('?');
    await user.expectFocus('button Close');
    await user.press('Escape');
    await user.expectFocus('button Good answer');
    await user.press('Escape');
    await user.expectFocus('article ');
    await user.press('Escape');
    await user.readFocus();
    assert.deepEqual(await user.listLostFocus(), []);
    assert.deepEqual(chat.pageErrors, []);
  },
};

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FIELD, MESSAGES, type KeyboardScenarios } from './keyboard-session.js';

/** The actions in the side panels and on one message, in order. */
export const PANEL_SCENARIOS: KeyboardScenarios = {
  'adds a document, stars it, attaches it and removes it': async (story) => {
    const { chat, demo, user: person } = story;
    const path = join(demo.dataDir, 'herons.md');
    await writeFile(path, 'The grey heron nests in tall trees.');
    await person.moveTo('tab Documents', 'F6');
    await person.moveTo('button Add files…');
    await story.chooseFile(path);
    await chat.waitForEvent('ubik-document-ready');
    await story.waitForText('ubik-documents', 'herons.md');
    await person.expectFocus('button Add files…');
    await person.moveTo('button Star herons.md');
    await person.press('Enter');
    await chat.waitForEvent('ubik-document-starred');
    await person.expectFocus('button Star herons.md');
    await person.moveTo('button Attach herons.md');
    await person.press('Enter');
    await chat.find('.chip');
    await person.moveTo(FIELD, 'F6');
    await person.moveTo('button Remove herons.md', 'Shift+Tab');
    await person.press('Enter');
    await story.waitUntilRemoved('.chip');
    await person.expectFocus(FIELD);
    await person.moveTo('button Attach herons.md', 'F6');
    await person.moveTo('button Remove herons.md');
    await person.press('Enter');
    await chat.waitForEvent('ubik-document-unlinked');
    // The focus moves to the document beside the removed one. Which one that is depends on the citations of the answers.
    await person.expectFocus('button Star ');
    // The button beside the message field opens the same file picker.
    await person.moveTo(FIELD, 'F6');
    await person.moveTo('button Attach files', 'Shift+Tab');
    await story.chooseFile(path);
    await chat.find('.chip');
    await person.expectFocus('button Attach files');
  },
  'moves through the details panel, collapses and expands it': async (story) => {
    const { user: person } = story;
    // F6 focuses the element of the area that was focused last.
    await person.moveTo('button Star ', 'F6');
    await person.moveTo('tab Documents', 'Shift+Tab');
    await person.press('ArrowRight');
    await person.expectFocus('tab Checkpoints');
    await person.moveTo('button Restore…');
    await person.press('Enter');
    await person.expectFocus('textbox What should change this time?');
    await person.press('Escape');
    await person.expectFocus('button Restore…');
    await person.moveTo('separator Width of Details panel');
    await person.press('Enter');
    await person.expectFocus('button Details panel');
    await person.press('Enter');
    await person.expectFocus('separator Width of Details panel');
  },
  'starts, finds, opens, renames and deletes conversations, and undoes the deletion': async (
    story,
  ) => {
    const { chat, user: person } = story;
    await person.moveTo('button New conversation', 'F6');
    await person.press('Enter');
    await person.expectFocus('button New conversation');
    await person.moveTo('button Attach files', 'F6');
    await person.moveTo(FIELD);
    await story.ask('What is 2 + 2?');
    await person.moveTo('button New conversation', 'F6');
    await person.moveTo('searchbox Search conversations');
    await person.type('biggest');
    await chat.waitForTexts('ubik-thread-list', '.thread-open', 1);
    await person.moveTo('button Which is the biggest river');
    await person.press('Enter');
    await chat.waitForText('Summarise all documents');
    await person.expectFocus('button Which is the biggest river');
    await person.moveTo('searchbox', 'Shift+Tab');
    await person.press('Control+a', 'Delete');
    await chat.waitForTexts('ubik-thread-list', '.thread-open', 2);
    await person.moveTo('button Which is the biggest river');
    await person.press('F2');
    await person.expectFocus('textbox New name');
    await person.type('Rivers');
    await person.press('Enter');
    await chat.waitForEvent('ubik-thread-renamed');
    await person.expectFocus('button Rivers');
    await person.moveTo('button More actions for “Rivers”');
    await person.press('Enter');
    await person.expectFocus('button More actions for “Rivers”');
    await person.moveTo('button Rename');
    await person.press('Escape');
    await person.expectFocus('button Rivers');
    await person.press('Delete');
    await person.expectFocus('button Undo');
    await person.press('Enter');
    await person.expectFocus('button Rivers');
    await chat.waitForText('Summarise all documents');
  },
  'opens the menu of a message, rates it and copies it': async (story) => {
    const { chat, user: person } = story;
    await person.moveTo(MESSAGES, 'F6');
    await person.press('End');
    await person.press('Enter');
    await person.moveTo('button More');
    await person.press('Enter');
    await person.expectFocus('menuitem Copy as Markdown');
    await person.press('Escape');
    await person.expectFocus('button More');
    await person.press('Enter');
    await person.expectFocus('menuitem Copy as Markdown');
    await person.press('Enter');
    // The menu stays open and reports the result, whether or not the browser allows it.
    await chat.find('.message-menu [role=status]:not(:empty)');
    await person.expectFocus('menuitem Copy as Markdown');
    await person.press('Escape');
    await person.moveTo('button Good answer', 'Shift+Tab');
    await person.press('Enter');
    await person.expectFocus('textbox Why? (optional)');
    await person.moveTo('button Send feedback');
    await person.press('Enter');
    await chat.waitForEvent('ubik-message-feedback-given');
    await person.expectFocus('button Good answer');
  },
  'shows the keyboard shortcuts, and has lost the focus nowhere': async (story) => {
    const { chat, user: person } = story;
    await person.press('?');
    await person.expectFocus('button Close');
    await person.press('Escape');
    await person.expectFocus('button Good answer');
    await person.press('Escape');
    await person.expectFocus('article ');
    await person.press('Escape');
    await person.readFocus();
    assert.deepEqual(await person.listLostFocus(), []);
    assert.deepEqual(chat.pageErrors, []);
  },
};

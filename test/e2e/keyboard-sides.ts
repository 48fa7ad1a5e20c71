import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FIELD, MESSAGES, type Chapters } from './keyboard-story.js';

/** What is done beside the messages and at one of them, in order. */
export const SIDES: Chapters = {
  'adds a document, marks it, sends it along and takes it out': async (story) => {
    const { chat, demo, person } = story;
    const path = join(demo.dataDir, 'herons.md');
    await writeFile(path, 'The grey heron nests in tall trees.');
    await person.goTo('tab Documents', 'F6');
    await person.goTo('button Add files…');
    await story.chooseFile(path);
    await chat.fired('ubik-document-ready');
    await story.shows('ubik-documents', 'herons.md');
    await person.lands('button Add files…');
    await person.goTo('button Star herons.md');
    await person.press('Enter');
    await chat.fired('ubik-document-starred');
    await person.lands('button Star herons.md');
    await person.goTo('button Attach herons.md');
    await person.press('Enter');
    await chat.find('.chip');
    await person.goTo(FIELD, 'F6');
    await person.goTo('button Remove herons.md', 'Shift+Tab');
    await person.press('Enter');
    await story.goes('.chip');
    await person.lands(FIELD);
    await person.goTo('button Attach herons.md', 'F6');
    await person.goTo('button Remove herons.md');
    await person.press('Enter');
    await chat.fired('ubik-document-unlinked');
    // On the document beside it, whichever the answers cited.
    await person.lands('button Star ');
    // The button at the message field opens the same choice of files.
    await person.goTo(FIELD, 'F6');
    await person.goTo('button Attach files', 'Shift+Tab');
    await story.chooseFile(path);
    await chat.find('.chip');
    await person.lands('button Attach files');
  },
  'goes through the side area, folds it and brings it back': async (story) => {
    const { person } = story;
    // A part is entered where it was left.
    await person.goTo('button Star ', 'F6');
    await person.goTo('tab Documents', 'Shift+Tab');
    await person.press('ArrowRight');
    await person.lands('tab Checkpoints');
    await person.goTo('button Restore…');
    await person.press('Enter');
    await person.lands('textbox What should change this time?');
    await person.press('Escape');
    await person.lands('button Restore…');
    await person.goTo('separator Width of Side area');
    await person.press('Enter');
    await person.lands('button Side area');
    await person.press('Enter');
    await person.lands('separator Width of Side area');
  },
  'begins, finds, opens, renames, deletes and takes back conversations': async (story) => {
    const { chat, person } = story;
    await person.goTo('button New conversation', 'F6');
    await person.press('Enter');
    await person.lands('button New conversation');
    await person.goTo('button Attach files', 'F6');
    await person.goTo(FIELD);
    await story.ask('What is 2 + 2?');
    await person.goTo('button New conversation', 'F6');
    await person.goTo('searchbox Search conversations');
    await person.type('biggest');
    await chat.texts('ubik-thread-list', '.thread-open', 1);
    await person.goTo('button Which is the biggest river');
    await person.press('Enter');
    await chat.shows('Summarise all documents');
    await person.lands('button Which is the biggest river');
    await person.goTo('searchbox', 'Shift+Tab');
    await person.press('Control+a', 'Delete');
    await chat.texts('ubik-thread-list', '.thread-open', 2);
    await person.goTo('button Which is the biggest river');
    await person.press('F2');
    await person.lands('textbox New name');
    await person.type('Rivers');
    await person.press('Enter');
    await chat.fired('ubik-thread-renamed');
    await person.lands('button Rivers');
    await person.goTo('button More actions for “Rivers”');
    await person.press('Enter');
    await person.lands('button More actions for “Rivers”');
    await person.goTo('button Rename');
    await person.press('Escape');
    await person.lands('button Rivers');
    await person.press('Delete');
    await person.lands('button Undo');
    await person.press('Enter');
    await person.lands('button Rivers');
    await chat.shows('Summarise all documents');
  },
  'opens the menu of a message, judges it and copies it': async (story) => {
    const { chat, person } = story;
    await person.goTo(MESSAGES, 'F6');
    await person.press('End');
    await person.press('Enter');
    await person.goTo('button More');
    await person.press('Enter');
    await person.lands('menuitem Copy as Markdown');
    await person.press('Escape');
    await person.lands('button More');
    await person.press('Enter');
    await person.lands('menuitem Copy as Markdown');
    await person.press('Enter');
    // Whether or not the browser allows it, the menu says how it went, and stays.
    await chat.find('.message-menu [role=status]:not(:empty)');
    await person.lands('menuitem Copy as Markdown');
    await person.goTo('menuitemcheckbox Good answer', 'ArrowDown');
    await person.press('Enter');
    await person.lands('textbox Why? (optional)');
    await person.goTo('button Send feedback');
    await person.press('Enter');
    await chat.fired('ubik-message-feedback-given');
    await person.lands('button More');
  },
  'has the keys shown, and loses the focus nowhere': async (story) => {
    const { chat, person } = story;
    await person.press('?');
    await person.lands('button Close');
    await person.press('Escape');
    await person.lands('button More');
    await person.press('Escape');
    await person.lands('article ');
    await person.press('Escape');
    await person.hear();
    assert.deepEqual(await person.lost(), []);
    assert.deepEqual(chat.complaints, []);
  },
};

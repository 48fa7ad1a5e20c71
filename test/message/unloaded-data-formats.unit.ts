import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLocale } from '../../src/locales/locale.js';
import {
  announcementsOf,
  hasMarkdown,
  messageMarkdown,
} from '../../src/message/message-formats.js';
import { setupMessage } from '../helpers/model-message.js';

/** A message with a table, whose formats are not loaded: this file runs in a process of its own (`SOLITARY` in `scripts/test-steps.mjs`). */
function setupTable() {
  const { message, run } = setupMessage();
  const fields = { kind: 'table', title: 'Rivers', description: '', source: '' } as const;
  const parts = [{ ...fields, key: 'd', columns: [], rows: [], total: null }];
  run({ type: 'content', message: 'm', parts });
  return message();
}

test('announcementsOf returns null for data until their formats are loaded', () => {
  const message = setupTable();
  const part = message.parts.get('d');
  assert.ok(part);
  assert.equal(announcementsOf(part, findLocale('en'), message), null);
});

test('hasMarkdown finds data even before their formats are loaded', () => {
  const message = setupTable();
  assert.equal(hasMarkdown(message), true);
  assert.equal(messageMarkdown(message), '');
});

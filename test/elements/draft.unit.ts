import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createDraft,
  getMessageSettings,
  setMessageSettings,
} from '../../src/elements/composer/draft.js';
import { setupController } from '../controller/setup-controller.js';

test('a draft has the attachments of the stored one only if its text is the same', () => {
  const { controller } = setupController();
  const attachments = [{ id: '1', name: 'a.pdf' }];
  controller.setDraft({ text: 'Why?', attachments });
  assert.deepEqual(createDraft(controller, 'Why?'), { text: 'Why?', attachments });
  assert.deepEqual(createDraft(controller, 'Why'), { text: 'Why', attachments: [] });
  assert.deepEqual(createDraft(null, 'Why?'), { text: 'Why?', attachments: [] });
});

test('a draft has the settings of its controller', () => {
  const [{ controller }, { controller: other }] = [setupController(), setupController()];
  setMessageSettings(controller, { options: { deepThinking: true } });
  const draft = { text: 'Why?', attachments: [] };
  assert.deepEqual(createDraft(controller, 'Why?'), { ...draft, options: { deepThinking: true } });
  assert.deepEqual(createDraft(other, 'Why?'), draft);
  assert.deepEqual(getMessageSettings(null), {});
});

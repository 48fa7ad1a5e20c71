import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputHistory } from '../../src/elements/composer/input-history.js';
import { apply } from '../../src/model/apply.js';
import type { Change } from '../../src/model/change.js';
import { createStore } from '../../src/model/store.js';
import { ANSWER } from '../helpers/model-message.js';

type TextMessage = readonly [role: 'user' | 'assistant', text: string];

/** A field with the history of a thread, in which these messages follow each other. */
function setup(...messages: readonly TextMessage[]) {
  const store = createStore();
  const changes = messages.flatMap(([role, text], index): Change[] => {
    const message = `m${index}`;
    const parent = index > 0 ? `m${index - 1}` : null;
    const value = { kind: 'text', marks: {} } as const;
    return [
      { type: 'message', message, value: { ...ANSWER, role, status: 'complete', parent } },
      { type: 'part', message, part: 'text', parent: null, before: null, value },
      { type: 'text', message, part: 'text', at: 0, text },
    ];
  });
  const set = { head: messages.length > 0 ? `m${messages.length - 1}` : null };
  const { rejected } = apply(store, {
    thread: 't',
    time: 0,
    changes: [...changes, { type: 'thread', set }],
  });
  assert.deepEqual(rejected, []);
  const node = {
    selectionStart: 0,
    setSelectionRange: (start: number): void => void (node.selectionStart = start),
  };
  const field = { text: '', node, write: (text: string): void => void (field.text = text) };
  const controller = { thread: store.threads.get('t') };
  const history = new InputHistory({ field, host: { controller } } as never);
  const press = (key: string, modifiers: object = {}): boolean =>
    history.handleKey({ key, ...modifiers } as never);
  return { field, node, press };
}

const THREAD: readonly TextMessage[] = [
  ['user', 'First'],
  ['assistant', 'Answer'],
  ['user', 'Second'],
  ['assistant', 'Answer'],
  ['user', ' Second '],
  ['user', '  '],
];

test('input history recalls the messages of the user, the newest first and repetitions once', () => {
  const { field, node, press } = setup(...THREAD);
  assert.equal(press('ArrowUp'), true);
  assert.deepEqual([field.text, node.selectionStart], ['Second', 6]);
  assert.equal(press('ArrowUp'), true);
  assert.equal(field.text, 'First');
  assert.equal(press('ArrowUp'), false, 'there is no older message');
  assert.equal(field.text, 'First');
  assert.equal(press('ArrowDown'), true);
  assert.equal(field.text, 'Second');
  assert.equal(press('ArrowDown'), true);
  assert.equal(field.text, '');
  assert.equal(press('ArrowDown'), false);
});

test('input history continues with older messages after one whose lines end with a carriage return', () => {
  const { field, press } = setup(['user', 'First'], ['user', 'One\r\nTwo\rThree']);
  // As in a text field, whose value has no carriage returns.
  field.write = (text) => void (field.text = text.replace(/\r\n?/g, '\n'));
  press('ArrowUp');
  assert.equal(field.text, 'One\nTwo\nThree');
  assert.equal(press('ArrowUp'), true);
  assert.equal(field.text, 'First');
});

test('input history ignores other keys and modifiers, and a thread without messages', () => {
  const { field, press } = setup(...THREAD);
  assert.equal(press('ArrowLeft'), false);
  for (const name of ['altKey', 'ctrlKey', 'metaKey', 'shiftKey']) {
    assert.equal(press('ArrowUp', { [name]: true }), false, name);
  }
  assert.equal(field.text, '');
  assert.equal(setup().press('ArrowUp'), false);
});

test('input history recalls nothing in a text that was edited or whose caret is not at its end', () => {
  const { field, node, press } = setup(...THREAD);
  field.text = 'draft';
  node.selectionStart = 5;
  assert.equal(press('ArrowUp'), false);
  field.text = '';
  press('ArrowUp');
  node.selectionStart = 2;
  assert.equal(press('ArrowUp'), false);
  field.text = 'Second!';
  node.selectionStart = 7;
  assert.equal(press('ArrowUp'), false);
  assert.equal(field.text, 'Second!');
});

test('input history starts with the newest message again when the field was emptied', () => {
  const { field, press } = setup(...THREAD);
  press('ArrowUp');
  press('ArrowUp');
  field.text = '';
  assert.equal(press('ArrowUp'), true);
  assert.equal(field.text, 'Second');
});

test('input history does not take a typed text for a recalled one after the field was emptied', () => {
  const { field, node, press } = setup(...THREAD);
  press('ArrowUp');
  field.text = '';
  assert.equal(press('ArrowDown'), false);
  field.text = 'Second';
  node.selectionStart = 6;
  assert.equal(press('ArrowUp'), false);
  assert.equal(field.text, 'Second');
});

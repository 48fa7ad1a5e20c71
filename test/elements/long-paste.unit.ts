import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadedQueues } from '../../src/controller/documents/loaded-queues.js';
import { LongPaste } from '../../src/elements/composer/long-paste.js';
import { Deferred } from '../helpers/deferred.js';
import type { IncomingFile } from '../../src/elements/documents/attachment-controller.js';

/** A composer that attaches pasted text longer than `longPaste`. */
function setup(
  longPaste: number,
  capabilities: readonly string[] = ['upload'],
  findQuestion: () => unknown = () => undefined,
) {
  const attached: IncomingFile[] = [];
  const announced: string[] = [];
  const announcement = new Deferred<string>();
  const context = {
    field: { findQuestion },
    host: {
      element: { longPaste },
      controller: {
        backend: { capabilities: new Set(capabilities) },
        onNotice: () => () => undefined,
      },
      context: { locale: { text: (name: string) => name } },
    },
    announce: (text: string) => {
      announced.push(text);
      announcement.resolve(text);
    },
  };
  const queue = { taskOf: () => undefined, isUploaded: () => true };
  loadedQueues.set(context.host.controller as never, queue as never);
  const files = {
    attach: async (list: IncomingFile[]) => void attached.push(...list),
  };
  const paste = new LongPaste(context as never, files as never);
  /** Pastes a text. Returns whether it was attached instead of inserted. */
  const pasteText = (text: string | null): boolean => {
    let isPrevented = false;
    const clipboardData = text === null ? null : { getData: () => text };
    const preventDefault = (): void => void (isPrevented = true);
    paste.handlePaste({ clipboardData, preventDefault } as never);
    return isPrevented;
  };
  /** Presses a key with these modifiers, such as `ctrl shift`. */
  const press = (key: string, modifiers: string): void => {
    const isHeld = (name: string): boolean => modifiers.includes(name);
    const [shiftKey, ctrlKey, metaKey] = ['shift', 'ctrl', 'meta'].map(isHeld);
    paste.handleKey({ key, shiftKey, ctrlKey, metaKey } as never);
  };
  return { attached, announced, announcement: announcement.promise, pasteText, press };
}

test('pasted text is attached as a document when it is longer than the limit', async () => {
  const { attached, announced, announcement, pasteText } = setup(5);
  assert.equal(pasteText('12345'), false);
  assert.equal(pasteText(null), false);
  assert.deepEqual(announced, []);
  assert.equal(pasteText('123456'), true);
  const [first] = attached;
  assert.deepEqual([first?.file.name, first?.file.type], ['pastedName.txt', 'text/plain']);
  assert.equal(await first?.file.text(), '123456');
  assert.equal(first?.isFolder, false);
  assert.equal(await announcement, 'pasted');
});

test('pasted texts are numbered from the second one on', () => {
  const { attached, pasteText } = setup(5);
  for (const text of ['one and more', 'two and more', 'three and more']) pasteText(text);
  assert.deepEqual(
    attached.map(({ file }) => file.name),
    ['pastedName.txt', 'pastedName 2.txt', 'pastedName 3.txt'],
  );
});

test('pasted text stays text in the answer to a question', () => {
  let question: object | undefined = { level: 'agent' };
  const { attached, pasteText } = setup(5, ['upload'], () => question);
  assert.equal(pasteText('123456'), false);
  question = undefined;
  assert.equal(pasteText('123456'), true);
  assert.equal(attached.length, 1);
});

test('pasted text stays text without a limit and when the service accepts no uploads', () => {
  for (const limit of [0, -1, Number.NaN]) {
    assert.equal(setup(limit).pasteText('123456'), false, String(limit));
  }
  assert.equal(setup(5, []).pasteText('123456'), false);
});

test('pasted text stays text after the shortcut for plain text, once', () => {
  const { pasteText, press } = setup(5);
  press('V', 'ctrl shift');
  assert.equal(pasteText('123456'), false);
  assert.equal(pasteText('123456'), true);
  press('v', 'meta shift');
  assert.equal(pasteText('123456'), false);
  press('v', 'ctrl');
  assert.equal(pasteText('123456'), true);
  press('V', 'shift');
  assert.equal(pasteText('123456'), true, 'a typed letter is no shortcut');
  press('v', 'ctrl shift');
  press('Shift', 'shift');
  assert.equal(pasteText('123456'), true, 'another key follows');
});

import { expect } from '@open-wc/testing';
import { createSyncedTextNode, createTextSync } from '../../src/message/text-sync.js';
import { GrowingText } from '../../src/model/text.js';

/** A sink that records its calls. */
function setupSync() {
  const calls: string[] = [];
  const sync = createTextSync({
    append: (text) => void calls.push(`append ${text}`),
    truncate: (at) => void calls.push(`truncate ${at}`),
  });
  return { calls, sync };
}

describe('createTextSync', () => {
  it('appends only what is new', () => {
    const { calls, sync } = setupSync();
    const text = new GrowingText('One');
    sync(text);
    sync(text);
    text.append(' two');
    sync(text);
    expect(calls).to.deep.equal(['append One', 'append  two']);
  });

  it('truncates once to the common prefix', () => {
    const { calls, sync } = setupSync();
    const text = new GrowingText('One two');
    sync(text);
    text.truncate(4);
    text.append('three');
    sync(text);
    text.append(' four');
    sync(text);
    expect(calls).to.deep.equal(['append One two', 'truncate 4', 'append three', 'append  four']);
  });

  it('does not truncate text that it has not appended', () => {
    const { calls, sync } = setupSync();
    const text = new GrowingText('One');
    sync(text);
    text.append(' two');
    text.truncate(5);
    sync(text);
    expect(calls).to.deep.equal(['append One', 'append  t']);
  });

  it('empties the sink when the text is removed', () => {
    const { calls, sync } = setupSync();
    sync(null);
    sync(new GrowingText('One'));
    sync(null);
    expect(calls).to.deep.equal(['append One', 'truncate 0']);
  });
});

describe('createSyncedTextNode', () => {
  it('shows the text up to its limit', () => {
    const { node, sync } = createSyncedTextNode(5);
    const text = new GrowingText('abc');
    sync(text);
    text.append('def');
    sync(text);
    expect(node.data).to.equal('abcde');
    text.append('g');
    sync(text);
    expect(node.data).to.equal('abcde');
    text.truncate(2);
    text.append('xy');
    sync(text);
    expect(node.data).to.equal('abxy');
  });

  it('keeps a surrogate pair at its limit whole, also when its halves arrive one after the other', () => {
    for (const [first, second] of [
      ['abcd😀', 'ef'],
      ['abcd\uD83D', '\uDE00ef'],
    ] as const) {
      const { node, sync, showMore } = createSyncedTextNode(5);
      const text = new GrowingText(first);
      sync(text);
      text.append(second);
      sync(text);
      expect(node.data).to.equal('abcd😀');
      text.append('\uD83D');
      sync(text);
      text.append('\uDE00');
      sync(text);
      expect(node.data).to.equal('abcd😀');
      showMore(text);
      expect(node.data).to.equal('abcd😀ef😀');
    }
  });

  it('shows more of a text that has grown since it was synchronized', () => {
    const { node, sync, showMore } = createSyncedTextNode(5);
    const text = new GrowingText('abcdef');
    sync(text);
    text.append('gh');
    showMore(text);
    sync(text);
    expect(node.data).to.equal('abcdefgh');
  });

  it('shows the whole text by default', () => {
    const { node, sync } = createSyncedTextNode();
    sync(new GrowingText('x'.repeat(10_000)));
    expect(node.length).to.equal(10_000);
  });
});

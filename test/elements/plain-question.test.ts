import { expect } from '@open-wc/testing';
import { QuestionPlaceholder } from '../../src/elements/transcript/transcript-view.js';
import { findLocale } from '../../src/locales/locale.js';
import type { Message } from '../../src/model/message.js';
import { ANSWER, setupMessage } from '../helpers/model-message.js';

type Written = readonly [role: 'user' | 'assistant', ...texts: string[]];

/** Messages of a conversation, each with its texts as parts. */
function setupPath(...messages: readonly Written[]): Message[] {
  const { store, run } = setupMessage();
  return messages.map(([role, ...texts], at) => {
    const message = `m${String(at)}`;
    run({ type: 'message', message, value: { ...ANSWER, role } });
    for (const [index, text] of texts.entries()) {
      const part = `p${String(index)}`;
      const value = { kind: 'text' } as const;
      run({ type: 'part', message, part, parent: null, before: null, value });
      run({ type: 'text', message, part, at: 0, text });
    }
    const found = store.threads.get('t')?.messages.get(message);
    if (!found) throw new Error('The message is gone.');
    return found;
  });
}

/** What is shown for a conversation; null when nothing is. */
function shownFor(...messages: readonly Written[]): string | null {
  const question = new QuestionPlaceholder();
  question.show(setupPath(...messages), findLocale('en'));
  return question.node.hidden ? null : question.node.textContent;
}

describe('The plain question', () => {
  it('shows all texts of the last question, whatever was answered', () => {
    const earlier: readonly Written[] = [
      ['user', 'First'],
      ['user', 'Second'],
      ['assistant', 'Both'],
    ];
    const shown = shownFor(...earlier, ['user', 'Third', 'and more'], ['assistant', 'That']);
    expect(shown).to.equal('Third\nand more');
  });

  it('shows nothing before anything was asked', () => {
    expect(shownFor()).to.equal(null);
    expect(shownFor(['assistant', 'Welcome'])).to.equal(null);
  });
});

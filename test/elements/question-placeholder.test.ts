import { expect } from '@open-wc/testing';
import { QuestionPlaceholder } from '../../src/elements/transcript/transcript-view.js';
import { findLocale } from '../../src/locales/locale.js';
import type { Message } from '../../src/model/message.js';
import { ANSWER, setupMessage } from '../helpers/model-message.js';

type Written = readonly [role: 'user' | 'assistant', ...texts: string[]];

/** Messages, each with its texts as parts. */
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

/** What the placeholder shows for messages; null if it is hidden. */
function shownText(...messages: readonly Written[]): string | null {
  const question = new QuestionPlaceholder();
  question.show(setupPath(...messages), findLocale('en'));
  return question.node.hidden ? null : question.node.textContent;
}

describe('question placeholder', () => {
  it('shows all texts of the latest question, with or without an answer', () => {
    const earlier: readonly Written[] = [
      ['user', 'First'],
      ['user', 'Second'],
      ['assistant', 'Both'],
    ];
    const unanswered = [...earlier, ['user', 'Third', 'and more']] as const;
    expect(shownText(...unanswered)).to.equal('Third\nand more');
    expect(shownText(...unanswered, ['assistant', 'That'])).to.equal('Third\nand more');
  });

  it('has the direction of its text and the language that the page declares', () => {
    const question = new QuestionPlaceholder();
    const { node } = question;
    expect(node.hidden).to.equal(true);
    question.show(setupPath(['user', 'Quanto?']), findLocale('en', 'it'));
    expect([node.dir, node.lang, node.hidden]).to.deep.equal(['auto', 'it', false]);
  });

  it('is hidden before the first question', () => {
    expect(shownText()).to.equal(null);
    expect(shownText(['assistant', 'Welcome'])).to.equal(null);
  });
});

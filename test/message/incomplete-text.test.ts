import { expect } from '@open-wc/testing';
import { findLocale } from '../../src/locales/locale.js';
import { part, set, setupMessageView, text } from './message-fixture.js';

describe('incomplete text', () => {
  it('is shown below the answer, with a label, only while the message is interrupted', () => {
    const { run, root, text: shownText } = setupMessageView();
    run(
      part('@incomplete:', { kind: 'incomplete-activity', tool: null, payload: null }, '@activity'),
      text('@incomplete:', '<<TOOL_STEP_<b>'),
    );
    expect(root.querySelector('.incomplete-text')).to.equal(null);
    run(set(null, 'status', 'interrupted'));
    expect(shownText('.message-status .incomplete-text')).to.equal('incomplete<<TOOL_STEP_<b>');
    expect(root.querySelector<HTMLElement>('.message-status .activity')?.hidden).to.equal(true);
    run(set(null, 'status', 'streaming'));
    expect(root.querySelector('.incomplete-text')).to.equal(null);
  });

  it('has the language of the content, and a label with that of the interface', () => {
    const { context, run, query } = setupMessageView();
    context.locale = findLocale('en', 'it');
    run(
      part('@incomplete:', { kind: 'incomplete-activity', tool: null, payload: null }, '@activity'),
      text('@incomplete:', 'ciao'),
      set(null, 'status', 'interrupted'),
    );
    expect(query('.incomplete-text').lang).to.equal('it');
    expect(query('.incomplete-text .meta').closest<HTMLElement>('[lang]')?.lang).to.equal('en');
  });

  it('is aligned with its label', () => {
    const { run, query } = setupMessageView();
    run(
      part('@incomplete:', { kind: 'incomplete-activity', tool: null, payload: null }, '@activity'),
      text('@incomplete:', '<<TOOL'),
      set(null, 'status', 'interrupted'),
    );
    const content = query('.message-status .incomplete-text');
    // With `pre-wrap`, white space before the label would be visible, and would move it.
    content.style.whiteSpace = 'pre-wrap';
    const label = query('.message-status .incomplete-text .meta').getBoundingClientRect();
    expect(label.left).to.equal(content.getBoundingClientRect().left);
  });
});

import { expect } from '@open-wc/testing';
import type { ViewActions } from '../../src/message/part-view.js';
import type { MessageFields } from '../../src/model/message.js';
import { loadLanguage } from '../../src/locales/languages.js';
import { findLocale, registerLocale } from '../../src/locales/locale.js';
import { accessibleName } from '../helpers/accessible-name.js';
import { mockClipboard } from '../markdown/setup-page-view.js';
import { feedbackOf } from '../../src/message/message-feedback.js';
import { part, set, setupMessageView, text } from './message-fixture.js';

/** Whether a message of this role reserves the height of its actions. */
const reservesActions = (role: MessageFields['role'], actions: ViewActions): boolean =>
  setupMessageView({ actions, fields: { role } }).view.node.classList.contains('has-actions');

const resolveTrue = (): Promise<boolean> => Promise.resolve(true);

/** Every action that a service may support. */
const ALL_ACTIONS: ViewActions = {
  edit: () => Promise.resolve(true),
  regenerate: () => Promise.resolve(true),
  openMenu: () => undefined,
};

/** The names of the visible buttons below a message. */
const buttonNames = (root: HTMLElement): string[] =>
  [...root.querySelectorAll<HTMLElement>('.message-footer button')]
    .filter((button) => button.checkVisibility())
    .map(accessibleName);

describe('row of actions', () => {
  it('is absent while an answer is written or waits, and complete when it is finished', () => {
    const { root, run } = setupMessageView({ actions: ALL_ACTIONS });
    run(part('t', { kind: 'text' }), text('t', 'Hello'));
    expect(buttonNames(root), 'streaming').to.deep.equal([]);
    run(set(null, 'status', 'waiting'));
    expect(buttonNames(root), 'waiting').to.deep.equal([]);
    run(set(null, 'status', 'complete'));
    expect(buttonNames(root)).to.deep.equal([
      'Copy',
      'Regenerate',
      'Good answer',
      'Bad answer',
      'Read aloud',
      'More actions',
    ]);
  });

  it('has other actions below a question', () => {
    const { root, run } = setupMessageView({
      actions: ALL_ACTIONS,
      fields: { role: 'user', status: 'complete' },
    });
    run(part('t', { kind: 'text' }), text('t', 'Hello'));
    expect(buttonNames(root)).to.deep.equal(['Copy', 'Edit', 'More actions']);
  });

  it('reads an answer aloud and stops reading it with one button', () => {
    const { speak, cancel } = speechSynthesis;
    const spoken: string[] = [];
    speechSynthesis.speak = ({ text: words }) => spoken.push(words);
    speechSynthesis.cancel = () => undefined;
    const { query, run } = setupMessageView({
      actions: ALL_ACTIONS,
      fields: { status: 'complete' },
    });
    run(part('t', { kind: 'text' }), text('t', 'Hello'));
    const state = (): unknown[] => [
      accessibleName(query('.read-button')),
      query('.read-button .icon').classList.contains('icon-stop'),
    ];
    expect(state()).to.deep.equal(['Read aloud', false]);
    query('.read-button').click();
    expect([spoken, state()]).to.deep.equal([['Hello'], ['Stop reading', true]]);
    query('.read-button').click();
    expect([spoken, state()]).to.deep.equal([['Hello'], ['Read aloud', false]]);
    Object.assign(speechSynthesis, { speak, cancel });
  });

  it('consists of icons of one size, in the order of the Tab key', () => {
    const { root, run } = setupMessageView({
      styled: true,
      actions: ALL_ACTIONS,
      fields: { status: 'complete' },
    });
    run(part('t', { kind: 'text' }), text('t', 'Hello'));
    const buttons = [...root.querySelectorAll<HTMLElement>('.message-footer button')];
    const boxes = buttons.map((button) => button.getBoundingClientRect());
    expect(new Set(boxes.map(({ width, height }) => `${width} ${height}`)).size).to.equal(1);
    expect(buttons.every((button) => button.textContent.trim() === '')).to.equal(true);
    const lefts = boxes.map(({ left }) => left);
    expect(lefts).to.deep.equal(lefts.toSorted((a, b) => a - b));
  });
});

describe('rating of an answer', () => {
  it('opens the form at its button, and shows the rating that was given', () => {
    const calls: unknown[] = [];
    let rate = (): void => undefined;
    const { query, message } = setupMessageView({
      actions: {
        openMenu: (key, button, rating, onRated) => {
          calls.push([key, button, rating]);
          rate = () => onRated?.();
        },
      },
      fields: { status: 'complete' },
    });
    const [good, bad] = [query('.good-button'), query('.bad-button')];
    bad.click();
    expect(calls).to.deep.equal([['m', bad, 'down']]);
    expect([good.ariaPressed, bad.ariaPressed]).to.deep.equal(['false', 'false']);
    feedbackOf(message()).rating = 'down';
    rate();
    expect([good.ariaPressed, bad.ariaPressed]).to.deep.equal(['false', 'true']);
  });
});

describe('menu button of a message', () => {
  it('opens the menu of its message next to itself', () => {
    const opened: unknown[] = [];
    const { query } = setupMessageView({
      actions: { openMenu: (message, button) => void opened.push(message, button) },
    });
    const button = query('.more');
    button.click();
    expect(opened).to.deep.equal(['m', button]);
    expect([button.title, button.ariaHasPopup, button.ariaExpanded]).to.deep.equal([
      'More actions',
      'menu',
      'false',
    ]);
  });

  it('is hidden while the message is being written or waits', () => {
    const { query, run } = setupMessageView({ actions: { openMenu: () => undefined } });
    expect(query('.more').hidden).to.equal(true);
    run(set(null, 'status', 'waiting'));
    expect(query('.more').hidden).to.equal(true);
    run(set(null, 'status', 'complete'));
    expect(query('.more').hidden).to.equal(false);
  });

  it('is missing without a menu', () => {
    expect(setupMessageView().root.querySelector('.more')).to.equal(null);
  });
});

describe('actions of a message', () => {
  it('have a height reserved only when the service supports one of them', () => {
    expect(reservesActions('user', { edit: resolveTrue })).to.equal(true);
    expect(reservesActions('user', { regenerate: resolveTrue })).to.equal(false);
    expect(reservesActions('assistant', { regenerate: resolveTrue })).to.equal(true);
    expect(reservesActions('assistant', { edit: resolveTrue })).to.equal(false);
    expect(reservesActions('assistant', { switchBranch: resolveTrue })).to.equal(true);
    expect(reservesActions('user', { openMenu: () => undefined })).to.equal(true);
    expect(reservesActions('user', {})).to.equal(false);
  });

  it('are missing when the service supports none of them', () => {
    const { root } = setupMessageView({ actions: { edit: resolveTrue } });
    expect(root.querySelector('.action-bar')).to.equal(null);
  });
});

describe('totals of an answer', () => {
  const usage = { seconds: 3.42, tokens: 918, firstTokenMs: 640 };

  it('are at the end of its footer as soon as it is finished', () => {
    const { query, root, run } = setupMessageView({
      actions: { openMenu: () => undefined, regenerate: resolveTrue },
      fields: { usage },
    });
    run(part('t', { kind: 'text' }), text('t', 'Hello'));
    expect(root.querySelector('.usage')).to.equal(null);
    run(set(null, 'status', 'complete'));
    expect(query('.message-footer').lastElementChild).to.equal(query('.usage'));
    expect(query('.usage').textContent).to.equal('3.4s · 918 tokens');
  });

  it('are not shown while the answer is being regenerated', () => {
    const { root, run } = setupMessageView({ fields: { status: 'complete', usage } });
    run(part('t', { kind: 'text' }));
    expect(root.querySelectorAll('.usage').length).to.equal(1);
    run(set(null, 'status', 'streaming'));
    expect(root.querySelector('.usage')).to.equal(null);
  });

  it('omit what the service does not send', () => {
    for (const [fields, expected] of [
      [{ seconds: null, tokens: 1, firstTokenMs: null }, '1 token'],
      [{ seconds: 75, tokens: null, firstTokenMs: 1 }, '1m 15s'],
      [{ seconds: 0.01, tokens: 12_345, firstTokenMs: null }, '0s · 12,345 tokens'],
    ] as const) {
      const { query } = setupMessageView({ fields: { status: 'complete', usage: fields } });
      expect(query('.usage').textContent).to.equal(expected);
    }
    const empty = { seconds: null, tokens: null, firstTokenMs: 9 };
    expect(
      setupMessageView({ fields: { status: 'complete', usage: empty } }).query('.usage').hidden,
    ).to.equal(true);
  });

  it('are not copied with the answer', () => {
    const clipboard = mockClipboard();
    const { query, run, remove } = setupMessageView({ fields: { status: 'complete', usage } });
    run(part('t', { kind: 'text' }), text('t', 'Hello'));
    query('.copy').click();
    expect(clipboard.written).to.deep.equal(['Hello']);
    clipboard.restore();
    remove();
  });
});

describe('Copy button of a message', () => {
  it('shows that it has copied until the pointer leaves it', async () => {
    const clipboard = mockClipboard();
    const { query, run, remove } = setupMessageView({ fields: { status: 'complete' } });
    run(part('t', { kind: 'text' }), text('t', 'Hello'));
    query('.copy').click();
    await Promise.resolve();
    expect(query('.copy').title).to.equal('Copied');
    expect(query('.copy .icon').classList.contains('icon-check')).to.equal(true);
    query('.copy').dispatchEvent(new PointerEvent('pointerleave'));
    expect(query('.copy').title).to.equal('Copy');
    expect(query('.copy .icon').classList.contains('icon-copy')).to.equal(true);
    clipboard.restore();
    remove();
  });

  it('is followed by an alert when the browser does not permit copying', async () => {
    const clipboard = mockClipboard(false);
    const { query, root, run, context, remove } = setupMessageView({
      fields: { status: 'complete' },
    });
    await loadLanguage('fr');
    context.locale = findLocale('fr');
    run(part('t', { kind: 'text' }), text('t', 'Hello'));
    query('.copy').click();
    await new Promise((resolve) => setTimeout(resolve));
    expect(query('.copy + [role=alert]').textContent).to.equal(
      'Le navigateur n’a pas autorisé la copie.',
    );
    expect(query('.copy .icon').classList.contains('icon-copy')).to.equal(true);
    // Where the sentence moves the button away, the pointer leaves it.
    query('.copy').dispatchEvent(new PointerEvent('pointerleave'));
    expect(query('.copy + [role=alert]').isConnected).to.equal(true);
    document.dispatchEvent(new PointerEvent('pointerdown'));
    expect(root.querySelector('[role=alert]')).to.equal(null);
    clipboard.restore();
    remove();
  });

  it('comes first, and changes its label with the language', () => {
    const { context, query, run, view } = setupMessageView({
      actions: { openMenu: () => undefined },
    });
    run(part('t', { kind: 'text' }), text('t', 'Hello'), set(null, 'status', 'complete'));
    const button = query('.copy');
    expect(query('.message-footer').firstElementChild).to.equal(button);
    expect(button.title).to.equal('Copy');
    registerLocale('x-copy', { copyAnswer: 'Take it' });
    context.locale = findLocale('x-copy');
    view.redraw();
    expect(query('.copy').title).to.equal('Take it');
  });

  it('keeps the focus while the message is rendered again', () => {
    const { host, query, run } = setupMessageView({ fields: { status: 'complete' } });
    run(part('t', { kind: 'text' }), text('t', 'Hello'));
    query('.copy').focus();
    run(text('t', ' you', 5));
    expect(host.shadowRoot?.activeElement).to.equal(query('.copy'));
  });

  it('is not offered for a message of the user that has no other actions', () => {
    const { root, run } = setupMessageView({ fields: { role: 'user', status: 'complete' } });
    run(part('t', { kind: 'text' }), text('t', 'Hello'));
    expect(root.querySelector('.copy')).to.equal(null);
  });

  it('is removed with the text of the message', () => {
    const { root, run } = setupMessageView({ fields: { status: 'complete' } });
    run(part('t', { kind: 'text' }), text('t', 'Hello'));
    expect(root.querySelector('.copy')).not.to.equal(null);
    run({ type: 'remove', message: 'm', part: 't' });
    expect(root.querySelector('.copy')).to.equal(null);
  });
});

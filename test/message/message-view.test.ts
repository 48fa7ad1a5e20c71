import { expect } from '@open-wc/testing';
import { findLocale, registerLocale } from '../../src/locales/locale.js';
import type { MessageRenderer } from '../../src/message/host-content.js';
import { MessageView } from '../../src/message/message-view.js';
import type { Thread } from '../../src/model/thread.js';
import { part, setupMessageView, text, tool, toolActivity } from './message-fixture.js';
import { threadOf } from './thread-of.js';

/** A complete answer "Hello" in another view, whose avatar and actions the host page renders. */
function setupHostContent(messageAvatar?: MessageRenderer, messageActions?: MessageRenderer) {
  const fixture = setupMessageView({ fields: { status: 'complete' } });
  fixture.run(part('t', { kind: 'text' }), text('t', 'Hello'));
  const context = { ...fixture.context, messageAvatar, messageActions };
  const view = new MessageView(fixture.message(), context);
  fixture.root.append(view.node);
  return { ...fixture, view, boxes: () => [...fixture.host.children] };
}

describe('message view', () => {
  it('renders its status again in another language', () => {
    const { context, view, run, text: shownText } = setupMessageView();
    run(part('t', { kind: 'text' }));
    registerLocale('x-other', { working: 'At it' });
    context.locale = findLocale('x-other');
    view.redraw();
    expect(shownText('.working')).to.equal('At it');
  });

  it('renders its header again in another language', () => {
    const attachments = [{ id: '1', name: 'a.pdf' }];
    const { context, view, query } = setupMessageView({ fields: { role: 'user', attachments } });
    registerLocale('x-header', { attachments: 'Files' });
    context.locale = findLocale('x-header');
    view.redraw();
    expect(query('.chips').getAttribute('aria-label')).to.equal('Files');
  });

  it('is named again by its author in another language', () => {
    const { context, view } = setupMessageView({ fields: { role: 'user' } });
    expect(view.node.ariaLabel).to.equal('You');
    registerLocale('x-author', { you: 'Me' });
    context.locale = findLocale('x-author');
    view.redraw();
    expect(view.node.ariaLabel).to.equal('Me');
  });

  it('renders its status again when its run is being stopped', () => {
    const actions: { thread: Thread } = { thread: threadOf('m', { m: {} }) };
    const { root, view } = setupMessageView({ actions });
    expect(root.querySelector('.working')).not.to.equal(null);
    actions.thread = threadOf(
      'm',
      { m: {} },
      { type: 'thread', set: { run: { state: 'stopping' } } },
    );
    view.updateRun();
    expect(root.querySelector('.working')).to.equal(null);
  });

  it('has slots for the avatar before and the actions after the message', () => {
    const render = (box: HTMLElement): undefined => {
      box.textContent = 'Page';
    };
    const { view, boxes } = setupHostContent(render, render);
    expect(view.node.firstElementChild?.matches('.avatar')).to.equal(true);
    expect(view.node.querySelector('.message-footer > .actions')).not.to.equal(null);
    expect(view.node.classList.contains('pictured')).to.equal(true);
    expect(
      boxes().map(({ slot, textContent }) => [slot.replace(/.*-/, ''), textContent]),
    ).to.deep.equal([
      ['avatar', 'Page'],
      ['actions', 'Page'],
    ]);
  });

  it('has its own content of the host page in each of two views', () => {
    const { message, root, view } = setupHostContent((box) => void box.append('Page'));
    root.append(new MessageView(message(), view.context).node);
    const slots = [...root.querySelectorAll<HTMLSlotElement>('.avatar slot')];
    expect(slots.map((slot) => slot.assignedElements().length)).to.deep.equal([1, 1]);
  });

  it('has no slots without renderers', () => {
    const { view, boxes } = setupHostContent();
    expect(view.node.querySelector('.avatar, .actions, slot')).to.equal(null);
    expect(view.node.classList.contains('pictured')).to.equal(false);
    expect(boxes()).to.deep.equal([]);
  });

  it('removes the content of the host page when it is disposed', () => {
    const unmounted: string[] = [];
    const { view, boxes } = setupHostContent(
      () => () => unmounted.push('avatar'),
      () => undefined,
    );
    view.dispose();
    expect(unmounted).to.deep.equal(['avatar']);
    expect(boxes()).to.deep.equal([]);
  });

  it('reports an error of a renderer, and renders the message', () => {
    const fail = (): undefined => {
      throw new Error('Broken');
    };
    const { view, errors } = setupHostContent(fail, () => fail);
    expect(errors.map(({ code, offender }) => [code, offender])).to.deep.equal([
      ['renderer', 'avatar'],
    ]);
    expect(view.node.textContent).to.contain('Hello');
    view.dispose();
    expect(errors.at(-1)?.offender).to.equal('actions');
  });

  it('removes the views of descendants with a part', () => {
    const { run, view, root } = setupMessageView();
    run(part('s', { kind: 'step', number: 1, title: '', single: false, state: 'running' }));
    run(part('t', { kind: 'text' }, 's'), text('t', 'Inner'));
    run({ type: 'remove', message: 'm', part: 's' });
    expect(root.querySelector('.step, .text')).to.equal(null);
    expect([view.viewOf('s'), view.viewOf('t')]).to.deep.equal([undefined, undefined]);
  });

  it('is named by its author, and has a part for the style sheets of the host page', () => {
    const [user, agent] = (['user', 'assistant'] as const).map(
      (role) => setupMessageView({ fields: { role } }).view.node,
    );
    expect([user?.ariaLabel, user?.getAttribute('part')]).to.deep.equal([
      'You',
      'message question',
    ]);
    expect([agent?.ariaLabel, agent?.getAttribute('part')]).to.deep.equal([
      'Assistant',
      'message answer',
    ]);
  });

  it('does not pause animations for the text of a complete message', () => {
    const { run, query, clock } = setupMessageView({ fields: { status: 'complete' } });
    run(part('t', { kind: 'text' }), text('t', 'Loaded'));
    expect(query('.message').classList.contains('writing')).to.equal(false);
    expect(clock.listeners.size).to.equal(0);
  });

  it('resumes animations at once when it has ended', () => {
    const { run, query, clock } = setupMessageView();
    run(part('t', { kind: 'text' }), text('t', 'Hello'));
    run({ type: 'set', message: 'm', part: null, path: ['status'], value: 'stopped' });
    expect(query('.message').classList.contains('writing')).to.equal(false);
    expect(clock.listeners.size).to.equal(0);
  });

  it('has no timers and no scheduled work after it is disposed', () => {
    const { apply, clock, frames, view } = setupMessageView();
    const checkpoints = Array.from({ length: 150 }, (_, index) =>
      part(`c${index}`, { kind: 'checkpoint', name: `c${index}` }),
    );
    apply(part('t', { kind: 'text' }), text('t', 'Hello'), ...checkpoints);
    frames.frame(1);
    apply(part('u', { kind: 'checkpoint', name: 'u' }));
    view.dispose();
    expect(clock.listeners.size).to.equal(0);
    expect(view.viewOf('t')).to.equal(undefined);
    const { childElementCount } = view.node.querySelector('.body') ?? view.node;
    frames.flush();
    expect(view.node.querySelector('.body')?.childElementCount).to.equal(childElementCount);
  });

  it('updates the part that its activity belongs to, in either order of arrival', () => {
    const { run, root } = setupMessageView();
    run(
      part('@x', toolActivity('1', 'x', { message: 'First' }), '@activity'),
      part('x', tool('1')),
      part('y', tool('2')),
      part('@y', toolActivity('2', 'y', { message: 'Second' }), '@activity'),
    );
    const statuses = [...root.querySelectorAll('.tool .status')].map(
      ({ textContent }) => textContent,
    );
    expect(statuses).to.deep.equal(['First', 'Second']);
    run({ type: 'set', message: 'm', part: '@x', path: ['message'], value: 'Other' });
    expect(root.querySelector('.tool .status')?.textContent).to.equal('Other');
  });

  it('inserts a part before its successor', () => {
    const { run, query } = setupMessageView();
    run(part('b', { kind: 'text' }), text('b', 'B'));
    run(part('a', { kind: 'text' }, null, 'b'), text('a', 'A'));
    run(part('c', { kind: 'text' }), text('c', 'C'));
    const texts = [...query('.body').children].map(({ textContent }) => textContent.trim());
    expect(texts).to.deep.equal(['A', 'B', 'C']);
  });
});

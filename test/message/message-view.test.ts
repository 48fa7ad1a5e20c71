import { expect } from '@open-wc/testing';
import { findLocale, registerLocale } from '../../src/locales/locale.js';
import type { MessageRenderer } from '../../src/message/host-content.js';
import { MessageView } from '../../src/message/message-view.js';
import { part, setupStage, text } from './message-stage.js';

/** A complete answer "Hello" in another view, whose avatar and actions the host page renders. */
function setupHostContent(messageAvatar?: MessageRenderer, messageActions?: MessageRenderer) {
  const stage = setupStage({ fields: { status: 'complete' } });
  stage.run(part('t', { kind: 'text' }), text('t', 'Hello'));
  const context = { ...stage.context, messageAvatar, messageActions };
  const view = new MessageView(stage.message(), context);
  stage.root.append(view.node);
  return { ...stage, view, boxes: () => [...stage.host.children] };
}

describe('message view', () => {
  it('renders its status again in another language', () => {
    const { context, view, run, text: shownText } = setupStage();
    run(part('t', { kind: 'text' }));
    registerLocale('x-other', { working: 'At it' });
    context.locale = findLocale('x-other');
    view.redraw();
    expect(shownText('.working')).to.equal('At it');
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
    const { run, view, root } = setupStage();
    run(part('s', { kind: 'step', number: 1, title: '', single: false, state: 'running' }));
    run(part('t', { kind: 'text' }, 's'), text('t', 'Inner'));
    run({ type: 'remove', message: 'm', part: 's' });
    expect(root.querySelector('.step, .text')).to.equal(null);
    expect([view.viewOf('s'), view.viewOf('t')]).to.deep.equal([undefined, undefined]);
  });
});

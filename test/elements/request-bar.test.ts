import { expect } from '@open-wc/testing';
import { render } from 'lit';
import type { ConnectedHost } from '../../src/elements/base/connected-host.js';
import { RequestBar } from '../../src/elements/transcript/request-bar.js';
import { findLocale } from '../../src/locales/locale.js';
import type { PartView } from '../../src/message/part-view.js';
import { waitFor } from '../helpers/wait-for.js';

/** A bar for the requests in a box of 100 px: one at its start, and one 1000 px below. */
function setupBar() {
  const scroller = document.body.appendChild(document.createElement('div'));
  scroller.style.cssText = 'height: 100px; overflow: auto';
  const [visible, space, hidden] = ['20px', '1000px', '20px'].map((height) => {
    const node = scroller.appendChild(document.createElement('div'));
    node.style.height = height;
    return node;
  });
  if (!visible || !space || !hidden) throw new Error('The box is empty.');
  let updates = 0;
  let view: PartView | undefined;
  const host = { context: { locale: findLocale('en') }, requestUpdate: () => (updates += 1) };
  const bar = new RequestBar(host as unknown as ConnectedHost, scroller, () => view);
  const box = document.createElement('div');
  /** Waits until the bar has requested more updates than `before`, because its observer has reported something. */
  const reported = (before: number): Promise<boolean> => waitFor(() => updates > before);
  return {
    bar,
    hidden,
    reported,
    scroller,
    visible,
    updates: () => updates,
    isShown: () => {
      render(bar.render(), box);
      return box.querySelector('.request-bar') !== null;
    },
    /** Sets the open request. */
    open: (node: HTMLElement | null, focus?: () => void) => {
      view = node ? ({ node, ...(focus && { focus }) } as unknown as PartView) : undefined;
      bar.observe();
    },
    /** Resolves when all intersection observers have reported the current positions. */
    settle: async () => {
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    },
    remove: () => scroller.remove(),
  };
}

describe('bar of a request', () => {
  it('is shown only for a request that is out of view', async () => {
    const { hidden, isShown, open, remove, reported, scroller, updates, visible } = setupBar();
    expect(isShown(), 'without a request').to.equal(false);
    open(visible);
    await reported(0);
    expect(isShown(), 'in view').to.equal(false);
    const before = updates();
    open(hidden);
    await reported(before);
    expect(isShown(), 'out of view').to.equal(true);
    const shown = updates();
    scroller.scrollTop = 1000;
    await reported(shown);
    expect(isShown(), 'scrolled to it').to.equal(false);
    remove();
  });

  it('is removed with its request, which is not observed any more', async () => {
    const { hidden, isShown, open, remove, reported, scroller, settle, updates } = setupBar();
    open(hidden);
    await reported(0);
    const before = updates();
    open(hidden);
    await settle();
    expect(updates(), 'the same request').to.equal(before);
    open(null);
    expect([isShown(), updates()]).to.deep.equal([false, before + 1]);
    open(null);
    scroller.scrollTop = 1000;
    await settle();
    expect(updates()).to.equal(before + 1);
    remove();
  });

  it('is not shown for a request that was removed from the page', async () => {
    const { isShown, open, remove, reported, updates, visible } = setupBar();
    open(visible);
    await reported(0);
    const before = updates();
    visible.remove();
    await reported(before);
    expect(isShown()).to.equal(false);
    remove();
  });

  it('focuses its request, and reports whether it has the focus', () => {
    const { bar, open, remove, visible } = setupBar();
    expect(bar.focusRequest(), 'without a request').to.equal(false);
    open(visible);
    expect(bar.focusRequest(), 'without a field').to.equal(false);
    const field = visible.appendChild(document.createElement('input'));
    open(null);
    open(visible, () => field.focus());
    expect(bar.focusRequest()).to.equal(true);
    expect(document.activeElement).to.equal(field);
    remove();
  });
});

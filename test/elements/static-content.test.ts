import { expect } from '@open-wc/testing';
import { replaceStaticContent } from '../../src/elements/transcript/static-content.js';
import '../helpers/load-lazy-modules.js';

/**
 * A shadow root with a scroll container of 100 px and, above it, static content: two style elements, and a scroll container with a button and,
 * if `inside` is set, a paragraph of that class.
 */
function setup({ inside = '' } = {}) {
  const host = document.body.appendChild(document.createElement('div'));
  const root = host.attachShadow({ mode: 'open' });
  const scroller = document.createElement('div');
  scroller.tabIndex = 0;
  scroller.style.cssText = 'height: 100px; overflow: auto';
  const content = document.createElement('div');
  content.style.height = '1200px';
  scroller.append(content);
  const styles = [document.createElement('style'), document.createElement('style')];
  for (const style of styles) style.setAttribute('data-static', '');
  const fixed = document.createElement('div');
  fixed.setAttribute('data-static', '');
  const old = document.createElement('div');
  old.className = 'scroller';
  // Reversed, so that it starts at its end.
  old.style.cssText =
    'display: flex; flex-direction: column-reverse; height: 100px; overflow: auto';
  const text = document.createElement('div');
  text.style.cssText = 'flex: none; height: 1000px';
  const button = document.createElement('button');
  text.append(button);
  if (inside) text.append(Object.assign(document.createElement('p'), { className: inside }));
  old.append(text);
  fixed.append(old);
  root.append(...styles, fixed, scroller);
  scroller.scrollTop = scroller.scrollHeight;
  // A wheel event upwards makes the list stop following its end.
  const wheels: number[] = [];
  scroller.addEventListener('wheel', ({ deltaY }) => wheels.push(deltaY));
  return { root, scroller, old, button, wheels, remove: () => host.remove() };
}

describe('static content', () => {
  it('is removed, and the end is followed when the static content was scrolled to its end', async () => {
    const { root, scroller, wheels, remove } = setup();
    await replaceStaticContent(scroller);
    expect(root.querySelectorAll('[data-static]').length).to.equal(0);
    expect(scroller.isConnected).to.equal(true);
    expect(wheels).to.deep.equal([]);
    expect(scroller.scrollTop).to.equal(1100);
    expect(root.activeElement).to.equal(null);
    remove();
  });

  it('keeps its distance to the end when the user has scrolled up', async () => {
    const { scroller, old, wheels, remove } = setup();
    old.scrollTop = -300;
    await replaceStaticContent(scroller);
    expect(scroller.scrollTop).to.equal(800);
    expect(wheels.length).to.equal(1);
    expect(wheels[0]).to.be.below(0);
    remove();
  });

  it('moves a focus that it contains to the scroll container, without scrolling', async () => {
    const space = document.body.appendChild(document.createElement('div'));
    space.style.height = '3000px';
    const { root, scroller, button, old, remove } = setup();
    button.focus({ preventScroll: true });
    old.scrollTop = -300;
    window.scrollTo(0, 0);
    await replaceStaticContent(scroller);
    expect(root.activeElement).to.equal(scroller);
    expect(window.scrollY).to.equal(0);
    remove();
    space.remove();
  });

  it('stays until the modules of its late content are loaded', async () => {
    for (const inside of ['sources', 'run']) {
      const { root, scroller, remove } = setup({ inside });
      const replaced = replaceStaticContent(scroller);
      expect(root.querySelectorAll('[data-static]').length, `loading ${inside}`).to.equal(3);
      await replaced;
      expect(root.querySelectorAll('[data-static]').length).to.equal(0);
      remove();
    }
    const other = setup();
    void replaceStaticContent(other.scroller);
    expect(other.root.querySelectorAll('[data-static]').length, 'nothing to load').to.equal(0);
    other.remove();
  });

  it('may be missing: then, and outside of a shadow root, nothing happens', async () => {
    const { root, scroller, wheels, remove } = setup();
    for (const node of root.querySelectorAll('[data-static]')) node.remove();
    await replaceStaticContent(scroller);
    expect([wheels, scroller.isConnected]).to.deep.equal([[], true]);
    await replaceStaticContent(document.createElement('div'));
    remove();
  });
});

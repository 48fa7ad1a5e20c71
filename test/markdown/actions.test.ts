import { expect } from '@open-wc/testing';
import { handleMarkdownEvent } from '../../src/markdown/dom/actions.js';
import type { MarkdownOptions } from '../../src/markdown/options.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { setupView } from './setup-view.js';

const urlPolicy = createUrlPolicy();

/** Dispatches an event on an element and returns whether it was handled, and whether its default was prevented. */
function dispatch(
  target: EventTarget,
  options: Partial<MarkdownOptions> = {},
  event = new MouseEvent('click', { bubbles: true, composed: true, cancelable: true }),
): [isHandled: boolean, isPrevented: boolean] {
  let isHandled = false;
  let isPrevented = false;
  target.addEventListener(
    event.type,
    () => {
      isHandled = handleMarkdownEvent(event, { document, urlPolicy, ...options });
      isPrevented = event.defaultPrevented;
      // Keeps the browser on the test page.
      event.preventDefault();
    },
    { once: true },
  );
  target.dispatchEvent(event);
  return [isHandled, isPrevented];
}

/** Renders a text and returns the first element that matches. Disposes the view, which would also handle the events. */
function render(text: string, selector: string): HTMLElement {
  const { box, view, add } = setupView({ urlPolicy });
  add(text);
  view.dispose();
  const found = box.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`The text renders no ${selector}.`);
  return found;
}

describe('events in rendered Markdown', () => {
  it('are ignored without a target, and on one without a known action', () => {
    const options = { document, urlPolicy };
    expect(handleMarkdownEvent(new Event('click'), options)).to.equal(false);
    expect(dispatch(document)[0]).to.equal(false);
    expect(dispatch(document.createElement('p'))[0]).to.equal(false);
    const unknown = document.createElement('p');
    unknown.setAttribute('data-ubik-action', 'unknown');
    expect(dispatch(unknown)[0]).to.equal(false);
  });

  it('follow a link unless onLink prevents it', () => {
    const links: string[] = [];
    const link = render('[text](https://example.com/a)\n\n', 'a');
    const onLink = ({ href }: { href: string }): undefined => void links.push(href);
    expect(dispatch(link)).to.deep.equal([true, false]);
    expect(dispatch(link, { onLink })).to.deep.equal([true, false]);
    expect(dispatch(link, { onLink: () => false })).to.deep.equal([true, true]);
    expect(links).to.deep.equal(['https://example.com/a']);
  });

  it('do not follow a link whose address was changed to one that is not allowed', () => {
    const link = render('[text](https://example.com/a)\n\n', 'a');
    link.setAttribute('href', 'javascript:void 0');
    expect(dispatch(link)).to.deep.equal([true, true]);
  });

  it('are handled for elements inside of a link', () => {
    const inside = render('[*text*](https://example.com/a)\n\n', 'a em');
    expect(dispatch(inside)[0]).to.equal(true);
  });

  it('load an image in place of its button unless onImage prevents it', () => {
    const button = render('![A tree](https://example.com/tree.png "Title")\n\n', 'button');
    const parent = button.parentElement;
    expect(dispatch(button, { onImage: () => false })[0]).to.equal(true);
    expect(button.parentElement).to.equal(parent);
    const requested: string[] = [];
    dispatch(button, { onImage: ({ src }) => void requested.push(src) });
    const image = parent?.querySelector('img');
    expect(requested).to.deep.equal(['https://example.com/tree.png']);
    expect([image?.alt, image?.title, image?.getAttribute('src')]).to.deep.equal([
      'A tree',
      'Title',
      'https://example.com/tree.png',
    ]);
    expect(parent?.querySelector('button')).to.equal(null);
  });

  it('do not load an image whose address was changed to one that is not allowed', () => {
    const button = render('![A tree](https://example.com/tree.png)\n\n', 'button');
    button.setAttribute('data-source', 'javascript:void 0');
    const parent = button.parentElement;
    dispatch(button);
    expect(parent?.querySelector('img')).to.equal(null);
  });

  it('load the tools of a table once, when it is hovered', () => {
    const loads: string[] = [];
    const loadExtra = (name: string): Promise<unknown> => {
      loads.push(name);
      return Promise.reject(new Error('Not available.'));
    };
    const cell = render('| a |\n|---|\n| b |\n\n', 'td');
    const hover = (): Event => new MouseEvent('pointerover', { bubbles: true, composed: true });
    expect(dispatch(cell, { loadExtra })[0]).to.equal(false);
    expect(dispatch(cell, { loadExtra }, hover() as MouseEvent)[0]).to.equal(true);
    expect(dispatch(cell, { loadExtra }, hover() as MouseEvent)[0]).to.equal(false);
    expect(loads).to.deep.equal(['tables']);
  });
});

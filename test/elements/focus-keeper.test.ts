import { expect, fixture, html } from '@open-wc/testing';
import { FocusRestorer } from '../../src/elements/keyboard/focus-restorer.js';
import { deepFocus } from '../helpers/deep-focus.js';
import { nextFrame } from './chat-stage.js';

/** What a chat is built of, as far as it matters here. Those that take the focus are known by their ids. */
const CHAT = `
  <button id="far-before"></button>
  <div class="ubik">
    <div class="main">
      <div class="scroller" id="scroller" tabindex="0">
        <ul>
          <li><button id="a"></button></li>
          <li><button id="b"></button><button id="b2"></button></li>
          <li><button id="c"></button></li>
        </ul>
        <details open id="fold"><summary id="line"></summary><button id="inside"></button></details>
        <section><form><input id="answer" /></form></section>
        <button id="regenerate"></button>
      </div>
      <div class="bar"><button id="retry"></button></div>
      <div class="field"><textarea id="field"></textarea></div>
    </div>
  </div>`;

/** A keeper at work in an element of the page. */
async function setupKeeper(within = CHAT) {
  const box = await fixture<HTMLElement>(
    html`<div>
      <div></div>
      <button id="of-page"></button>
    </div>`,
  );
  const host = box.firstElementChild as HTMLElement;
  const root = host.attachShadow({ mode: 'open' });
  root.append(document.createRange().createContextualFragment(within));
  new FocusRestorer(root);
  const get = (id: string): HTMLElement => root.getElementById(id) as HTMLElement;
  return {
    host,
    get,
    page: box.lastElementChild as HTMLElement,
    /** Where the focus is when what has it, has been treated so. */
    after: async (id: string, act: (node: HTMLElement) => unknown): Promise<string> => {
      get(id).focus();
      expect(deepFocus().id).to.equal(id);
      act(get(id));
      for (let frames = 0; frames < 4; frames += 1) await nextFrame();
      return deepFocus().id || deepFocus().localName;
    },
  };
}

const removeRow = (node: HTMLElement): void => node.closest('li')?.remove();
const remove = (node: HTMLElement): void => {
  node.remove();
};

/** What has the focus, what happens to it, and what has the focus then. */
const TAKEN: readonly (readonly [string, string, (node: HTMLElement) => unknown, string])[] = [
  ['the next beside it', 'b', remove, 'b2'],
  ['the one before it, where none is behind it', 'b2', remove, 'b'],
  ['the next row', 'a', removeRow, 'b'],
  ['the row before, from the last', 'c', removeRow, 'b'],
  [
    'what is outside, when the box has nothing else',
    'b',
    (node) => node.closest('ul')?.remove(),
    'line',
  ],
  ['the next, when it is hidden', 'b', (node) => (node.hidden = true), 'b2'],
  ['the next, when a style hides it', 'b', (node) => (node.style.display = 'none'), 'b2'],
  ['the next, when it is disabled', 'b', (node) => node.setAttribute('disabled', ''), 'b2'],
  [
    'the line of a fold that is closed',
    'inside',
    (node) => node.closest('details')?.removeAttribute('open'),
    'line',
  ],
  ['what has come instead of all', 'b', (node) => swap(node.closest('ul')), 'new'],
  [
    'the messages, when all around it goes',
    'retry',
    (node) => node.closest('.bar')?.remove(),
    'scroller',
  ],
];

function swap(box: Element | null): void {
  const made = document.createElement('button');
  made.id = 'new';
  box?.replaceChildren(made);
}

describe('what keeps the focus', () => {
  for (const [name, id, act, wanted] of TAKEN) {
    it(`goes on at ${name}`, async () => {
      const { after } = await setupKeeper();
      expect(await after(id, act)).to.equal(wanted);
    });
  }

  it('gives the keys of somebody who writes to no button', async () => {
    const { after } = await setupKeeper();
    expect(await after('answer', (node) => node.closest('form')?.remove())).to.equal('line');
  });

  it('leaves it where somebody else puts it in the next frame', async () => {
    const { after, get } = await setupKeeper();
    const act = (node: HTMLElement): void => {
      node.remove();
      requestAnimationFrame(() => {
        get('field').focus();
      });
    };
    expect(await after('b', act)).to.equal('field');
  });

  it('takes it from nobody who has gone elsewhere in the page', async () => {
    const { after, page } = await setupKeeper();
    const act = (node: HTMLElement): void => {
      page.focus();
      node.remove();
    };
    expect(await after('b', act)).to.equal('of-page');
  });

  it('does not pull it back when the person has left it', async () => {
    const { after } = await setupKeeper();
    const act = async (node: HTMLElement): Promise<void> => {
      node.blur();
      await nextFrame();
      node.remove();
    };
    expect(await after('b', act)).to.equal('body');
  });

  it('goes with an element that leaves the page', async () => {
    const { after, host } = await setupKeeper();
    expect(
      await after('b', () => {
        host.remove();
      }),
    ).to.equal('body');
  });

  it('gives them to no button either in an element without messages and field', async () => {
    const list =
      '<div class="ubik"><button id="new"></button><input id="search" /><p><input id="title" /></p></div>';
    const { after } = await setupKeeper(list);
    expect(await after('title', (node) => node.closest('p')?.remove())).to.equal('search');
  });

  it('is content with anything in an element without messages and field', async () => {
    const list =
      '<div class="ubik"><p><button id="a"></button></p><button id="first"></button></div>';
    const { after } = await setupKeeper(list);
    expect(await after('a', (node) => node.closest('p')?.remove())).to.equal('first');
  });
});

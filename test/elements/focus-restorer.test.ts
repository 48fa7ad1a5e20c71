import { expect, fixture, html } from '@open-wc/testing';
import { FocusRestorer } from '../../src/elements/keyboard/focus-restorer.js';
import {
  addElementKeyboardBehaviour,
  lazyFocusRestorer,
} from '../../src/elements/keyboard/lazy-keyboard.js';
import { UbikError } from '../../src/errors.js';
import { deepActiveElement } from '../helpers/deep-focus.js';
import { nextFrame } from './chat-fixture.js';

/** The relevant structure of a chat. Focusable nodes have ids. */
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
        <details open id="disclosure"><summary id="line"></summary><button id="inside"></button></details>
        <section><form><input id="answer" /></form></section>
        <p><i></i><button id="middle"></button><i></i></p>
        <button id="regenerate"></button>
      </div>
      <div class="bar"><button id="retry"></button></div>
      <div class="field"><textarea id="field"></textarea></div>
    </div>
  </div>`;

const createRestorer = (root: ShadowRoot): unknown => new FocusRestorer(root, null);

/** An element of the page with a focus restorer, which `start` creates. */
async function setupRestorer(within = CHAT, start = createRestorer) {
  const box = await fixture<HTMLElement>(
    html`<div>
      <div></div>
      <button id="of-page"></button>
    </div>`,
  );
  const host = box.firstElementChild as HTMLElement;
  const root = host.attachShadow({ mode: 'open' });
  root.append(document.createRange().createContextualFragment(within));
  start(root);
  const get = (id: string): HTMLElement =>
    (root.getElementById(id) ?? host.querySelector(`#${id}`)) as HTMLElement;
  return {
    host,
    get,
    page: box.lastElementChild as HTMLElement,
    /** Returns where the focus is after an action on the focused node. */
    after: async (id: string, act: (node: HTMLElement) => unknown): Promise<string> => {
      get(id).focus();
      expect(deepActiveElement().id).to.equal(id);
      act(get(id));
      for (let frames = 0; frames < 4; frames += 1) await nextFrame();
      return deepActiveElement().id || deepActiveElement().localName;
    },
  };
}

const removeRow = (node: HTMLElement): void => node.closest('li')?.remove();
const remove = (node: HTMLElement): void => {
  node.remove();
};

/** The end of the title, the focused node, an action on it, and the node focused afterwards. */
const REMOVALS: readonly (readonly [string, string, (node: HTMLElement) => unknown, string])[] = [
  ['to the next sibling', 'b', remove, 'b2'],
  ['to the previous sibling of the last one', 'b2', remove, 'b'],
  ['to the next row', 'a', removeRow, 'b'],
  ['to the previous row of the last one', 'c', removeRow, 'b'],
  [
    'to the next sibling of a list that is removed',
    'b',
    (node) => node.closest('ul')?.remove(),
    'line',
  ],
  ['to the next sibling when it is hidden', 'b', (node) => (node.hidden = true), 'b2'],
  ['to the next sibling when a style hides it', 'b', (node) => (node.style.display = 'none'), 'b2'],
  [
    'to the next sibling when it is disabled',
    'b',
    (node) => node.setAttribute('disabled', ''),
    'b2',
  ],
  [
    'to the summary of a disclosure that closes',
    'inside',
    (node) => node.closest('details')?.removeAttribute('open'),
    'line',
  ],
  [
    'to the next sibling when a style makes it invisible',
    'b',
    (node) => (node.style.visibility = 'hidden'),
    'b2',
  ],
  ['to the replacement of all siblings', 'b', (node) => swap(node.closest('ul')), 'new'],
  ['to its replacement between nodes without a control', 'middle', replace, 'new'],
  [
    'to the messages when everything around it is removed',
    'retry',
    (node) => node.closest('.bar')?.remove(),
    'scroller',
  ],
];

/** Replaces a node by a new button. */
function replace(node: HTMLElement): void {
  node.replaceWith(createButton('new'));
}

function createButton(id: string): HTMLButtonElement {
  return Object.assign(document.createElement('button'), { id });
}

/** Creates the focus restorer as in a browser that dispatches no `focusout` for a node that is removed or hidden. */
function createWithoutBlur(root: ShadowRoot): void {
  root.addEventListener('focusout', (event) => {
    event.stopImmediatePropagation();
  });
  createRestorer(root);
}

/** Creates the focus restorer as an element does: its code is loaded with the first focus. */
function loadRestorer({ host }: ShadowRoot): void {
  const { signal } = new AbortController();
  addElementKeyboardBehaviour(host as HTMLElement, () => new Set([host]), signal);
}

/** Replaces the content of a box by a new button. */
function swap(box: Element | null): void {
  box?.replaceChildren(createButton('new'));
}

describe('focus restorer', () => {
  for (const [name, id, act, wanted] of REMOVALS) {
    it(`moves the focus ${name}`, async () => {
      const { after } = await setupRestorer();
      expect(await after(id, act)).to.equal(wanted);
    });
  }

  // Styles are not observed.
  for (const [name, id, act, wanted] of REMOVALS.filter(([each]) => !each.includes('style'))) {
    it(`moves the focus ${name} in a browser that does not report the loss`, async () => {
      const { after } = await setupRestorer(CHAT, createWithoutBlur);
      expect(await after(id, act)).to.equal(wanted);
    });
  }

  for (const [name, act, wanted] of [
    ['to the messages when the control is removed', remove, 'scroller'],
    ['to the next sibling when the control is hidden', (node) => (node.hidden = true), 'b2'],
  ] satisfies [string, (node: HTMLElement) => unknown, string][]) {
    it(`moves the focus ${name} while its code is loading`, async () => {
      const { after, get } = await setupRestorer(CHAT, loadRestorer);
      get('a').focus();
      expect(await after('b', act)).to.equal(wanted);
    });
  }

  for (const [wanted, hidden, gate] of [
    ['field', '.scroller', ''],
    ['retry', '.scroller, .field', ''],
    ['gate', '.scroller, .field', '<section class="gate" id="gate" tabindex="-1"></section>'],
  ] as const) {
    it(`moves the focus to what is shown when ${hidden} are hidden: ${wanted}`, async () => {
      const { after, host } = await setupRestorer(
        CHAT.replace('<div class="bar">', `${gate}<div class="bar">`),
      );
      const hide = (): void => {
        for (const node of host.shadowRoot?.querySelectorAll<HTMLElement>(hidden) ?? [])
          node.hidden = true;
      };
      expect(await after('b', hide)).to.equal(wanted);
    });
  }

  it('does not move the focus of a typing user to a button', async () => {
    const { after } = await setupRestorer();
    expect(await after('answer', (node) => node.closest('form')?.remove())).to.equal('line');
  });

  it('keeps the focus that other code sets in the next frame', async () => {
    const { after, get } = await setupRestorer();
    const act = (node: HTMLElement): void => {
      node.remove();
      requestAnimationFrame(() => {
        get('field').focus();
      });
    };
    expect(await after('b', act)).to.equal('field');
  });

  it('does not take the focus from another part of the page', async () => {
    const { after, page } = await setupRestorer();
    const act = (node: HTMLElement): void => {
      page.focus();
      node.remove();
    };
    expect(await after('b', act)).to.equal('of-page');
  });

  it('does not take the focus back when the user has left the element', async () => {
    const { after } = await setupRestorer();
    const act = async (node: HTMLElement): Promise<void> => {
      node.blur();
      await nextFrame();
      node.remove();
    };
    expect(await after('b', act)).to.equal('body');
  });

  it('leaves the focus in the page when nothing in the element had it', async () => {
    const { get } = await setupRestorer();
    const before = deepActiveElement();
    remove(get('b'));
    get('c').hidden = true;
    for (let frames = 0; frames < 4; frames += 1) await nextFrame();
    expect(deepActiveElement()).to.equal(before);
  });

  it('observes a control again after it has lost and regained the focus', async () => {
    const { after, page } = await setupRestorer();
    expect(await after('a', () => page.focus())).to.equal('of-page');
    expect(await after('a', remove)).to.equal('b');
    expect(await after('b', remove)).to.equal('b2');
  });

  it('observes the control to which the focus has moved inside the element', async () => {
    const { after, get } = await setupRestorer();
    get('a').focus();
    await nextFrame();
    expect(await after('b', remove)).to.equal('b2');
  });

  it('loads its code again with the next focus when that could not be loaded', async () => {
    let requests = 0;
    lazyFocusRestorer.load = () => {
      requests += 1;
      return Promise.reject(new UbikError('load-failed'));
    };
    try {
      const { after, get, page } = await setupRestorer(CHAT, loadRestorer);
      for (const id of ['a', 'c']) {
        get(id).focus();
        await nextFrame();
        page.focus();
      }
      expect(requests).to.equal(2);
      Reflect.deleteProperty(lazyFocusRestorer, 'load');
      get('a').focus();
      await nextFrame();
      expect(await after('b', remove)).to.equal('b2');
    } finally {
      Reflect.deleteProperty(lazyFocusRestorer, 'load');
    }
  });

  it('does not scroll to the control that gets the focus', async () => {
    const { after, get } = await setupRestorer();
    const scroller = get('scroller');
    scroller.style.cssText = 'height: 50px; overflow: auto; overflow-anchor: none';
    for (const row of scroller.querySelectorAll('li')) row.style.height = '500px';
    get('b').focus();
    scroller.scrollTop = 1000;
    const { scrollTop } = scroller;
    expect(await after('c', (node) => node.remove())).to.equal('b');
    expect(scroller.scrollTop).to.equal(scrollTop);
  });

  it('does nothing when the element itself is removed', async () => {
    const { after, host } = await setupRestorer();
    expect(
      await after('b', () => {
        host.remove();
      }),
    ).to.equal('body');
  });

  it('moves the focus from a removed node of the page to the next one in its slot, else near the slot', async () => {
    const { after, host } = await setupRestorer(
      '<slot name="far"></slot><div class="ubik"><p><slot></slot><button id="near"></button></p></div>',
    );
    host.innerHTML =
      '<button id="slotted"></button><button id="far" slot="far"></button><button id="second"></button>';
    expect(await after('slotted', remove)).to.equal('second');
    expect(await after('second', remove)).to.equal('near');
  });

  it('does not move the focus of a typing user to a button in an element without messages and field', async () => {
    const list =
      '<div class="ubik"><button id="new"></button><input id="search" /><p><input id="title" /></p></div>';
    const { after } = await setupRestorer(list);
    expect(await after('title', (node) => node.closest('p')?.remove())).to.equal('search');
  });

  it('moves the focus of a typing user to a button where nothing else is left', async () => {
    const list = '<div class="ubik"><button id="only"></button><p><input id="title" /></p></div>';
    const { after } = await setupRestorer(list);
    expect(await after('title', (node) => node.closest('p')?.remove())).to.equal('only');
  });

  it('keeps the focus in an element with a closed shadow root when content of the page is removed from its slot', async () => {
    const host = await fixture<HTMLElement>(
      html`<div>
        <p><button id="slotted"></button><button id="of-page"></button></p>
      </div>`,
    );
    const root = host.attachShadow({ mode: 'closed' });
    root.innerHTML = '<div class="ubik"><button id="own"></button><slot></slot></div>';
    createRestorer(root);
    const slotted = host.querySelector('button') as HTMLElement;
    slotted.focus();
    slotted.remove();
    for (let frames = 0; frames < 4; frames += 1) await nextFrame();
    expect(root.activeElement?.id).to.equal('own');
  });

  it('accepts any control in an element without messages and field', async () => {
    const list =
      '<div class="ubik"><p><button id="a"></button></p><button id="first"></button></div>';
    const { after } = await setupRestorer(list);
    expect(await after('a', (node) => node.closest('p')?.remove())).to.equal('first');
  });
});

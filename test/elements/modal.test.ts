import { expect } from '@open-wc/testing';
import type { ReactiveController } from 'lit';
import type { StreamController } from '../../src/controller/controller-types.js';
import { showModal } from '../../src/dom/modal.js';
import { ConnectedElements } from '../../src/elements/base/connected-elements.js';
import type { ConnectedHost } from '../../src/elements/base/connected-host.js';
import { focusMessages } from '../../src/elements/base/focus-messages.js';
import { openModal } from '../../src/elements/base/modal.js';

/** An element with this content. The calls of `focus` on its nodes are recorded, each with the class of the node and the options. */
function setup(content: readonly HTMLElement[], controller: StreamController | null = null) {
  const element = document.body.appendChild(document.createElement('div'));
  const renderRoot = element.attachShadow({ mode: 'open' });
  const root = renderRoot.appendChild(document.createElement('div'));
  root.className = 'ubik';
  root.append(...content);
  const focused: unknown[] = [];
  for (const node of content.flatMap((each) => [each, ...each.querySelectorAll('*')])) {
    const { focus } = node as HTMLElement;
    Object.assign(node, {
      focus(options: unknown) {
        focused.push([node.className, options]);
        focus.call(node, options as FocusOptions);
      },
    });
  }
  let closed = 0;
  const controllers = new Set<ReactiveController>();
  const reactive = {
    renderRoot,
    addController: (controller: ReactiveController) => controllers.add(controller),
    removeController: (controller: ReactiveController) => controllers.delete(controller),
  };
  const host = { element: Object.assign(element, reactive), controller, context: { locale: null } };
  return {
    element,
    root,
    renderRoot,
    controllers,
    focused,
    closed: () => closed,
    open: () =>
      openModal(
        host as unknown as ConnectedHost,
        'example',
        () => undefined,
        () => void (closed += 1),
      ),
    remove: () => element.remove(),
  };
}

function create(name: 'button' | 'div', className: string, ...children: Node[]): HTMLElement {
  const node = document.createElement(name);
  node.className = className;
  if (className === 'scroller') node.tabIndex = 0;
  node.append(...children);
  return node;
}

/** Resolves when a dialog has closed, which the browser reports later. */
const closing = (node: HTMLElement): Promise<Event> =>
  new Promise((resolve) => {
    node.addEventListener('close', resolve, { once: true });
  });

const WITHOUT_SCROLL = { preventScroll: true };

describe('a modal dialog of an element', () => {
  it('is styled, covers the page, and is removed when it is closed in any way', async () => {
    const { root, open, closed, controllers, remove } = setup([create('button', 'one')]);
    for (const close of [
      ({ close: end }: ReturnType<typeof open>) => end(),
      ({ node }: ReturnType<typeof open>) => node.close(),
    ]) {
      const before = closed();
      const modal = open();
      const { node } = modal;
      expect([node.parentNode, node.className, node.part.value]).to.deep.equal([
        root,
        'modal example',
        'dialog',
      ]);
      expect(node.matches(':modal')).to.equal(true);
      expect(getComputedStyle(node).overscrollBehavior).to.equal('contain');
      const done = closing(node);
      close(modal);
      await done;
      expect([node.isConnected, closed() - before]).to.deep.equal([false, 1]);
      expect(controllers.size, 'observes the element no longer').to.equal(0);
    }
    remove();
  });

  it('returns the focus to the control that had it, and leaves the messages alone', async () => {
    const message = create('div', 'message');
    const opener = create('button', 'opener');
    const { renderRoot, open, focused, remove } = setup([
      create('button', 'first'),
      create('div', 'scroller', message),
      opener,
    ]);
    opener.focus();
    focused.length = 0;
    const { node, close } = open();
    const done = closing(node);
    close();
    await done;
    expect(renderRoot.activeElement).to.equal(opener);
    expect([focused, message.hasAttribute('tabindex')]).to.deep.equal([[], false]);
    remove();
  });

  it('returns the focus to content of the page in a slot of the element', async () => {
    const { element, open, focused, remove } = setup([
      create('div', 'scroller', create('div', 'message')),
      document.createElement('slot'),
    ]);
    const link = element.appendChild(create('button', 'of the page'));
    link.focus();
    focused.length = 0;
    const { node, close } = open();
    expect(document.activeElement, 'the focus is in the dialog').to.equal(element);
    const done = closing(node);
    close();
    await done;
    expect([document.activeElement, focused]).to.deep.equal([link, []]);
    remove();
  });

  it('leaves the focus where the page moves it when the control that had it is gone', async () => {
    const opener = create('button', 'opener');
    const { open, remove } = setup([create('div', 'scroller'), opener]);
    const outside = document.body.appendChild(create('button', 'outside'));
    opener.focus();
    const { node, close } = open();
    opener.remove();
    const done = closing(node);
    close();
    outside.focus();
    await done;
    expect(document.activeElement).to.equal(outside);
    outside.remove();
    remove();
  });

  for (const [name, content, expected] of [
    [
      'the newest message',
      () => [
        create('button', 'first'),
        create('div', 'scroller', create('div', 'message old'), create('div', 'message new')),
      ],
      'message new',
    ],
    [
      'the empty list of messages',
      () => [create('button', 'first'), create('div', 'scroller')],
      'scroller',
    ],
    [
      'the first button, if there are no messages,',
      () => [create('button', 'first'), create('button', 'second')],
      'first',
    ],
  ] as const) {
    it(`moves the focus to ${name} when the control that had it is gone`, async () => {
      const opener = create('button', 'opener');
      const { open, focused, renderRoot, remove } = setup([...content(), opener]);
      opener.focus();
      const { node, close } = open();
      opener.remove();
      focused.length = 0;
      const done = closing(node);
      close();
      await done;
      expect(focused).to.deep.equal([[expected, WITHOUT_SCROLL]]);
      expect(renderRoot.activeElement?.className).to.equal(expected);
      remove();
    });
  }
});

describe('the live regions of an element', () => {
  /** Live regions with an earlier announcement, between two other nodes. */
  function createRegions() {
    const region = create('div', 'region', document.createTextNode('Said'));
    const regions = create('div', 'hidden', region);
    const content = [create('button', 'before'), regions, create('div', 'after')];
    return {
      regions,
      content,
      isInPlace: () => regions.previousSibling === content[0] && regions.nextSibling === content[2],
    };
  }

  it('are in a dialog while it is open, without what was announced before', async () => {
    const { regions, content, isInPlace } = createRegions();
    const environment = { setTimer: () => undefined };
    const controller = { environment } as unknown as StreamController;
    const chat = setup(content);
    const panel = setup([create('button', 'elsewhere in the page')], controller);
    const leave = ConnectedElements.of(controller).add(chat.element);
    const { node, close } = panel.open();
    expect([regions.parentNode, regions.textContent]).to.deep.equal([node, '']);
    regions.firstElementChild?.append('Said in the dialog');
    const done = closing(node);
    close();
    await done;
    expect([isInPlace(), regions.textContent]).to.deep.equal([true, '']);
    leave();
    chat.remove();
    panel.remove();
  });

  it('are in a dialog of an element in a slot', async () => {
    const { regions, content, isInPlace } = createRegions();
    const chat = setup([document.createElement('slot'), ...content]);
    const dialog = document.createElement('dialog');
    const slotted = chat.element.appendChild(create('div', 'panel'));
    slotted.attachShadow({ mode: 'open' }).append(dialog);
    showModal(dialog);
    expect(regions.parentNode).to.equal(dialog);
    const done = closing(dialog);
    dialog.close();
    await done;
    expect(isInPlace()).to.equal(true);
    chat.remove();
  });

  for (const [name, order] of [
    ['the inner one', [1, 0]],
    ['the outer one', [0, 1]],
  ] as const) {
    it(`are in the inner one of two dialogs, and in their place after both, when ${name} closes first`, async () => {
      const { regions, content, isInPlace } = createRegions();
      const chat = setup(content);
      const dialogs = [0, 1].map(() => {
        const dialog = document.createElement('dialog');
        chat.root.append(dialog);
        showModal(dialog);
        dialog.addEventListener('close', () => dialog.remove());
        return dialog;
      });
      expect(regions.parentNode).to.equal(dialogs[1]);
      for (const at of order) {
        const dialog = dialogs[at] as HTMLDialogElement;
        const done = closing(dialog);
        dialog.close();
        await done;
        expect(regions.isConnected).to.equal(true);
      }
      expect(isInPlace()).to.equal(true);
      chat.remove();
    });
  }
});

describe('focusing the messages', () => {
  it('makes only the newest message focusable by script', () => {
    const messages = [create('div', 'message old'), create('div', 'message new')];
    const { root, remove } = setup([create('div', 'scroller', ...messages)]);
    expect(focusMessages(root)).to.equal(true);
    expect(messages.map((node) => node.getAttribute('tabindex'))).to.deep.equal([null, '-1']);
    remove();
  });

  it('does nothing without a list', () => {
    const { root, focused, remove } = setup([create('div', 'message')]);
    expect([focusMessages(root), focused]).to.deep.equal([false, []]);
    remove();
  });
});

import { expect } from '@open-wc/testing';
import { UbikError } from '../../src/errors.js';
import { contentOf } from '../controller/scripted-backend.js';
import { version } from './branch-fixture.js';
import { checkpointPart } from '../controller/checkpoints/build-tree.js';
import { pressKey, setupController, swapController } from './chat-fixture.js';
import { setupMap, setupSidePanel } from './map-fixture.js';

describe('<ubik-branch-map>', () => {
  it('is a tree of the known versions with one tab stop, and is built without switching', async () => {
    const { names, points, root, backend } = await setupMap();
    expect(names()).to.deep.equal([
      'Another version not loaded yet',
      'Another version not loaded yet',
      'You: Second question 3 versions · 2 messages',
    ]);
    expect(root.querySelector('[role=tree]')?.getAttribute('aria-label')).to.equal('Branches');
    expect(points().map((one) => one.getAttribute('aria-level'))).to.deep.equal(['1', '1', '1']);
    expect(points().map(({ tabIndex }) => tabIndex)).to.deep.equal([-1, -1, 0]);
    expect(points().map((one) => one.getAttribute('aria-current'))).to.deep.equal([
      null,
      null,
      'true',
    ]);
    expect(backend.count('switchBranch')).to.equal(0);
    await expect(root.host).to.be.accessible();
  });

  it('lists the points of an opened thread in a frame, not in the task that opens it', async () => {
    const { backend, controller, names, settle } = await setupMap();
    const before = names();
    backend.threads.set('other', contentOf('other', [version('o1', 'user', 'Other question')]));
    // The promise resolves after the microtasks in which elements are updated.
    await controller.openThread('other');
    await new Promise<void>((resolve) => {
      queueMicrotask(resolve);
    });
    expect(names(), 'before the frame').to.deep.equal(before);
    await settle();
    expect(names()).to.deep.equal(['You: Other question']);
  });

  it('aligns labels with the direction of the page', async () => {
    const { points } = await setupMap();
    const page = document.documentElement;
    const sides = ['ltr', 'rtl'].map((dir) => {
      page.dir = dir;
      return getComputedStyle(points()[2]?.querySelector('.excerpt') as Element).textAlign;
    });
    page.removeAttribute('dir');
    expect(sides).to.deep.equal(['left', 'right']);
  });

  it('loads a version when it is focused by key, and keeps the focus', async () => {
    const { press, points, focusedLabel, settle, backend } = await setupMap((id) => {
      if (id === 'q1') return version('q1', 'user', 'First \u202Equestion', ['q3', 'q1', 'q2'], 10);
      throw new UbikError('server');
    });
    points()[2]?.focus();
    press('ArrowUp');
    await settle();
    expect(focusedLabel()).to.equal('You: First question');
    // The tab stop follows the focus.
    expect(
      points()
        .filter(({ tabIndex }) => tabIndex === 0)
        .map(({ ariaLabel }) => ariaLabel),
    ).to.deep.equal([focusedLabel()]);
    press('Home');
    await settle();
    expect(focusedLabel()).to.equal('Another version not loaded yet');
    press('End');
    expect(focusedLabel()).to.contain('Second question');
    expect(backend.count('switchBranch')).to.equal(0);
  });

  for (const [direction, childKey, parentKey] of [
    ['ltr', 'ArrowRight', 'ArrowLeft'],
    ['rtl', 'ArrowLeft', 'ArrowRight'],
  ] as const) {
    it(`moves to children and parents by the visual direction (${direction})`, async () => {
      const { chat, points, press, focusedLabel } = await setupMap(undefined, [
        version('q2', 'user', 'Second', ['q1', 'q2'], 20),
        version('a2', 'assistant', 'Answer'),
        version('q4', 'user', 'Later', ['q3', 'q4'], 40),
      ]);
      chat.style.direction = direction;
      expect(points().map((one) => one.getAttribute('aria-level'))).to.deep.equal([
        '1',
        '1',
        '2',
        '2',
      ]);
      points()[3]?.focus();
      press(parentKey);
      expect(focusedLabel()).to.contain('Second');
      press(childKey);
      press('ArrowDown');
      expect(focusedLabel()).to.contain('Later');
    });
  }

  it('prefetches the visible versions, each once, and scrolls to the shown branch', async () => {
    const ids = Array.from({ length: 60 }, (_, at) => `q${at}`);
    const loaded: string[] = [];
    const talk = [version('q59', 'user', 'The last question', ids, 60)];
    const { points, root, settle } = await setupMap((id) => {
      loaded.push(id);
      return version(id, 'user', `Question ${id}`, ids, Number(id.slice(1)) + 1);
    }, talk);
    /** The ids of the versions of which at least one pixel is visible. */
    const visible = (): string[] => {
      const box = root.querySelector('.points')?.getBoundingClientRect();
      return points()
        .filter((point) => {
          const { top, bottom } = point.getBoundingClientRect();
          return bottom >= (box?.top ?? 0) + 1 && top <= (box?.bottom ?? 0) - 1;
        })
        .map(({ dataset }) => dataset['key']?.replace('version ', '') ?? '');
    };
    for (let turn = 0; turn < 5; turn += 1) await settle();
    const scroller = root.querySelector<HTMLElement>('.points');
    const last = points().at(-1)?.getBoundingClientRect();
    expect(last?.bottom).to.be.at.most((scroller?.getBoundingClientRect().bottom ?? 0) + 1);
    expect(loaded.length).to.be.within(5, 40);
    expect(new Set(loaded).size).to.equal(loaded.length);
    expect([...loaded, 'q59']).to.have.members(visible());
    expect(points().at(-1)?.ariaPosInSet).to.equal('60');
    expect(points().at(-1)?.ariaSetSize).to.equal('60');
    scroller?.scrollTo(0, 0);
    for (let turn = 0; turn < 8; turn += 1) await settle();
    expect(points()[0]?.ariaLabel).to.contain('Question');
    loaded.length = 0;
    // The first and the last visible row are cut.
    const [row] = points();
    scroller?.scrollTo(0, 25.5 * (row?.offsetHeight ?? 0));
    for (let turn = 0; turn < 8; turn += 1) await settle();
    const cut = visible();
    expect(cut.length).to.be.above(2);
    expect(loaded).to.include(cut[0]).and.to.include(cut.at(-1));
  });

  it('stops prefetching when a request fails', async () => {
    const ids = Array.from({ length: 60 }, (_, at) => `q${at}`);
    let requests = 0;
    const { settle } = await setupMap(() => {
      requests += 1;
      throw new UbikError('rate-limited');
    }, [version('q59', 'user', 'The last question', ids, 60)]);
    for (let turn = 0; turn < 5; turn += 1) await settle();
    expect(requests).to.be.within(1, 2);
  });

  it('switches to a selected version with its events and returns the focus to the chat', async () => {
    const { press, points, settle, events, backend, shown, chat, focused } = await setupMap();
    const third = version('q3', 'user', 'Third question', ['q3', 'q1', 'q2'], 30);
    backend.responses.set('switchBranch', () => contentOf('t', [third]));
    points()[0]?.focus();
    press('Enter');
    await settle();
    await settle();
    expect(shown()).to.deep.equal(['Third question']);
    expect(events.map(({ type }) => type)).to.deep.equal([
      'ubik-branch-switch',
      'ubik-branch-switched',
    ]);
    expect(events[0]?.detail).to.deep.equal({ threadId: 't', messageId: 'q3' });
    expect(chat.shadowRoot?.querySelector('dialog')).to.equal(null);
    expect(document.activeElement === chat).to.equal(true);
    expect(focused()).to.equal('Branches');
  });

  it('scrolls the chat to a version of the shown branch without a request', async () => {
    const { points, root, chat, backend, settle } = await setupMap();
    points()[2]?.click();
    await settle();
    expect(backend.count('switchBranch')).to.equal(0);
    expect(root.host.isConnected).to.equal(false);
    expect(chat.shadowRoot?.activeElement?.classList.contains('user')).to.equal(true);
  });

  it('scrolls the enclosing chat when it is a side panel', async () => {
    const { chat, settle, root } = await setupSidePanel();
    root.querySelector<HTMLElement>('.point.active')?.click();
    await settle();
    expect(document.activeElement === chat).to.equal(true);
    expect(chat.shadowRoot?.activeElement?.textContent).to.contain('Second question');
  });

  it('stays open when the host page cancels or the switch fails, and shows the error', async () => {
    const { points, root, chat, backend, settle, focusedLabel } = await setupMap();
    const cancel = (event: Event): void => {
      event.preventDefault();
    };
    chat.addEventListener('ubik-branch-switch', cancel);
    points()[0]?.focus();
    points()[0]?.click();
    await settle();
    expect(backend.count('switchBranch')).to.equal(0);
    chat.removeEventListener('ubik-branch-switch', cancel);
    for (const code of [
      'unauthorized',
      'forbidden',
      'not-found',
      'busy',
      'server',
      'network',
    ] as const) {
      backend.responses.set('switchBranch', () => {
        throw new UbikError(code, '', { status: 400 });
      });
      points()[0]?.click();
      await settle();
      expect(root.querySelector('.error-text')?.textContent.trim() ?? '', code).not.to.equal('');
      expect(root.host.isConnected).to.equal(true);
      expect(focusedLabel()).to.contain('not loaded yet');
    }
  });

  it('disables switching with a reason while a run is in progress', async () => {
    const { points, root, backend, controller, settle, events } = await setupMap();
    const names = (): string[] => events.map(({ type }) => type);
    const sent = controller.send({ text: 'More', attachments: [] });
    await settle();
    expect(points()[0]?.getAttribute('aria-disabled')).to.equal('true');
    expect(points()[2]?.getAttribute('aria-disabled'), 'on the shown branch').to.equal('false');
    expect(root.querySelector('.note')?.textContent).to.contain('is working');
    points()[0]?.click();
    await settle();
    expect(backend.count('switchBranch')).to.equal(0);
    expect(names()).not.to.include('ubik-branch-switch');
    expect(root.querySelector('.error-text')).to.equal(null);
    backend.stream.begin();
    await sent;
  });

  it('restores the focus when closed by Escape', async () => {
    const { chat, focused, settle } = await setupMap();
    const dialog = chat.shadowRoot?.querySelector('dialog');
    // The browser closes the dialog on Escape.
    dialog?.close();
    await settle();
    expect(focused()).to.equal('Branches');
  });

  it('describes each version and checkpoint as a tree item', async () => {
    const question = version('q2', 'user', 'Second question', ['q1', 'q2'], 20);
    const answer = version('a2', 'assistant', '', ['a1', 'a2'], 30);
    const parts = [checkpointPart('c1'), ...answer.parts];
    const { points } = await setupMap(undefined, [question, { ...answer, parts }]);
    const read = (name: string): (string | null)[] => points().map((one) => one.getAttribute(name));
    expect(points().map((one) => one.className.trim().replace(/\s+/g, ' '))).to.deep.equal([
      'point version',
      'point active version',
      'point version',
      'point active version',
      'point active checkpoint',
    ]);
    expect(read('role')).to.deep.equal(points().map(() => 'treeitem'));
    expect(read('part')).to.deep.equal(points().map(() => 'point'));
    expect(read('aria-level')).to.deep.equal(['1', '1', '2', '2', '3']);
    expect(read('aria-selected')).to.deep.equal(['false', 'true', 'false', 'true', 'true']);
    expect(read('aria-disabled')).to.deep.equal(points().map(() => 'false'));
    expect(read('aria-current')).to.deep.equal([null, null, null, 'true', null]);
    expect(read('aria-label')).to.deep.equal([
      'Another version not loaded yet',
      'You: Second question 2 versions',
      'Another version not loaded yet',
      'Assistant 2 versions',
      'Checkpoint: c1',
    ]);
    const described = points().map((one) => one.hasAttribute('aria-describedby'));
    expect(described).to.deep.equal([true, false, true, false, false]);
    const texts = points().map((one) => one.querySelector('.excerpt')?.textContent);
    expect(texts).to.deep.equal([
      'Another version',
      'Second question',
      'Another version',
      'Assistant',
      'c1',
    ]);
    expect(points().map((one) => one.querySelector('.meta')?.textContent)).to.deep.equal([
      'not loaded yet',
      '2 versions',
      'not loaded yet',
      '2 versions',
      '',
    ]);
    expect(points().map((one) => one.querySelectorAll('.label .icon').length)).to.deep.equal([
      0, 0, 0, 0, 1,
    ]);
    const circles = points().map((one) => one.querySelector('circle'));
    expect(
      circles.map((one) => [one?.getAttribute('class'), one?.getAttribute('r')]),
    ).to.deep.equal([
      ['not-loaded', '5'],
      ['', '5'],
      ['not-loaded', '5'],
      ['', '5'],
      ['', '2.5'],
    ]);
    const [first, second] = circles.map((one) => Number(one?.getAttribute('cx')));
    expect(first, 'another branch has its own lane').to.be.above(second ?? Infinity);
    const box = points()[0]?.querySelector('svg')?.viewBox.baseVal;
    expect(circles.map((one) => Number(one?.getAttribute('cy')))).to.deep.equal(
      circles.map(() => (box?.height ?? 0) / 2),
    );
    const { width } = points()[0]?.querySelector('svg')?.getBoundingClientRect() ?? {};
    expect(width).to.be.closeTo(box?.width ?? 0, 1);
  });

  it('draws round points at the size of its text, whatever the font size of the root', async () => {
    const { map, points } = await setupMap();
    const size = (): readonly (number | undefined)[] => {
      const { width, height } = points()[0]?.querySelector('svg')?.getBoundingClientRect() ?? {};
      const circle = points()[0]?.querySelector('circle')?.getBoundingClientRect();
      expect(circle?.width).to.be.closeTo(circle?.height ?? NaN, 0.01);
      return [width, height];
    };
    const [width = NaN, height] = size();
    expect(height).to.equal(44);
    document.documentElement.style.fontSize = '62.5%';
    try {
      expect(size()).to.deep.equal([width, 44]);
    } finally {
      document.documentElement.style.fontSize = '';
    }
    map.style.setProperty('--ubik-font-size', '30px');
    expect(size()).to.deep.equal([2 * width, 88]);
  });

  it('is operated by Enter, Space and arrows only without a modifier, and once by a held key', async () => {
    const { points, press, root, backend, settle, focusedLabel, events, map } = await setupMap();
    const passed = (key: string, init: KeyboardEventInit = {}): boolean =>
      pressKey(root.activeElement, key, init).defaultPrevented;
    points()[1]?.focus();
    for (const modifier of ['altKey', 'ctrlKey', 'metaKey', 'shiftKey']) {
      for (const key of ['ArrowUp', 'Enter', ' ', 'End'])
        expect(passed(key, { [modifier]: true }), modifier + key).to.equal(false);
    }
    for (const key of ['a', 'PageDown', 'Tab']) expect(passed(key), key).to.equal(false);
    expect(passed('Enter', { repeat: true })).to.equal(true);
    await settle();
    expect(backend.count('switchBranch')).to.equal(0);
    expect(points().indexOf(root.activeElement as HTMLElement)).to.equal(1);
    // Keys without a target, at the ends and at a version without children or parent.
    for (const [key, at] of [
      ['ArrowDown', 2],
      ['ArrowDown', 2],
      ['ArrowRight', 2],
      ['ArrowLeft', 2],
      ['ArrowUp', 1],
      ['ArrowUp', 0],
      ['ArrowUp', 0],
    ] as const) {
      expect(passed(key), key).to.equal(true);
      expect(points().indexOf(root.activeElement as HTMLElement), key).to.equal(at);
    }
    expect(focusedLabel()).to.contain('not loaded yet');
    let requests = 0;
    backend.responses.set('switchBranch', () => {
      requests += 1;
      return new Promise(() => undefined);
    });
    press(' ');
    press('Enter');
    points()[1]?.click();
    await settle();
    expect(requests, 'one switch at a time').to.equal(1);
    expect(events.filter(({ type }) => type === 'ubik-branch-switch').length).to.equal(1);
    expect(map.isConnected).to.equal(true);
    // Last, because WebKit closes a modal dialog on a synthetic Escape, too.
    expect(passed('Escape'), 'left to the browser').to.equal(false);
  });

  it('is empty when the service has no branches, and without messages', async () => {
    const { points, root, backend, map, settle, controller } = await setupSidePanel();
    controller.switchToNewThread();
    await settle();
    expect(root.querySelector('.note')?.textContent).to.equal(
      'Editing a message creates another branch.',
    );
    await controller.openThread('t');
    await settle();
    expect(points().length).to.equal(3);
    expect(root.querySelector('.note')?.textContent.trim()).to.equal(
      'Selecting a version switches the conversation to it.',
    );
    expect(root.querySelector('.note')?.id).to.equal(points()[0]?.getAttribute('aria-describedby'));
    backend.capabilities.delete('branches');
    map.requestUpdate();
    await settle();
    expect(points()).to.deep.equal([]);
    expect(root.querySelector('.note')?.textContent).to.equal(
      'Editing a message creates another branch.',
    );
  });

  it('is named, and closes with its button', async () => {
    const { chat, query, focused, settle, root } = await setupMap();
    const dialog = query('dialog.map');
    const title = dialog.querySelector('h2');
    expect(title?.textContent).to.equal('Branches');
    expect(dialog.getAttribute('aria-labelledby')).to.equal(title?.id);
    expect(focused()).to.equal('Close');
    dialog.querySelector('button')?.click();
    await settle();
    expect(chat.shadowRoot?.querySelector('dialog')).to.equal(null);
    expect(root.host.isConnected).to.equal(false);
  });

  it('shows the last error until the next switch, and none when the switch was aborted', async () => {
    const { points, root, backend, settle } = await setupMap();
    const fail = async (error: UbikError): Promise<void> => {
      backend.responses.set('switchBranch', () => Promise.reject(error));
      points()[0]?.click();
      await settle();
    };
    await fail(new UbikError('forbidden'));
    expect(root.querySelector('.error-text')?.textContent.trim()).to.equal(
      'The service does not allow this.',
    );
    expect(root.querySelector('.error-text')?.getAttribute('role')).to.equal('alert');
    await fail(new UbikError('aborted'));
    expect(root.querySelector('.error-text')).to.equal(null);
  });

  it('shows the error of a switch in its thread only', async () => {
    const { points, root, backend, chat, controller, settle } = await setupSidePanel();
    const more = [version('q5', 'user', 'Fifth question', ['q5', 'q6'], 50)];
    backend.threads.set('u', contentOf('u', more));
    const fail = async (): Promise<void> => {
      backend.responses.set('switchBranch', () => Promise.reject(new UbikError('forbidden')));
      points()[0]?.click();
      await settle();
      expect(root.querySelectorAll('.error-text').length).to.equal(1);
    };
    await fail();
    await controller.openThread('u');
    await settle();
    expect(points().length).to.equal(2);
    expect(root.querySelector('.error-text')).to.equal(null);
    await controller.openThread('t');
    await settle();
    await fail();
    await swapController({ backend, chat, controller, settle });
    expect(points().length).to.equal(1);
    expect(root.querySelector('.error-text')).to.equal(null);
  });

  it('shows the versions of another thread, and those of another controller', async () => {
    const { points, map, backend, controller, settle } = await setupSidePanel();
    const more = [version('q4', 'user', 'Fourth question', ['q3', 'q1', 'q2', 'q4'], 40)];
    backend.threads.set('u', contentOf('u', more));
    await controller.openThread('u');
    await settle();
    expect(points().length).to.equal(4);
    const other = setupController();
    other.backend.capabilities.add('branches');
    other.backend.threads.set('v', contentOf('v', [version('x', 'user', 'Only one')]));
    await other.controller.openThread('v');
    map.controller = other.controller;
    await settle();
    expect(points().map((point) => point.ariaLabel)).to.deep.equal(['You: Only one']);
    expect(points()[0]?.tabIndex).to.equal(0);
  });

  it('loads the visible versions also for another controller that has not loaded them', async () => {
    const read = (id: string) =>
      version(id, 'user', `Question ${id}`, ['q3', 'q1', 'q2'], Number(id.slice(1)));
    const { points, map, backend, controller, settle } = await setupSidePanel(read);
    for (let turn = 0; turn < 3; turn += 1) await settle();
    const loaded = points().map(({ ariaLabel }) => ariaLabel);
    expect(loaded.slice(0, 2)).to.deep.equal([
      'You: Question q1 1 of 3',
      'You: Question q3 2 of 3',
    ]);
    const other = setupController();
    for (const name of backend.capabilities) other.backend.capabilities.add(name);
    other.backend.responses.set('loadMessage', (_, id) => read(String(id)));
    for (const [id, content] of backend.threads) other.backend.threads.set(id, content);
    await other.controller.openThread(controller.thread?.id ?? '');
    map.controller = other.controller;
    for (let turn = 0; turn < 3; turn += 1) await settle();
    expect(points().map(({ ariaLabel }) => ariaLabel)).to.deep.equal(loaded);
  });

  it('does not load the versions of the previous controller from the new one', async () => {
    const answers: (() => void)[] = [];
    const read = (id: string) =>
      new Promise<ReturnType<typeof version>>((resolve) => {
        const siblings = ['q3', 'q1', 'q2'];
        answers.push(() => {
          resolve(version(id, 'user', `Question ${id}`, siblings, 1));
        });
      });
    const { map, backend, settle } = await setupSidePanel(read);
    const other = setupController();
    for (const name of backend.capabilities) other.backend.capabilities.add(name);
    const requested: unknown[] = [];
    other.backend.responses.set('loadMessage', (_, id) => {
      requested.push(id);
      throw new UbikError('not-found');
    });
    // The messages of the other controller have the same keys.
    const siblings = ['x1', 'x2'];
    other.backend.threads.set('v', contentOf('v', [version('x2', 'user', 'X', siblings, 20)]));
    await other.controller.openThread('v');
    map.controller = other.controller;
    await settle();
    expect(answers.length).to.be.above(0);
    for (const answer of answers) answer();
    for (let turn = 0; turn < 3; turn += 1) await settle();
    expect(requested).to.deep.equal(['x1']);
  });

  it('ignores clicks, keys and the focus outside of its points', async () => {
    const { root, backend, points, settle } = await setupMap();
    const tree = root.querySelector<HTMLElement>('.points');
    points()[0]?.focus();
    tree?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    tree?.click();
    expect(pressKey(tree, 'Enter').defaultPrevented).to.equal(false);
    expect(pressKey(tree, 'Home').defaultPrevented).to.equal(false);
    await settle();
    expect(backend.count('switchBranch')).to.equal(0);
    expect(points().map(({ tabIndex }) => tabIndex)).to.deep.equal([0, -1, -1]);
  });

  it('does not take the focus from elsewhere when it is rendered again', async () => {
    const { chat, points, map, settle, focused } = await setupMap();
    points()[0]?.focus();
    chat.shadowRoot?.querySelector<HTMLElement>('dialog.map button')?.focus();
    map.requestUpdate();
    await settle();
    expect(focused()).to.equal('Close');
    expect(points().map(({ tabIndex }) => tabIndex)).to.deep.equal([0, -1, -1]);
  });

  it('switches to another version that is loaded, which then has the focus', async () => {
    const { chat, root, settle, points, backend } = await setupSidePanel((id) =>
      version(id, 'user', `Question ${id}`, ['q3', 'q1', 'q2'], Number(id.slice(1)) * 10),
    );
    const label = (): string => root.activeElement?.ariaLabel ?? '';
    const first = points().find(({ ariaLabel }) => ariaLabel?.includes('Question q1'));
    expect(first?.ariaSelected).to.equal('false');
    const content = contentOf('t', [version('q1', 'user', 'Question q1', ['q3', 'q1', 'q2'], 10)]);
    backend.responses.set('switchBranch', () => content);
    first?.focus();
    first?.click();
    await settle();
    await settle();
    expect(backend.count('switchBranch')).to.equal(1);
    expect(chat.contains(document.activeElement)).to.equal(true);
    expect(label()).to.contain('Question q1');
    expect(root.activeElement?.ariaSelected).to.equal('true');
  });

  it('shows a checkpoint as soon as the answer has it', async () => {
    const { backend, controller, points, settle } = await setupMap();
    const sent = controller.send({ text: 'More', attachments: [] });
    await settle();
    backend.stream.begin();
    await sent;
    await settle();
    const checkpoints = (): (string | null)[] =>
      points()
        .filter((point) => point.classList.contains('checkpoint'))
        .map(({ ariaLabel }) => ariaLabel);
    expect(checkpoints()).to.deep.equal([]);
    const message = backend.stream.keys.answer;
    const value = { kind: 'checkpoint', name: 'c1' } as const;
    const change = { type: 'part', message, part: 'checkpoint:c1', parent: null } as const;
    backend.stream.push({ ...change, before: null, value });
    await settle();
    expect(checkpoints()).to.deep.equal(['Checkpoint: c1']);
  });

  it('is operated by keys while an answer is written', async () => {
    const { backend, controller, points, press, settle, root } = await setupMap();
    const sent = controller.send({ text: 'More', attachments: [] });
    await settle();
    backend.stream.begin();
    await sent;
    await settle();
    points()[0]?.focus();
    backend.stream.append(0, 'It is');
    await settle();
    press('ArrowDown');
    expect(points().indexOf(root.activeElement as HTMLElement)).to.equal(1);
  });

  it('loads versions and is scrolled when it is shown, and not while it is hidden', async () => {
    const ids = Array.from({ length: 60 }, (_, at) => `q${at}`);
    const loaded: string[] = [];
    const { map, root, points, settle } = await setupSidePanel(
      (id) => {
        loaded.push(id);
        return version(id, 'user', `Question ${id}`, ids, 1);
      },
      [version('q59', 'user', 'The last question', ids, 60)],
      (element) => {
        element.hidden = true;
      },
    );
    await settle();
    expect(points().length).to.equal(60);
    expect(loaded).to.deep.equal([]);
    map.hidden = false;
    for (let turn = 0; turn < 3; turn += 1) await settle();
    const box = root.querySelector('.points')?.getBoundingClientRect();
    const last = points().at(-1)?.getBoundingClientRect();
    expect(last?.bottom).to.be.at.most((box?.bottom ?? 0) + 1);
    expect(loaded.length).to.be.above(0);
  });

  it('is scrolled to the shown branch of each controller', async () => {
    const ids = Array.from({ length: 60 }, (_, at) => `q${at}`);
    const { map, root, settle } = await setupMap(undefined, [
      version('q59', 'user', 'The last question', ids, 60),
    ]);
    const scroller = (): Element | null => root.querySelector('.points');
    expect(scroller()?.scrollTop).to.be.above(0);
    scroller()?.scrollTo(0, 0);
    const other = setupController();
    other.backend.capabilities.add('branches');
    const more = [...ids, 'q60'];
    other.backend.threads.set('v', contentOf('v', [version('q60', 'user', 'Last', more, 60)]));
    map.controller = other.controller;
    await settle();
    await other.controller.openThread('v');
    for (let turn = 0; turn < 3; turn += 1) await settle();
    expect(scroller()?.scrollTop).to.be.above(0);
  });

  it('offers to ask a question in an empty conversation, but not where the service has no branches', async () => {
    const { controller, root, settle, backend, map, chat } = await setupSidePanel();
    controller.switchToNewThread();
    await settle();
    const button = (): HTMLElement | null => root.querySelector('.ask');
    button()?.click();
    expect(chat.shadowRoot?.activeElement?.matches('textarea')).to.equal(true);
    backend.capabilities.delete('branches');
    map.requestUpdate();
    await settle();
    expect(button()).to.equal(null);
  });

  it('numbers the versions when all of them are loaded', async () => {
    const ids = ['q3', 'q1', 'q2'];
    const { names, settle } = await setupMap((id) =>
      version(id, 'user', `Question ${id}`, ids, Number(id.slice(1)) * 10),
    );
    for (let turn = 0; turn < 5; turn += 1) await settle();
    expect(names()).to.deep.equal([
      'You: Question q1 1 of 3',
      'You: Question q3 3 of 3',
      'You: Second question 2 of 3 · 2 messages',
    ]);
  });

  it('is scrolled once, so that the end of the shown branch is in the middle', async () => {
    const ids = Array.from({ length: 40 }, (_, at) => `q${at}`);
    const answer = version('a', 'assistant', 'Answer');
    const parts = Array.from({ length: 40 }, (_, at) => checkpointPart(`c${at}`));
    const question = version('q39', 'user', 'The last question', ids, 60);
    const { points, root, settle, map } = await setupMap(undefined, [
      question,
      { ...answer, parts: [...answer.parts, ...parts] },
    ]);
    await settle();
    const scroller = root.querySelector('.points') as HTMLElement;
    const row = points()
      .find(({ tabIndex }) => tabIndex === 0)
      ?.getBoundingClientRect();
    const { top } = scroller.getBoundingClientRect();
    expect(row?.top).to.be.closeTo(top + scroller.clientHeight / 2, 2);
    scroller.scrollTop = 0;
    map.style.maxHeight = `${scroller.clientHeight}px`;
    await settle();
    await settle();
    expect(scroller.scrollTop, 'after the user has scrolled').to.equal(0);
  });
});

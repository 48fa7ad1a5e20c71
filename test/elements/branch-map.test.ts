import { expect } from '@open-wc/testing';
import { UbikError } from '../../src/errors.js';
import { contentOf } from '../controller/scripted-backend.js';
import { setupBranches, version } from './branch-fixture.js';
import { setupMap } from './map-fixture.js';

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

  it('prefetches visible versions one at a time and scrolls to the current branch', async () => {
    const ids = Array.from({ length: 60 }, (_, at) => `q${at}`);
    const loaded: string[] = [];
    const talk = [version('q59', 'user', 'The last question', ids, 60)];
    const { points, root, settle } = await setupMap((id) => {
      loaded.push(id);
      return version(id, 'user', `Question ${id}`, ids, Number(id.slice(1)) + 1);
    }, talk);
    for (let turn = 0; turn < 5; turn += 1) await settle();
    const scroller = root.querySelector<HTMLElement>('.points');
    const last = points().at(-1)?.getBoundingClientRect();
    expect(last?.bottom).to.be.at.most((scroller?.getBoundingClientRect().bottom ?? 0) + 1);
    expect(loaded.length).to.be.within(5, 40);
    expect(new Set(loaded).size).to.equal(loaded.length);
    expect(points().at(-1)?.ariaPosInSet).to.equal('60');
    expect(points().at(-1)?.ariaSetSize).to.equal('60');
    scroller?.scrollTo(0, 0);
    for (let turn = 0; turn < 8; turn += 1) await settle();
    expect(points()[0]?.ariaLabel).to.contain('Question');
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

  it('scrolls to a version of the current branch without a request', async () => {
    const { points, root, chat, backend, settle } = await setupMap();
    points()[2]?.click();
    await settle();
    expect(backend.count('switchBranch')).to.equal(0);
    expect(root.host.isConnected).to.equal(false);
    expect(chat.shadowRoot?.activeElement?.classList.contains('user')).to.equal(true);
  });

  it('scrolls the enclosing chat when it is a side panel', async () => {
    const { chat, settle } = await setupBranches();
    const map = document.createElement('ubik-branch-map');
    map.slot = 'end';
    chat.append(map);
    for (let turn = 0; turn < 20 && !map.shadowRoot?.querySelector('.point'); turn += 1) {
      await settle();
    }
    map.shadowRoot?.querySelector<HTMLElement>('.point.active')?.click();
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
      expect(root.querySelector('.error-text')?.textContent.trim(), code).not.to.equal('');
      expect(root.host.isConnected).to.equal(true);
      expect(focusedLabel()).to.contain('not loaded yet');
    }
  });

  it('disables switching with a reason while a run is in progress', async () => {
    const { points, root, backend, controller, settle } = await setupMap();
    const sent = controller.send({ text: 'More', attachments: [] });
    await settle();
    expect(points()[0]?.getAttribute('aria-disabled')).to.equal('true');
    expect(root.querySelector('.note')?.textContent).to.contain('is working');
    points()[0]?.click();
    await settle();
    expect(backend.count('switchBranch')).to.equal(0);
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
});

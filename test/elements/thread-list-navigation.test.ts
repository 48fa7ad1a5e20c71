import { expect } from '@open-wc/testing';
import { UbikError } from '../../src/errors.js';
import { pressKey } from './chat-fixture.js';
import { NOON } from './scripted-clock.js';
import { plain, setupThreads, threadsOf } from './thread-fixture.js';

type Fixture = Awaited<ReturnType<typeof setupThreads>>;

/** Types into the search field. */
async function search(fixture: Fixture, text: string): Promise<void> {
  const field = fixture.root.querySelector<HTMLInputElement>('input[type=search]');
  if (!field) throw new Error('There is no field to search in.');
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await fixture.settle();
}

describe('thread list', () => {
  it('uses one tab stop and the arrow keys', async () => {
    const fixture = await setupThreads();
    await fixture.open('Talk 2');
    const reachable = fixture.all('.thread-open').filter((node) => node.tabIndex === 0);
    expect(reachable.map(plain)).to.deep.equal(['Talk 0']);
    reachable[0]?.focus();
    for (const [key, title] of [
      ['ArrowDown', 'Talk 1'],
      ['End', 'Talk 4'],
      ['ArrowDown', 'Talk 4'],
      ['ArrowUp', 'Talk 3'],
      ['Home', 'Talk 0'],
    ] as const) {
      fixture.key(key);
      expect(fixture.focused(), key).to.equal(title);
      const tabs = fixture.all('.thread-open').filter((node) => node.tabIndex === 0);
      expect(tabs.map(plain), key).to.deep.equal([title]);
    }
  });

  it('keeps the focus on a thread that moves up', async () => {
    const fixture = await setupThreads();
    fixture.all('.thread-open')[3]?.focus();
    const listed = fixture.controller.threads.get('t3') as Record<string, string | number>;
    fixture.controller.setListItem('threads', 't3', { ...listed, updatedAt: NOON + 1 });
    await fixture.settle();
    expect(fixture.titles()[0]).to.equal('Talk 3');
    expect(fixture.focused()).to.equal('Talk 3');
  });

  it('keeps the focus and the position of a thread when others change', async () => {
    const fixture = await setupThreads(threadsOf(50));
    const { controller, settle, all, root, list, focused } = fixture;
    const scroller = root.querySelector('.thread-scroller') as HTMLElement;
    // Not every browser has scroll anchoring, so the list must work without it.
    scroller.style.overflowAnchor = 'none';
    all('.thread-open')[20]?.focus();
    await settle();
    const row = all('.thread')[20];
    scroller.scrollTop = 300;
    const before = row?.getBoundingClientRect().top ?? NaN;
    let blurs = 0;
    list.addEventListener('focusout', () => (blurs += 1));
    controller.setListItem('threads', 'new', { title: 'New', updatedAt: NOON + 1 });
    await settle();
    expect(fixture.titles()[0]).to.equal('New');
    expect(focused()).to.equal('Talk 20');
    expect(row?.getBoundingClientRect().top).to.be.closeTo(before, 1);
    expect(blurs).to.equal(0);
  });

  it('loads page by page while it is scrolled to its end, each thread once', async () => {
    const fixture = await setupThreads(threadsOf(120));
    const scroller = fixture.root.querySelector('.thread-scroller') as HTMLElement;
    for (let turn = 0; turn < 12 && fixture.titles().length < 120; turn += 1) {
      scroller.scrollTop = scroller.scrollHeight;
      await fixture.settle();
    }
    expect(fixture.titles()).to.deep.equal(threadsOf(120).map(({ title }) => title));
    expect(fixture.backend.calls.filter(({ method }) => method === 'listThreads')).to.have.length(
      3,
    );
  });

  it('shows that a page failed, and loads it on Retry', async () => {
    const fixture = await setupThreads();
    const { backend, settle, root, list } = fixture;
    const answer = backend.responses.get('listThreads');
    backend.responses.set('listThreads', () => {
      throw new UbikError('network', 'cut');
    });
    list.controller = (await setupThreads()).controller;
    await settle();
    list.controller = fixture.controller;
    await settle();
    const foot = root.querySelector('.thread-footer');
    expect(plain(foot)).to.contain('Retry');
    const requests = backend.count('listThreads');
    await settle();
    expect(backend.count('listThreads'), 'not repeated by itself').to.equal(requests);
    if (answer) backend.responses.set('listThreads', answer);
    fixture.click(foot?.querySelector('button'));
    await settle();
    expect(plain(foot)).to.equal('');
    expect(fixture.titles()).to.have.length(5);
  });

  it('shows why a thread that the search has hidden was not deleted, as soon as the list shows it again', async () => {
    const fixture = await setupThreads();
    fixture.backend.responses.set('deleteThread', () => {
      throw new UbikError('forbidden', 'Refused.');
    });
    await fixture.press('Talk 1', 'Delete');
    await search(fixture, 'Talk 2');
    fixture.clock.pass(8);
    await fixture.settle();
    expect(fixture.titles()).to.deep.equal(['Talk 2']);
    await search(fixture, '');
    expect(fixture.titles()).to.include('Talk 1');
    expect(plain(fixture.root.querySelector('.thread [role=alert]'))).not.to.equal('');
  });

  it('searches the loaded threads, shows their number, and loads more only on request', async () => {
    const threads = threadsOf(120);
    const fixture = await setupThreads(threads);
    const read = fixture.backend.count('listThreads');
    const field = fixture.root.querySelector<HTMLElement>('input[type=search]');
    field?.focus();
    await search(fixture, ' TÁLK 4 ');
    expect(fixture.titles().slice(0, 2)).to.deep.equal(['Talk 4', 'Talk 40']);
    expect(fixture.root.activeElement, 'the user is typing').to.equal(field);
    await search(fixture, 'nothing like that');
    expect(fixture.titles()).to.deep.equal([]);
    const foot = (): string => plain(fixture.root.querySelector('.thread-footer'));
    expect(foot()).to.equal(
      `No matching conversations. Searched ${read * 50} loaded conversations. Load more`,
    );
    expect(fixture.backend.count('listThreads')).to.equal(read);
    fixture.click(fixture.root.querySelector('.thread-footer button'));
    await fixture.settle();
    expect(fixture.backend.count('listThreads')).to.equal(read + 1);
    await search(fixture, '');
    expect(fixture.titles().length).to.be.at.least(50);
  });

  it('ignores keys with a modifier, in an IME composition, and without a function', async () => {
    const fixture = await setupThreads();
    fixture.all('.thread-open')[1]?.focus();
    const passed: string[] = [];
    fixture.list.addEventListener('keydown', ({ key }) => passed.push(key));
    const press = (key: string, init: KeyboardEventInit = {}): boolean =>
      pressKey(fixture.root.activeElement, key, init).defaultPrevented;
    for (const modifier of ['altKey', 'ctrlKey', 'metaKey', 'isComposing']) {
      for (const key of ['ArrowDown', 'Delete', 'F2', 'Home'])
        expect(press(key, { [modifier]: true }), modifier + key).to.equal(false);
    }
    for (const key of ['a', 'PageDown', 'Escape']) expect(press(key), key).to.equal(false);
    expect(fixture.focused()).to.equal('Talk 1');
    expect(fixture.all('.thread input').length).to.equal(0);
    expect(passed.length).to.equal(4 * 4 + 3);
    expect(press('ArrowDown')).to.equal(true);
    expect(passed.length, 'a handled key reaches nothing else').to.equal(4 * 4 + 3);
    expect(fixture.focused()).to.equal('Talk 2');
    press('F2');
    expect(press('ArrowDown'), 'a key of the text').to.equal(false);
    for (const button of fixture.root.querySelectorAll<HTMLElement>('.thread-form button')) {
      button.focus();
      expect([press('Delete'), press('F2')], plain(button)).to.deep.equal([false, false]);
    }
    expect(press('Escape'), 'closes the form').to.equal(true);
    expect(fixture.all('.thread input').length).to.equal(0);
  });

  it('has no keys for what the service cannot do, or while a deletion can be undone', async () => {
    const fixture = await setupThreads();
    const press = (key: string): boolean =>
      pressKey(fixture.root.activeElement, key).defaultPrevented;
    fixture.all('.thread-open')[1]?.focus();
    expect(press('Delete')).to.equal(true);
    await fixture.settle();
    expect(fixture.focused()).to.equal('Undo');
    expect([press('Delete'), press('F2')]).to.deep.equal([false, false]);
    fixture.backend.capabilities.delete('rename');
    fixture.backend.capabilities.delete('delete');
    fixture.all('.thread-open')[0]?.focus();
    expect([press('Delete'), press('F2')]).to.deep.equal([false, false]);
    expect(fixture.backend.count('deleteThread')).to.equal(0);
  });

  it('separates the days and months at midnight', async () => {
    const midnight = (days: number): number => new Date(2026, 2, 15 - days).getTime();
    const times = {
      today: midnight(0),
      late: midnight(0) - 1,
      yesterday: midnight(1),
      before: midnight(1) - 1,
      week: midnight(7),
      march: midnight(7) - 1,
      february: midnight(20),
      year: midnight(365),
    };
    const { all } = await setupThreads(
      Object.entries(times).map(([id, updatedAt]) => {
        return { id, title: id, createdAt: null, updatedAt };
      }),
    );
    const groups = all('.thread-group').map((group) => [
      plain(group.querySelector('h3')),
      group.querySelector('ul')?.ariaLabel,
      ...[...group.querySelectorAll('.thread-title')].map(plain),
    ]);
    expect(groups).to.deep.equal([
      ['today', 'today', 'today'],
      ['yesterday', 'yesterday', 'late', 'yesterday'],
      ['Previous 7 days', 'Previous 7 days', 'before', 'week'],
      ['March 2026', 'March 2026', 'march'],
      ['February 2026', 'February 2026', 'february'],
      ['March 2025', 'March 2025', 'year'],
    ]);
  });

  it('separates the months of the calendar of the language', async () => {
    const times = [Date.UTC(2025, 7, 10, 12), Date.UTC(2025, 6, 30, 12), Date.UTC(2025, 6, 5, 12)];
    const { all, list, settle } = await setupThreads(
      times.map((updatedAt, at) => ({ id: `t${at}`, title: `${at}`, createdAt: null, updatedAt })),
    );
    const groups = (): string[][] =>
      all('.thread-group').map((group) =>
        [...group.querySelectorAll('h3, .thread-title')].map(plain),
      );
    expect(groups()).to.deep.equal([
      ['August 2025', '0'],
      ['July 2025', '1', '2'],
    ]);
    list.lang = 'fa';
    await settle();
    const months = new Intl.DateTimeFormat('fa', { month: 'long', year: 'numeric' });
    const [august, july, tir] = times.map((time) => months.format(time));
    expect(august, 'the same month in the Persian calendar').to.equal(july);
    expect(groups()).to.deep.equal([
      [august, '0', '1'],
      [tir, '2'],
    ]);
  });

  it('removes a heading with its last thread, and keeps the order of the others', async () => {
    const fixture = await setupThreads(threadsOf(9));
    const headings = (): string[] => fixture.all('h3').map(plain);
    expect(headings()).to.deep.equal(['today', 'yesterday', 'Previous 7 days']);
    for (const { id } of threadsOf(3)) fixture.controller.setListItem('threads', id, undefined);
    await fixture.settle();
    expect(headings()).to.deep.equal(['yesterday', 'Previous 7 days']);
    fixture.controller.setListItem('threads', 'new', { title: 'New', updatedAt: NOON });
    await fixture.settle();
    expect(headings()).to.deep.equal(['today', 'yesterday', 'Previous 7 days']);
    expect(fixture.titles()[0]).to.equal('New');
  });

  it('keeps the search when the list is removed and added again', async () => {
    const fixture = await setupThreads();
    await search(fixture, 'Talk 4');
    fixture.list.remove();
    await fixture.settle();
    fixture.box.append(fixture.list);
    await fixture.settle();
    expect(fixture.root.querySelector<HTMLInputElement>('input[type=search]')?.value).to.equal(
      'Talk 4',
    );
    expect(fixture.titles()).to.deep.equal(['Talk 4']);
    expect(fixture.all('.thread-listing').length).to.equal(1);
    await search(fixture, '');
    await fixture.open('Talk 2');
    fixture.list.remove();
    await fixture.settle();
    fixture.box.append(fixture.list);
    await fixture.settle();
    const reachable = fixture.all('.thread-open').filter((node) => node.tabIndex === 0);
    expect(reachable.map(plain), 'the shown thread').to.deep.equal(['Talk 2']);
  });

  it('repeats the search when its language has changed while it was removed', async () => {
    const titles = ['Istanbul', 'ISPARTA', 'Bern'];
    const fixture = await setupThreads(
      titles.map((title, at) => ({ id: title, title, createdAt: null, updatedAt: NOON - at })),
    );
    await search(fixture, 'is');
    expect(fixture.titles()).to.deep.equal(['Istanbul', 'ISPARTA']);
    // In Turkish, I without a dot is another letter than i.
    fixture.list.lang = 'tr';
    fixture.list.remove();
    document.body.append(fixture.list);
    await fixture.settle();
    expect(fixture.titles()).to.deep.equal([]);
    await search(fixture, 'IS');
    expect(fixture.titles()).to.deep.equal(['Istanbul', 'ISPARTA']);
    fixture.list.remove();
  });

  it('shows that there are no threads', async () => {
    const { root } = await setupThreads([]);
    expect(plain(root.querySelector('.thread-footer'))).to.equal('No conversations yet.');
  });
});

/** The scroll container, without the scroll anchoring of the browser. */
function scrollerOf({ root }: Fixture): HTMLElement {
  const scroller = root.querySelector<HTMLElement>('.thread-scroller');
  if (!scroller) throw new Error('There is no scroll container.');
  // Not every browser has scroll anchoring, so the list must work without it.
  scroller.style.overflowAnchor = 'none';
  return scroller;
}

/** Scrolls to a position of the list again and again until a thread is rendered. */
async function scrollUntil(fixture: Fixture, title: string, toEnd: boolean): Promise<void> {
  const scroller = scrollerOf(fixture);
  for (let turn = 0; turn < 30 && !fixture.titles().includes(title); turn += 1) {
    scroller.scrollTop = toEnd ? scroller.scrollHeight : 0;
    await fixture.settle();
  }
  expect(fixture.titles()).to.include(title);
}

describe('a thread list that is longer than the page', () => {
  it('loads no further page before its end is near', async () => {
    const fixture = await setupThreads(threadsOf(120));
    scrollerOf(fixture).scrollTop = 300;
    for (let turn = 0; turn < 3; turn += 1) await fixture.settle();
    expect(fixture.titles().length).to.equal(50);
    expect(fixture.backend.count('listThreads')).to.equal(1);
  });

  it('loads and renders as many pages as a high list has room for, without scrolling', async () => {
    const fixture = await setupThreads(threadsOf(170));
    fixture.list.style.height = '9000px';
    for (let turn = 0; turn < 12 && fixture.titles().length < 170; turn += 1)
      await fixture.settle();
    expect(fixture.titles().length).to.equal(170);
    expect(fixture.backend.count('listThreads')).to.equal(4);
  });

  it('renders up to 200 threads at once, the last ones at the end and the first ones at the start', async () => {
    const fixture = await setupThreads(threadsOf(300));
    const scroller = scrollerOf(fixture);
    fixture.all('.thread-open')[0]?.focus();
    await scrollUntil(fixture, 'Talk 299', true);
    expect(fixture.titles().length).to.equal(200);
    expect(fixture.titles()[0]).to.equal('Talk 100');
    expect(fixture.focused(), 'a neighbour is not focused').not.to.equal('Talk 299');
    const left = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
    expect(left, 'the focus has not scrolled back').to.be.below(2200);
    await scrollUntil(fixture, 'Talk 0', false);
    expect([fixture.titles()[0], fixture.titles().length]).to.deep.equal(['Talk 0', 200]);
  });

  it('scrolls to the top when it is searched', async () => {
    const fixture = await setupThreads(threadsOf(50));
    const scroller = scrollerOf(fixture);
    scroller.scrollTop = 600;
    await search(fixture, 'talk');
    expect(scroller.scrollTop).to.equal(0);
    expect(fixture.titles().length).to.equal(50);
  });

  it('keeps its position when a thread outside of the viewport moves to the top', async () => {
    const fixture = await setupThreads(threadsOf(50));
    const { controller, settle, all, titles } = fixture;
    scrollerOf(fixture).scrollTop = 500;
    await settle();
    for (const moved of [40, 5]) {
      const row = all('.thread')[16];
      const before = row?.getBoundingClientRect().top ?? NaN;
      const summary = { title: `Talk ${moved}`, updatedAt: NOON + 100 - moved };
      controller.setListItem('threads', `t${moved}`, summary);
      await settle();
      expect(titles()[0]).to.equal(`Talk ${moved}`);
      expect(row?.getBoundingClientRect().top).to.be.closeTo(before, 1);
    }
  });

  it('is not scrolled when the focused thread moves outside of the viewport', async () => {
    const fixture = await setupThreads(threadsOf(50));
    const { controller, settle, all, focused, titles } = fixture;
    const scroller = scrollerOf(fixture);
    // WebKit scrolls to what has got the focus in a later frame.
    all('.thread-open')[20]?.focus({ preventScroll: true });
    scroller.scrollTop = 0;
    const [before] = threadsOf(20).slice(-1);
    const moved = { title: 'Talk 20', updatedAt: (before?.updatedAt ?? 0) + 1 };
    controller.setListItem('threads', 't20', moved);
    await settle();
    expect(titles().slice(18, 21)).to.deep.equal(['Talk 18', 'Talk 20', 'Talk 19']);
    expect(focused()).to.equal('Talk 20');
    expect(scroller.scrollTop).to.equal(0);
  });
});

describe('the focus in a thread list', () => {
  it('moves to the next thread that is left when several are removed, else to the last one', async () => {
    const { controller, settle, all, focused } = await setupThreads(threadsOf(6));
    const remove = async (...ids: readonly string[]): Promise<void> => {
      for (const id of ids) controller.setListItem('threads', id, undefined);
      await settle();
    };
    all('.thread-open')[2]?.focus();
    await remove('t1', 't2');
    expect(focused()).to.equal('Talk 3');
    await remove('t0', 't3');
    expect(focused()).to.equal('Talk 4');
    await remove('t5');
    expect(focused(), 'another thread is removed').to.equal('Talk 4');
    controller.setListItem('threads', 't9', { title: 'Talk 9', updatedAt: NOON });
    await settle();
    await remove('t4');
    expect(focused()).to.equal('Talk 9');
  });

  it('stays in the row when only the focused button is removed', async () => {
    const fixture = await setupThreads();
    await fixture.press('Talk 3', 'Delete');
    expect(fixture.focused()).to.equal('Undo');
    await fixture.controller.openThread('t3');
    await fixture.settle();
    expect(fixture.focused()).to.equal('Talk 3');
  });
});

describe('thread list that changes while it is used', () => {
  it('shows the thread that was opened last, whichever arrives first', async () => {
    const fixture = await setupThreads();
    const answers: (() => void)[] = [];
    fixture.backend.responses.set(
      'loadThread',
      (id) =>
        new Promise((resolve) => {
          answers.push(() => resolve(fixture.backend.threads.get(String(id))));
        }),
    );
    await fixture.open('Talk 1');
    await fixture.open('Talk 2');
    expect(fixture.row('Talk 2').querySelector('[aria-busy=true]')).not.to.equal(null);
    answers[1]?.();
    await fixture.settle();
    answers[0]?.();
    await fixture.settle();
    expect(fixture.controller.thread?.id).to.equal('t2');
    expect(fixture.all('[aria-current=true]').map(plain)).to.deep.equal(['Talk 2']);
    expect(fixture.all('[aria-busy=true]')).to.deep.equal([]);
  });

  it('opens a thread once when it is clicked twice', async () => {
    const fixture = await setupThreads();
    const before = fixture.backend.count('loadThread');
    const button = fixture.row('Talk 1').querySelector<HTMLElement>('.thread-open');
    button?.click();
    button?.click();
    await fixture.settle();
    expect(fixture.backend.count('loadThread')).to.equal(before + 1);
  });

  it('reloads the newest threads when the page becomes visible', async () => {
    const threads = threadsOf(3);
    const fixture = await setupThreads(threads);
    threads.unshift({ id: 'new', title: 'From my phone', createdAt: null, updatedAt: NOON + 5 });
    document.dispatchEvent(new Event('visibilitychange'));
    await fixture.settle();
    expect(fixture.titles()[0]).to.equal('From my phone');
  });

  it('keeps a title that is being typed when the list changes', async () => {
    const fixture = await setupThreads();
    await fixture.press('Talk 3', 'Rename');
    const field = fixture.root.activeElement as HTMLInputElement;
    field.value = 'Half of a na';
    const listed = fixture.controller.threads.get('t4') as Record<string, string | number>;
    fixture.controller.setListItem('threads', 't4', { ...listed, updatedAt: NOON + 1 });
    await fixture.settle();
    expect(fixture.titles()[0]).to.equal('Talk 4');
    expect(fixture.root.activeElement).to.equal(field);
    expect(field.value).to.equal('Half of a na');
  });
});

describe('a thread row', () => {
  it('lists the enabled tools of the thread beside its actions', async () => {
    const [first, second] = threadsOf(2);
    if (!first || !second) throw new Error('A thread is missing.');
    const tools = ['web_search', 'own_<b>tool'].map((name) => ({ name, description: null }));
    const fixture = await setupThreads([{ ...first, tools }, second]);
    for (const button of fixture.all('.thread-more')) button.click();
    await fixture.settle();
    const rows = fixture.all('.thread').map((row) => row.querySelector('.meta')?.textContent);
    expect(rows).to.deep.equal(['Tools: Search the web, Own <b>tool', undefined]);
  });

  it('lists the tools when the service can neither rename nor delete the thread', async () => {
    const [first, second] = threadsOf(2);
    if (!first || !second) throw new Error('A thread is missing.');
    const tools = [{ name: 'web_search', description: null }];
    const fixture = await setupThreads([{ ...first, tools }, second]);
    for (const name of ['rename', 'delete'] as const) fixture.backend.capabilities.delete(name);
    fixture.list.requestUpdate();
    await fixture.settle();
    const more = fixture.all('.thread-more');
    expect(more.length).to.equal(1);
    more[0]?.click();
    await fixture.settle();
    const row = fixture.all('.thread')[0];
    expect(row?.querySelector('.meta')?.textContent).to.equal('Tools: Search the web');
    expect(row?.querySelector('.buttons')).to.equal(null);
    expect(fixture.list.shadowRoot?.textContent).to.not.contain('false');
  });
});

/** States of the list. */
const STATES: Record<string, (fixture: Fixture) => Promise<void>> = {
  plain: () => Promise.resolve(),
  'with a current thread': (fixture) => fixture.open('Talk 1'),
  'with the actions of a thread': (fixture) => {
    fixture.all('.thread-more')[1]?.click();
    return fixture.settle();
  },
  'with a rename form': (fixture) => fixture.press('Talk 1', 'Rename'),
  'with a deleted thread': (fixture) => fixture.press('Talk 1', 'Delete'),
  'with a thread that could not be opened': async (fixture) => {
    fixture.backend.threads.delete('t1');
    await fixture.open('Talk 1');
  },
};

describe('thread list is accessible', () => {
  for (const [state, prepare] of Object.entries(STATES)) {
    for (const theme of ['light', 'dark']) {
      it(`${state}, ${theme}`, async () => {
        const fixture = await setupThreads();
        fixture.list.style.colorScheme = theme;
        await prepare(fixture);
        await expect(fixture.list).to.be.accessible();
      });
    }
  }
});

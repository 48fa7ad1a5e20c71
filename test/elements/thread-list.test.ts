import { expect } from '@open-wc/testing';
import type { ThreadContent } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { registerLocale } from '../../src/locales/locale.js';
import { Deferred } from '../helpers/deferred.js';
import { FAILURES } from '../helpers/error-codes.js';
import { nextFrame, pressKey, setupController } from './chat-fixture.js';
import { NOON } from './scripted-clock.js';
import { plain, setupThreads, threadsOf } from './thread-fixture.js';

type Fixture = Awaited<ReturnType<typeof setupThreads>>;

/** Renames the thread by its form. */
async function rename(fixture: Fixture, title: string, name: string): Promise<void> {
  await fixture.press(title, 'Rename');
  const field = fixture.root.querySelector<HTMLInputElement>('.thread input');
  if (!field) throw new Error('There is no field for a name.');
  field.value = name;
  fixture.click(fixture.root.querySelector('.thread .primary'));
  await fixture.settle();
}

/** Deletes the thread and lets the undo time run out. */
async function remove(fixture: Fixture, title: string): Promise<void> {
  await fixture.press(title, 'Delete');
  fixture.clock.pass(8);
  await fixture.settle();
}

/** User actions on a thread, with the backend method that each action calls. */
const ACTIONS: Record<string, { method: string; run: (fixture: Fixture) => Promise<void> }> = {
  open: { method: 'loadThread', run: (fixture) => fixture.open('Talk 1') },
  rename: { method: 'renameThread', run: (fixture) => rename(fixture, 'Talk 1', 'Another') },
  delete: { method: 'deleteThread', run: (fixture) => remove(fixture, 'Talk 1') },
};

describe('<ubik-thread-list>', () => {
  it('has a search field and a button of the same height and font size', async () => {
    const { root } = await setupThreads(threadsOf(40));
    const controls = ['.thread-new', 'input'].map((selector) => root.querySelector(selector));
    const looks = controls.map((control) => {
      const { fontSize } = getComputedStyle(control as Element);
      return [(control as HTMLElement).offsetHeight, fontSize];
    });
    expect(looks).to.deep.equal([
      [32, '14px'],
      [32, '14px'],
    ]);
  });

  it('aligns titles with the direction of the page', async () => {
    const { root } = await setupThreads(threadsOf(1));
    const page = document.documentElement;
    const sides = ['ltr', 'rtl'].map((dir) => {
      page.dir = dir;
      return getComputedStyle(root.querySelector('.thread-title') as Element).textAlign;
    });
    page.removeAttribute('dir');
    expect(sides).to.deep.equal(['left', 'right']);
  });

  it('shows threads under date headings, the last changed first', async () => {
    const { titles, all } = await setupThreads(threadsOf(40));
    expect(titles().slice(0, 3)).to.deep.equal(['Talk 0', 'Talk 1', 'Talk 2']);
    expect(all('h3').map(plain)).to.deep.equal([
      'today',
      'yesterday',
      'Previous 7 days',
      'March 2026',
    ]);
  });

  it('shows threads without a date under a separate heading', async () => {
    const threads = [
      { id: 'a', title: 'Old', createdAt: null, updatedAt: null },
      { id: 'b', title: 'New', createdAt: null, updatedAt: NOON },
    ];
    const { titles, all } = await setupThreads(threads);
    expect(titles()).to.deep.equal(['New', 'Old']);
    expect(all('h3').map(plain)).to.deep.equal(['today', 'No date']);
  });

  it('formats date headings in the language of the element', async () => {
    registerLocale('fr', { threadsWeek: '7 jours précédents' });
    const { all, list, settle } = await setupThreads(threadsOf(40));
    list.lang = 'fr';
    list.remove();
    document.body.append(list);
    await settle();
    expect(all('h3').map(plain)).to.deep.equal([
      'aujourd’hui',
      'hier',
      '7 jours précédents',
      'mars 2026',
    ]);
    list.remove();
  });

  it('shows titles as plain text in one line, without control characters and bidi overrides', async () => {
    const odd = ['<b>bold</b>', 'a\u202etxt.exe', 'two\nlines\u0000', '', '\u2067x'];
    const threads = odd.map((title, at) => {
      return { id: `t${at}`, title, createdAt: null, updatedAt: NOON - at };
    });
    const { titles, root } = await setupThreads(threads);
    expect(titles()).to.deep.equal(['<b>bold</b>', 'a txt.exe', 'two lines', 'Untitled', 'x']);
    expect(root.querySelector('b')).to.equal(null);
  });

  it('offers to load more, without an error, when loading a page was aborted', async () => {
    const { list, root } = await setupThreads();
    const { controller, backend, environment } = setupController();
    backend.capabilities.add('threads');
    backend.responses.set('listThreads', () => {
      throw new UbikError('aborted');
    });
    list.controller = controller;
    await list.updateComplete;
    await environment.settle();
    await nextFrame();
    expect(backend.count('listThreads')).to.equal(1);
    expect(plain(root.querySelector('.line'))).to.equal('Load more');
  });

  it('is hidden when the service cannot list threads', async () => {
    const { controller, list, settle, backend, root } = await setupThreads();
    backend.capabilities.delete('threads');
    list.requestUpdate();
    await settle();
    expect(root.querySelector<HTMLElement>('.threads')?.checkVisibility()).to.equal(false);
    expect(controller.threads.size).to.equal(5);
  });

  it('offers only the actions that the service supports', async () => {
    const { backend, list, settle, all } = await setupThreads();
    backend.capabilities.delete('delete');
    list.requestUpdate();
    await settle();
    all('.thread-more')[0]?.click();
    expect(all('.thread .buttons button').map(plain)).to.deep.equal(['Rename']);
    backend.capabilities.delete('rename');
    backend.capabilities.add('delete');
    list.requestUpdate();
    await settle();
    expect(all('.thread .buttons button').map(plain)).to.deep.equal(['Delete']);
    backend.capabilities.delete('delete');
    list.requestUpdate();
    await settle();
    expect(all('.thread-more')).to.deep.equal([]);
  });

  it('opens a thread with its events and marks it as current', async () => {
    const fixture = await setupThreads();
    await fixture.open('Talk 2');
    expect(fixture.controller.thread?.id).to.equal('t2');
    expect(fixture.names()).to.deep.equal(['ubik-thread-open', 'ubik-thread-opened']);
    expect(fixture.events.map(({ detail }) => detail as unknown)).to.deep.equal([
      { threadId: 't2' },
      { threadId: 't2' },
    ]);
    expect(fixture.all('[aria-current=true]').map(plain)).to.deep.equal(['Talk 2']);
  });

  it('marks only the current thread when the host page opens one', async () => {
    const fixture = await setupThreads();
    for (const at of [2, 4]) {
      await fixture.controller.openThread(`t${at}`);
      await fixture.settle();
      expect(fixture.all('[aria-current=true]').map(plain)).to.deep.equal([`Talk ${at}`]);
    }
  });

  it('starts a new thread unless the host page cancels the event', async () => {
    const fixture = await setupThreads();
    await fixture.open('Talk 2');
    fixture.events.length = 0;
    fixture.click(fixture.root.querySelector('.thread-new'));
    await fixture.settle();
    expect(fixture.controller.thread).to.equal(null);
    expect(fixture.events.map(({ type, detail }) => [type, detail as unknown])).to.deep.equal([
      ['ubik-thread-open', { threadId: null }],
      ['ubik-thread-opened', { threadId: null }],
    ]);
    await fixture.open('Talk 2');
    fixture.list.addEventListener('ubik-thread-open', (event) => event.preventDefault());
    fixture.click(fixture.root.querySelector('.thread-new'));
    await fixture.settle();
    expect(fixture.controller.thread?.id).to.equal('t2');
  });

  it('renames a thread in place with F2', async () => {
    const fixture = await setupThreads();
    fixture.all('.thread-open')[1]?.focus();
    fixture.key('F2');
    const field = fixture.root.activeElement as HTMLInputElement;
    expect(field.value).to.equal('Talk 1');
    field.value = 'Another name';
    field.form?.requestSubmit();
    await fixture.settle();
    expect(fixture.backend.calls.at(-1)).to.deep.equal({
      method: 'renameThread',
      args: ['t1', 'Another name'],
    });
    expect(fixture.titles()[1]).to.equal('Another name');
    expect(fixture.focused()).to.equal('Another name');
    expect(fixture.names()).to.deep.equal(['ubik-thread-rename', 'ubik-thread-renamed']);
    expect(fixture.events[1]?.detail).to.deep.equal({ threadId: 't1', title: 'Another name' });
  });

  it('renames a thread while it is still being opened', async () => {
    const fixture = await setupThreads();
    let resolve = (): void => undefined;
    const promise = new Promise<void>((done) => (resolve = done));
    const content = fixture.backend.threads.get('t1') as ThreadContent;
    let title = content.thread.title;
    // The response has the title that was stored at the time of the request.
    fixture.backend.responses.set('loadThread', () => {
      const read = { ...content, thread: { ...content.thread, title } };
      return promise.then(() => read);
    });
    fixture.backend.responses.set('renameThread', (_id, name) => {
      title = name as string;
    });
    await fixture.open('Talk 1');
    await rename(fixture, 'Talk 1', 'Another');
    expect(fixture.titles()).to.include('Another');
    resolve();
    await fixture.settle();
    expect(fixture.controller.thread?.id).to.equal('t1');
    expect(fixture.titles()).to.include('Another');
  });

  it('keeps the title on Escape, and does not send an empty or unchanged title', async () => {
    const fixture = await setupThreads();
    await rename(fixture, 'Talk 1', '   ');
    expect(fixture.root.querySelector('.thread input')).not.to.equal(null);
    fixture.root.querySelector<HTMLInputElement>('.thread input')?.focus();
    const field = fixture.root.activeElement;
    for (const init of [{ isComposing: true }, { keyCode: 229 }]) pressKey(field, 'Escape', init);
    expect(fixture.root.activeElement, 'an input method').to.equal(field);
    fixture.key('Escape');
    expect(fixture.focused()).to.equal('Talk 1');
    await rename(fixture, 'Talk 1', 'Talk 1');
    expect(fixture.root.querySelector('.thread input')).to.equal(null);
    expect(fixture.backend.count('renameThread')).to.equal(0);
  });

  for (const [name, { method, run }] of Object.entries(ACTIONS)) {
    it(`does not ${name} a thread when the host page cancels the event`, async () => {
      const fixture = await setupThreads();
      const before = fixture.backend.count(method);
      fixture.list.addEventListener(`ubik-thread-${name}`, (event) => event.preventDefault());
      await run(fixture);
      expect(fixture.backend.count(method)).to.equal(before);
      expect(fixture.names()).to.deep.equal([`ubik-thread-${name}`]);
      const field = fixture.root.querySelector<HTMLInputElement>('.thread input');
      if (name === 'rename') expect(field?.value, 'the text in the field').to.equal('Another');
      else expect(fixture.titles()).to.include('Talk 1');
    });

    // A deletion that fails with `not-found` succeeds: see below.
    for (const code of FAILURES.filter((each) => name !== 'delete' || each !== 'not-found')) {
      it(`shows an error in the row and loses nothing when it cannot ${name} a thread (${code})`, async () => {
        const fixture = await setupThreads();
        fixture.backend.responses.set(method, () => {
          throw new UbikError(code, 'Refused.');
        });
        await run(fixture);
        const names = fixture.names();
        expect(names.filter((type) => type === 'ubik-error')).to.have.length(1);
        expect(names.some((type) => /ed$/.test(type))).to.equal(false);
        expect(plain(fixture.root.querySelector('.thread [role=alert]'))).not.to.equal('');
        fixture.backend.responses.delete(method);
        const field = fixture.root.querySelector<HTMLInputElement>('.thread input');
        if (name === 'rename') expect(field?.value).to.equal('Another');
        else expect(fixture.titles()).to.include('Talk 1');
      });
    }
  }
});

describe('a deleted thread', () => {
  it('is deleted at the service after 8 seconds, during which it can be undone', async () => {
    const fixture = await setupThreads();
    await fixture.press('Talk 1', 'Delete');
    expect(plain(fixture.row('Talk 1'))).to.equal('Deleted: Talk 1 Undo');
    expect(fixture.focused()).to.equal('Undo');
    fixture.clock.pass(7);
    await fixture.settle();
    expect(fixture.backend.count('deleteThread')).to.equal(0);
    fixture.clock.pass(1);
    await fixture.settle();
    expect(fixture.backend.calls.at(-1)).to.deep.equal({ method: 'deleteThread', args: ['t1'] });
    expect(fixture.titles()).to.deep.equal(['Talk 0', 'Talk 2', 'Talk 3', 'Talk 4']);
    expect(fixture.focused()).to.equal('Talk 2');
    expect(fixture.names()).to.deep.equal(['ubik-thread-delete', 'ubik-thread-deleted']);
    expect(fixture.clock.waiting).to.equal(0);
  });

  it('is deleted after 8 seconds, too, when the framework of the host page sets no undo time', async () => {
    for (const undoTime of [null, undefined]) {
      const fixture = await setupThreads();
      Object.assign(fixture.list, { undoTime });
      await fixture.press('Talk 1', 'Delete');
      fixture.clock.pass(7);
      await fixture.settle();
      expect(fixture.backend.count('deleteThread')).to.equal(0);
      fixture.clock.pass(1);
      await fixture.settle();
      expect(fixture.backend.count('deleteThread')).to.equal(1);
    }
  });

  it('returns to its position when the deletion is undone', async () => {
    const fixture = await setupThreads();
    fixture.all('.thread-open')[1]?.focus();
    fixture.key('Delete');
    fixture.click(fixture.root.querySelector('.thread-undo'));
    fixture.clock.pass(20);
    await fixture.settle();
    expect(fixture.backend.count('deleteThread')).to.equal(0);
    expect(fixture.titles()[1]).to.equal('Talk 1');
    expect(fixture.focused()).to.equal('Talk 1');
  });

  it('is closed in the chat, and opened again when the deletion is undone', async () => {
    const fixture = await setupThreads();
    await fixture.open('Talk 1');
    await fixture.press('Talk 1', 'Delete');
    expect(fixture.controller.thread).to.equal(null);
    fixture.click(fixture.root.querySelector('.thread-undo'));
    await fixture.settle();
    expect(fixture.controller.thread?.id).to.equal('t1');
  });

  for (const other of [null, 't2']) {
    it(`is not shown when the list was still opening it, ${other ? 'and the thread that is shown stays' : 'unless the deletion is undone'}`, async () => {
      const fixture = await setupThreads();
      if (other) await fixture.controller.openThread(other);
      const loading = new Deferred<unknown>();
      const content = fixture.backend.threads.get('t1');
      fixture.backend.responses.set('loadThread', (id) =>
        id === 't1' ? loading.promise : content,
      );
      await fixture.open('Talk 1');
      fixture.backend.responses.delete('loadThread');
      await fixture.press('Talk 1', 'Delete');
      loading.resolve(content);
      await fixture.settle();
      expect(fixture.controller.thread?.id ?? null).to.equal(other);
      expect(plain(fixture.row('Talk 1'))).to.equal('Deleted: Talk 1 Undo');
      fixture.click(fixture.root.querySelector('.thread-undo'));
      await fixture.settle();
      expect(fixture.controller.thread?.id).to.equal(other ?? 't1');
    });
  }

  it('is not shown when the chat was still opening it', async () => {
    const fixture = await setupThreads();
    const loading = new Deferred<unknown>();
    const content = fixture.backend.threads.get('t1');
    fixture.backend.responses.set('loadThread', () => loading.promise);
    const opened = fixture.controller.openThread('t1');
    await fixture.settle();
    await fixture.press('Talk 1', 'Delete');
    loading.resolve(content);
    await opened;
    await fixture.settle();
    expect(fixture.controller.thread).to.equal(null);
    expect(plain(fixture.row('Talk 1'))).to.equal('Deleted: Talk 1 Undo');
  });

  it('that was the current thread does not abort the opening of another one', async () => {
    const fixture = await setupThreads();
    await fixture.controller.openThread('t2');
    const loading = new Deferred<unknown>();
    const content = fixture.backend.threads.get('t1');
    fixture.backend.responses.set('loadThread', () => loading.promise);
    await fixture.open('Talk 1');
    await fixture.press('Talk 2', 'Delete');
    loading.resolve(content);
    await fixture.settle();
    expect(fixture.controller.thread?.id).to.equal('t1');
    expect(plain(fixture.row('Talk 2'))).to.equal('Deleted: Talk 2 Undo');
  });

  it('is not deleted when it is opened within the undo time', async () => {
    const fixture = await setupThreads();
    await fixture.press('Talk 1', 'Delete');
    await fixture.controller.openThread('t1');
    fixture.clock.pass(20);
    await fixture.settle();
    expect(fixture.backend.count('deleteThread')).to.equal(0);
    expect(fixture.titles()).to.include('Talk 1');
  });

  it('is deleted at once when the page is closed, by a keepalive request', async () => {
    const fixture = await setupThreads();
    await fixture.press('Talk 1', 'Delete');
    window.dispatchEvent(new PageTransitionEvent('pagehide'));
    expect(fixture.backend.calls.at(-1)).to.deep.equal({
      method: 'deleteThread',
      args: ['t1', true],
    });
  });

  it('explains in its row, in the words of the service, why it was not deleted', async () => {
    const fixture = await setupThreads();
    const serviceError = { description: 'You may not.', advice: 'Ask Ann.', code: 'A.B' };
    fixture.backend.responses.set('deleteThread', () => {
      throw new UbikError('forbidden', { serviceError });
    });
    await fixture.press('Talk 1', 'Delete');
    window.dispatchEvent(new PageTransitionEvent('pagehide'));
    await fixture.settle();
    expect(plain(fixture.row('Talk 1').querySelector('.error-text'))).to.equal(
      'You may not. Ask Ann.',
    );
  });

  it('is hidden while the service deletes it, and returns when that fails', async () => {
    const fixture = await setupThreads();
    let refuse: (reason: UbikError) => void = () => undefined;
    const request = new Promise<void>((_resolve, reject) => (refuse = reject));
    fixture.backend.responses.set('deleteThread', () => request);
    await fixture.press('Talk 1', 'Delete');
    window.dispatchEvent(new PageTransitionEvent('pagehide'));
    await fixture.settle();
    expect(fixture.titles()).to.deep.equal(['Talk 0', 'Talk 2', 'Talk 3', 'Talk 4']);
    refuse(new UbikError('forbidden', 'Refused.'));
    await fixture.settle();
    expect(fixture.titles().indexOf('Talk 1')).to.equal(1);
    expect(plain(fixture.row('Talk 1').querySelector('.error-text'))).to.equal(
      'The service does not allow this.',
    );
  });

  for (const code of FAILURES.filter((each) => each !== 'not-found')) {
    it(`stays in the list when the deletion at page close fails (${code})`, async () => {
      const fixture = await setupThreads();
      fixture.backend.responses.set('deleteThread', () => {
        throw new UbikError(code, 'Refused.');
      });
      await fixture.press('Talk 1', 'Delete');
      window.dispatchEvent(new PageTransitionEvent('pagehide'));
      await fixture.settle();
      expect(fixture.titles()).to.include('Talk 1');
      expect(fixture.names().at(-1)).to.equal('ubik-error');
      expect(plain(fixture.row('Talk 1'))).to.match(/^Talk 1.*\S\.$/);
      fixture.backend.responses.delete('deleteThread');
      await fixture.open('Talk 2');
      expect(fixture.controller.thread?.id).to.equal('t2');
    });
  }

  for (const isClosing of [false, true]) {
    it(`counts as deleted when the service no longer has it${isClosing ? ', at page close' : ''}`, async () => {
      const fixture = await setupThreads();
      fixture.backend.responses.set('deleteThread', () => {
        throw new UbikError('not-found', 'Refused.');
      });
      if (isClosing) {
        await fixture.press('Talk 1', 'Delete');
        window.dispatchEvent(new PageTransitionEvent('pagehide'));
        await fixture.settle();
      } else await remove(fixture, 'Talk 1');
      expect(fixture.titles()).not.to.include('Talk 1');
      expect(fixture.names().at(-1)).to.equal('ubik-thread-deleted');
      fixture.backend.responses.delete('deleteThread');
      await fixture.open('Talk 2');
      expect(fixture.controller.thread?.id).to.equal('t2');
    });
  }

  it('is deleted at once when the list shows another service', async () => {
    const { backend, list, press, settle } = await setupThreads();
    await press('Talk 1', 'Delete');
    list.controller = (await setupThreads()).controller;
    await settle();
    expect(backend.calls.at(-1)).to.deep.equal({ method: 'deleteThread', args: ['t1'] });
  });

  it('that is filtered out when its deletion fails is listed again without a filter', async () => {
    const { backend, clock, names, press, root, settle, titles } = await setupThreads();
    backend.responses.set('deleteThread', () => Promise.reject(new UbikError('forbidden')));
    await press('Talk 1', 'Delete');
    const field = root.querySelector<HTMLInputElement>('input[type=search]');
    for (const [text, wanted] of [
      ['Talk 4', ['Talk 4']],
      ['', ['Talk 0', 'Talk 1', 'Talk 2', 'Talk 3', 'Talk 4']],
    ] as const) {
      if (field) field.value = text;
      field?.dispatchEvent(new InputEvent('input', { bubbles: true }));
      clock.pass(8);
      await settle();
      expect(titles()).to.deep.equal(wanted);
    }
    expect(names()).to.deep.equal(['ubik-thread-delete', 'ubik-error']);
  });

  it('is deleted at once when the list has no controller any more', async () => {
    const { backend, list, press, settle } = await setupThreads();
    await press('Talk 1', 'Delete');
    list.controller = null;
    await settle();
    expect(backend.count('deleteThread')).to.equal(1);
  });

  it('is deleted at once when the list is removed, but not when it is moved', async () => {
    const fixture = await setupThreads();
    await fixture.press('Talk 1', 'Delete');
    fixture.box.prepend(fixture.list);
    await fixture.settle();
    expect(fixture.backend.count('deleteThread')).to.equal(0);
    fixture.list.remove();
    await fixture.settle();
    expect(fixture.backend.calls.filter(({ method }) => method === 'deleteThread')).to.deep.equal([
      { method: 'deleteThread', args: ['t1'] },
    ]);
  });
});

describe('the row of a thread', () => {
  it('says what it shows, and which keys and actions it has', async () => {
    const { all, backend, list, settle, root } = await setupThreads();
    const [open, second] = all('.thread-open');
    const [more, secondMore] = all('.thread-more');
    const keys = (): string | null => open?.getAttribute('aria-keyshortcuts') ?? null;
    expect([open?.ariaBusy, open?.getAttribute('aria-current'), keys()]).to.deep.equal([
      'false',
      null,
      'F2 Delete',
    ]);
    expect([more?.ariaLabel, more?.ariaExpanded]).to.deep.equal([
      'More actions for “Talk 0”',
      'false',
    ]);
    expect([open, more, second, secondMore].map((each) => each?.tabIndex)).to.deep.equal([
      0, 0, -1, -1,
    ]);
    const title = all('.thread-title')[0];
    expect([title?.title, title?.dir]).to.deep.equal(['Talk 0', 'auto']);
    const row = all('.thread')[0];
    expect([row?.part.value, row?.dataset['status']]).to.deep.equal(['thread', '']);
    const buttons = (): string[] => all('.thread .buttons button').map(plain);
    more?.click();
    expect([more?.ariaExpanded, ...buttons()]).to.deep.equal(['true', 'Rename', 'Delete']);
    more?.click();
    expect([more?.ariaExpanded, ...buttons()]).to.deep.equal(['false']);
    for (const [name, left] of [
      ['delete', 'F2'],
      ['rename', null],
    ] as const) {
      backend.capabilities.delete(name);
      list.requestUpdate();
      await settle();
      expect(keys(), name).to.equal(left);
    }
    const box = root.querySelector('.threads');
    expect([box?.role, box?.ariaLabel]).to.deep.equal(['navigation', 'Conversations']);
    expect(root.querySelector('.thread-footer')?.role).to.equal('status');
    const search = root.querySelector<HTMLInputElement>('input[type=search]');
    expect([search?.placeholder, search?.ariaLabel]).to.deep.equal([
      'Search conversations',
      'Search conversations',
    ]);
    expect(plain(root.querySelector('.thread-new'))).to.equal('New conversation');
  });

  it('has a form for a new name, whose text is selected, and which is sent once', async () => {
    const fixture = await setupThreads();
    const { backend, press, root, settle, click, focused } = fixture;
    await press('Talk 1', 'Rename');
    const field = root.activeElement as HTMLInputElement;
    const { maxLength, ariaLabel, selectionStart, selectionEnd } = field;
    expect([maxLength, ariaLabel, selectionStart, selectionEnd]).to.deep.equal([
      500,
      'New name',
      0,
      'Talk 1'.length,
    ]);
    const buttons = [...(field.form?.querySelectorAll('button') ?? [])];
    expect(buttons.map(plain)).to.deep.equal(['Save', 'Cancel']);
    click(buttons[1]);
    expect(focused()).to.equal('Talk 1');
    expect(root.querySelector('.thread-form')).to.equal(null);
    let answer = (): void => undefined;
    backend.responses.set('renameThread', () => new Promise<void>((resolve) => (answer = resolve)));
    await press('Talk 1', 'Rename');
    const form = root.querySelector<HTMLFormElement>('.thread-form');
    expect(form?.ariaBusy).to.equal('false');
    const again = root.querySelector<HTMLInputElement>('.thread-form input');
    if (again) again.value = '  Another  ';
    const submit = new SubmitEvent('submit', { cancelable: true });
    form?.dispatchEvent(submit);
    expect(submit.defaultPrevented).to.equal(true);
    await settle();
    expect(form?.ariaBusy).to.equal('true');
    form?.requestSubmit();
    await settle();
    expect(backend.count('renameThread')).to.equal(1);
    expect(root.querySelector('.thread-form'), 'not closed before the answer').to.equal(form);
    answer();
    await settle();
    expect(backend.calls.at(-1)?.args).to.deep.equal(['t1', 'Another']);
    expect(focused()).to.equal('Another');
    await press('Another', 'Rename');
    const last = root.querySelector<HTMLInputElement>('.thread-form input');
    if (last) last.value = 'Third';
    last?.form?.requestSubmit();
    const elsewhere = document.body.appendChild(document.createElement('input'));
    elsewhere.focus();
    answer();
    await settle();
    expect(root.querySelector('.thread-form')).to.equal(null);
    expect(document.activeElement, 'the user has moved the focus').to.equal(elsewhere);
    elsewhere.remove();
  });

  it('keeps its form, its error and its request while it is filtered out', async () => {
    const fixture = await setupThreads();
    const { backend, press, open, root, settle, row, all } = fixture;
    const search = async (text: string): Promise<void> => {
      const field = root.querySelector<HTMLInputElement>('input[type=search]');
      if (field) field.value = text;
      field?.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await settle();
    };
    backend.threads.delete('t2');
    await open('Talk 2');
    backend.responses.set('loadThread', () => new Promise(() => undefined));
    await open('Talk 3');
    all('.thread-more')[0]?.click();
    await press('Talk 1', 'Rename');
    (root.activeElement as HTMLInputElement).value = 'Half';
    await search('Talk 4');
    expect(all('.thread').length).to.equal(1);
    await search('');
    expect(root.querySelector<HTMLInputElement>('.thread-form input')?.value).to.equal('Half');
    expect(row('Talk 2').querySelectorAll('[role=alert]').length).to.equal(1);
    expect(row('Talk 3').querySelector('.thread-open')?.ariaBusy).to.equal('true');
    expect(row('Talk 0').querySelector('.thread-more')?.ariaExpanded).to.equal('true');
  });

  it('hides the error of an action when the next one begins', async () => {
    const { backend, open, row, press } = await setupThreads();
    const content = backend.threads.get('t1');
    backend.threads.delete('t1');
    await open('Talk 1');
    expect(row('Talk 1').querySelectorAll('[role=alert]').length).to.equal(1);
    if (content) backend.threads.set('t1', content);
    await open('Talk 1');
    expect(row('Talk 1').querySelectorAll('[role=alert]').length).to.equal(0);
    await press('Talk 1', 'Delete');
    expect(row('Talk 1').querySelector('.thread-undo')?.getAttribute('aria-description')).to.equal(
      'Deleted: Talk 1',
    );
  });
});

describe('the pages of a thread list', () => {
  it('are loaded by a list with display: none, but not for a service that cannot list threads', async () => {
    const { list, settle } = await setupThreads();
    list.style.display = 'none';
    for (const isSupported of [true, false]) {
      const { backend, controller, environment } = setupController();
      if (isSupported) backend.capabilities.add('threads');
      list.controller = controller;
      await settle();
      await environment.settle();
      expect(backend.count('listThreads')).to.equal(isSupported ? 1 : 0);
    }
  });

  it('say that they are loading, and are loaded again after a deletion', async () => {
    const threads = threadsOf(120);
    const fixture = await setupThreads(threads);
    const { backend, press, clock, settle, titles, root } = fixture;
    await press('Talk 1', 'Delete');
    threads.splice(1, 1);
    clock.pass(8);
    await settle();
    const scroller = root.querySelector('.thread-scroller') as HTMLElement;
    for (let turn = 0; turn < 12 && titles().length < 119; turn += 1) {
      scroller.scrollTop = scroller.scrollHeight;
      await settle();
    }
    expect(titles()).to.deep.equal(threads.map(({ title }) => title));
    const { list } = fixture;
    const other = setupController();
    other.backend.capabilities.add('threads');
    other.backend.responses.set('listThreads', () => new Promise(() => undefined));
    list.controller = other.controller;
    await settle();
    expect(plain(root.querySelector('.thread-footer'))).to.equal('Loading conversations…');
    expect(titles()).to.deep.equal([]);
    expect(backend.count('deleteThread')).to.equal(1);
  });

  it('are reloaded while the title of the current thread is missing, and not while the page or list is hidden', async () => {
    const threads = threadsOf(3);
    const fixture = await setupThreads(threads);
    const { backend, controller, settle, list } = fixture;
    const requests = (): number => backend.count('listThreads');
    const run = async (id: string, title: string): Promise<number> => {
      await controller.openThread(id);
      await settle();
      controller.setListItem('threads', id, { title });
      const before = requests();
      void controller.send({ text: 'Go on', attachments: [] });
      await settle();
      backend.stream.begin();
      await settle();
      backend.stream.finish('complete');
      await settle();
      return requests() - before;
    };
    expect(await run('t1', 'Talk'), 'with a title').to.equal(0);
    expect(
      await run('t2', ''),
      'untitled: at the start or the end of the run, or both',
    ).to.be.within(1, 2);
    const wake = async (): Promise<number> => {
      const before = requests();
      document.dispatchEvent(new Event('visibilitychange'));
      await settle();
      return requests() - before;
    };
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    try {
      expect(await wake(), 'hidden page').to.equal(0);
    } finally {
      Reflect.deleteProperty(document, 'hidden');
    }
    expect(await wake(), 'shown page and list').to.equal(1);
    backend.capabilities.delete('threads');
    list.requestUpdate();
    await settle();
    expect(await wake(), 'hidden list').to.equal(0);
  });
});

describe('an undone deletion', () => {
  it('opens the thread only if it was the current one and no other thread is open', async () => {
    const { open, press, controller, settle, root, click, backend } = await setupThreads();
    await press('Talk 1', 'Delete');
    click(root.querySelector('.thread-undo'));
    await settle();
    expect(controller.thread).to.equal(null);
    expect(backend.count('loadThread')).to.equal(0);
    await open('Talk 2');
    await press('Talk 2', 'Delete');
    await controller.openThread('t3');
    await settle();
    click(root.querySelector('.thread-undo'));
    await settle();
    expect(controller.thread?.id).to.equal('t3');
  });

  it('does not undo the deletion of another thread', async () => {
    const { press, clock, settle, backend, click, all } = await setupThreads();
    await press('Talk 1', 'Delete');
    await press('Talk 2', 'Delete');
    click(all('.thread-undo')[0]);
    clock.pass(8);
    await settle();
    expect(backend.calls.filter(({ method }) => method === 'deleteThread')).to.deep.equal([
      { method: 'deleteThread', args: ['t2'] },
    ]);
  });
});

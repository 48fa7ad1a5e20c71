import { expect } from '@open-wc/testing';
import { UbikError } from '../../src/errors.js';
import { NOON, plain, setupThreads, threadsOf } from './thread-stage.js';

type Stage = Awaited<ReturnType<typeof setupThreads>>;

/** Types into the field above the list. */
async function search(stage: Stage, text: string): Promise<void> {
  const field = stage.root.querySelector<HTMLInputElement>('input[type=search]');
  if (!field) throw new Error('There is no field to search in.');
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await stage.settle();
}

describe('going through conversations', () => {
  it('needs one Tab and the arrow keys', async () => {
    const stage = await setupThreads();
    await stage.open('Talk 2');
    const reachable = stage.all('.thread-open').filter((node) => node.tabIndex === 0);
    expect(reachable.map(plain)).to.deep.equal(['Talk 0']);
    reachable[0]?.focus();
    for (const [key, title] of [
      ['ArrowDown', 'Talk 1'],
      ['End', 'Talk 4'],
      ['ArrowDown', 'Talk 4'],
      ['ArrowUp', 'Talk 3'],
      ['Home', 'Talk 0'],
    ] as const) {
      stage.key(key);
      expect(stage.focused(), key).to.equal(title);
      const tabs = stage.all('.thread-open').filter((node) => node.tabIndex === 0);
      expect(tabs.map(plain), key).to.deep.equal([title]);
    }
  });

  it('keeps the focus at a conversation that moves up', async () => {
    const stage = await setupThreads();
    stage.all('.thread-open')[3]?.focus();
    const listed = stage.controller.threads.get('t3') as Record<string, string | number>;
    stage.controller.setItem('threads', 't3', { ...listed, updatedAt: NOON + 1 });
    await stage.settle();
    expect(stage.titles()[0]).to.equal('Talk 3');
    expect(stage.focused()).to.equal('Talk 3');
  });

  it('reads more when the end comes near, page by page, each thread once', async () => {
    const stage = await setupThreads(threadsOf(120));
    const scroller = stage.root.querySelector('.thread-scroller') as HTMLElement;
    for (let look = 0; look < 12 && stage.titles().length < 120; look += 1) {
      scroller.scrollTop = scroller.scrollHeight;
      await stage.settle();
    }
    expect(stage.titles()).to.deep.equal(threadsOf(120).map(({ title }) => title));
    expect(stage.backend.calls.filter(({ method }) => method === 'listThreads')).to.have.length(3);
  });

  it('says when a page could not be read, and reads it when the person asks', async () => {
    const stage = await setupThreads();
    const { backend, settle, root, list } = stage;
    const answer = backend.answers.get('listThreads');
    backend.answers.set('listThreads', () => {
      throw new UbikError('network', 'cut');
    });
    list.controller = (await setupThreads()).controller;
    await settle();
    list.controller = stage.controller;
    await settle();
    const foot = root.querySelector('.thread-footer');
    expect(plain(foot)).to.contain('Retry');
    if (answer) backend.answers.set('listThreads', answer);
    stage.click(foot?.querySelector('button'));
    await settle();
    expect(plain(foot)).to.equal('');
    expect(stage.titles()).to.have.length(5);
  });

  it('searches in what is loaded, says so, and loads more only when asked', async () => {
    const threads = threadsOf(120);
    const stage = await setupThreads(threads);
    const read = stage.backend.count('listThreads');
    await search(stage, 'TÁLK 4');
    expect(stage.titles().slice(0, 2)).to.deep.equal(['Talk 4', 'Talk 40']);
    await search(stage, 'nothing like that');
    expect(stage.titles()).to.deep.equal([]);
    const foot = (): string => plain(stage.root.querySelector('.thread-footer'));
    expect(foot()).to.equal(
      `No matching conversations. Searched in the ${read * 50} conversations that are loaded. Load more`,
    );
    expect(stage.backend.count('listThreads')).to.equal(read);
    stage.click(stage.root.querySelector('.thread-footer button'));
    await stage.settle();
    expect(stage.backend.count('listThreads')).to.equal(read + 1);
    await search(stage, '');
    expect(stage.titles().length).to.be.at.least(50);
  });

  it('searches anew when the language of the page is another one', async () => {
    const titles = ['Istanbul', 'ISPARTA', 'Bern'];
    const stage = await setupThreads(
      titles.map((title, at) => ({ id: title, title, createdAt: null, updatedAt: NOON - at })),
    );
    await search(stage, 'is');
    expect(stage.titles()).to.deep.equal(['Istanbul', 'ISPARTA']);
    // A capital I without a dot is another letter there.
    stage.list.lang = 'tr';
    stage.list.remove();
    document.body.append(stage.list);
    await stage.settle();
    expect(stage.titles()).to.deep.equal([]);
    await search(stage, 'IS');
    expect(stage.titles()).to.deep.equal(['Istanbul', 'ISPARTA']);
    stage.list.remove();
  });

  it('says that there is none yet', async () => {
    const { root } = await setupThreads([]);
    expect(plain(root.querySelector('.thread-footer'))).to.equal('No conversations yet.');
  });
});

describe('many things at once', () => {
  it('shows the conversation that was chosen last, whichever is there first', async () => {
    const stage = await setupThreads();
    const answers: (() => void)[] = [];
    stage.backend.answers.set(
      'loadThread',
      (id) =>
        new Promise((resolve) => {
          answers.push(() => resolve(stage.backend.threads.get(String(id))));
        }),
    );
    await stage.open('Talk 1');
    await stage.open('Talk 2');
    expect(stage.row('Talk 2').querySelector('[aria-busy=true]')).not.to.equal(null);
    answers[1]?.();
    await stage.settle();
    answers[0]?.();
    await stage.settle();
    expect(stage.controller.thread?.id).to.equal('t2');
    expect(stage.all('[aria-current=true]').map(plain)).to.deep.equal(['Talk 2']);
    expect(stage.all('[aria-busy=true]')).to.deep.equal([]);
  });

  it('does one thing to a conversation at a time', async () => {
    const stage = await setupThreads();
    const before = stage.backend.count('loadThread');
    const button = stage.row('Talk 1').querySelector<HTMLElement>('.thread-open');
    button?.click();
    button?.click();
    await stage.settle();
    expect(stage.backend.count('loadThread')).to.equal(before + 1);
  });

  it('sees what happened elsewhere when the page is looked at again', async () => {
    const threads = threadsOf(3);
    const stage = await setupThreads(threads);
    threads.unshift({ id: 'new', title: 'From my phone', createdAt: null, updatedAt: NOON + 5 });
    document.dispatchEvent(new Event('visibilitychange'));
    await stage.settle();
    expect(stage.titles()[0]).to.equal('From my phone');
  });

  it('keeps what is typed for a name while the list changes', async () => {
    const stage = await setupThreads();
    await stage.press('Talk 3', 'Rename');
    const field = stage.root.activeElement as HTMLInputElement;
    field.value = 'Half of a na';
    const listed = stage.controller.threads.get('t4') as Record<string, string | number>;
    stage.controller.setItem('threads', 't4', { ...listed, updatedAt: NOON + 1 });
    await stage.settle();
    expect(stage.titles()[0]).to.equal('Talk 4');
    expect(stage.root.activeElement).to.equal(field);
    expect(field.value).to.equal('Half of a na');
  });
});

describe('the row of a conversation', () => {
  it('names the tools that are active in it beside what can be done with it', async () => {
    const [first, second] = threadsOf(2);
    if (!first || !second) throw new Error('There are two threads.');
    const tools = ['web_search', 'own_<b>tool'].map((name) => ({ name, description: null }));
    const stage = await setupThreads([{ ...first, tools }, second]);
    for (const button of stage.all('.thread-more')) button.click();
    await stage.settle();
    const rows = stage.all('.thread').map((row) => row.querySelector('.meta')?.textContent);
    expect(rows).to.deep.equal(['Tools: Search the web, Own <b>tool', undefined]);
  });

  it('names its tools when the service allows neither to rename nor to delete it', async () => {
    const [first, second] = threadsOf(2);
    if (!first || !second) throw new Error('There are two threads.');
    const tools = [{ name: 'web_search', description: null }];
    const stage = await setupThreads([{ ...first, tools }, second]);
    for (const name of ['rename', 'delete']) stage.backend.capabilities.delete(name as never);
    stage.list.requestUpdate();
    await stage.settle();
    const more = stage.all('.thread-more');
    expect(more.length).to.equal(1);
    more[0]?.click();
    await stage.settle();
    const row = stage.all('.thread')[0];
    expect(row?.querySelector('.meta')?.textContent).to.equal('Tools: Search the web');
    expect(row?.querySelector('.buttons')).to.equal(null);
    expect(stage.list.shadowRoot?.textContent).to.not.contain('false');
  });
});

/** What the list can look like. */
const STATES: Record<string, (stage: Stage) => Promise<void>> = {
  plain: () => Promise.resolve(),
  'with a conversation that is shown': (stage) => stage.open('Talk 1'),
  'with the acts of one': (stage) => {
    stage.all('.thread-more')[1]?.click();
    return stage.settle();
  },
  'with a field for a name': (stage) => stage.press('Talk 1', 'Rename'),
  'with one that was deleted': (stage) => stage.press('Talk 1', 'Delete'),
  'with one that could not be opened': async (stage) => {
    stage.backend.threads.delete('t1');
    await stage.open('Talk 1');
  },
};

describe('everybody can use the list', () => {
  for (const [state, prepare] of Object.entries(STATES)) {
    for (const theme of ['light', 'dark']) {
      it(`${state}, ${theme}`, async () => {
        const stage = await setupThreads();
        stage.list.style.colorScheme = theme;
        await prepare(stage);
        await expect(stage.list).to.be.accessible();
      });
    }
  }
});

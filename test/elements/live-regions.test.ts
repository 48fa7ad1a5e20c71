import { expect } from '@open-wc/testing';
import {
  LazyAnnouncer,
  lazyRunAnnouncer,
  LiveRegions,
} from '../../src/elements/announcements/lazy-announcer.js';
import type { RunAnnouncer } from '../../src/elements/announcements/run-announcer.js';
import type { ConnectedHost } from '../../src/elements/base/connected-host.js';
import type { ControllerNotice } from '../../src/controller/controller-types.js';
import type { Change } from '../../src/model/change.js';

function setup() {
  const regions = new LiveRegions();
  const textsOf = (region: Element | undefined): string[] =>
    [...(region?.children ?? [])].map(({ textContent }) => textContent);
  const [polite, assertive] = regions.node.children;
  return { regions, polite: () => textsOf(polite), assertive: () => textsOf(assertive) };
}

describe('live regions', () => {
  it('announce politely, and urgent texts assertively', () => {
    const { regions, polite, assertive } = setup();
    regions.announce('one');
    regions.announce('two', true);
    expect([polite(), assertive()]).to.deep.equal([['one'], ['two']]);
    const roles = [...regions.node.children].map(({ ariaLive, role }) => [ariaLive, role]);
    expect(roles).to.deep.equal([
      ['polite', 'log'],
      ['assertive', null],
    ]);
  });

  it('contain the last five announcements', () => {
    const { regions, polite } = setup();
    for (const text of 'abcdefg') regions.announce(text);
    expect(polite()).to.deep.equal(['c', 'd', 'e', 'f', 'g']);
  });

  it('announce pieces as one, and nothing for an empty text', () => {
    const { regions, polite } = setup();
    const inner = document.createElement('i');
    inner.textContent = 'b';
    regions.announce(['a ', inner]);
    regions.announce('');
    regions.announce([]);
    expect(polite()).to.deep.equal(['a b']);
  });
});

describe('announcements whose code is loaded on demand', () => {
  /** An announcer for the answer `m`. The test loads the code, which records what it gets. */
  function setupLazy(level = 'all') {
    const received: unknown[] = [];
    let made = 0;
    class Recorder {
      constructor() {
        made += 1;
      }
      handleChange(change: Change): void {
        received.push(change.type);
      }
      handleNotice(notice: ControllerNotice): void {
        received.push(notice.type);
      }
    }
    const attempts: { resolve: () => void; reject: () => void }[] = [];
    const { load } = lazyRunAnnouncer;
    lazyRunAnnouncer.load = () =>
      new Promise((resolve, reject) => {
        attempts.push({
          resolve: () => resolve({ RunAnnouncer: Recorder as unknown as typeof RunAnnouncer }),
          reject: () => reject(new Error('Not loaded')),
        });
      });
    const thread = { run: { answer: 'm' } };
    const host = { controller: { thread } } as unknown as ConnectedHost;
    const announcer = new LazyAnnouncer(host, () => level);
    return {
      announcer,
      attempts,
      received,
      made: () => made,
      notify: (type: string) => announcer.handleNotice({ type } as unknown as ControllerNotice),
      change: (change: object) => announcer.handleChange(change as Change),
      polite: () => announcer.node.firstElementChild?.textContent,
      restore: () => void (lazyRunAnnouncer.load = load),
    };
  }

  it('are kept in order while their code is loading, which starts once', async () => {
    const { attempts, received, made, notify, change, restore } = setupLazy();
    notify('run-started');
    change({ type: 'text', message: 'm' });
    notify('run-stopped');
    expect([attempts.length, received]).to.deep.equal([1, []]);
    attempts[0]?.resolve();
    await Promise.resolve();
    await Promise.resolve();
    expect(received).to.deep.equal(['run-started', 'text', 'run-stopped']);
    notify('run-completed');
    expect(received.at(-1)).to.equal('run-completed');
    expect([attempts.length, made(), received.length]).to.deep.equal([1, 1, 4]);
    restore();
  });

  it('are dropped when their code cannot be loaded, which is requested again with the next one', async () => {
    const { attempts, received, notify, restore } = setupLazy();
    notify('run-started');
    attempts[0]?.reject();
    await Promise.resolve();
    await Promise.resolve();
    notify('run-completed');
    expect(attempts.length).to.equal(2);
    attempts[1]?.resolve();
    await Promise.resolve();
    await Promise.resolve();
    expect(received).to.deep.equal(['run-completed']);
    restore();
  });

  it('come from changes of the thread and of the current answer only', () => {
    const { attempts, change, restore } = setupLazy();
    change({ type: 'text', message: 'n' });
    change({ type: 'item', list: 'documents', key: 'm' });
    expect(attempts.length).to.equal(0);
    change({ type: 'thread', set: {} });
    expect(attempts.length).to.equal(1);
    restore();
  });

  it('and statuses are silent when announcements are off, unlike what the user has requested', () => {
    const off = setupLazy('off');
    off.notify('run-started');
    off.announcer.announceStatus('Offline');
    expect([off.attempts.length, off.polite()]).to.deep.equal([0, '']);
    off.announcer.announce('Requested');
    expect(off.polite()).to.equal('Requested');
    off.restore();
    const brief = setupLazy('brief');
    brief.announcer.announceStatus('Offline');
    expect(brief.polite()).to.equal('Offline');
    brief.restore();
  });
});

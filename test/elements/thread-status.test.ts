import { expect } from '@open-wc/testing';
import type { ThreadSummary } from '../../src/backends/backend.js';
import { createTestEnvironment } from '../helpers/test-environment.js';
import { waitFor } from '../helpers/wait-for.js';
import { plain, setupThreads, threadsOf } from './thread-fixture.js';

type Fixture = Awaited<ReturnType<typeof setupThreads>>;

/** The announced status of a thread; empty when it has none. */
const statusOf = ({ row }: Fixture, title: string): string =>
  plain(row(title).querySelector('.thread-status')).replace(/^, /, '');

/** Starts a run in the first thread and opens the second one. */
async function runInBackground(fixture: Fixture): Promise<void> {
  const { controller, settle, backend } = fixture;
  await controller.openThread('t0');
  void controller.send({ text: 'Go on', attachments: [] });
  await settle();
  backend.stream.begin();
  await settle();
  await controller.openThread('t1');
  await settle();
}

describe('the status of a thread', () => {
  it('is Working while its run is in progress and another thread is shown', async () => {
    const fixture = await setupThreads();
    await runInBackground(fixture);
    expect(statusOf(fixture, 'Talk 0')).to.equal('Working');
    expect(statusOf(fixture, 'Talk 1')).to.equal('');
    expect(fixture.backend.stream.signal.aborted, 'the run continues').to.equal(false);
  });

  for (const [state, mark] of [
    ['complete', 'New'],
    ['failed', 'Failed'],
    ['stopped', ''],
  ] as const) {
    it(`is "${mark}" when a run in the background ends as ${state}, until the thread is opened`, async () => {
      const fixture = await setupThreads();
      await runInBackground(fixture);
      fixture.backend.stream.finish(state);
      await fixture.settle();
      expect(statusOf(fixture, 'Talk 0')).to.equal(mark);
      await fixture.controller.openThread('t0');
      await fixture.settle();
      expect(statusOf(fixture, 'Talk 0')).to.equal('');
    });
  }

  it('is forgotten when the thread is deleted', async () => {
    const fixture = await setupThreads();
    const { backend, clock, controller, settle, press } = fixture;
    await runInBackground(fixture);
    backend.stream.finish('complete');
    await settle();
    expect(await controller.storage.get('marks')).to.deep.equal([['t0', 'unread']]);
    await press('Talk 0', 'Delete');
    clock.pass(8);
    await settle();
    expect(await controller.storage.get('marks')).to.deep.equal([]);
  });

  it('is Needs your answer when its run waits for input', async () => {
    const fixture = await setupThreads();
    await runInBackground(fixture);
    fixture.backend.stream.request('@request:1');
    fixture.backend.stream.finish('waiting');
    await fixture.settle();
    expect(statusOf(fixture, 'Talk 0')).to.equal('Needs your answer');
  });

  it('is shown for the current thread only while it works or waits for input', async () => {
    const fixture = await setupThreads();
    await fixture.controller.openThread('t0');
    void fixture.controller.send({ text: 'Go on', attachments: [] });
    await fixture.settle();
    fixture.backend.stream.begin();
    fixture.backend.stream.request('@request:1');
    fixture.backend.stream.finish('waiting');
    await fixture.settle();
    expect(statusOf(fixture, 'Talk 0')).to.equal('Needs your answer');
    const message = fixture.controller.thread?.head ?? '';
    void fixture.controller.provideInput(message, '@request:1', { type: 'text', text: '2026' });
    await fixture.settle();
    fixture.backend.stream.begin();
    await fixture.settle();
    expect(statusOf(fixture, 'Talk 0')).to.equal('Working');
    fixture.backend.stream.finish('failed');
    await fixture.settle();
    expect(statusOf(fixture, 'Talk 0')).to.equal('');
  });

  it('is restored for the same user; a run whose page was closed counts as unread', async () => {
    const environment = createTestEnvironment();
    const before = await setupThreads(threadsOf(5), { environment, userKey: 'ann' });
    await runInBackground(before);
    await before.environment.settle();
    const open = async (userKey: string): Promise<Fixture> => {
      const later = await setupThreads(threadsOf(5), { environment, userKey });
      await later.settle();
      return later;
    };
    await before.settle();
    const later = await open('ann');
    expect(statusOf(later, 'Talk 0'), 'while the other page is open').to.equal('Working');
    before.list.remove();
    // The browser grants the lock of the closed page after some time.
    await waitFor(() => statusOf(later, 'Talk 0') === 'New');
    expect(statusOf(await open('bob'), 'Talk 0')).to.equal('');
  });

  it('changes when another page of the user stores a status', async () => {
    const environment = createTestEnvironment();
    const there = await setupThreads(threadsOf(5), { environment, userKey: 'ann' });
    const here = await setupThreads(threadsOf(5), { environment, userKey: 'ann' });
    /** Dispatches the storage event, like the browser in the other pages, and returns the status. */
    const reload = async (): Promise<string> => {
      await there.settle();
      window.dispatchEvent(new StorageEvent('storage'));
      await here.settle();
      return statusOf(here, 'Talk 0');
    };
    await here.controller.openThread('t1');
    await runInBackground(there);
    expect(await reload()).to.equal('Working');
    there.backend.stream.finish('failed');
    expect(await reload()).to.equal('Failed');
    await there.controller.openThread('t0');
    expect(await reload()).to.equal('');
  });

  it('is that of the service for a thread that this browser has not shown', async () => {
    const [running, unread, failed, read] = threadsOf(4);
    const fixture = await setupThreads([
      { ...(running as ThreadSummary), isRunning: true, isUnread: true },
      { ...(unread as ThreadSummary), isUnread: true, hasFailed: false },
      { ...(failed as ThreadSummary), isUnread: true, hasFailed: true },
      { ...(read as ThreadSummary), isUnread: false, hasFailed: true },
    ]);
    const statuses = [0, 1, 2, 3].map((at) => statusOf(fixture, `Talk ${at}`));
    expect(statuses).to.deep.equal(['Working', 'New', 'Failed', '']);
  });

  it('is read as soon as the thread is opened, also after another one is shown', async () => {
    const [first, second] = threadsOf(2);
    const fixture = await setupThreads([
      { ...(first as ThreadSummary), isUnread: true },
      second as ThreadSummary,
    ]);
    await fixture.open('Talk 0');
    expect(statusOf(fixture, 'Talk 0')).to.equal('');
    await fixture.open('Talk 1');
    expect(statusOf(fixture, 'Talk 0')).to.equal('');
  });

  it('is read for the shown thread when the list is loaded after it was opened', async () => {
    const fixture = await setupThreads(threadsOf(2));
    await fixture.open('Talk 0');
    fixture.backend.responses.set('listThreads', () => {
      const items = threadsOf(2).map((thread) => ({ ...thread, isUnread: true }));
      return { items, hasMore: false, total: 2 };
    });
    await fixture.controller.listThreads({ page: 1, limit: 50 });
    await fixture.open('Talk 1');
    expect(statusOf(fixture, 'Talk 0')).to.equal('');
  });

  it('is Working according to the service until a reload at growing intervals lists another status', async () => {
    const [first] = threadsOf(1);
    const fixture = await setupThreads([{ ...(first as ThreadSummary), isRunning: true }]);
    const { backend, clock, settle } = fixture;
    const requests = (): number => backend.count('listThreads');
    const before = requests();
    for (const [seconds, count] of [
      [4, 0],
      [1, 1],
      [9, 1],
      [1, 2],
      [20, 3],
      [39, 3],
      [1, 4],
      [59, 4],
      [1, 5],
      [59, 5],
      [1, 6],
    ] as const) {
      clock.pass(seconds);
      await settle();
      expect(requests() - before, `after ${seconds} more seconds`).to.equal(count);
    }
    backend.responses.set('listThreads', () => {
      const item = { ...(first as ThreadSummary), isRunning: false, isUnread: true };
      return { items: [item], hasMore: false, total: 1 };
    });
    clock.pass(60);
    await settle();
    expect(statusOf(fixture, 'Talk 0')).to.equal('New');
    const after = requests();
    clock.pass(120);
    await settle();
    expect(requests()).to.equal(after);
    expect(clock.waiting).to.equal(0);
  });

  it('is not reloaded while the page is hidden', async () => {
    const [first] = threadsOf(1);
    const { backend, clock, settle } = await setupThreads([
      { ...(first as ThreadSummary), isRunning: true },
    ]);
    const before = backend.count('listThreads');
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    try {
      clock.pass(90);
      await settle();
      expect(backend.count('listThreads')).to.equal(before);
    } finally {
      Reflect.deleteProperty(document, 'hidden');
    }
    clock.pass(1);
    await settle();
    expect(backend.count('listThreads')).to.equal(before + 1);
  });

  it('is no longer Working when the run has ended on this page, even if the service still lists it', async () => {
    const fixture = await setupThreads();
    const { backend, controller, settle } = fixture;
    await runInBackground(fixture);
    backend.responses.set('listThreads', () => {
      const items = threadsOf(5).map((thread, at) => ({ ...thread, isRunning: at === 0 }));
      return { items, hasMore: false, total: 5 };
    });
    await controller.listThreads({ page: 1, limit: 50 });
    backend.stream.finish('stopped');
    await settle();
    expect(statusOf(fixture, 'Talk 0')).to.equal('');
  });

  it('is not stored when it comes from the service', async () => {
    const environment = createTestEnvironment();
    const [first, second] = threadsOf(2);
    const unread = [{ ...(first as ThreadSummary), isUnread: true }, second as ThreadSummary];
    const there = await setupThreads(unread, { environment, userKey: 'ann' });
    // Opening a thread stores the statuses.
    await there.open('Talk 1');
    await there.settle();
    expect(statusOf(there, 'Talk 0')).to.equal('New');
    expect(await there.controller.storage.get('marks')).to.deep.equal([]);
    const here = await setupThreads(threadsOf(2), { environment, userKey: 'ann' });
    await here.settle();
    expect(statusOf(here, 'Talk 0')).to.equal('');
  });
});

describe('the order of threads', () => {
  it('begins with the thread in which a run has started last', async () => {
    const fixture = await setupThreads();
    await fixture.controller.openThread('t3');
    void fixture.controller.send({ text: 'Go on', attachments: [] });
    await fixture.settle();
    fixture.clock.pass(1);
    fixture.backend.stream.begin();
    await fixture.settle();
    expect(fixture.titles()[0]).to.equal('Talk 3');
  });

  it('begins with the thread whose queued message is sent while another one is shown, and the list is reloaded for its title', async () => {
    const fixture = await setupThreads();
    const { backend, clock, controller, settle } = fixture;
    await controller.openThread('t3');
    void controller.send({ text: 'Go on', attachments: [] });
    await settle();
    backend.stream.begin();
    await controller.enqueue({ text: 'And then', attachments: [] });
    await settle();
    await controller.openThread('t4');
    await settle();
    controller.setListItem('threads', 't3', { title: '', updatedAt: 1 });
    const before = backend.count('listThreads');
    backend.stream.finish('complete');
    await settle();
    clock.pass(1);
    backend.stream.begin('task-2');
    await settle();
    expect(fixture.titles()[0]).to.equal('Talk 3');
    expect(fixture.titles().at(-1)).to.equal('Talk 4');
    expect(backend.count('listThreads')).to.be.above(before);
  });
});

import { expect } from '@open-wc/testing';
import { createTestEnvironment } from '../helpers/test-environment.js';
import { waitFor } from './checkpoints-stage.js';
import { plain, setupThreads, threadsOf } from './thread-stage.js';

type Stage = Awaited<ReturnType<typeof setupThreads>>;

/** The announced status of a thread; empty when it has none. */
const statusOf = ({ row }: Stage, title: string): string =>
  plain(row(title).querySelector('.thread-status')).replace(/^, /, '');

/** Starts a run in the first thread and opens the second one. */
async function runInBackground(stage: Stage): Promise<void> {
  const { controller, settle, backend } = stage;
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
    const stage = await setupThreads();
    await runInBackground(stage);
    expect(statusOf(stage, 'Talk 0')).to.equal('Working');
    expect(statusOf(stage, 'Talk 1')).to.equal('');
    expect(stage.backend.stream.signal.aborted, 'the run continues').to.equal(false);
  });

  for (const [state, mark] of [
    ['complete', 'New'],
    ['failed', 'Failed'],
    ['stopped', ''],
  ] as const) {
    it(`is "${mark}" when a run in the background ends as ${state}, until the thread is opened`, async () => {
      const stage = await setupThreads();
      await runInBackground(stage);
      stage.backend.stream.finish(state);
      await stage.settle();
      expect(statusOf(stage, 'Talk 0')).to.equal(mark);
      await stage.controller.openThread('t0');
      await stage.settle();
      expect(statusOf(stage, 'Talk 0')).to.equal('');
    });
  }

  it('is Needs your answer when its run waits for input', async () => {
    const stage = await setupThreads();
    await runInBackground(stage);
    stage.backend.stream.request('@request:1');
    stage.backend.stream.finish('waiting');
    await stage.settle();
    expect(statusOf(stage, 'Talk 0')).to.equal('Needs your answer');
  });

  it('is shown for the current thread only while it works or waits for input', async () => {
    const stage = await setupThreads();
    await stage.controller.openThread('t0');
    void stage.controller.send({ text: 'Go on', attachments: [] });
    await stage.settle();
    stage.backend.stream.begin();
    stage.backend.stream.request('@request:1');
    stage.backend.stream.finish('waiting');
    await stage.settle();
    expect(statusOf(stage, 'Talk 0')).to.equal('Needs your answer');
    const message = stage.controller.thread?.head ?? '';
    void stage.controller.provideInput(message, '@request:1', { type: 'text', text: '2026' });
    await stage.settle();
    stage.backend.stream.begin();
    await stage.settle();
    expect(statusOf(stage, 'Talk 0')).to.equal('Working');
    stage.backend.stream.finish('failed');
    await stage.settle();
    expect(statusOf(stage, 'Talk 0')).to.equal('');
  });

  it('is restored for the same user; a run whose page was closed counts as unread', async () => {
    const environment = createTestEnvironment();
    const before = await setupThreads(threadsOf(5), { environment, userKey: 'ann' });
    await runInBackground(before);
    await before.environment.settle();
    const open = async (userKey: string): Promise<Stage> => {
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

  it('follows what another page of the user stores', async () => {
    const environment = createTestEnvironment();
    const there = await setupThreads(threadsOf(5), { environment, userKey: 'ann' });
    const here = await setupThreads(threadsOf(5), { environment, userKey: 'ann' });
    /** Dispatches the storage event, as the browser does in the other pages, and returns the status. */
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

  it('changes the order: a thread moves to the top when a run starts in it', async () => {
    const stage = await setupThreads();
    await stage.controller.openThread('t3');
    void stage.controller.send({ text: 'Go on', attachments: [] });
    await stage.settle();
    stage.clock.pass(1);
    stage.backend.stream.begin();
    await stage.settle();
    expect(stage.titles()[0]).to.equal('Talk 3');
  });
});

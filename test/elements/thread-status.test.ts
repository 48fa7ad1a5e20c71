import { expect } from '@open-wc/testing';
import { createTestEnvironment } from '../helpers/test-environment.js';
import { until } from './checkpoints-stage.js';
import { plain, setupThreads, threadsOf } from './thread-stage.js';

type Stage = Awaited<ReturnType<typeof setupThreads>>;

/** What is said of a conversation behind its title; empty when nothing. */
const markOf = ({ row }: Stage, title: string): string =>
  plain(row(title).querySelector('.thread-status')).replace(/^, /, '');

/** Asks in the first thread, and goes to the second one. */
async function leaveRun(stage: Stage): Promise<void> {
  const { controller, settle, backend } = stage;
  await controller.openThread('t0');
  void controller.send({ text: 'Go on', attachments: [] });
  await settle();
  backend.stream.begin();
  await settle();
  await controller.openThread('t1');
  await settle();
}

describe('the mark of a conversation', () => {
  it('says that the agent works there, also when another one is shown', async () => {
    const stage = await setupThreads();
    await leaveRun(stage);
    expect(markOf(stage, 'Talk 0')).to.equal('Working');
    expect(markOf(stage, 'Talk 1')).to.equal('');
    expect(stage.backend.stream.signal.aborted, 'the run goes on').to.equal(false);
  });

  for (const [state, mark] of [
    ['complete', 'New'],
    ['failed', 'Failed'],
    ['stopped', ''],
  ] as const) {
    it(`tells how a run ended that nobody looked at (${state}), until it is opened`, async () => {
      const stage = await setupThreads();
      await leaveRun(stage);
      stage.backend.stream.finish(state);
      await stage.settle();
      expect(markOf(stage, 'Talk 0')).to.equal(mark);
      await stage.controller.openThread('t0');
      await stage.settle();
      expect(markOf(stage, 'Talk 0')).to.equal('');
    });
  }

  it('says that an answer is wanted', async () => {
    const stage = await setupThreads();
    await leaveRun(stage);
    stage.backend.stream.ask('@request:1');
    stage.backend.stream.finish('waiting');
    await stage.settle();
    expect(markOf(stage, 'Talk 0')).to.equal('Needs your answer');
  });

  it('is none of the thread that is shown, but for what it waits for or works at', async () => {
    const stage = await setupThreads();
    await stage.controller.openThread('t0');
    void stage.controller.send({ text: 'Go on', attachments: [] });
    await stage.settle();
    stage.backend.stream.begin();
    stage.backend.stream.ask('@request:1');
    stage.backend.stream.finish('waiting');
    await stage.settle();
    expect(markOf(stage, 'Talk 0')).to.equal('Needs your answer');
    const message = stage.controller.thread?.head ?? '';
    void stage.controller.provideInput(message, '@request:1', { type: 'text', text: '2026' });
    await stage.settle();
    stage.backend.stream.begin();
    await stage.settle();
    expect(markOf(stage, 'Talk 0')).to.equal('Working');
    stage.backend.stream.finish('failed');
    await stage.settle();
    expect(markOf(stage, 'Talk 0')).to.equal('');
  });

  it('outlives the page, for the same person alone; what was at work may have something new', async () => {
    const environment = createTestEnvironment();
    const before = await setupThreads(threadsOf(5), { environment, userKey: 'ann' });
    await leaveRun(before);
    await before.environment.settle();
    const open = async (userKey: string): Promise<Stage> => {
      const later = await setupThreads(threadsOf(5), { environment, userKey });
      await later.settle();
      return later;
    };
    await before.settle();
    const later = await open('ann');
    expect(markOf(later, 'Talk 0'), 'while that page is there').to.equal('Working');
    before.list.remove();
    // The browser tells when it gives a lock to the next one.
    await until(() => markOf(later, 'Talk 0') === 'New');
    expect(markOf(await open('bob'), 'Talk 0')).to.equal('');
  });

  it('of a run in another page is shown as soon as that one keeps it, and goes with it', async () => {
    const environment = createTestEnvironment();
    const there = await setupThreads(threadsOf(5), { environment, userKey: 'ann' });
    const here = await setupThreads(threadsOf(5), { environment, userKey: 'ann' });
    /** What a browser tells all other pages of a site when one of them keeps something. */
    const hear = async (): Promise<string> => {
      await there.settle();
      window.dispatchEvent(new StorageEvent('storage'));
      await here.settle();
      return markOf(here, 'Talk 0');
    };
    await here.controller.openThread('t1');
    await leaveRun(there);
    expect(await hear()).to.equal('Working');
    there.backend.stream.finish('failed');
    expect(await hear()).to.equal('Failed');
    await there.controller.openThread('t0');
    expect(await hear()).to.equal('');
  });

  it('stands on top when something is asked in it', async () => {
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

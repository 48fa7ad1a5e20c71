import { expect } from '@open-wc/testing';
import { setupDataAgentChat } from '../elements/data-agent-fixture.js';
import { measureCostRatio } from './cost-ratio.js';
import { readCpuSeconds } from './cpu-seconds.js';

/** Permitted cost of a chunk relative to one of the baseline. */
const LIMIT = 1.3;
/** Chunks of one measurement; an answer of 20,000 characters has 400. */
const CHUNKS = 100;

type Fixture = Awaited<ReturnType<typeof setupDataAgentChat>>;

/** CPU seconds of some chunks, each in its own frame. */
async function measureChunks({ sendChunks }: Fixture): Promise<number> {
  const start = await readCpuSeconds();
  await sendChunks(CHUNKS);
  return (await readCpuSeconds()) - start;
}

describe('chat with a Data Agent', function () {
  this.timeout(900_000);

  it('renders a chunk after 100 earlier messages in nearly the same time as after none', async () => {
    const none = await setupDataAgentChat(0);
    const hundred = await setupDataAgentChat(100);
    const measureAlone = (one: Fixture) => async (): Promise<number> => {
      for (const { chat } of [none, hundred]) chat.hidden = chat !== one.chat;
      await one.sendChunks(10);
      return measureChunks(one);
    };
    // The answers fill the viewport before they are measured, because visible content costs time in each frame.
    for (const { sendChunks } of [none, hundred]) await sendChunks(CHUNKS, 10);
    const rounds = { limit: LIMIT, minRounds: 3 };
    const ratio = await measureCostRatio(measureAlone(none), measureAlone(hundred), rounds);
    expect(ratio).to.be.at.most(LIMIT);
    for (const { chat, controller } of [none, hundred]) {
      chat.remove();
      controller.close();
    }
  });

  it('renders the last chunks of an answer of 20,000 characters in nearly the same time as early ones', async () => {
    let fixture: Fixture | null = null;
    const measureEarly = async (): Promise<number> => {
      fixture?.chat.remove();
      fixture?.controller.close();
      fixture = await setupDataAgentChat(0);
      await fixture.sendChunks(CHUNKS, 10);
      return measureChunks(fixture);
    };
    const measureLate = async (): Promise<number> => {
      if (!fixture) return Infinity;
      await fixture.sendChunks(CHUNKS, 10);
      return measureChunks(fixture);
    };
    expect(await measureCostRatio(measureEarly, measureLate, { limit: LIMIT })).to.be.at.most(
      LIMIT,
    );
  });
});

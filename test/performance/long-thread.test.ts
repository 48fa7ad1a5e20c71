import { expect, fixtureCleanup } from '@open-wc/testing';
import { executeServerCommand } from '@web/test-runner-commands';
import { measureCostRatio, type CostRatioOptions } from './cost-ratio.js';
import { readCpuSeconds } from './cpu-seconds.js';
import { nextFrame, setupChat } from '../elements/chat-fixture.js';
import { openLongThread } from '../elements/long-thread.js';
import { isExhaustive } from '../helpers/sample.js';

/** Permitted cost of a chunk after ten thousand messages relative to a few. */
const LIMIT = 1.3;
/** Messages that fill the viewport, because visible content costs time in each frame. */
const FEW = 20;
const CHUNKS = 100;

const heapBytes = (): Promise<number> => executeServerCommand('heap-bytes');

/** A chat with `count` messages and a streaming answer. */
async function setupStreaming(count: number, { isFlat = false } = {}) {
  const fixture = await setupChat();
  await openLongThread(fixture, count);
  await fixture.settle();
  while (fixture.root.querySelectorAll('.message').length < count) await nextFrame();
  if (isFlat) flatten(fixture);
  await fixture.start();
  let length = 0;
  /** Streams one chunk in its own frame. */
  const sendChunk = async (index: number): Promise<void> => {
    const text = `word ${index} of it `;
    fixture.backend.stream.append(length, text);
    length += text.length;
    await fixture.environment.settle();
    await nextFrame();
  };
  return { ...fixture, sendChunk };
}

/** Adds the defect that the measurement must detect: all messages are siblings, and none is skipped while it is far from the viewport. */
function flatten({
  query,
  root,
}: {
  query(selector: string): HTMLElement;
  root: ShadowRoot;
}): void {
  query('.column').prepend(...root.querySelectorAll('.group'));
  for (const node of root.querySelectorAll('.skippable')) node.classList.remove('skippable');
}

type Fixture = Awaited<ReturnType<typeof setupStreaming>>;

/** CPU seconds of the chunks, each with its frame. */
async function costOf({ sendChunk }: Fixture): Promise<number> {
  const start = await readCpuSeconds();
  for (let index = 0; index < CHUNKS; index += 1) await sendChunk(index);
  return (await readCpuSeconds()) - start;
}

/** Cost of a chunk in the second chat relative to the first, each while the other is hidden. */
async function compare(
  few: Fixture,
  many: Fixture,
  options: CostRatioOptions = { limit: LIMIT },
): Promise<number> {
  const costAlone = async (one: Fixture): Promise<number> => {
    for (const { chat } of [few, many]) chat.hidden = chat !== one.chat;
    for (let frame = 0; frame < 10; frame += 1) await one.sendChunk(frame);
    return costOf(one);
  };
  return measureCostRatio(
    () => costAlone(few),
    () => costAlone(many),
    options,
  );
}

describe('chat with ten thousand messages', function () {
  this.timeout(900_000);

  it('renders a chunk in nearly the same time as with a few', async () => {
    const few = await setupStreaming(FEW);
    const many = await setupStreaming(10_000);
    expect(await compare(few, many)).to.be.at.most(LIMIT);
    few.chat.remove();
    many.chat.remove();
  });

  (isExhaustive ? it : it.skip)('fails the measurement when no message is skipped', async () => {
    const few = await setupStreaming(FEW);
    const many = await setupStreaming(2000, { isFlat: true });
    // Four rounds without an early stop, because one disturbed round would hide the defect.
    expect(await compare(few, many, { rounds: 4, limit: 0 })).to.be.greaterThan(LIMIT);
  });
});

describe('removed chats', function () {
  this.timeout(900_000);

  it('are garbage-collected', async () => {
    const open = async (count: number): Promise<void> => {
      for (let chat = 0; chat < count; chat += 1) {
        const fixture = await setupChat();
        await openLongThread(fixture, 20);
        await fixture.settle();
        fixture.chat.remove();
        fixture.controller.close();
        fixtureCleanup();
      }
    };
    // First allocates what is shared by all chats, such as style sheets and compiled code.
    await open(30);
    const before = await heapBytes();
    await open(100);
    expect(((await heapBytes()) - before) / 1e6, 'MB').to.be.at.most(1);
  });
});

import { expect, fixtureCleanup } from '@open-wc/testing';
import { executeServerCommand } from '@web/test-runner-commands';
import { nextFrame, setupChat } from '../elements/chat-stage.js';
import { openLongThread } from '../elements/long-thread.js';
import { isExhaustive } from '../helpers/sample.js';

/** How much dearer a chunk may be behind ten thousand messages than behind a few. */
const MOST = 1.3;
/** Messages that fill the screen: what is on it costs something in each frame, however few there are. */
const FEW = 20;
const CHUNKS = 100;

const cpuSeconds = (): Promise<number> => executeServerCommand('cpu-seconds');
const heapBytes = (): Promise<number> => executeServerCommand('heap-bytes');

/** A chat behind so many messages, in which an answer is being written. */
async function setupBehind(count: number, { isFlat = false } = {}) {
  const stage = await setupChat();
  await openLongThread(stage, count);
  await stage.settle();
  while (stage.root.querySelectorAll('.message').length < count) await nextFrame();
  if (isFlat) flatten(stage);
  await stage.start();
  let length = 0;
  /** One piece of text, in a frame of its own. */
  const say = async (piece: number): Promise<void> => {
    const text = `word ${piece} of it `;
    stage.backend.stream.say(length, text);
    length += text.length;
    await stage.environment.settle();
    await nextFrame();
  };
  return { ...stage, say };
}

/** The fault that the measurement must find: all messages stand in one row, and none is left out while it is far away. */
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

type Stage = Awaited<ReturnType<typeof setupBehind>>;

/** CPU seconds of so many chunks, each with the frame that shows it. */
async function costOf({ say }: Stage): Promise<number> {
  const start = await cpuSeconds();
  for (let piece = 0; piece < CHUNKS; piece += 1) await say(piece);
  return (await cpuSeconds()) - start;
}

/** The cost of a chunk in the second chat over that in the first; one is shown at a time. Of some rounds the least counts; they end with a ratio that is small enough. */
async function compare(
  few: Stage,
  many: Stage,
  { rounds = 12, enough = MOST } = {},
): Promise<number> {
  const alone = async (one: Stage): Promise<number> => {
    for (const { chat } of [few, many]) chat.hidden = chat !== one.chat;
    for (let frame = 0; frame < 10; frame += 1) await one.say(frame);
    return costOf(one);
  };
  let [least, most, ratio] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < rounds && ratio > enough; round += 1) {
    least = Math.min(least, await alone(few));
    most = Math.min(most, await alone(many));
    ratio = most / least;
  }
  return ratio;
}

describe('chat behind ten thousand messages', function () {
  this.timeout(900_000);

  it('takes hardly more time for a chunk than behind a few', async () => {
    const few = await setupBehind(FEW);
    const many = await setupBehind(10_000);
    expect(await compare(few, many)).to.be.at.most(MOST);
    few.chat.remove();
    many.chat.remove();
  });

  (isExhaustive ? it : it.skip)('is caught when they are left as they are', async () => {
    const few = await setupBehind(FEW);
    const many = await setupBehind(2000, { isFlat: true });
    // No round ends it: one that something else disturbed would hide the fault.
    expect(await compare(few, many, { rounds: 4, enough: 0 })).to.be.greaterThan(MOST);
  });
});

describe('removed chats', function () {
  this.timeout(900_000);

  it('are garbage-collected', async () => {
    const open = async (count: number): Promise<void> => {
      for (let chat = 0; chat < count; chat += 1) {
        const stage = await setupChat();
        await openLongThread(stage, 20);
        await stage.settle();
        stage.chat.remove();
        stage.controller.close();
        fixtureCleanup();
      }
    };
    // What is made once, such as style sheets and compiled code, comes first.
    await open(30);
    const before = await heapBytes();
    await open(100);
    expect(((await heapBytes()) - before) / 1e6, 'MB').to.be.at.most(1);
  });
});

import { expect } from '@open-wc/testing';
import { executeServerCommand } from '@web/test-runner-commands';
import { makeDocument } from '../../bench/documents.js';
import { bare } from '../../bench/page/bare.js';
import { chat, planted } from '../../bench/page/chat.js';
import { nextFrame, type MakeSubject, type Subject } from '../../bench/page/subject.js';
import '../helpers/load-lazy-modules.js';
import { measurePairedRatio } from './cost-ratio.js';
import { readCpuSeconds } from './cpu-seconds.js';

/** Permitted cost of a chunk late in an answer relative to one with the same text early in it. */
const GROWTH_LIMIT = 1.2;
/** Permitted cost of a chunk in the chat relative to the renderer without an element. */
const CHAT_LIMIT = 1.25;
/** Permitted computations of styles, and of layout, per frame beyond those of the renderer without an element. */
const COUNT_LIMIT = 0.125;

/** A stream of 200 chunks of 16 characters per second. */
const CHUNK = 16;
const CHUNKS_PER_FRAME = 3;
/** Frames of a repeated text, so that measurements can be compared, and of one measurement. */
const FRAMES = 40;
const MEASURED_FRAMES = 8;
const TEXT = makeDocument('mix10k').text.slice(0, FRAMES * CHUNKS_PER_FRAME * CHUNK);

/** One subject in a box that is hidden while another one is measured. */
interface Box {
  readonly box: HTMLElement;
  readonly subject: Subject;
  /** Position in `TEXT`, which repeats, of the next chunk. */
  at: number;
}

async function setup(make: MakeSubject): Promise<Box> {
  const box = document.body.appendChild(document.createElement('div'));
  const all = TEXT.repeat(50);
  const subject = await make({ box, text: all, history: [] });
  const one = { box, subject, at: 0 };
  // Fills the viewport, and compiles the code.
  await stream(one, FRAMES);
  return one;
}

/** Streams the next frames of the text, with the chunks of one frame in separate tasks. */
async function stream(one: Box, frames: number): Promise<void> {
  for (let frame = 0; frame < frames; frame += 1) {
    const rendered = nextFrame();
    for (let count = 0; count < CHUNKS_PER_FRAME; count += 1) {
      one.subject.push(TEXT.slice(one.at, one.at + CHUNK));
      one.at = (one.at + CHUNK) % TEXT.length;
      await nextTask();
    }
    await rendered;
  }
}

const channel = new MessageChannel();

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
}

/** Shows one of the boxes alone. */
function showAlone(one: Box): void {
  for (const box of document.body.children) {
    if (box instanceof HTMLElement) box.hidden = box !== one.box;
  }
}

/** CPU seconds of a few frames with text. */
async function costOf(one: Box): Promise<number> {
  showAlone(one);
  await nextFrame();
  await nextFrame();
  const start = await readCpuSeconds();
  await stream(one, MEASURED_FRAMES);
  return (await readCpuSeconds()) - start;
}

/** How often styles and layout are computed, per frame with text. */
async function countPerFrame(one: Box): Promise<{ styles: number; layouts: number }> {
  showAlone(one);
  await nextFrame();
  await nextFrame();
  const read = (): Promise<number[]> =>
    Promise.all(
      ['style-recalculations', 'layouts'].map((name) =>
        executeServerCommand<number, null>(name, null),
      ),
    );
  const [styles = NaN, layouts = NaN] = await read();
  await stream(one, FRAMES);
  const [stylesAfter = NaN, layoutsAfter = NaN] = await read();
  return { styles: (stylesAfter - styles) / FRAMES, layouts: (layoutsAfter - layouts) / FRAMES };
}

/** Adds the defect that the measurements must detect: a chunk changes a style of the chat, then reads its height. */
const reading: MakeSubject = async (input) => {
  const subject = await chat(input);
  const { host } = subject.root as ShadowRoot;
  let isWide = false;
  return {
    ...subject,
    push: (chunk) => {
      subject.push(chunk);
      isWide = !isWide;
      (host as HTMLElement).style.paddingInline = isWide ? '1px' : '0';
      void host.scrollHeight;
    },
  };
};

/** The cost of a chunk in the second subject relative to the first. */
const compare = (alone: Box, inChat: Box, limit: number): Promise<number> =>
  measurePairedRatio(
    () => costOf(alone),
    () => costOf(inChat),
    limit,
  );

/** The cost of a chunk after thirty times the text or more, relative to one after the text once or twice. */
async function measureGrowth(make: MakeSubject, limit: number): Promise<number> {
  const late = await setup(make);
  for (let count = 0; count < 8; count += 1) {
    late.subject.push(TEXT.repeat(4));
    await nextFrame();
  }
  let early: Box | undefined;
  let measurements = 0;
  const measureEarly = async (): Promise<number> => {
    if (!early || measurements % (FRAMES / MEASURED_FRAMES) === 0) {
      early?.box.remove();
      early = await setup(make);
    }
    measurements += 1;
    return costOf(early);
  };
  return measurePairedRatio(measureEarly, () => costOf(late), limit);
}

describe('a chunk in a chat', function () {
  this.timeout(900_000);

  let alone: Box;
  let inChat: Box;
  let faulty: Box;

  before(async () => {
    alone = await setup(bare);
    inChat = await setup(chat);
    faulty = await setup(reading);
  });

  it('costs little more than the renderer without an element', async () => {
    const ratio = await compare(alone, inChat, CHAT_LIMIT);
    expect(ratio).to.be.at.most(CHAT_LIMIT);
  });

  it('costs more than that when it changes a style and reads the layout', async () => {
    const ratio = await compare(alone, faulty, Infinity);
    expect(ratio).to.be.greaterThan(CHAT_LIMIT);
  });

  it('computes styles and layout hardly more often than the renderer without an element', async () => {
    const rounds: (readonly Awaited<ReturnType<typeof countPerFrame>>[])[] = [];
    while (rounds.length < 3) {
      rounds.push([
        await countPerFrame(alone),
        await countPerFrame(inChat),
        await countPerFrame(faulty),
      ]);
    }
    for (const what of ['styles', 'layouts'] as const) {
      // The highest of each: on a busy machine, some frames come late and have the text of two chunks, which lowers the count.
      const [least = NaN, measured, most] = [0, 1, 2].map((index) =>
        Math.max(...rounds.map((counts) => counts[index]?.[what] ?? NaN)),
      );
      expect(measured, what).to.be.at.most(least + COUNT_LIMIT);
      expect(most, `${what} with the defect`).to.be.greaterThan(least + COUNT_LIMIT);
    }
  });

  it('costs the same late in an answer as early', async () => {
    const ratio = await measureGrowth(chat, GROWTH_LIMIT);
    expect(ratio).to.be.at.most(GROWTH_LIMIT);
  });

  it('costs more late in an answer when it copies the text', async () => {
    const ratio = await measureGrowth(planted, Infinity);
    expect(ratio).to.be.greaterThan(GROWTH_LIMIT);
  });
});

import { cutText } from '../documents.js';
import { feed, type Seen } from './feeder.js';
import { naive, nothing, streamingMarkdown } from './peers.js';
import { bare, planted, product } from './product.js';
import { makeDom, replay } from './replay.js';
import type { MakeSubject } from './subject.js';
import { structureOf } from './structure.js';

/** What one run in the page is asked to do. */
export interface RunRequest {
  readonly subject: string;
  readonly text: string;
  /** How much of the text is in the message before the clock starts, in units. */
  readonly ahead: number;
  readonly rate: number | 'fast';
  /** Stop after this many ms of stream; 0 for all of it. */
  readonly limit: number;
  readonly marks: readonly number[];
  readonly markers: readonly string[];
  readonly history: readonly string[];
}

/** What the driver of the browser lends to the page. */
declare global {
  interface Window {
    benchMark: (share: number) => Promise<void>;
    benchRun: (request: RunRequest) => Promise<Seen & { readonly chunks: number }>;
    benchStructure: (text: string) => Promise<{ product: string; oneShot: string; marked: string }>;
  }
}

const SUBJECTS = new Map<string, MakeSubject>([
  ['null', nothing],
  ['dom-replay-raf', replay],
  ['product', product],
  ['bare', bare],
  ['planted', planted],
  ['naive', naive],
  ['smd', streamingMarkdown],
]);

function makeScroller(): HTMLElement {
  document.body.replaceChildren();
  const scroller = document.createElement('div');
  scroller.className = 'scroller';
  const box = document.createElement('div');
  scroller.append(box);
  document.body.append(scroller);
  new ResizeObserver(() => {
    scroller.scrollTop = scroller.scrollHeight;
  }).observe(box);
  return box;
}

window.benchRun = async (request) => {
  const make = SUBJECTS.get(request.subject);
  if (!make) throw new RangeError(`No subject "${request.subject}".`);
  const { text, history, rate } = request;
  const subject = await make({ box: makeScroller(), text, history });
  if (request.ahead > 0) subject.push(text.slice(0, request.ahead));
  await new Promise((resolve) => setTimeout(resolve, 400));
  let chunks = cutText(text.slice(request.ahead));
  if (request.limit > 0 && rate !== 'fast') {
    chunks = chunks.slice(0, Math.floor((request.limit / 1000) * rate));
  }
  await window.benchMark(-1);
  const { marks, markers } = request;
  const seen = await feed(subject, { chunks, rate, marks, markers, onMark: window.benchMark });
  await window.benchMark(2);
  return { ...seen, chunks: chunks.length };
};

window.benchStructure = async (text) => {
  const streamed = await bare({ box: makeScroller(), text, history: [] });
  for (const chunk of cutText(text)) streamed.push(chunk);
  await streamed.end();
  const product = structureOf(streamed.root);
  const whole = await bare({ box: makeScroller(), text, history: [] });
  whole.push(text);
  await whole.end();
  return { product, oneShot: structureOf(whole.root), marked: structureOf(makeDom(text)) };
};

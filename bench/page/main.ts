import { markdownCss } from '../../src/entries/markdown.js';
import { cutText } from '../documents.js';
import { element } from './element.js';
import { feed, type StreamMeasurements } from './feeder.js';
import { naive, nothing, streamingMarkdown } from './peers.js';
import { bare, planted, product } from './product.js';
import { makeDom, replay } from './replay.js';
import { whenShown, type MakeSubject, type Subject } from './subject.js';
import { structureOf } from './structure.js';

/** Options of one run in the page. */
export interface RunRequest {
  readonly subject: string;
  readonly text: string;
  /** Length of the text in the message before the measurement starts, in UTF-16 units. */
  readonly ahead: number;
  readonly rate: number | 'fast';
  /** Duration of the stream in ms; 0 for the whole document. */
  readonly limit: number;
  /** Shares of the chunks at which `benchMark` is called. */
  readonly marks: readonly number[];
  readonly markers: readonly string[];
  readonly history: readonly string[];
  /** A document that is streamed before the measurement, so that the code is compiled; empty for none. */
  readonly warmUp: string;
}

/** `benchMark` is a function of the driver, which the page calls. The others are functions of the page, which the driver calls. */
declare global {
  interface Window {
    /** Reads the metrics at a share of the chunks; -1 before the stream and 2 after it. */
    benchMark: (share: number) => Promise<void>;
    benchRun: (request: RunRequest) => Promise<StreamMeasurements & { readonly chunks: number }>;
    /** Returns how the content of the last run differs from the document; null when it does not. */
    benchCheck: () => Promise<string | null>;
    benchStructure: (
      text: string,
    ) => Promise<{ streamed: string; atOnce: string; reference: string }>;
  }
}

const SUBJECTS = new Map<string, MakeSubject>([
  ['null', nothing],
  ['dom-replay-raf', replay],
  ['product', product],
  ['element', element],
  ['bare', bare],
  ['planted', planted],
  ['naive', naive],
  ['smd', streamingMarkdown],
]);

/** The last run, whose content is checked. */
let last: {
  readonly subject: Subject;
  readonly request: RunRequest;
  readonly text: string;
} | null = null;

// The same styles for all subjects, including those that have no styles of their own.
const styleSheet = new CSSStyleSheet();
styleSheet.replaceSync(markdownCss);
document.adoptedStyleSheets = [styleSheet];

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
  if (request.warmUp !== '') await warmUp(make, request.warmUp);
  const subject = await make({ box: makeScroller(), text, history });
  if (request.ahead > 0) subject.push(text.slice(0, request.ahead));
  await whenShown(subject);
  let chunks = cutText(text.slice(request.ahead));
  if (request.limit > 0 && rate !== 'fast') {
    chunks = chunks.slice(0, Math.floor((request.limit / 1000) * rate));
  }
  await window.benchMark(-1);
  const { marks, markers } = request;
  const measurements = await feed(subject, {
    chunks,
    rate,
    marks,
    markers,
    onMark: window.benchMark,
  });
  await window.benchMark(2);
  if (measurements.fed === 1)
    last = { subject, request, text: text.slice(0, request.ahead) + chunks.join('') };
  return { ...measurements, chunks: chunks.length };
};

/** Compares the rendered content with the document as the renderer renders it at once; that of the reference renderer with the output of marked. */
window.benchCheck = async () => {
  if (!last) return null;
  const { subject, request, text } = last;
  if (!['product', 'element', 'bare', 'planted', 'dom-replay-raf'].includes(request.subject))
    return null;
  if (request.subject === 'dom-replay-raf' && text !== request.text) return null;
  const shown = structureOf(subject.shown?.() ?? subject.root);
  const expected =
    request.subject === 'dom-replay-raf' ? structureOf(makeDom(text)) : await showAtOnce(text);
  if (shown === expected) return null;
  let at = 0;
  while (shown[at] === expected[at]) at += 1;
  return `…${shown.slice(at - 40, at + 40)}… instead of …${expected.slice(at - 40, at + 40)}…`;
};

async function showAtOnce(text: string): Promise<string> {
  const whole = await bare({ box: makeScroller(), text, history: [] });
  whole.push(text);
  await whole.end();
  return structureOf(whole.root);
}

async function warmUp(make: MakeSubject, text: string): Promise<void> {
  const subject = await make({ box: makeScroller(), text, history: [] });
  for (const chunk of cutText(text)) {
    subject.push(chunk);
    await new Promise((resolve) => setTimeout(resolve));
  }
  await subject.end();
}

window.benchStructure = async (text) => {
  const subject = await bare({ box: makeScroller(), text, history: [] });
  for (const chunk of cutText(text)) subject.push(chunk);
  await subject.end();
  const streamed = structureOf(subject.root);
  return { streamed, atOnce: await showAtOnce(text), reference: structureOf(makeDom(text)) };
};

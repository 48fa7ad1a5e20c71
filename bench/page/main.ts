import { cutText, listChunks, type StreamedPart } from '../documents.js';
import { bare } from './bare.js';
import { chat, planted, transport } from './chat.js';
import { extended } from './extended.js';
import { feed, type StreamMeasurements } from './feeder.js';
import { naive, nothing, streamingMarkdown } from './peers.js';
import { makeDom, replay } from './replay.js';
import { whenShown, type MakeSubject, type Subject } from './subject.js';
import { structureOf, stylesOf } from './structure.js';

/** Options of one run in the page. */
export interface RunRequest extends StreamedPart {
  readonly subject: string;
  /** Shares of the chunks at which `benchMark` is called. */
  readonly marks: readonly number[];
  /** Words in the text whose display lag is measured. */
  readonly markers: readonly string[];
  /** Texts of earlier, complete messages. */
  readonly history: readonly string[];
  /** A document that is streamed before the measurement, so that the code is compiled; empty for none. */
  readonly warmUp: string;
}

/** `benchMark` and `benchAnswer` are functions of the driver, which the page calls. The others are functions of the page, which the driver calls. */
declare global {
  interface Window {
    /** Reads the metrics at a share of the chunks; -1 before the stream and 2 after it. */
    benchMark: (share: number) => Promise<void>;
    /** Begins the text of the answer that the service streams. */
    benchAnswer: () => Promise<void>;
    /** The subjects. A script of the driver may add one. */
    benchSubjects: Map<string, MakeSubject>;
    benchRun: (request: RunRequest) => Promise<StreamMeasurements & { readonly chunks: number }>;
    /** Returns how the content of the last complete run differs from the document; null when it does not, or when it is not compared. */
    benchCheck: () => Promise<string | null>;
    benchStructure: (
      text: string,
    ) => Promise<{ streamed: string; atOnce: string; reference: string }>;
    /** Returns the styles of a document that a subject renders: see `stylesOf`. */
    benchStyles: (subject: string, text: string) => Promise<string>;
  }
}

window.benchSubjects = new Map<string, MakeSubject>([
  ['null', nothing],
  ['dom-replay-raf', replay],
  ['chat', chat],
  ['transport', transport],
  ['planted', planted],
  ['bare', bare],
  ['extended', extended],
  ['naive', naive],
  ['smd', streamingMarkdown],
]);

/** The last run in which all chunks were fed before the timeout. Its content is checked. */
let last: {
  readonly subject: Subject;
  readonly request: RunRequest;
  readonly text: string;
} | null = null;

function makeBox(): HTMLElement {
  const box = document.createElement('div');
  document.body.replaceChildren(box);
  return box;
}

function findSubject(name: string): MakeSubject {
  const make = window.benchSubjects.get(name);
  if (!make) throw new RangeError(`No subject "${name}".`);
  return make;
}

window.benchRun = async (request) => {
  const make = findSubject(request.subject);
  const { text, history, rate } = request;
  if (request.warmUp !== '') await warmUp(make, request.warmUp);
  const subject = await make({ box: makeBox(), text, history });
  if (request.ahead > 0) subject.push(text.slice(0, request.ahead));
  await whenShown(subject);
  const chunks = listChunks(request);
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

/** Subjects that must render the same content. Other renderers differ. */
const COMPARED = ['chat', 'transport', 'planted', 'bare', 'extended', 'dom-replay-raf'];
/** Subjects of `COMPARED` whose content is compared with the output of marked. */
const COMPARED_WITH_MARKED = ['extended', 'dom-replay-raf'];

/**
 * Compares the rendered content with the document as the renderer renders it at once. The content of the reference renderer, and of the
 * renderer with extensions, is compared with the output of marked.
 */
window.benchCheck = async () => {
  if (!last) return null;
  const { subject, request, text } = last;
  if (!COMPARED.includes(request.subject)) return null;
  // The replay ends with the whole document, even if the time of the stream was limited.
  if (request.subject === 'dom-replay-raf' && text !== request.text) return null;
  const shown = structureOf(subject.findTextContainer?.() ?? subject.root);
  const expected = COMPARED_WITH_MARKED.includes(request.subject)
    ? structureOf(makeDom(text))
    : await showAtOnce(text);
  if (shown === expected) return null;
  let at = 0;
  while (shown[at] === expected[at]) at += 1;
  return `…${shown.slice(at - 40, at + 40)}… instead of …${expected.slice(at - 40, at + 40)}…`;
};

async function showAtOnce(text: string): Promise<string> {
  const whole = await bare({ box: makeBox(), text, history: [] });
  whole.push(text);
  await whole.end();
  return structureOf(whole.root);
}

async function warmUp(make: MakeSubject, text: string): Promise<void> {
  const subject = await make({ box: makeBox(), text, history: [] });
  await subject.begin?.();
  for (const chunk of cutText(text)) {
    subject.push(chunk);
    await new Promise((resolve) => setTimeout(resolve));
  }
  await subject.end();
}

window.benchStructure = async (text) => {
  const subject = await bare({ box: makeBox(), text, history: [] });
  for (const chunk of cutText(text)) subject.push(chunk);
  await subject.end();
  const streamed = structureOf(subject.root);
  return { streamed, atOnce: await showAtOnce(text), reference: structureOf(makeDom(text)) };
};

window.benchStyles = async (name, text) => {
  const subject = await findSubject(name)({ box: makeBox(), text, history: [] });
  for (const chunk of cutText(text)) subject.push(chunk);
  await subject.end();
  return stylesOf(subject.findTextContainer?.() ?? subject.root);
};

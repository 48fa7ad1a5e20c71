/** Runs in each of the two frames of `npm run bench:compare`: renders an answer piece by piece. */
import { cutText } from '../documents.js';
import { bare } from './bare.js';
import { chat } from './chat.js';
import { structureOf } from './structure.js';
import { nextFrame, type Subject } from './subject.js';

/** The renderers that are compared. */
const SUBJECTS = { bare, chat };

/** An answer that both frames render. */
export interface ComparedAnswer {
  readonly subject: keyof typeof SUBJECTS;
  readonly text: string;
  /** Chunks per frame; not necessarily a whole number. */
  readonly pace: number;
}

/** Some chunks of an answer. */
export interface Slice {
  /** The first chunk, and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** Steps of useless work with each chunk: a slowdown. */
  readonly extra: number;
}

/** Called by the driver. */
declare global {
  interface Window {
    /** Begins an answer. */
    compareOpen: (answer: ComparedAnswer) => Promise<void>;
    /** Renders a slice at the pace of the answer. */
    comparePlay: (slice: Slice) => Promise<void>;
    /** Returns the content that is shown. */
    compareShown: () => string;
  }
}

/** The answer that is being rendered. */
let current: {
  readonly subject: Subject;
  readonly chunks: readonly string[];
  readonly pace: number;
} | null = null;

window.compareOpen = async ({ subject, text, pace }) => {
  const box = document.createElement('div');
  document.body.replaceChildren(box);
  const made = await SUBJECTS[subject]({ box, text, history: [] });
  current = { subject: made, chunks: cutText(text), pace };
};

window.comparePlay = async ({ from, to, extra }) => {
  if (!current) throw new Error('No answer is open.');
  const { subject, chunks, pace } = current;
  for (let at = from, due = from; at < to;) {
    await nextFrame();
    for (due += pace; at < Math.min(due, to); at += 1) {
      await nextTask();
      subject.push(chunks[at] ?? '');
      work(extra);
    }
  }
  // The frame of the last chunks, and what follows it.
  await nextFrame();
  await nextFrame();
};

window.compareShown = () => {
  if (!current) return '';
  const { subject } = current;
  return structureOf(subject.findTextContainer?.() ?? subject.root);
};

const { port1, port2 } = new MessageChannel();

/** Resolves in a new task, as each chunk of a network does. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    port1.onmessage = () => {
      resolve();
    };
    port2.postMessage(null);
  });
}

let product = 1;

function work(steps: number): void {
  for (let step = 0; step < steps; step += 1) product = Math.imul(product, 31) + step;
}

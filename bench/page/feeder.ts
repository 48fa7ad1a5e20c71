import { nextFrame, type Subject } from './subject.js';

/** The stream of a document to a subject. */
export interface Feed {
  readonly chunks: readonly string[];
  /** Chunks per second, posted by a worker with a separate clock; `fast`: one per macrotask. */
  readonly rate: number | 'fast';
  /** Shares of the chunks at which `onMark` is called. */
  readonly marks: readonly number[];
  readonly onMark: (share: number) => void | Promise<void>;
  /** Words whose display lag is measured. */
  readonly markers: readonly string[];
}

/** The measurements of the page during a stream. Times in ms. */
export interface StreamMeasurements {
  /** From posting a chunk to its handler. */
  readonly waits: readonly number[];
  /** Gaps between animation frames. */
  readonly gaps: readonly number[];
  readonly longTasks: readonly number[];
  /** From pushing a marker word to the first frame in which it is found. */
  readonly lags: readonly number[];
  readonly markersMissed: number;
  readonly took: number;
  /** Share of the chunks that were processed before the timeout; 1 for all. */
  readonly fed: number;
}

/** Streams chunks to a subject and ends it; resolves when everything is rendered. After the timeout it resolves without ending the subject. */
export async function feed(subject: Subject, options: Feed): Promise<StreamMeasurements> {
  const watch = new FrameWatch();
  const lag = new LagWatch(subject, options.markers);
  const waits: number[] = [];
  const start = performance.now();
  const handleChunk = (index: number, postedAt: number): void => {
    const chunk = options.chunks[index] ?? '';
    waits.push(performance.timeOrigin + performance.now() - postedAt);
    subject.push(chunk);
    lag.recordChunk(chunk);
  };
  await subject.begin?.();
  if (options.rate === 'fast') await feedFast(options, handleChunk);
  else await feedPaced(options, options.rate, handleChunk);
  const took = performance.now() - start;
  const fed = waits.length / options.chunks.length;
  if (fed === 1) await subject.end();
  await nextFrame();
  return { waits, ...watch.stop(), ...lag.stop(), took, fed };
}

/** Timeout of a subject: relative to the duration of the stream, and in ms for a stream without a rate. */
const TIMEOUT_FACTOR = 2.5;
const FAST_TIMEOUT = 60_000;

type ChunkHandler = (index: number, postedAt: number) => void;

/** Runs each chunk in a new macrotask, between which the browser may paint. */
async function feedFast({ chunks, marks, onMark }: Feed, handleChunk: ChunkHandler): Promise<void> {
  const channel = new MessageChannel();
  const due = new Set(marks.map((share) => Math.floor(share * chunks.length)));
  const end = performance.now() + FAST_TIMEOUT;
  for (let index = 0; index < chunks.length && performance.now() < end; index += 1) {
    if (due.has(index)) await onMark(index / chunks.length);
    await new Promise((resolve) => {
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(null);
    });
    handleChunk(index, performance.timeOrigin + performance.now());
  }
  if (due.has(chunks.length)) await onMark(1);
  channel.port1.close();
}

/** Code of the worker that posts the chunks. */
const CLOCK = `
onmessage = ({ data: { count, rate } }) => {
  const start = performance.now();
  let sent = 0;
  const tick = () => {
    const due = Math.min(count, Math.floor((performance.now() - start) * rate / 1000));
    while (sent < due) postMessage({ index: sent++, at: performance.timeOrigin + performance.now() });
    if (sent < count) setTimeout(tick, 1);
  };
  tick();
};`;

/** Lets a worker post the chunks with a separate clock, whether or not the page keeps up, as a network would. */
function feedPaced(
  { chunks, marks, onMark }: Feed,
  rate: number,
  handleChunk: ChunkHandler,
): Promise<void> {
  const worker = new Worker(URL.createObjectURL(new Blob([CLOCK])));
  const due = new Set(marks.map((share) => Math.floor(share * chunks.length)));
  const end = performance.now() + (TIMEOUT_FACTOR * 1000 * chunks.length) / rate;
  return new Promise((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<{ index: number; at: number }>) => {
      if (due.has(data.index)) void onMark(data.index / chunks.length);
      handleChunk(data.index, data.at);
      if (data.index < chunks.length - 1 && performance.now() < end) return;
      worker.onmessage = null;
      worker.terminate();
      if (due.has(chunks.length)) void onMark(1);
      resolve();
    };
    worker.postMessage({ count: chunks.length, rate });
  });
}

/** Records gaps between frames, and long tasks. */
class FrameWatch {
  readonly #gaps: number[] = [];
  readonly #longTasks: number[] = [];
  readonly #observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) this.#longTasks.push(entry.duration);
  });
  #last = 0;
  #isActive = true;

  constructor() {
    this.#observer.observe({ type: 'longtask' });
    const tick = (at: number): void => {
      if (this.#last > 0) this.#gaps.push(at - this.#last);
      this.#last = at;
      if (this.#isActive) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  stop(): { gaps: readonly number[]; longTasks: readonly number[] } {
    this.#isActive = false;
    this.#observer.disconnect();
    return { gaps: this.#gaps, longTasks: this.#longTasks };
  }
}

/** Records when marker words reach the DOM. Reads the text, which costs time, so it is optional. */
class LagWatch {
  readonly #subject: Subject;
  readonly #markers: ReadonlySet<string>;
  readonly #waiting = new Map<string, number>();
  readonly #lags: number[] = [];
  readonly #seen = new Set<string>();
  #tail = '';
  #isActive: boolean;

  constructor(subject: Subject, markers: readonly string[]) {
    this.#subject = subject;
    this.#markers = new Set(markers);
    this.#isActive = markers.length > 0;
    const checkFrame = (): void => {
      this.#check();
      if (this.#isActive) requestAnimationFrame(checkFrame);
    };
    if (this.#isActive) requestAnimationFrame(checkFrame);
  }

  recordChunk(chunk: string): void {
    if (!this.#isActive) return;
    // Long enough for a marker word that is split over several chunks.
    this.#tail = (this.#tail + chunk).slice(-64);
    for (const word of this.#tail.match(/marker\d+x/g) ?? []) {
      if (this.#markers.has(word) && !this.#seen.has(word)) {
        this.#seen.add(word);
        this.#waiting.set(word, performance.now());
      }
    }
  }

  stop(): { lags: readonly number[]; markersMissed: number } {
    this.#check();
    this.#isActive = false;
    return { lags: this.#lags, markersMissed: this.#waiting.size };
  }

  #check(): void {
    if (this.#waiting.size === 0) return;
    const text = readTextEnd(this.#subject.root);
    for (const [word, at] of this.#waiting) {
      if (!text.includes(word)) continue;
      this.#lags.push(performance.now() - at);
      this.#waiting.delete(word);
    }
  }
}

/** Returns the end of the rendered text, including that of shadow roots. It is long enough to contain all words of the last frames. */
function readTextEnd(root: Element | ShadowRoot): string {
  const host = root instanceof Element ? (root.shadowRoot ?? root) : root;
  let text = host.textContent;
  for (const inner of host.querySelectorAll('*')) if (inner.shadowRoot) text += readTextEnd(inner);
  return text.slice(-20_000);
}

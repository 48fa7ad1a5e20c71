import { nextFrame, type Subject } from './subject.js';

/** How a document is fed. */
export interface Feed {
  readonly chunks: readonly string[];
  /** Chunks a second, posted by a worker on its own clock; `fast`: one macrotask each. */
  readonly rate: number | 'fast';
  /** Shares of the chunks at which `onMark` is told. */
  readonly marks: readonly number[];
  readonly onMark: (share: number) => void | Promise<void>;
  /** Words whose way to the screen is timed. */
  readonly markers: readonly string[];
}

/** What the page saw while it was fed. Times in ms. */
export interface Seen {
  /** From the post of a chunk to its handler. */
  readonly waits: readonly number[];
  /** Gaps between animation frames. */
  readonly gaps: readonly number[];
  readonly longTasks: readonly number[];
  /** From the push of a marker word to the first frame that finds it. */
  readonly lags: readonly number[];
  readonly markersMissed: number;
  readonly took: number;
  /** Share of the chunks that were taken before the time was up; 1 when all were. */
  readonly fed: number;
}

/** Feeds a subject and ends it. Resolves when all is shown. */
export async function feed(subject: Subject, options: Feed): Promise<Seen> {
  const watch = new FrameWatch();
  const lag = new LagWatch(subject, options.markers);
  const waits: number[] = [];
  const start = performance.now();
  const take = (index: number, postedAt: number): void => {
    const chunk = options.chunks[index] ?? '';
    waits.push(performance.timeOrigin + performance.now() - postedAt);
    subject.push(chunk);
    lag.pushed(chunk);
  };
  if (options.rate === 'fast') await feedFast(options, take);
  else await feedPaced(options, options.rate, take);
  const took = performance.now() - start;
  const fed = waits.length / options.chunks.length;
  if (fed === 1) await subject.end();
  await nextFrame();
  return { waits, ...watch.stop(), ...lag.stop(), took, fed };
}

/** Whoever has not kept up by then is cut off: so many times the time that the stream takes, and so long flat out, ms. */
const PATIENCE = 2.5;
const FAST_PATIENCE = 60_000;

type Take = (index: number, postedAt: number) => void;

/** A new macrotask for each chunk; painting may come between. */
async function feedFast({ chunks, marks, onMark }: Feed, take: Take): Promise<void> {
  const channel = new MessageChannel();
  const due = new Set(marks.map((share) => Math.floor(share * chunks.length)));
  const end = performance.now() + FAST_PATIENCE;
  for (let index = 0; index < chunks.length && performance.now() < end; index += 1) {
    if (due.has(index)) await onMark(index / chunks.length);
    await new Promise((resolve) => {
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(null);
    });
    take(index, performance.timeOrigin + performance.now());
  }
  if (due.has(chunks.length)) await onMark(1);
  channel.port1.close();
}

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

/** A worker posts the chunks on its own clock, whether or not the page keeps up, as a network would. */
function feedPaced({ chunks, marks, onMark }: Feed, rate: number, take: Take): Promise<void> {
  const worker = new Worker(URL.createObjectURL(new Blob([CLOCK])));
  const due = new Set(marks.map((share) => Math.floor(share * chunks.length)));
  const end = performance.now() + (PATIENCE * 1000 * chunks.length) / rate;
  return new Promise((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<{ index: number; at: number }>) => {
      if (due.has(data.index)) void onMark(data.index / chunks.length);
      take(data.index, data.at);
      if (data.index < chunks.length - 1 && performance.now() < end) return;
      worker.onmessage = null;
      worker.terminate();
      if (due.has(chunks.length)) void onMark(1);
      resolve();
    };
    worker.postMessage({ count: chunks.length, rate });
  });
}

/** Gaps between frames, and long tasks. */
class FrameWatch {
  readonly #gaps: number[] = [];
  readonly #longTasks: number[] = [];
  readonly #observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) this.#longTasks.push(entry.duration);
  });
  #last = 0;
  #on = true;

  constructor() {
    this.#observer.observe({ type: 'longtask' });
    const tick = (at: number): void => {
      if (this.#last > 0) this.#gaps.push(at - this.#last);
      this.#last = at;
      if (this.#on) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  stop(): { gaps: readonly number[]; longTasks: readonly number[] } {
    this.#on = false;
    this.#observer.disconnect();
    return { gaps: this.#gaps, longTasks: this.#longTasks };
  }
}

/** When marker words reach the DOM. Reads text, so it is on only where asked for. */
class LagWatch {
  readonly #subject: Subject;
  readonly #markers: ReadonlySet<string>;
  readonly #waiting = new Map<string, number>();
  readonly #lags: number[] = [];
  #tail = '';
  #on: boolean;

  constructor(subject: Subject, markers: readonly string[]) {
    this.#subject = subject;
    this.#markers = new Set(markers);
    this.#on = markers.length > 0;
    const look = (): void => {
      this.#look();
      if (this.#on) requestAnimationFrame(look);
    };
    if (this.#on) requestAnimationFrame(look);
  }

  pushed(chunk: string): void {
    if (!this.#on) return;
    this.#tail = (this.#tail + chunk).slice(-64);
    for (const word of this.#tail.match(/marker\d+x/g) ?? []) {
      if (this.#markers.has(word) && !this.#seen.has(word)) {
        this.#seen.add(word);
        this.#waiting.set(word, performance.now());
      }
    }
  }

  stop(): { lags: readonly number[]; markersMissed: number } {
    this.#look();
    this.#on = false;
    return { lags: this.#lags, markersMissed: this.#waiting.size };
  }

  readonly #seen = new Set<string>();

  #look(): void {
    if (this.#waiting.size === 0) return;
    const text = deepTail(this.#subject.root);
    for (const [word, at] of this.#waiting) {
      if (!text.includes(word)) continue;
      this.#lags.push(performance.now() - at);
      this.#waiting.delete(word);
    }
  }
}

/** The end of the shown text, through shadow roots. */
function deepTail(root: Element | ShadowRoot): string {
  const host = root instanceof Element ? (root.shadowRoot ?? root) : root;
  let text = host.textContent;
  for (const inner of host.querySelectorAll('*')) if (inner.shadowRoot) text += deepTail(inner);
  return text.slice(-20_000);
}

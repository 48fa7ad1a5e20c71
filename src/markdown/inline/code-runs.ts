import { MAX_SPAN } from '../syntax/limits.js';

/** The runs of backticks of a text, found once, so that looking for the end of a code span costs nothing. */
export class CodeRuns {
  readonly #text: string;
  readonly #from: number;
  readonly #open: boolean;
  /** Places of the runs by their length, in order; a place that was passed is dropped. */
  #runs: Map<number, { readonly places: number[]; next: number }> | null = null;

  constructor(text: string, from: number, open: boolean) {
    this.#text = text;
    this.#from = from;
    this.#open = open;
  }

  /** The length of the run at a place. */
  lengthAt(start: number): number {
    let end = start;
    while (this.#text.charCodeAt(end) === 96) end += 1;
    return end - start;
  }

  /** The place at or behind `from` where a run of exactly this length closes a code span that is not too long. */
  closer(from: number, length: number): number | null {
    this.#runs ??= this.#find();
    const runs = this.#runs.get(length);
    if (runs === undefined) return null;
    while (runs.next < runs.places.length && (runs.places[runs.next] ?? 0) < from) runs.next += 1;
    const place = runs.places[runs.next];
    return place === undefined || place + 2 * length - from > MAX_SPAN ? null : place;
  }

  #find(): Map<number, { places: number[]; next: number }> {
    const found = new Map<number, { places: number[]; next: number }>();
    const text = this.#text;
    for (let at = text.indexOf('`', this.#from); at >= 0;) {
      const length = this.lengthAt(at);
      const end = at + length;
      // A run at the end of a text that goes on may still grow.
      if (this.#open && end >= text.length) break;
      const runs = found.get(length);
      if (runs === undefined) found.set(length, { places: [at], next: 0 });
      else runs.places.push(at);
      at = text.indexOf('`', end);
    }
    return found;
  }
}

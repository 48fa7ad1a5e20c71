import type { Key } from '../../../model/json.js';
import { asText } from './read-json.js';
import { PrefixComparison, type ComparedSide } from './prefix-comparison.js';
import { findAppended, type SectionTouch } from './touched-sections.js';
import type { PartSpec, ViewSection } from './view-section.js';

/** A string of the document, and the piece by which it has grown since the last update; null when it was replaced or has not changed. */
export interface GrowingString {
  readonly text: string;
  readonly piece: string | null;
}

/** The state of a final text and of the steps in the present document. */
export interface FinalTextUpdate {
  /** The final text in the document, and what was touched in it. */
  readonly node: unknown;
  readonly touches: readonly SectionTouch[];
  /** The text of the last step that has one of this kind. */
  readonly lastStep: GrowingString;
  /** The texts of all steps, when the run is over; null while it goes on. */
  readonly allSteps: readonly string[] | null;
  /** Derives the parts that show the final text. */
  readonly derive: () => readonly PartSpec[];
  /** Key of the part before which they are inserted; null for the end of the message. */
  readonly findNext: () => Key | null;
}

/**
 * A thought or a text beside the steps. The service sends most of them twice, in a step and here: one that a step shows is not shown
 * again.
 *
 * While both are being written, the final text counts as a repetition as long as one of them is the beginning of the other. In the end
 * it is one when it equals the text of any step.
 */
export class FinalText {
  readonly section: ViewSection;
  readonly #repetition = new Repetition();
  #text = '';
  #isRepeated = false;

  constructor(section: ViewSection) {
    this.section = section;
  }

  /** Shows or hides the text. A piece of a growing text costs its length. */
  update({ node, touches, lastStep, allSteps, derive, findNext }: FinalTextUpdate): void {
    const text = asText(node);
    const piece = findAppended(touches, '', this.#text, text);
    const wasRepeated = this.#isRepeated;
    this.#text = text;
    this.#isRepeated = allSteps
      ? allSteps.some((step) => step.trim() === text.trim())
      : this.#repetition.update(lastStep, { text, piece });
    if (this.#isRepeated) this.section.replace([], findNext);
    else if (wasRepeated) this.section.replace(derive(), findNext);
    else this.section.update(touches, node, derive, findNext);
  }
}

/** Compares the last step with the final text, as both grow. */
class Repetition {
  #comparison = new PrefixComparison();
  readonly #known: Record<ComparedSide, string> = { step: '', final: '' };

  /** Whether one is the beginning of the other. Compares what is new; a text that was replaced, from its beginning. */
  update(step: GrowingString, final: GrowingString): boolean {
    const isGrown = isContinued(this.#known.step, step) && isContinued(this.#known.final, final);
    if (!isGrown) this.#comparison = new PrefixComparison();
    this.#append('step', isGrown ? (step.piece ?? '') : step.text);
    this.#append('final', isGrown ? (final.piece ?? '') : final.text);
    this.#known.step = step.text;
    this.#known.final = final.text;
    return this.#comparison.hasText('step') && this.#comparison.matches;
  }

  #append(side: ComparedSide, piece: string): void {
    this.#comparison.append(side, piece);
  }
}

/** Whether a text has grown by its piece, or not at all. */
function isContinued(before: string, { text, piece }: GrowingString): boolean {
  // Lengths first: comparing two texts that were built by appending would copy both.
  if (before.length + (piece?.length ?? 0) !== text.length) return false;
  return piece !== null || text === before;
}

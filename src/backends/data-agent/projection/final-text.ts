import type { Key } from '../../../model/json.js';
import { asString } from './read-json.js';
import { PrefixComparison, type ComparedSide } from './prefix-comparison.js';
import { findAppended, type SectionChange } from './changed-sections.js';
import type { PartSpec, ProjectedSection } from './projected-section.js';

/**
 * A string of the reply, and the chunk by which it has grown since the last update. The chunk is null when the string was replaced, and null
 * or empty when it has not changed.
 */
export interface GrowingString {
  readonly text: string;
  readonly chunk: string | null;
}

/** The final text and the texts of the steps in the current reply. */
export interface FinalTextUpdate {
  /** The final text in the reply, and its changes. */
  readonly node: unknown;
  readonly changes: readonly SectionChange[];
  /** The text of the last step that has a text of this kind. */
  readonly lastStep: GrowingString;
  /** The texts of all steps at the end of the run; null while the run continues. */
  readonly allSteps: readonly string[] | null;
  /** Derives the parts that show the final text. */
  readonly derive: () => readonly PartSpec[];
  /** Returns the key of the part before which they are inserted; null for the end of the message. */
  readonly findNextKey: () => Key | null;
}

/**
 * Thinking or text of `final_answer`, outside the steps. The service sends most of them twice, in a step and here. It is hidden while a
 * step shows it.
 *
 * During the run, it is hidden as long as it is a prefix of the text of the last step, or the other way round. At the end of the run, it is
 * hidden if it equals the text of any step.
 */
export class FinalText {
  readonly section: ProjectedSection;
  readonly #repetition = new Repetition();
  #text = '';
  #isRepeated = false;

  constructor(section: ProjectedSection) {
    this.section = section;
  }

  /** Shows or hides the text. While texts only grow, takes time proportional to the appended text. */
  update({ node, changes, lastStep, allSteps, derive, findNextKey }: FinalTextUpdate): void {
    const text = asString(node);
    const chunk = findAppended(changes, '', this.#text, text);
    const wasRepeated = this.#isRepeated;
    this.#text = text;
    this.#isRepeated = allSteps
      ? allSteps.some((step) => step.trim() === text.trim())
      : this.#repetition.update(lastStep, { text, chunk });
    if (this.#isRepeated) this.section.replace([], findNextKey);
    else if (wasRepeated) this.section.replace(derive(), findNextKey);
    else this.section.update(changes, node, derive, findNextKey);
  }
}

/** Compares the text of the last step with the final text while both grow. */
class Repetition {
  #comparison = new PrefixComparison();
  readonly #known: Record<ComparedSide, string> = { step: '', final: '' };

  /** Returns whether the step has a text and one text is a prefix of the other. Compares only appended text, unless a text was replaced. */
  update(step: GrowingString, final: GrowingString): boolean {
    const hasOnlyGrown =
      isContinued(this.#known.step, step) && isContinued(this.#known.final, final);
    if (!hasOnlyGrown) this.#comparison = new PrefixComparison();
    this.#append('step', hasOnlyGrown ? (step.chunk ?? '') : step.text);
    this.#append('final', hasOnlyGrown ? (final.chunk ?? '') : final.text);
    this.#known.step = step.text;
    this.#known.final = final.text;
    return this.#comparison.hasText('step') && this.#comparison.matches;
  }

  #append(side: ComparedSide, chunk: string): void {
    this.#comparison.append(side, chunk);
  }
}

/** Whether a text has grown by its chunk, or is unchanged. */
function isContinued(before: string, { text, chunk }: GrowingString): boolean {
  // Compare the lengths first: comparing two concatenated strings would copy both.
  if (before.length + (chunk?.length ?? 0) !== text.length) return false;
  return chunk !== null || text === before;
}

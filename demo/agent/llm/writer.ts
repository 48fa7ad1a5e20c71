import type { LiveRun } from '../run/live-run.js';

/** Writes what a model thinks and says into a run. */
export interface ModelWriter {
  think(text: string): void;
  say(text: string): void;
  /** Closes an open thought. */
  end(): void;
  /** All that was said. */
  readonly text: string;
}

/** Thoughts stand between thinking tags; words end a thought. */
export function createWriter(run: LiveRun): ModelWriter {
  let text = '';
  let thinking = false;
  let begun = false;
  const closeThought = (): void => {
    if (!thinking) return;
    thinking = false;
    begun = false;
    run.writeLine('<</thinking>>');
  };
  return {
    think: (piece) => {
      if (piece === '') return;
      if (!thinking) run.writeLine('<<thinking>>\n');
      thinking = true;
      run.write(piece);
    },
    say: (piece) => {
      if (piece === '') return;
      closeThought();
      text += piece;
      if (begun) run.write(piece);
      else run.writeLine(piece);
      begun = true;
    },
    end: closeThought,
    get text() {
      return text;
    },
  };
}

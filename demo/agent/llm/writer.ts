import type { LiveRun } from '../run/live-run.js';

/** Writes the thinking and the text of a model into a run. */
export interface ModelWriter {
  think(text: string): void;
  say(text: string): void;
  /** Closes an open thinking tag. */
  end(): void;
  /** All text that was written, without thinking. */
  readonly text: string;
}

/** Creates a writer that wraps thinking in `<<thinking>>` tags and closes the tag before the next text. */
export function createWriter(run: LiveRun): ModelWriter {
  let text = '';
  let thinking = false;
  // Whether a piece of text continues the line of the piece before it.
  let hasTextLine = false;
  const closeThinking = (): void => {
    if (!thinking) return;
    thinking = false;
    hasTextLine = false;
    run.writeOnNewLine('<</thinking>>');
  };
  return {
    think: (piece) => {
      if (piece === '') return;
      if (!thinking) run.writeOnNewLine('<<thinking>>\n');
      thinking = true;
      run.write(piece);
    },
    say: (piece) => {
      if (piece === '') return;
      closeThinking();
      text += piece;
      if (hasTextLine) run.write(piece);
      else run.writeOnNewLine(piece);
      hasTextLine = true;
    },
    end: closeThinking,
    get text() {
      return text;
    },
  };
}

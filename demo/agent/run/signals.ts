/** Thrown inside a run when the person has asked to stop: the run ends with what it has. */
export class Stopped extends Error {}

/** Thrown inside a run when the server closes: the run is left as it is; the next start tells its end. */
export class Closed extends Error {}

/** Thrown by a skill that cannot go on without the person. */
export class NeedsInput extends Error {
  /** The question. */
  readonly prompt: string;
  /** What kinds of answer are expected, in the words of the protocol. */
  readonly types: readonly string[];
  /** A short word for the name of the checkpoint. */
  readonly topic: string;

  /** @param ask The question, the expected kinds of answer and a short word for its checkpoint. */
  constructor(ask: { prompt: string; types: readonly string[]; topic: string }) {
    super(ask.prompt);
    this.prompt = ask.prompt;
    this.types = ask.types;
    this.topic = ask.topic;
  }
}

/** Thrown by a tool that could not do its work. The message is a sentence for the person. */
export class ToolFailure extends Error {}

/** Thrown by a skill whose failure ends the run. The message is a sentence for the person. */
export class RunFailure extends Error {}

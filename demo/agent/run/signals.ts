import type { JsonObject } from '../json.js';

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
  /** Further fields of the event: `options`, a `schema`, a `timeout` in seconds. */
  readonly more: JsonObject;

  /** @param ask The question, the expected kinds of answer, a short word for its checkpoint, further fields of its event. */
  constructor(ask: { prompt: string; types: readonly string[]; topic: string; more?: JsonObject }) {
    super(ask.prompt);
    this.prompt = ask.prompt;
    this.types = ask.types;
    this.topic = ask.topic;
    this.more = ask.more ?? {};
  }
}

/** Thrown by a tool that could not do its work. The message is a sentence for the person. */
export class ToolFailure extends Error {}

/** Thrown by a skill whose failure ends the run. The message is a sentence for the person. */
export class RunFailure extends Error {}

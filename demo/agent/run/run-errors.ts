import type { JsonObject } from '../json.js';

/** Thrown inside a run after a stop request. The run ends with its current content. */
export class RunStoppedError extends Error {}

/**
 * Thrown to abort runs and indexing when the server closes, and a run when its session is deleted. A run of the UBIK agent stores nothing
 * more; the next start of the server marks runs that were in progress as failed, and repeats the indexing. The answer of a run of the Data
 * Agent is stored as failed at once.
 */
export class ServerClosedError extends Error {}

/** Thrown by a skill that needs input of the user to continue. */
export class InputRequiredError extends Error {
  /** The question. */
  readonly prompt: string;
  /** Expected types of the answer, as named by the protocol. */
  readonly types: readonly string[];
  /** Short topic, part of the name of the checkpoint. */
  readonly topic: string;
  /** Additional fields of the event: `options`, `schema`, `timeout` (seconds). */
  readonly more: JsonObject;

  /** @param ask Prompt, expected types, topic for the checkpoint, and additional fields of the event. */
  constructor(ask: { prompt: string; types: readonly string[]; topic: string; more?: JsonObject }) {
    super(ask.prompt);
    this.prompt = ask.prompt;
    this.types = ask.types;
    this.topic = ask.topic;
    this.more = ask.more ?? {};
  }
}

/** Thrown by a tool that failed. The message is shown to the user. */
export class ToolError extends Error {}

/** Thrown by a skill to fail the run. The message is shown to the user. */
export class RunError extends Error {}

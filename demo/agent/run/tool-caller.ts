import { randomBytes } from 'node:crypto';
import { formatTimestamp } from '../clock.js';
import { isJsonObject, toTagSafeJson, type Json, type JsonObject } from '../json.js';
import {
  finishExecution,
  insertAsset,
  insertExecution,
  storeToolAnswer,
  listOpenExecutions,
  setExecutionStatus,
  type ToolAnswer,
} from '../store/executions.js';
import { setTaskState } from '../store/tasks.js';
import { toolIdOf } from '../tools/tool-list.js';
import type { RunContext } from './run-context.js';
import type { LiveRun } from './live-run.js';
import { EXPIRED } from './close-question.js';
import { ServerClosedError, ToolError } from './run-errors.js';

/** The functions that a tool can call while it is executed. */
export interface ToolContext {
  readonly executionId: string;
  /** Emits a phase or a status. */
  update(data: JsonObject): void;
  /** Emits a chunk of the output. */
  appendOutput(content: string, outputKey: string): void;
  /** Waits; a stop takes effect after the tool has ended. */
  pause(milliseconds: number): Promise<void>;
  /** Stores a file and returns a reference to it. */
  storeFile(fileName: string, mediaType: string, bytes: Uint8Array): JsonObject;
  /**
   * Requests input from the user and waits for the answer: null if the run is being stopped, of the type `expired` after the timeout.
   *
   * @param question Input of the tool: the question, optionally with options or a schema.
   * @param more Additional fields of the event, such as the expected types and a timeout.
   */
  requestInput(
    question: JsonObject,
    more?: { readonly [field: string]: Json },
  ): Promise<ToolAnswer>;
}

/** One call of a tool: its name, its input and its implementation. */
export interface ToolCall {
  readonly name: string;
  readonly input: JsonObject;
  execute(tool: ToolContext): Promise<Json>;
}

/** Result of a call. */
export type ToolOutcome = { readonly result: Json } | { readonly failure: string };

/** Calls tools and reports on them: tags in the text, progress as events, and a database row for each call. */
export class ToolCaller {
  readonly #context: RunContext;
  readonly #run: LiveRun;

  /** @param run The run that the tools report to. */
  constructor(context: RunContext, run: LiveRun) {
    this.#context = context;
    this.#run = run;
  }

  /** Calls one tool. If it fails, reports that and throws a `ToolError`. */
  async call(call: ToolCall): Promise<Json> {
    const [outcome] = await this.callAll([call]);
    if (outcome === undefined) throw new Error('callAll returned no outcome.');
    if ('failure' in outcome) throw new ToolError(outcome.failure);
    return outcome.result;
  }

  /**
   * Calls tools concurrently. Results have no id: a reader assigns each to the newest open tool without a result, so they
   * are written in the reverse order of the calls.
   */
  async callAll(calls: readonly ToolCall[]): Promise<ToolOutcome[]> {
    const open = calls.map((call) => ({ call, id: this.#begin(call) }));
    await this.#context.pausePoints.reach(this.#run.owner, 'tool');
    const outcomes = await Promise.all(open.map(({ call, id }) => this.#perform(call, id)));
    for (const [index, { call, id }] of [...open.entries()].reverse()) {
      const outcome = outcomes[index];
      if (outcome !== undefined) this.end(call.name, id, outcome);
    }
    this.#run.throwIfStopped();
    return outcomes;
  }

  /** Writes the result of a call and closes it. */
  end(name: string, id: string, outcome: ToolOutcome): void {
    const failed = 'failure' in outcome;
    const result = failed ? { status: 'failed', error: outcome.failure } : outcome.result;
    // `streamExecution` ends its response once the execution is completed, so all of its events must be published before.
    this.#run.log.flush();
    finishExecution(
      this.#context.database,
      id,
      failed ? { error: outcome.failure } : { outputs: outcome.result },
      formatTimestamp(this.#context.clock.now()),
    );
    this.#run.writeOnNewLine(
      [
        '<<TOOL_STEP_RESULT_START>>',
        typeof result === 'string' ? result : toTagSafeJson(result),
        '<<TOOL_STEP_RESULT_END>>',
        `<<TOOL_STEP_END/${name}:${id}>>`,
      ].join('\n'),
    );
  }

  /**
   * Ends the calls that were started before a restart, as soon as their answers are known.
   *
   * @param given The new answer. Answers to the other calls are stored, or awaited.
   * @param act Applies an answer and returns the result of the call.
   * @returns The results in the order of the calls; null for a call that failed.
   */
  async endResumedCalls(
    given: { readonly executionId: string; readonly answer: ToolAnswer },
    act: (tool: ToolContext, answer: ToolAnswer) => Promise<Json>,
  ): Promise<Json[]> {
    const { database } = this.#context;
    const open = listOpenExecutions(database, this.#run.task.id);
    storeToolAnswer(database, given.executionId, given.answer);
    const others = open.filter(
      (each) => each.id !== given.executionId && each.answer === undefined,
    );
    const [first] = others;
    if (first !== undefined) setTaskState(database, this.#run.task.id, 'tool_waiting', first.id);
    const outcomes = await Promise.all(
      open.map(async ({ id, tool_name: name, answer: stored }) => {
        const isGiven = id === given.executionId;
        const answer = isGiven
          ? given.answer
          : stored === undefined
            ? await this.#awaitAnswer(id)
            : stored;
        return this.#perform({ name, input: {}, execute: (tool) => act(tool, answer) }, id);
      }),
    );
    for (const [index, { id, tool_name: name }] of [...open.entries()].reverse()) {
      const outcome = outcomes[index];
      if (outcome !== undefined) this.end(name, id, outcome);
    }
    this.#run.throwIfStopped();
    return outcomes.map((outcome) => ('result' in outcome ? outcome.result : null));
  }

  #begin(call: ToolCall): string {
    const id = `call_${randomBytes(9).toString('hex')}`;
    insertExecution(
      this.#context.database,
      {
        id,
        toolId: toolIdOf(call.name),
        toolName: call.name,
        owner: this.#run.owner,
        sessionId: this.#run.task.session_id,
        taskId: this.#run.task.id,
        inputs: call.input,
      },
      formatTimestamp(this.#context.clock.now()),
    );
    this.#run.writeOnNewLine(
      [
        `<<TOOL_STEP_START/${call.name}:${id}>>`,
        '<<TOOL_STEP_INPUT_START>>',
        toTagSafeJson(call.input),
        '<<TOOL_STEP_INPUT_END>>',
      ].join('\n'),
    );
    return id;
  }

  async #perform(call: ToolCall, id: string): Promise<ToolOutcome> {
    const emit = (type: string, data: JsonObject): void => {
      this.#run.emit(type, { tool_execution_id: id, tool_name: call.name, data });
    };
    const tool: ToolContext = {
      executionId: id,
      update: (data) => {
        emit('tool_update', data);
      },
      appendOutput: (content, outputKey) => {
        emit('tool_partial_update', { content, output_key: outputKey });
      },
      pause: (milliseconds) => this.#run.pauseUnstoppable(milliseconds),
      storeFile: (fileName, mediaType, bytes) =>
        this.#storeFile(call.name, id, { fileName, mediaType, bytes }),
      requestInput: (question, more = {}) => this.#requestInput(call.name, id, { question, more }),
    };
    try {
      const result = await call.execute(tool);
      return { result: isJsonObject(result) ? { ...result, execution_id: id } : result };
    } catch (error) {
      if (error instanceof ServerClosedError) throw error;
      const failure = error instanceof ToolError ? error.message : 'The tool stopped unexpectedly.';
      tool.update({ status: 'failed', message: failure });
      return { failure };
    }
  }

  async #requestInput(
    name: string,
    id: string,
    { question, more }: { question: JsonObject; more: { readonly [field: string]: Json } },
  ): Promise<ToolAnswer> {
    setExecutionStatus(this.#context.database, id, 'waiting_for_input');
    setTaskState(this.#context.database, this.#run.task.id, 'tool_waiting', id);
    this.#run.emit('tool_input_required', {
      tool_execution_id: id,
      tool_name: name,
      tool_input: question,
      ...more,
    });
    this.#run.log.flush();
    const { timeout } = more;
    if (typeof timeout === 'number') {
      this.#context.deadlines.set(
        this.#run.owner,
        this.#context.clock.now() + timeout * 1e6,
        () => {
          this.#run.answer(id, EXPIRED);
        },
      );
    }
    return this.#awaitAnswer(id);
  }

  /**
   * Waits for an answer and stores it, so that it survives a restart while another question of the run is open. After the last open question, the
   * task is running again.
   */
  async #awaitAnswer(id: string): Promise<ToolAnswer> {
    const answer = this.#run.isStopRequested ? null : await this.#run.waitForAnswer(id);
    storeToolAnswer(this.#context.database, id, answer);
    if (!this.#run.waitsForTool) {
      setTaskState(this.#context.database, this.#run.task.id, 'running');
    }
    return answer;
  }

  #storeFile(
    toolName: string,
    id: string,
    file: { fileName: string; mediaType: string; bytes: Uint8Array },
  ): JsonObject {
    insertAsset(this.#context.database, { executionId: id, ...file });
    const toolId = toolIdOf(toolName);
    return {
      type: 'media_reference',
      tool_id: toolId,
      execution_id: id,
      asset_filename: file.fileName,
      url: `/api/v1/assets/tools/${toolId}/${id}/${encodeURIComponent(file.fileName)}`,
    };
  }
}

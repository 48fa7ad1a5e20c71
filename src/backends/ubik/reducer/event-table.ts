import type { EventHandler } from './event-handler.js';
import type { WireEvent } from '../events/wire-event.js';
import {
  completedHandler,
  failedHandler,
  contentUpdateHandler,
  taskHandler,
  progressHandler,
  stopRequestedHandler,
} from './run-events.js';
import { inputRequiredHandler, toolInputHandler } from './input-events.js';
import {
  stepCompletedHandler,
  stepProgressHandler,
  stepStartedHandler,
  checkpointHandler,
  chunkHandler,
} from './content-events.js';
import {
  toolEndHandler,
  readExecutionId,
  toolOutputHandler,
  toolUpdateHandler,
} from './tool-events.js';

/** The handlers of all types of events. A new type needs a row here. */
const EVENT_TABLE: ReadonlyMap<string, EventHandler> = new Map([
  ['connection_established', taskHandler],
  ['agent_processing_started', taskHandler],
  ['response_stream_start', taskHandler],
  ['agent_step_started', stepStartedHandler],
  ['agent_step_progress', stepProgressHandler],
  ['agent_step_completed', stepCompletedHandler],
  ['agent_progress', progressHandler],
  ['agent_response_update', contentUpdateHandler],
  ['response_chunk', chunkHandler],
  ['checkpoint_created', checkpointHandler],
  ['input_required', inputRequiredHandler],
  ['tool_update', toolUpdateHandler],
  ['tool_partial_update', toolOutputHandler],
  ['tool_input_required', toolInputHandler],
  ['tool_end', toolEndHandler],
  ['final_result', toolEndHandler],
  ['error', toolEndHandler],
  ['agent_stop_requested', stopRequestedHandler],
  ['agent_processing_complete', completedHandler],
  ['agent_processing_error', failedHandler],
]);

/**
 * Returns the handler of an event; undefined for an unknown event. The end of a tool is unknown without an execution id; an `error` without
 * an execution id is an error of the run (UBIK 4).
 */
export function findEventHandler({ type, fields }: WireEvent): EventHandler | undefined {
  const handler = EVENT_TABLE.get(type);
  if (handler !== toolEndHandler || readExecutionId(fields) !== null) return handler;
  return type === 'error' ? failedHandler : undefined;
}

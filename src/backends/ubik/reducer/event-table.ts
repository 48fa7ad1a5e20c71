import type { EventHandler } from './event-handler.js';
import type { WireEvent } from '../events/wire-event.js';
import {
  completeRow,
  failureRow,
  updateRow,
  namesRow,
  progressRow,
  stopRow,
} from './run-events.js';
import { inputRequiredRow, toolInputRow } from './input-events.js';
import {
  stepCompletedRow,
  stepProgressRow,
  stepStartedRow,
  checkpointRow,
  chunkRow,
} from './content-events.js';
import { toolEndRow, toolIdOf, toolPartialRow, toolUpdateRow } from './tool-events.js';

/** What each type of event does. A new type is a new row. */
const EVENT_TABLE: ReadonlyMap<string, EventHandler> = new Map([
  ['connection_established', namesRow],
  ['agent_processing_started', namesRow],
  ['response_stream_start', namesRow],
  ['agent_step_started', stepStartedRow],
  ['agent_step_progress', stepProgressRow],
  ['agent_step_completed', stepCompletedRow],
  ['agent_progress', progressRow],
  ['agent_response_update', updateRow],
  ['response_chunk', chunkRow],
  ['checkpoint_created', checkpointRow],
  ['input_required', inputRequiredRow],
  ['tool_update', toolUpdateRow],
  ['tool_partial_update', toolPartialRow],
  ['tool_input_required', toolInputRow],
  ['tool_end', toolEndRow],
  ['final_result', toolEndRow],
  ['error', toolEndRow],
  ['agent_stop_requested', stopRow],
  ['agent_processing_complete', completeRow],
  ['agent_processing_error', failureRow],
]);

/** What an event does; undefined when it is unknown. The end of no execution says nothing; an error of none is that of the run. */
export function findRow({ type, fields }: WireEvent): EventHandler | undefined {
  const row = EVENT_TABLE.get(type);
  if (row !== toolEndRow || toolIdOf(fields) !== null) return row;
  return type === 'error' ? failureRow : undefined;
}

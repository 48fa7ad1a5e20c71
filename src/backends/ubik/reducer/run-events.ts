import {
  ACTIVITY,
  RUN_ACTIVITY,
  type ErrorFields,
  type RunActivityFields,
} from '../../../model/part.js';
import { trimBlanks } from '../content/constructs.js';
import { asFields, readCount, readId, readPercent, readString } from '../../fields.js';
import type { WireEvent } from '../events/wire-event.js';
import type { EventHandler, ReducerEvent } from './event-handler.js';
import { replaceContent } from './replace-content.js';
import type { MessageReducer } from './message-reducer.js';
import { closeRequests, hasPendingRequest } from './input-requests.js';

/** Reduces the event that reports the connection or the start of the task. It contains the id of the task, and possibly that of the message. */
export const taskHandler: EventHandler = {
  groups: () => ['run'],
  reduce: recordIds,
};

/** Reduces the progress of the whole run. Each event reports all of it (UBIK 4), so a field that it omits is unknown. */
export const progressHandler: EventHandler = {
  groups: () => ['run'],
  reduce: ({ fields }, reducer) =>
    updateRunActivity(reducer, {
      step: readCount(fields, 'step'),
      totalSteps: readCount(fields, 'total_steps'),
      progress: readPercent(fields, 'progress'),
      description: readString(fields, 'description') ?? '',
    }),
};

/** Updates the activity of the run. Fields that `set` does not contain stay unchanged. */
export function updateRunActivity(
  { builder }: MessageReducer,
  set: Partial<RunActivityFields>,
): void {
  builder.put(RUN_ACTIVITY, ACTIVITY, {
    kind: 'run-activity',
    step: null,
    totalSteps: null,
    progress: null,
    description: '',
    result: null,
    ...builder.get(RUN_ACTIVITY, 'run-activity'),
    ...set,
  });
}

/** Reduces the acceptance of a request to stop. */
export const stopRequestedHandler: EventHandler = {
  ...taskHandler,
  reduce: (event, reducer) => {
    recordIds(event, reducer);
    reducer.updateStatus({ stopRequested: true });
  },
};

/** Records the ids of task and message. */
export function recordIds({ fields }: WireEvent, reducer: MessageReducer): void {
  const { taskId, messageId } = reducer.status;
  reducer.updateStatus({
    taskId: taskId ?? readId(fields, 'task_id'),
    messageId: readId(fields, 'message_id') ?? messageId,
  });
}

/** Reduces a full content, which replaces the content that was built before (UBIK R2). */
export const contentUpdateHandler: EventHandler = {
  groups: () => ['*', 'opens'],
  reduce: (event, reducer) => {
    const content = readString(event.fields, 'content') ?? '';
    recordIds(event, reducer);
    if (content !== '') replaceContent(reducer, content, false);
    // A full content that was dropped counts as well, so that a message that is built again has counted as many as before.
    else if (event.hasDroppedContent)
      reducer.updateStatus({ fullContents: reducer.status.fullContents + 1 });
    reducer.updateRunState();
  },
};

/**
 * Reduces the end of the run. Its full content replaces the content that was built before, unless it is empty or too long. A message with a
 * pending request waits (UBIK 3.3).
 */
export const completedHandler: EventHandler = {
  groups: () => [],
  endsMessage: true,
  reduce: (event, reducer) => {
    const content = readString(event.fields, 'content') ?? '';
    const { builder, status: run } = reducer;
    recordIds(event, reducer);
    if (content === '' || !replaceContent(reducer, content, true)) reducer.closeContent();
    const result = reducer.acceptReport(asFields(event.fields['result']));
    if (result !== null) updateRunActivity(reducer, { result });
    // Nothing is shown as running after the end.
    for (const kind of ['tool-activity', 'phase-activity'] as const) {
      for (const [key, { state }] of builder.list(kind)) {
        if (state === 'running') builder.set(key, { state: 'done', endedAt: event.time });
      }
    }
    if (run.stopRequested) endAsStopped(reducer);
    else
      reducer.updateStatus({
        ended: true,
        state: hasPendingRequest(reducer) ? 'waiting' : 'complete',
      });
  },
};

/** Reduces the end of the run by an error, which is added at the end of the message (UBIK 4.2). */
export const failedHandler: EventHandler = {
  groups: () => [],
  part: readError,
  endsMessage: true,
  reduce: (event, reducer) => {
    const error = readError(event);
    const { message } = error;
    reducer.closeContent();
    addError(reducer, error);
    if (reducer.status.stopRequested) return endAsStopped(reducer);
    closeRequests(reducer);
    reducer.updateStatus({
      ended: true,
      state: 'failed',
      failure: { code: 'run-failed', message },
    });
  },
};

/** Ends the run as stopped, after a request to stop. */
export function endAsStopped(reducer: MessageReducer): void {
  closeRequests(reducer);
  reducer.updateStatus({ ended: true, state: 'stopped' });
}

/** Adds an error. If the content already contains it, adds only its missing details. */
function addError(reducer: MessageReducer, error: ErrorFields): void {
  const { message, details, code } = error;
  const known = reducer.builder.list('error').find(([, { message: other }]) => other === message);
  if (!known) reducer.openPart(null, error);
  else if (known[1].details === null) {
    reducer.builder.set(known[0], { details, ...(code !== undefined && { code }) });
  }
}

/** Reads an error. Its details have the form in which the service stores them; they are null when there is only a message. */
function readError({ fields }: ReducerEvent): ErrorFields {
  const { code, traceback, timestamp = null } = fields;
  const reported = readString(fields, 'error', 'message') ?? '';
  const hasDetails = typeof traceback === 'string' || code !== undefined;
  const details = { error: reported, code, traceback, timestamp };
  // Trimmed in the same way as the parser trims an error in a text.
  const message = trimBlanks(reported);
  return {
    kind: 'error',
    message,
    details: hasDetails ? JSON.stringify(details) : null,
    ...(typeof code === 'string' && code !== '' && { code }),
  };
}

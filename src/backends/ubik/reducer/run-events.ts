import {
  ACTIVITY,
  RUN_ACTIVITY,
  type ErrorFields,
  type RunActivityFields,
} from '../../../model/part.js';
import { trimBlanks } from '../content/constructs.js';
import { asFields, readCount, readId, readPercent, readText } from '../events/fields.js';
import type { EventHandler, ReducerEvent } from './event-handler.js';
import { replaceContent } from './replace-content.js';
import type { MessageReducer } from './message-reducer.js';
import { closeRequests, hasPendingRequest } from './input-requests.js';

/** A connection tells which task it is about; the task's beginning perhaps names the message. */
export const taskHandler: EventHandler = {
  groups: () => ['run'],
  reduce: recordIds,
};

/** How far the whole task is. */
export const progressHandler: EventHandler = {
  groups: () => ['run'],
  reduce: ({ fields }, reducer) =>
    updateRunActivity(reducer, {
      step: readCount(fields, 'step'),
      totalSteps: readCount(fields, 'total_steps'),
      progress: readPercent(fields, 'progress'),
      description: readText(fields, 'description') ?? '',
    }),
};

/** What is told of the whole task; what an event does not tell stays as it was. */
export function updateRunActivity(
  { draft }: MessageReducer,
  set: Partial<RunActivityFields>,
): void {
  draft.put(RUN_ACTIVITY, ACTIVITY, {
    kind: 'run-activity',
    step: null,
    totalSteps: null,
    progress: null,
    description: '',
    result: null,
    ...draft.get(RUN_ACTIVITY, 'run-activity'),
    ...set,
  });
}

/** The service has accepted the wish to end the run. */
export const stopRequestedHandler: EventHandler = {
  ...taskHandler,
  reduce: (event, reducer) => {
    recordIds(event, reducer);
    reducer.updateStatus({ stopRequested: true });
  },
};

/** Takes the names of task and message that an event tells. */
export function recordIds({ fields }: ReducerEvent, reducer: MessageReducer): void {
  const { taskId, messageId } = reducer.status;
  reducer.updateStatus({
    taskId: taskId ?? readId(fields, 'task_id'),
    messageId: readId(fields, 'message_id') ?? messageId,
  });
}

/** All of the content so far: what was built gives way to it (R2). */
export const contentUpdateHandler: EventHandler = {
  groups: () => ['*', 'opens'],
  reduce: (event, reducer) => {
    const content = readText(event.fields, 'content') ?? '';
    recordIds(event, reducer);
    if (content !== '') replaceContent(reducer, content, false);
    else if (event.hasDroppedContent)
      reducer.updateStatus({ fullContents: reducer.status.fullContents + 1 });
    reducer.updateRunState();
  },
};

/** The end, with all of the content if it is not empty. While a question is open the message waits. */
export const completedHandler: EventHandler = {
  groups: () => [],
  ends: true,
  reduce: (event, reducer) => {
    const content = readText(event.fields, 'content') ?? '';
    const { draft, status: run } = reducer;
    recordIds(event, reducer);
    if (content === '' || !replaceContent(reducer, content, true)) reducer.closeContent();
    const result = reducer.acceptReport(asFields(event.fields['result']));
    if (result !== null) updateRunActivity(reducer, { result });
    // No spinner outlives the end.
    for (const kind of ['tool-activity', 'phase-activity'] as const) {
      for (const [key, { state }] of draft.list(kind)) {
        if (state === 'running') draft.set(key, { state: 'done', endedAt: event.at });
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

/** The end by an error, which stands at the end of the message. */
export const failedHandler: EventHandler = {
  groups: () => [],
  part: readError,
  ends: true,
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

/** A plain end after a stop, or after the person left a question open. */
export function endAsStopped(reducer: MessageReducer): void {
  closeRequests(reducer);
  reducer.updateStatus({ ended: true, state: 'stopped' });
}

/** An error that the content tells already is told once. */
function addError(reducer: MessageReducer, error: ErrorFields): void {
  const { message, details } = error;
  const known = reducer.draft.list('error').find(([, { message: other }]) => other === message);
  if (!known) reducer.openPart(null, error);
  else if (known[1].details === null) reducer.draft.set(known[0], { details });
}

/** With details as the service would store them, if there is anything to tell beside the message. */
function readError({ fields }: ReducerEvent): ErrorFields {
  const { code, traceback, timestamp = null } = fields;
  const said = readText(fields, 'error', 'message') ?? '';
  const hasDetails = typeof traceback === 'string' || code !== undefined;
  const details = { error: said, code, traceback, timestamp };
  // Without the blanks around it, as a text spells it out.
  const message = trimBlanks(said);
  return { kind: 'error', message, details: hasDetails ? JSON.stringify(details) : null };
}

import type { ErrorFields } from '../../../model/part.js';
import { trimBlanks } from '../tags/payload.js';
import { asFields, readText } from '../wire/fields.js';
import type { EventHandler, ReducerEvent } from './event-handler.js';
import { replaceContent } from './full-content.js';
import type { MessageReducer } from './message-reducer.js';
import { closeRequests, isWaiting } from './requests.js';
import { putRun, takeIds } from './run-events.js';

/** All of the content so far: what was built gives way to it (R2). */
export const updateRow: EventHandler = {
  groups: () => ['*', 'opens'],
  reduce: (event, reducer) => {
    const content = readText(event.fields, 'content') ?? '';
    takeIds(event, reducer);
    if (content !== '') replaceContent(reducer, content, false);
    else if (event.isReplaced) reducer.setRun({ fullContents: reducer.run.fullContents + 1 });
    reducer.updateWaiting();
  },
};

/** The end, with all of the content if it is not empty. While a question is open the message waits. */
export const completeRow: EventHandler = {
  groups: () => [],
  ends: true,
  reduce: (event, reducer) => {
    const content = readText(event.fields, 'content') ?? '';
    const { draft, run } = reducer;
    takeIds(event, reducer);
    if (content === '' || !replaceContent(reducer, content, true)) reducer.closeContent();
    const result = reducer.takeReport(asFields(event.fields['result']));
    if (result !== null) putRun(reducer, { result });
    // No spinner outlives the end.
    for (const kind of ['tool-activity', 'phase-activity'] as const) {
      for (const [key, { state }] of draft.list(kind)) {
        if (state === 'running') draft.set(key, { state: 'done', endedAt: event.at });
      }
    }
    if (run.stopRequested) endStopped(reducer);
    else reducer.setRun({ ended: true, state: isWaiting(reducer) ? 'waiting' : 'complete' });
  },
};

/** The end by an error, which stands at the end of the message. */
export const failureRow: EventHandler = {
  groups: () => [],
  part: readError,
  ends: true,
  reduce: (event, reducer) => {
    const error = readError(event);
    const { message } = error;
    reducer.closeContent();
    putError(reducer, error);
    if (reducer.run.stopRequested) return endStopped(reducer);
    closeRequests(reducer);
    reducer.setRun({ ended: true, state: 'failed', failure: { code: 'run-failed', message } });
  },
};

/** A plain end after a stop, or after the person left a question open. */
export function endStopped(reducer: MessageReducer): void {
  closeRequests(reducer);
  reducer.setRun({ ended: true, state: 'stopped' });
}

/** An error that the content tells already is told once. */
function putError(reducer: MessageReducer, error: ErrorFields): void {
  const { message, details } = error;
  const known = reducer.draft.list('error').find(([, { message: other }]) => other === message);
  if (!known) reducer.open(null, error);
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

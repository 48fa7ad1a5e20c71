import type { ErrorFields } from '../../../../model/part.js';
import { trimBlanks } from '../../tags/payload.js';
import { asFields, readText } from '../../wire/fields.js';
import type { EventRow, FoldEvent } from '../event-row.js';
import { replaceContent } from '../full-content.js';
import type { MessageFold } from '../message-fold.js';
import { closeRequests, isWaiting } from '../requests.js';
import { putRun, takeIds } from './run-rows.js';

/** All of the content so far: what was built gives way to it (R2). */
export const updateRow: EventRow = {
  lanes: () => ['*', 'opens'],
  reduce: (event, fold) => {
    const content = readText(event.fields, 'content') ?? '';
    takeIds(event, fold);
    if (content !== '') replaceContent(fold, content, false);
    else if (event.isReplaced) fold.setRun({ fullContents: fold.run.fullContents + 1 });
    fold.updateWaiting();
  },
};

/** The end, with all of the content if it is not empty. While a question is open the message waits. */
export const completeRow: EventRow = {
  lanes: () => [],
  ends: true,
  reduce: (event, fold) => {
    const content = readText(event.fields, 'content') ?? '';
    const { outline, run } = fold;
    takeIds(event, fold);
    if (content === '' || !replaceContent(fold, content, true)) fold.closeContent();
    const result = fold.takeReport(asFields(event.fields['result']));
    if (result !== null) putRun(fold, { result });
    // No spinner outlives the end.
    for (const kind of ['tool-activity', 'phase-activity'] as const) {
      for (const [key, { state }] of outline.list(kind)) {
        if (state === 'running') outline.set(key, { state: 'done', endedAt: event.at });
      }
    }
    if (run.stopRequested) endStopped(fold);
    else fold.setRun({ ended: true, state: isWaiting(fold) ? 'waiting' : 'complete' });
  },
};

/** The end by an error, which stands at the end of the message. */
export const failureRow: EventRow = {
  lanes: () => [],
  part: readError,
  ends: true,
  reduce: (event, fold) => {
    const error = readError(event);
    const { message } = error;
    fold.closeContent();
    putError(fold, error);
    if (fold.run.stopRequested) return endStopped(fold);
    closeRequests(fold);
    fold.setRun({ ended: true, state: 'failed', failure: { code: 'run-failed', message } });
  },
};

/** A plain end after a stop, or after the person left a question open. */
export function endStopped(fold: MessageFold): void {
  closeRequests(fold);
  fold.setRun({ ended: true, state: 'stopped' });
}

/** An error that the content tells already is told once. */
function putError(fold: MessageFold, error: ErrorFields): void {
  const { message, details } = error;
  const known = fold.outline.list('error').find(([, { message: other }]) => other === message);
  if (!known) fold.open(null, error);
  else if (known[1].details === null) fold.outline.set(known[0], { details });
}

/** With details as the service would store them, if there is anything to tell beside the message. */
function readError({ fields }: FoldEvent): ErrorFields {
  const { code, traceback, timestamp = null } = fields;
  const said = readText(fields, 'error', 'message') ?? '';
  const hasDetails = typeof traceback === 'string' || code !== undefined;
  const details = { error: said, code, traceback, timestamp };
  // Without the blanks around it, as a text spells it out.
  const message = trimBlanks(said);
  return { kind: 'error', message, details: hasDetails ? JSON.stringify(details) : null };
}

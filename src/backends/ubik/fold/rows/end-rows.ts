import { readText, type Fields } from '../../wire/fields.js';
import type { EventRow } from '../event-row.js';
import { replaceContent } from '../full-content.js';
import type { MessageFold } from '../message-fold.js';
import { closeRequests, isWaiting } from '../requests.js';
import { takeIds } from './run-rows.js';
import { toolErrorRow, toolIdOf } from './tool-rows.js';

/** All of the content so far: what was built gives way to it (R2). */
export const updateRow: EventRow = {
  lanes: () => ['*'],
  reduce: (event, fold) => {
    const content = readText(event.fields, 'content') ?? '';
    takeIds(event, fold);
    if (content !== '') replaceContent(fold, content, false);
    fold.updateWaiting();
  },
};

/** The end, with all of the content if it is not empty. While a question is open the message waits. */
export const completeRow: EventRow = {
  lanes: () => ['*'],
  ends: () => true,
  reduce: (event, fold) => {
    const content = readText(event.fields, 'content') ?? '';
    const { outline, run } = fold;
    takeIds(event, fold);
    if (content === '' || !replaceContent(fold, content, true)) fold.closeContent();
    // No spinner outlives the end.
    for (const [key, { state }] of outline.list('tool-activity')) {
      if (state === 'running') outline.set(key, { state: 'done', endedAt: event.at });
    }
    if (run.stopRequested) endStopped(fold);
    else fold.setRun({ ended: true, state: isWaiting(fold) ? 'waiting' : 'complete' });
  },
};

/** The end by an error, which stands at the end of the message. */
export const failureRow: EventRow = {
  lanes: () => ['*'],
  construct: ({ fields }) => `error ${readReason(fields).trim()}`,
  ends: () => true,
  reduce: ({ fields }, fold) => {
    const message = readReason(fields);
    fold.closeContent();
    putError(fold, message, readDetails(fields));
    if (fold.run.stopRequested) return endStopped(fold);
    closeRequests(fold);
    fold.setRun({ ended: true, state: 'failed', failure: { code: 'run-failed', message } });
  },
};

/** In a session's stream: the failure of a tool when it names one, else that of the run. */
export const errorRow: EventRow = {
  lanes: (event, fold) => rowOf(event).lanes(event, fold),
  isAppend: (event, fold) => rowOf(event).isAppend?.(event, fold) ?? false,
  construct: (event) => rowOf(event).construct?.(event) ?? null,
  ends: (event) => rowOf(event) === failureRow,
  reduce: (event, fold) => rowOf(event).reduce(event, fold),
};

/** A plain end after a stop, or after the person left a question open. */
export function endStopped(fold: MessageFold): void {
  closeRequests(fold);
  fold.setRun({ ended: true, state: 'stopped' });
}

function rowOf({ fields }: { readonly fields: Fields }): EventRow {
  return toolIdOf(fields) === null ? failureRow : toolErrorRow;
}

/** An error that the content tells already is told once. */
function putError(fold: MessageFold, message: string, details: string | null): void {
  const known = fold.outline
    .list('error')
    .find(([, error]) => error.message.trim() === message.trim());
  if (!known) fold.open(null, { kind: 'error', message, details });
  else if (known[1].details === null) fold.outline.set(known[0], { details });
}

function readReason(fields: Fields): string {
  return readText(fields, 'error') ?? readText(fields, 'message') ?? '';
}

/** As the service would store it. Null when there is nothing to tell beside the message. */
function readDetails(fields: Fields): string | null {
  const { code, traceback, timestamp } = fields;
  if (typeof traceback !== 'string' && code === undefined) return null;
  return JSON.stringify({ error: readReason(fields), code, traceback, timestamp });
}

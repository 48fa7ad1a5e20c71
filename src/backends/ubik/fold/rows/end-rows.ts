import type { Json, Key } from '../../../../model/json.js';
import type { ErrorFields } from '../../../../model/part.js';
import { readId, readText, toJson } from '../../wire/fields.js';
import type { EventRow } from '../event-row.js';
import type { FoldEvent } from '../fold-event.js';
import { replaceContent } from '../full-content.js';
import type { MessageFold } from '../message-fold.js';
import { failTool, toolIdOf, toolLanes } from './tool-rows.js';

/** All of the content so far: what was built gives way to it (R2). */
export const updateRow: EventRow = {
  lanes: () => ['*'],
  isAppend: () => false,
  reduce: (event, fold) => {
    takeMessageId(event, fold);
    const content = readText(event.fields, 'content') ?? '';
    if (content !== '') replaceContent(fold, content, false);
    fold.updateWaiting();
  },
};

/** The end, with all of the content if it is not empty. While a question is open the message waits. */
export const completeRow: EventRow = {
  lanes: () => ['*'],
  isAppend: () => false,
  ends: () => true,
  reduce: (event, fold) => {
    takeMessageId(event, fold);
    const content = readText(event.fields, 'content') ?? '';
    if (content === '' || !replaceContent(fold, content, true)) closeContent(fold);
    endTools(event, fold);
    if (fold.run.stopRequested) endStopped(fold);
    else if (fold.requests.isWaiting) {
      fold.setRun({ ended: true, state: 'waiting', status: 'waiting' });
    } else fold.setRun({ ended: true, state: 'complete', status: 'complete' });
  },
};

/** The end by an error, which stands at the end of the message. */
export const failureRow: EventRow = {
  lanes: () => ['*'],
  isAppend: () => false,
  construct: ({ fields }) => ({ kind: 'error', name: readReason(fields).trim() }),
  ends: () => true,
  reduce: failRun,
};

/** In a session's stream: the failure of a tool when it names one, else that of the run. */
export const errorRow: EventRow = {
  lanes: (event, fold) => (isAboutTool(event) ? toolLanes(event) : failureRow.lanes(event, fold)),
  isAppend: (event, fold) => isAboutTool(event) && fold.tools.isExact(toolIdOf(event.fields) ?? ''),
  construct: (event) => (isAboutTool(event) ? null : (failureRow.construct?.(event) ?? null)),
  ends: (event) => !isAboutTool(event),
  reduce: (event, fold) => {
    if (isAboutTool(event)) failTool(event, fold);
    else failRun(event, fold);
  },
};

/** Whether an `error` event is about one execution. */
function isAboutTool(event: { readonly fields: FoldEvent['fields'] }): boolean {
  return toolIdOf(event.fields) !== null;
}

/** A plain end after a stop, or after the person left a question open. */
export function endStopped(fold: MessageFold): void {
  fold.requests.closeAll();
  fold.setRun({ ended: true, state: 'stopped', status: 'stopped' });
}

/** The text is over: what is open in it is closed as it stands. */
export function closeContent(fold: MessageFold): void {
  fold.texts.end();
  for (const { key } of fold.steps()) {
    const fields = fold.outline.get(key)?.fields;
    if (fields?.kind === 'step' && fields.state === 'running') {
      fold.outline.set(key, 'state', 'open-ended');
    }
  }
}

function failRun(event: FoldEvent, fold: MessageFold): void {
  closeContent(fold);
  const message = readReason(event.fields);
  putError(fold, { kind: 'error', message, details: readDetails(event) });
  if (fold.run.stopRequested) return endStopped(fold);
  fold.requests.closeAll();
  const failure = { code: 'run-failed', message };
  fold.outline.setMessage('failure', failure);
  fold.outline.tell({ do: 'thread', set: { run: { error: failure } } });
  fold.setRun({ ended: true, state: 'failed', status: 'failed', failure: message });
}

function takeMessageId(event: FoldEvent, fold: MessageFold): void {
  const messageId = readId(event.fields, 'message_id');
  if (messageId !== null) fold.setRun({ messageId });
}

/** No spinner outlives the end. */
function endTools({ at }: FoldEvent, fold: MessageFold): void {
  for (const { key, fields } of [...fold.outline.entries()]) {
    if (fields.kind !== 'tool-activity' || fields.state !== 'running') continue;
    fold.outline.set(key, 'state', 'done');
    fold.outline.set(key, 'endedAt', at);
  }
}

/** An error that the content tells already is told once. */
function putError(fold: MessageFold, error: ErrorFields): void {
  const known = findError(fold, error.message);
  if (known === null) {
    fold.outline.put(fold.keys.named('error'), null, error);
    return;
  }
  const fields = fold.outline.get(known)?.fields;
  if (fields?.kind === 'error' && fields.details === null) {
    fold.outline.set(known, 'details', error.details);
  }
}

function findError(fold: MessageFold, message: string): Key | null {
  for (const key of fold.outline.children(null)) {
    const fields = fold.outline.get(key)?.fields;
    if (fields?.kind === 'error' && fields.message.trim() === message.trim()) return key;
  }
  return null;
}

function readReason(fields: FoldEvent['fields']): string {
  return readText(fields, 'error') ?? readText(fields, 'message') ?? '';
}

/** As the service would store it. Null when there is nothing to tell beside the message. */
function readDetails({ fields }: FoldEvent): string | null {
  const traceback = readText(fields, 'traceback');
  const code = fields['code'];
  if (traceback === null && code === undefined) return null;
  const details = new Map<string, Json>([['error', readReason(fields)]]);
  if (code !== undefined) details.set('code', toJson(code));
  if (traceback !== null) details.set('traceback', traceback);
  details.set('timestamp', readText(fields, 'timestamp'));
  return JSON.stringify(Object.fromEntries(details));
}

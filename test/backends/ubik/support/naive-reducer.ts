import type { Key } from '../../../../src/model/json.js';
import type { Message } from '../../../../src/model/message.js';
import { ACTIVITY } from '../../../../src/model/part.js';
import { fieldsOf, toPartTrees } from '../../../../src/model/part-tree.js';
import { toReducerEvent } from '../../../../src/backends/ubik/reducer/event-handler.js';
import { findEventHandler } from '../../../../src/backends/ubik/reducer/event-table.js';
import { MessageReducer } from '../../../../src/backends/ubik/reducer/message-reducer.js';
import { getEventTime, type WireEvent } from '../../../../src/backends/ubik/events/wire-event.js';
import { setupMessage } from '../../../helpers/model-message.js';

/** Events in the order of UBIK R4: by timestamp, or that of the predecessor, then by arrival. Events after the end are dropped. */
export function sortEvents(arrived: readonly WireEvent[]): { event: WireEvent; instant: number }[] {
  let instant = -Infinity;
  const placed: { event: WireEvent; instant: number; ends: boolean }[] = [];
  for (const event of arrived) {
    const handler = findEventHandler(event);
    if (!handler) continue;
    const ends = handler.endsMessage ?? false;
    instant = ends ? Infinity : (getEventTime(event) ?? instant);
    placed.push({ event, instant, ends });
    if (ends) break;
  }
  return placed
    .map((entry, index) => ({ ...entry, index }))
    .sort((left, right) => compare(left.instant, right.instant) || left.index - right.index);
}

/** The reference for tests: sorts and reduces all events from scratch, without groups, logs and snapshots. */
export function reduceNaively(arrived: readonly WireEvent[]): Message {
  const { message, run } = setupMessage();
  const reducer = new MessageReducer({ message: 'm', onDiagnostic: () => undefined });
  const events = sortEvents(arrived).map(({ event, instant }) => toReducerEvent(event, instant));
  // An event makes tags parts, also in the text before it (UBIK R7). So all parts are expected before the first text is read.
  for (const event of events) {
    const part = findEventHandler(event)?.part?.(event);
    if (part) reducer.expectPart(part);
  }
  for (const event of events)
    if (!reducer.status.ended) findEventHandler(event)?.reduce(event, reducer);
  run(...reducer.drainChanges());
  return message();
}

/** A message as comparable data: content with keys, activity by key. */
export function showMessage(message: Message): unknown {
  return { parts: toPartTrees(message), activity: showActivity(message, ACTIVITY) };
}

function showActivity(message: Message, parent: Key): unknown {
  return [...message.parts.children(parent)].sort().map((key) => {
    const part = message.parts.get(key);
    return {
      key,
      fields: part ? fieldsOf(part) : null,
      text: part?.text?.read() ?? '',
      inside: showActivity(message, key),
    };
  });
}

function compare(left: number, right: number): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

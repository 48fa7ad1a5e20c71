import { UbikPartAskEvent } from '../../events/index.js';
import type { PageQuestion } from '../../message/part-view.js';
import type { Json } from '../../model/json.js';

/** Dispatches the question of a renderer as an event of `host`. Returns the answer of the host page; undefined without one. */
export function askPage(host: HTMLElement, { data, ...question }: PageQuestion): unknown {
  // Copied as JSON, because a renderer may pass more than data, such as an object with methods.
  const event = new UbikPartAskEvent({
    ...question,
    data: JSON.parse(JSON.stringify(data)) as Json,
  });
  host.dispatchEvent(event);
  return event.answer;
}

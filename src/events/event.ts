/** Makes plain data unchangeable, however deep. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
}

/**
 * What all events of this library share: they bubble, they cross shadow roots, their `detail` is frozen plain data. An event in
 * the present tense comes before the act and can be cancelled; one in the past tense comes after it.
 */
export class UbikEvent<Detail> extends CustomEvent<Detail> {
  constructor(type: string, detail: Detail, cancelable = false) {
    super(type, { detail: freeze(detail), bubbles: true, composed: true, cancelable });
  }
}

/** The class of one event; one that has nothing to tell is made without a detail. */
export type EventClass<Detail> = new (
  ...given: Detail extends null ? [] : [detail: Detail]
) => UbikEvent<Detail>;

/** Makes the class of an event that comes after what it tells of. */
export function plainEvent<Detail>(type: string, cancelable = false): EventClass<Detail> {
  return class extends UbikEvent<Detail | null> {
    constructor(detail: Detail | null = null) {
      super(type, detail, cancelable);
    }
  } as unknown as EventClass<Detail>;
}

/** Makes the class of an event that comes before an act and can be cancelled. */
export function cancelableEvent<Detail>(type: string): EventClass<Detail> {
  return plainEvent(type, true);
}

/** Which thread an event is about. */
export interface ThreadDetail {
  /** The server's id; null until the thread exists there. */
  readonly threadId: string | null;
}

/** Which message an act is about. */
export interface MessageActDetail extends ThreadDetail {
  /** The server's id of the message; null when it has none yet. */
  readonly messageId: string | null;
}

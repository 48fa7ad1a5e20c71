/**
 * Returns a frozen copy of plain data. The data may contain objects of the host page, which must not be frozen themselves. Objects of other
 * classes, such as files, are neither copied nor frozen.
 */
function copyFrozen(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(copyFrozen));
  if (!value || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, copyFrozen(each)]);
  return Object.freeze(Object.fromEntries(entries));
}

/**
 * Base class of all events: they bubble, cross shadow roots, and have a frozen `detail` of plain data. An event in the present tense is
 * dispatched before the action and can be cancelled; one in the past tense is dispatched after it. Five events report something other than
 * an action (`ubik-error`, `ubik-diagnostic`, `ubik-auth-required`, `ubik-part-ask`, `ubik-input-required`); only the last one can be cancelled.
 */
export class UbikEvent<Detail> extends CustomEvent<Detail> {
  constructor(type: string, detail: Detail, cancelable = false) {
    super(type, {
      detail: copyFrozen(detail) as Detail,
      bubbles: true,
      composed: true,
      cancelable,
    });
  }
}

/** Class of one event. The constructor takes no argument if the event has no detail. */
export type EventClass<Detail> = new (
  ...given: Detail extends null ? [] : [detail: Detail]
) => UbikEvent<Detail>;

/** Creates the class of an event without members of its own. By default it cannot be cancelled. */
export function plainEvent<Detail>(type: string, cancelable = false): EventClass<Detail> {
  return class extends UbikEvent<Detail | null> {
    constructor(detail: Detail | null = null) {
      super(type, detail, cancelable);
    }
  } as unknown as EventClass<Detail>;
}

/** Creates the class of an event that precedes an action and can be cancelled. */
export function cancelableEvent<Detail>(type: string): EventClass<Detail> {
  return plainEvent(type, true);
}

/** The thread that an event refers to. */
export interface ThreadDetail {
  /** The service's id; null until the service has created the thread. */
  readonly threadId: string | null;
}

/** The message that an event refers to. */
export interface MessageRefDetail extends ThreadDetail {
  /** The service's id of the message; null if it has none yet. */
  readonly messageId: string | null;
}

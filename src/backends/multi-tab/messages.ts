import type { Change } from '../../model/change.js';
import { hasFields, isChangeList, isPlainData, isRecord } from './validate-changes.js';

interface ThreadMessage {
  readonly thread: string;
}

/** Identifies the sender, the tab that reads the stream. A later leader has a higher `term`. */
interface LeaderHeader extends ThreadMessage {
  readonly term: number;
  /** The service's id of the run; null while it is unknown. */
  readonly run: string | null;
  /** Number of the last batch. */
  readonly seq: number;
}

/** A message between tabs. Never contains the text of a user's message, a file or a token. */
export type TabMessage =
  /** Queries the leader of a thread, and with `full` the whole state of its run. */
  | ({ readonly type: 'query'; readonly full: boolean } & ThreadMessage)
  /**
   * The sender is the leader. `started`: a run has started that other tabs may not know; `answered`: the input request that the run
   * answers.
   */
  | ({
      readonly type: 'leader';
      readonly started: boolean;
      readonly answered: string | null;
    } & LeaderHeader)
  /** The whole state of the shown run. */
  | ({ readonly type: 'state'; readonly changes: readonly Change[] } & LeaderHeader)
  /**
   * The whole state cannot be sent: it is invalid or exceeds the limits of messages. A tab that has not received an earlier state and all
   * batches up to `seq` reads the run itself.
   */
  | ({ readonly type: 'unsendable' } & LeaderHeader)
  /** The changes since the previous state or batch. */
  | ({ readonly type: 'batch'; readonly changes: readonly Change[] } & LeaderHeader)
  /** The sender is no longer the leader. */
  | ({ readonly type: 'resigned'; readonly term: number } & ThreadMessage)
  /**
   * Requests the lock in order to start a run. `request`: the input request that the run answers; `continues`: the run continues the
   * current one.
   */
  | ({
      readonly type: 'take-over';
      readonly call: string;
      readonly request: string | null;
      readonly continues: boolean;
    } & ThreadMessage)
  /** Requests that the leader stops the run. */
  | ({ readonly type: 'stop'; readonly call: string } & ThreadMessage)
  /** Replies to a call. `code` is an error code, `ok`, or `pending` while the leader is still working on the call. */
  | {
      readonly type: 'reply';
      readonly call: string;
      readonly code: string;
      readonly message: string;
    }
  /** A thread has changed. */
  | ({ readonly type: 'changed' } & ThreadMessage);

/** A message of a leader. */
export type LeaderMessage = Extract<TabMessage, { readonly term: number }>;

const LEADER = 'thread:s term:n run:s? seq:n';
/** The fields of each type of message, in the notation of {@link hasFields}. */
const SHAPES: Readonly<Record<TabMessage['type'], string>> = {
  query: 'thread:s full:b',
  leader: `${LEADER} started:b answered:s?`,
  state: `${LEADER} changes:l`,
  unsendable: LEADER,
  batch: `${LEADER} changes:l`,
  resigned: 'thread:s term:n',
  'take-over': 'thread:s call:s request:s? continues:b',
  stop: 'thread:s call:s',
  reply: 'call:s code:s message:s',
  changed: 'thread:s',
};

/** Validates a message of another tab; null for anything but a message of this version. Other scripts of the origin may post anything. */
export function parseTabMessage(value: unknown): TabMessage | null {
  if (!isRecord(value) || !isPlainData(value)) return null;
  const { type } = value;
  if (typeof type !== 'string' || !Object.hasOwn(SHAPES, type)) return null;
  if (!hasFields(value, SHAPES[type as TabMessage['type']])) return null;
  if ('changes' in value && !isChangeList(value['changes'])) return null;
  return value as unknown as TabMessage;
}

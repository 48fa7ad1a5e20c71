import type { Change } from '../../model/change.js';
import { hasFields, isChangeList, isPlainData, isRecord } from './validate-changes.js';

interface ThreadMessage {
  readonly thread: string;
}

/** Who sends: the tab that reads the stream. A later leader has a higher `term`. */
interface LeaderHeader extends ThreadMessage {
  readonly term: number;
  /** The service's id of the run; null while it is unknown. */
  readonly run: string | null;
  /** Number of the last batch. */
  readonly seq: number;
}

/** What tabs send each other. Never contains the text of a question, a file or a token. */
export type TabMessage =
  /** Asks for the leader of a thread. `full`: and for all of its run. */
  | ({ readonly type: 'query'; readonly full: boolean } & ThreadMessage)
  /** The sender leads. `started`: a run has started that other tabs may not know; `answered`: the request that the run answers. */
  | ({
      readonly type: 'leader';
      readonly started: boolean;
      readonly answered: string | null;
    } & LeaderHeader)
  /** All that is shown of the run. */
  | ({ readonly type: 'state'; readonly changes: readonly Change[] } & LeaderHeader)
  /** What has changed since the last message. */
  | ({ readonly type: 'batch'; readonly changes: readonly Change[] } & LeaderHeader)
  /** The sender leads no longer. */
  | ({ readonly type: 'resigned'; readonly term: number } & ThreadMessage)
  /** Asks for the lock, to start a run. `request`: the request that the run answers; `continues`: it continues the current run. */
  | ({
      readonly type: 'take-over';
      readonly call: string;
      readonly request: string | null;
      readonly continues: boolean;
    } & ThreadMessage)
  /** Asks the leader to stop the run. */
  | ({ readonly type: 'stop'; readonly call: string } & ThreadMessage)
  /** Answers a call. `code` is that of an error, `ok`, or `pending` while the leader is still at it. */
  | {
      readonly type: 'reply';
      readonly call: string;
      readonly code: string;
      readonly message: string;
    }
  /** A thread was changed. */
  | ({ readonly type: 'changed' } & ThreadMessage);

/** What a leader sends. */
export type LeaderMessage = Extract<TabMessage, { readonly term: number }>;

const LEADER = 'thread:s term:n run:s? seq:n';
const SHAPES: Readonly<Record<TabMessage['type'], string>> = {
  query: 'thread:s full:b',
  leader: `${LEADER} started:b answered:s?`,
  state: `${LEADER} changes:l`,
  batch: `${LEADER} changes:l`,
  resigned: 'thread:s term:n',
  'take-over': 'thread:s call:s request:s? continues:b',
  stop: 'thread:s call:s',
  reply: 'call:s code:s message:s',
  changed: 'thread:s',
};

/** Validates what another tab has sent; null when it is no message of this version. Another script of the origin may post anything. */
export function parseTabMessage(value: unknown): TabMessage | null {
  if (!isRecord(value) || !isPlainData(value)) return null;
  const { type } = value;
  if (typeof type !== 'string' || !Object.hasOwn(SHAPES, type)) return null;
  if (!hasFields(value, SHAPES[type as TabMessage['type']])) return null;
  if ('changes' in value && !isChangeList(value['changes'])) return null;
  return value as unknown as TabMessage;
}

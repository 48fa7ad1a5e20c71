import type { Change } from '../../model/change.js';
import { hasFields, isPlainData, isRecord, areChanges } from './validate-changes.js';

/** Where a message belongs. */
interface Placed {
  readonly thread: string;
}

/** What the tab that reads the stream tells. Who has it later has the higher `term`. */
interface OfLeader extends Placed {
  readonly term: number;
  /** The service's id of the run; null while it is not known. */
  readonly run: string | null;
  /** Number of the last batch. */
  readonly seq: number;
}

/** What tabs tell each other. No text of a question, no file and no token is ever in here. */
export type TabMessage =
  /** Who reads the stream of this thread? `whole`: I want all of it. */
  | ({ readonly do: 'ask'; readonly whole: boolean } & Placed)
  /** I read it. `begun`: a run has begun that others may not know of; `answers`: the request that it is the answer to. */
  | ({ readonly do: 'lead'; readonly begun: boolean; readonly answers: string | null } & OfLeader)
  /** All there is to see of the run. */
  | ({ readonly do: 'state'; readonly changes: readonly Change[] } & OfLeader)
  /** What has come since. */
  | ({ readonly do: 'batch'; readonly changes: readonly Change[] } & OfLeader)
  /** I read it no more. */
  | ({ readonly do: 'left'; readonly term: number } & Placed)
  /** May I have the thread, to act in it? `request`: the question that is to be answered; `aside`: a run that is on goes on. */
  | ({ readonly do: 'take'; readonly call: string; readonly request: string | null } & Placed & {
        readonly aside: boolean;
      })
  /** Stop the run. */
  | ({ readonly do: 'stop'; readonly call: string } & Placed)
  /** The answer to a call: `code` is that of an error, `ok`, or `wait` when it takes longer. */
  | {
      readonly do: 'reply';
      readonly call: string;
      readonly code: string;
      readonly message: string;
    }
  /** Something was done to a thread. */
  | ({ readonly do: 'changed' } & Placed);

/** What whoever reads the stream tells. */
export type FromLeader = Extract<TabMessage, { readonly term: number }>;

const LEADER = 'thread:s term:n run:s? seq:n';
const SHAPES: Readonly<Record<TabMessage['do'], string>> = {
  ask: 'thread:s whole:b',
  lead: `${LEADER} begun:b answers:s?`,
  state: `${LEADER} changes:l`,
  batch: `${LEADER} changes:l`,
  left: 'thread:s term:n',
  take: 'thread:s call:s request:s? aside:b',
  stop: 'thread:s call:s',
  reply: 'call:s code:s message:s',
  changed: 'thread:s',
};

/** What another tab told; null when it is nothing that this version knows. A page of another version may be on the same origin. */
export function readTabMessage(value: unknown): TabMessage | null {
  if (!isRecord(value) || !isPlainData(value)) return null;
  const act = value['do'];
  if (typeof act !== 'string' || !Object.hasOwn(SHAPES, act)) return null;
  if (!hasFields(value, SHAPES[act as TabMessage['do']])) return null;
  if ('changes' in value && !areChanges(value['changes'])) return null;
  return value as unknown as TabMessage;
}

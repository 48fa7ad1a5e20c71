import type { IncomingMessage } from 'node:http';
import type { Lag } from '../agent/api/lagging-branch.js';

/** What can go wrong with an answer. */
export type FaultKind =
  /** Another status, with `{detail}`; `retryAfter` in seconds. */
  | 'status'
  /** A page instead of the API. */
  | 'html'
  /** Sent away to another origin (`to`). */
  | 'redirect'
  /** The connection is broken before any answer. */
  | 'reset'
  /** Nothing is ever answered. */
  | 'hang'
  /** A body that is no JSON. */
  | 'garbage'
  /** A stream that ends at once, well formed and without an event. */
  | 'empty'
  /** The connection breaks after some events or bytes. */
  | 'cut'
  /** The stream ends cleanly after some events, without its end event. */
  | 'end'
  /** Nothing more comes after some events, not even a comment. */
  | 'stall'
  /** Everything comes, but slowly: `bytes` at a time, every `milliseconds`. */
  | 'drip'
  /** Every event comes twice. */
  | 'duplicate'
  /** Records that are no events stand between the events. */
  | 'malformed'
  /** The end event never comes; comments keep the stream alive. */
  | 'never-end'
  /** The list of messages is behind: of the newest run it holds what `stored` says. */
  | 'lag'
  /** A Data Agent error object that is no patch comes after some events, and the stream goes on. */
  | 'raw-error'
  /** The executor of a Data Agent run fails after some frames and empties the reply before its error. */
  | 'blank-message'
  /** The executor of a Data Agent run ends after some frames; the stream ends cleanly. */
  | 'executor-death'
  /** Another content type (`contentType`; none when empty). */
  | 'content-type';

/** One thing that is to go wrong. */
export interface Fault {
  readonly kind: FaultKind;
  /** Only requests with this method. */
  readonly method?: string;
  /** Only requests whose path has this in it. */
  readonly path?: string;
  /** How many fitting requests pass before it strikes. */
  readonly skip?: number;
  /** How many requests it strikes; 1 by default. */
  readonly times?: number;
  readonly status?: number;
  readonly retryAfter?: number | string;
  readonly to?: string;
  /** After how many records it strikes. */
  readonly events?: number;
  /** After how many bytes it strikes, or how many drip at a time. */
  readonly bytes?: number;
  readonly milliseconds?: number;
  readonly contentType?: string;
  /** For `lag`; nothing by default. */
  readonly stored?: Lag;
}

const KINDS: ReadonlySet<string> = new Set<FaultKind>([
  'status',
  'html',
  'redirect',
  'reset',
  'hang',
  'garbage',
  'empty',
  'cut',
  'end',
  'stall',
  'drip',
  'duplicate',
  'malformed',
  'never-end',
  'content-type',
  'lag',
  'raw-error',
  'blank-message',
  'executor-death',
]);

const STREAM_KINDS: ReadonlySet<string> = new Set<FaultKind>([
  'cut',
  'end',
  'stall',
  'drip',
  'duplicate',
  'malformed',
  'never-end',
  'content-type',
  'raw-error',
]);

/** Whether a fault changes a stream that has begun, rather than replacing the answer. */
export function isStreamFault(fault: Fault): boolean {
  return STREAM_KINDS.has(fault.kind);
}

/** Reads a fault from JSON. Throws a `TypeError` for one that does not exist. */
export function parseFault(value: unknown): Fault {
  const kind = (value as { kind?: unknown } | null)?.kind;
  if (typeof kind !== 'string' || !KINDS.has(kind)) {
    throw new TypeError(`There is no fault "${String(kind)}".`);
  }
  return value as Fault;
}

/**
 * Reads the fault that a request asks for itself, such as `X-Demo-Fault: cut; events=5`.
 *
 * @returns null when it asks for none.
 */
export function readFaultHeader(request: IncomingMessage): Fault | null {
  const header = request.headers['x-demo-fault'];
  if (typeof header !== 'string') return null;
  const [kind = '', ...rest] = header.split(';').map((part) => part.trim());
  const fields = rest.map((part) => {
    const [name = '', value = ''] = part.split('=', 2);
    return [name, /^\d+$/u.test(value) ? Number(value) : value] as const;
  });
  return KINDS.has(kind) ? parseFault({ ...Object.fromEntries(fields), kind }) : null;
}

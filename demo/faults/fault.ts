import type { IncomingMessage } from 'node:http';
import type { Staleness } from '../agent/api/stale-branch.js';

/** Kinds of faults. */
export type FaultKind =
  /** Another status, with the error body of the API; `retryAfter` becomes the header `Retry-After`. */
  | 'status'
  /** An HTML page instead of JSON. */
  | 'html'
  /** A redirect to another origin (`to`). */
  | 'redirect'
  /** The connection breaks before a response. */
  | 'reset'
  /** No response is ever sent. */
  | 'hang'
  /** A body that is not JSON. */
  | 'garbage'
  /** A valid stream that ends without an event. */
  | 'empty'
  /** The connection breaks after some events or bytes. */
  | 'cut'
  /** The stream ends cleanly after some events, without its end event. */
  | 'end'
  /** Nothing is sent after some events, not even a comment, until the stream ends with its run. With the dialect `linger` it stays open. */
  | 'stall'
  /** The stream is throttled: `bytes` at a time, every `milliseconds`. */
  | 'drip'
  /** Every event is sent twice. */
  | 'duplicate'
  /** Malformed events are inserted between the events. */
  | 'malformed'
  /** The end event is omitted. The stream ends with its run; with the dialect `linger`, comments keep it open. */
  | 'never-end'
  /** The list of messages is stale: of the newest run, it contains what `stored` names. */
  | 'lag'
  /** A Data Agent error object that is not a patch is sent after some events; the stream continues. */
  | 'raw-error'
  /** The executor of a Data Agent run fails after some frames (see `DataAgentRun.frame`) and empties the reply before its error. */
  | 'blank-message'
  /** The executor of a Data Agent run ends after some frames; the stream ends cleanly. */
  | 'executor-death'
  /** Another content type (`contentType`; none when empty). */
  | 'content-type';

/** A fault to inject. */
export interface Fault {
  readonly kind: FaultKind;
  /** Only requests with this method. */
  readonly method?: string;
  /** Only requests whose path contains this. */
  readonly path?: string;
  /** Number of matching requests that are skipped first. */
  readonly skip?: number;
  /** Number of requests into which the fault is injected; 1 by default. */
  readonly times?: number;
  readonly status?: number;
  readonly retryAfter?: number | string;
  readonly to?: string;
  /** Number of events before the fault occurs; for `blank-message` and `executor-death`, number of frames (10 by default). */
  readonly events?: number;
  /** Number of bytes before the fault occurs, or per write for `drip`. */
  readonly bytes?: number;
  readonly milliseconds?: number;
  readonly contentType?: string;
  /** For `lag`: what the stale list contains of the newest run; `nothing` by default. */
  readonly stored?: Staleness;
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

/** Whether a fault changes an event stream, rather than replacing the response. */
export function isStreamFault(fault: Fault): boolean {
  return STREAM_KINDS.has(fault.kind);
}

/** Parses a fault from JSON. Throws a `TypeError` for an unknown kind. */
export function parseFault(value: unknown): Fault {
  const kind = (value as { kind?: unknown } | null)?.kind;
  if (typeof kind !== 'string' || !KINDS.has(kind)) {
    throw new TypeError(`There is no fault "${String(kind)}".`);
  }
  return value as Fault;
}

/**
 * Reads the fault that a request selects by a header such as `X-Demo-Fault: cut; events=5`.
 *
 * @returns Null without the header, and for an unknown kind, which is ignored.
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

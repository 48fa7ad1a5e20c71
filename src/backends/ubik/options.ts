import type { DeltaLimits } from '../../transport/delta-assembler.js';
import type { Environment } from '../../transport/environment.js';
import type { ExtraHeaders, GetToken } from '../../transport/http.js';
import type { Capability } from '../backend.js';
import type { BackendInfo } from '../lazy-backend.js';
import type { ChooseAnswerRoute } from './run/provide-input.js';

/** Limits of the backend. */
export interface UbikLimits {
  /** Maximum number of events of one run; 200,000 by default. */
  readonly maxEvents?: number | undefined;
  /** Maximum length of the text in all events of one run, without full contents that were replaced, in UTF-16 units; 64 Mi by default. */
  readonly maxEventText?: number | undefined;
  /** Maximum length of the text of one message, in UTF-16 units; 8 Mi by default. */
  readonly maxMessageText?: number | undefined;
  /** Maximum size of one event, in bytes; 16 MiB by default. */
  readonly maxEventBytes?: number | undefined;
  /** Deepest nesting of an event's data; 100 by default. */
  readonly maxDepth?: number | undefined;
  /** Limits of events that the service splits over several events. */
  readonly deltas?: DeltaLimits | undefined;
  /** Longest time, in ms, that events are applied for before yielding to the event loop; 8 by default. */
  readonly sliceBudget?: number | undefined;
  /** Minimum interval, in ms, between two rebuilds of a message because of late events; 250 by default. */
  readonly rebuildInterval?: number | undefined;
  /** Time without bytes, in ms, after which a stream counts as stalled; 45,000 by default. */
  readonly idleTimeout?: number | undefined;
  /**
   * Timeout of a request, in ms, for the whole response if it is JSON, else for its headers and for each piece of a file of a tool; 30,000 by
   * default. Uploads, requests that start or stop a run, and answers to tools have none.
   */
  readonly requestTimeout?: number | undefined;
}

/** Options of a UBIK backend. */
export interface UbikBackendOptions {
  /** Base URL of the service, or of a proxy in front of it: `https://app.ubik-agent.com/api/v1`. Resolved relative to the page. */
  readonly baseUrl: string;
  /** Returns a token for the user of the page, issued by the host's server. */
  readonly getToken?: GetToken | undefined;
  /** Additional headers. An API key (`X-API-KEY`) is rejected, except with {@link allowInsecureKey}. */
  readonly headers?: ExtraHeaders | (() => ExtraHeaders | Promise<ExtraHeaders>) | undefined;
  readonly environment?: Environment | undefined;
  /** Id of the assistant for new sessions. */
  readonly assistantId?: string | undefined;
  /** `query` sends the token of a stream in the URL, which servers log. Only for services that accept no header. */
  readonly streamAuth?: 'header' | 'query' | undefined;
  /** Allows an API key in `headers` if the base URL is on localhost. Elsewhere it is rejected, because it gives access to the whole account. */
  readonly allowInsecureKey?: boolean | undefined;
  /** Chooses how the answer to a request of an agent is sent; as a message by default. */
  readonly chooseAnswerRoute?: ChooseAnswerRoute | undefined;
  readonly limits?: UbikLimits | undefined;
}

const CAPABILITIES: readonly Capability[] = [
  'threads',
  'rename',
  'delete',
  'stop',
  'rejoin',
  'input',
  'edit',
  'regenerate',
  'branches',
  'checkpoints',
  'documents',
  'upload',
  'link',
  'star',
  'citations',
  'tool-files',
];

/** Returns the data of the service that the controller needs before the code of the service is loaded. */
export function getUbikInfo({ limits }: UbikBackendOptions): BackendInfo {
  const idleTimeout = limits?.idleTimeout ?? 45_000;
  return { name: 'ubik', capabilities: new Set(CAPABILITIES), idleTimeout };
}

import type { DeltaLimits } from '../../transport/delta-assembler.js';
import type { Environment } from '../../transport/environment.js';
import type { ExtraHeaders, GetToken } from '../../transport/http.js';
import type { Capability } from '../backend.js';
import type { BackendInfo } from '../lazy-backend.js';
import type { AnswerInput } from './run/provide-input.js';

/** Limits of the backend. The defaults are behind the colons. */
export interface UbikLimits {
  /** Events of one run: 200,000. */
  readonly events?: number | undefined;
  /** UTF-16 units of text that the events of one run contain together, without full contents that were replaced: 64 Mi. */
  readonly eventText?: number | undefined;
  /** UTF-16 units of text of one message: 8 Mi. */
  readonly messageText?: number | undefined;
  /** Bytes of one event: 16 MiB. */
  readonly eventBytes?: number | undefined;
  /** Deepest nesting of an event's data: 100. */
  readonly depth?: number | undefined;
  readonly deltas?: DeltaLimits | undefined;
  /** ms that events are applied for before the event loop gets its turn: 8. */
  readonly sliceBudget?: number | undefined;
  /** ms between two rebuilds of a message because of late events: 250. */
  readonly rebuildInterval?: number | undefined;
  /** ms of silence after which a stream counts as stalled: 45,000. */
  readonly idleTimeout?: number | undefined;
  /** ms until the response headers arrive: 30,000. */
  readonly requestTimeout?: number | undefined;
}

/** Options of a UBIK backend. */
export interface UbikBackendOptions {
  /** Address of the service, or of a proxy in front of it: `https://app.ubik-agent.com/api/v1`. Relative to the page. */
  readonly baseUrl: string;
  /** Returns a token for the user of the page, minted by the host's server. */
  readonly getToken?: GetToken | undefined;
  /** Additional headers. An API key (`X-API-KEY`) is rejected; see {@link allowInsecureKey}. */
  readonly headers?: ExtraHeaders | (() => ExtraHeaders | Promise<ExtraHeaders>) | undefined;
  readonly environment?: Environment | undefined;
  /** Assistant for new sessions. */
  readonly assistantId?: string | undefined;
  /** `query` puts the token of a stream into the URL, which ends up in logs. Only for services that accept no header. */
  readonly streamAuth?: 'header' | 'query' | undefined;
  /** Allows an API key in `headers`, for localhost only: an API key in a browser gives access to the whole account. */
  readonly allowInsecureKey?: boolean | undefined;
  /** How the answer to a request of an agent is sent; as a message by default. */
  readonly answerInput?: AnswerInput | undefined;
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

/** What is known of the service before its code is loaded. */
export function getUbikInfo({ limits }: UbikBackendOptions): BackendInfo {
  const idleTimeout = limits?.idleTimeout ?? 45_000;
  return { name: 'ubik', capabilities: new Set(CAPABILITIES), idleTimeout };
}

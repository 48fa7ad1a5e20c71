import type { DeltaLimits } from '../../transport/delta-assembler.js';
import type { Environment } from '../../transport/environment.js';
import type { ExtraHeaders, GetToken } from '../../transport/http.js';
import type { Capability } from '../backend.js';
import type { BackendInfo } from '../lazy-backend.js';
import type { AnswerInput } from './run/provide-input.js';

/** Bounds of the backend; all have the defaults of the protocol documents. */
export interface UbikLimits {
  /** Events of one run: 200,000. */
  readonly events?: number | undefined;
  /** Units of text that the events of one run hold together, without full contents that were replaced: 64 Mi. */
  readonly eventText?: number | undefined;
  /** Units of text of one message: 8 Mi. */
  readonly messageText?: number | undefined;
  /** Bytes of one event: 16 MiB. */
  readonly eventBytes?: number | undefined;
  /** Deepest nesting of an event's data: 100. */
  readonly depth?: number | undefined;
  readonly deltas?: DeltaLimits | undefined;
  /** ms that one slice of work may take before the event loop gets its turn: 8. */
  readonly sliceBudget?: number | undefined;
  /** ms between two rebuilds because of late events: 250. */
  readonly rebuildInterval?: number | undefined;
  /** ms of silence after which a stream counts as stalled: 45,000. */
  readonly idleTimeout?: number | undefined;
  /** ms until an answer's head must be there: 30,000. */
  readonly requestTimeout?: number | undefined;
}

/** What a UBIK backend is made from. */
export interface UbikBackendOptions {
  /** Where the service, or a proxy in front of it, is: `https://app.ubik-agent.com/api/v1`. Relative to the page. */
  readonly baseUrl: string;
  /** A token for the person who uses the page, minted by the host's server. */
  readonly getToken?: GetToken | undefined;
  /** Headers of the host's own. An API key (`X-API-KEY`) is refused here; see {@link allowInsecureKey}. */
  readonly headers?: ExtraHeaders | (() => ExtraHeaders | Promise<ExtraHeaders>) | undefined;
  readonly environment?: Environment | undefined;
  /** Assistant for new sessions. */
  readonly assistantId?: string | undefined;
  /** `query` puts the token of a stream into its address, where logs keep it. Only for services that take no header. */
  readonly streamAuth?: 'header' | 'query' | undefined;
  /** Allows an API key in `headers`, towards localhost only: a key in a browser opens the whole account. */
  readonly allowInsecureKey?: boolean | undefined;
  /** How an agent's question is answered; as a message by default. */
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

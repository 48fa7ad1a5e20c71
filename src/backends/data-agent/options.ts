import type { Json } from '../../model/json.js';
import type { ApplicationContext } from '../../model/message.js';
import type { Environment } from '../../transport/environment.js';
import type { ExtraHeaders, GetToken } from '../../transport/http.js';
import type { Capability } from '../backend.js';
import type { BackendInfo } from '../lazy-backend.js';

/** Limits of the backend. The defaults are behind the colons. */
export interface DataAgentLimits {
  /** Bytes of one event: 16 MiB. */
  readonly eventBytes?: number | undefined;
  /** UTF-16 units of all events of one connection: 64 Mi. */
  readonly streamText?: number | undefined;
  /** ms that events are applied for before the event loop gets its turn: 8. */
  readonly sliceBudget?: number | undefined;
  /** ms until the head of a response has come, except that of a stream: 30,000. */
  readonly requestTimeout?: number | undefined;
}

/** Path prefixes of the API: of current servers, and of older ones. */
export type ApiPrefix = '/api/agent-factory/v1' | '/api/agent-app/v1';

/** The members of `chat_option`; a member that the service does not get counts as false (R7). */
export interface ChatOption {
  /** Earlier messages of the conversation are sent to the model. */
  readonly is_need_history: boolean;
  /** Retrieved documents are post-processed. The spelling is the service's. */
  readonly is_need_doc_retrival_post_process: boolean;
  /** The answer has its steps. */
  readonly is_need_progress: boolean;
  readonly enable_dependency_cache: boolean;
}

/** What a message is sent with: the options and the context of its draft, or the defaults of the backend. */
export interface DataAgentMessageOptions {
  /** Lets the agent's reasoning model answer. */
  readonly deepThinking?: boolean | undefined;
  /** Name of the model, one of those that the onboarding lists. */
  readonly model?: string | undefined;
  /** Values of the inputs that the agent declares, by name. */
  readonly inputs?: { readonly [name: string]: Json } | undefined;
  /** Data of the host page that the message is about. */
  readonly context?: ApplicationContext | null | undefined;
}

/** Options of a Data Agent backend. */
export interface DataAgentBackendOptions {
  /**
   * Where the paths of the API begin: `/` by default, the origin of the page. A path prefix of the API at its end is that of
   * {@link prefix}.
   */
  readonly baseUrl?: string | null | undefined;
  /** Key of the agent. */
  readonly agentId: string | null;
  /** `latest` by default; also the version whose onboarding is shown. */
  readonly agentVersion?: string | undefined;
  /** `v2` by default. */
  readonly executorVersion?: string | undefined;
  /** The `x-business-domain` header of all requests; `bd_public` by default. */
  readonly businessDomain?: string | undefined;
  /** `/api/agent-factory/v1` by default. On a 404, the other one is tried once. */
  readonly prefix?: ApiPrefix | undefined;
  /**
   * Language of greeting and error texts: `zh-CN`, `zh-TW` or `en-US`; the service's own by default. A function, such as that of
   * `<ubik-chat>`, returns any BCP 47 tag with each request; the nearest of the three is sent.
   */
  readonly language?: string | (() => string) | undefined;
  /** Returns a token for the user of the page, with or without `Bearer` before it. */
  readonly getToken?: GetToken | null | undefined;
  /** Whether a response says that the token has expired; by default one with the status 401. `getToken` is then called once more. */
  readonly shouldRefreshToken?: ((status: number) => boolean) | undefined;
  /** Additional headers. */
  readonly headers?: ExtraHeaders | (() => ExtraHeaders | Promise<ExtraHeaders>) | undefined;
  readonly environment?: Environment | undefined;
  /** What each message is sent with, unless its draft has other options. */
  readonly messageOptions?: DataAgentMessageOptions | undefined;
  /** Returns the question that is sent for a text with an application context; the text alone by default. */
  readonly queryTemplate?: ((text: string, context: ApplicationContext) => string) | undefined;
  /** All true by default. */
  readonly chatOption?: Partial<ChatOption> | undefined;
  readonly limits?: DataAgentLimits | undefined;
}

const CAPABILITIES: readonly Capability[] = [
  'threads',
  'rename',
  'delete',
  'mark-read',
  'stop',
  'rejoin',
  'input',
  'edit',
  'regenerate',
  'onboarding',
  'context',
];

/**
 * What is known of the service before its code is loaded. It sends no heartbeat, and a tool may run for two minutes without an event:
 * 150 s of silence count as a stall.
 */
export const DATA_AGENT_INFO: BackendInfo = {
  name: 'data-agent',
  capabilities: new Set(CAPABILITIES),
  idleTimeout: 150_000,
};

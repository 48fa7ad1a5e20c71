import type { Json } from '../../model/json.js';
import type { ApplicationContext } from '../../model/message.js';
import type { Environment } from '../../transport/environment.js';
import type { ExtraHeaders, GetToken } from '../../transport/http.js';
import type { Capability } from '../backend.js';
import type { BackendInfo } from '../lazy-backend.js';

/** Limits of the backend. */
export interface DataAgentLimits {
  /** Maximum size of one event, in bytes; 16 MiB by default. */
  readonly maxEventBytes?: number | undefined;
  /** Maximum length of all events of one connection, in UTF-16 units; 64 Mi by default. */
  readonly maxStreamLength?: number | undefined;
  /** Longest time, in ms, that events are applied for before yielding to the event loop; 8 by default. */
  readonly sliceBudget?: number | undefined;
  /**
   * Timeout of a request, in ms, for the whole response if it is JSON, else for its headers; 30,000 by default. Streams and stop requests
   * have none.
   */
  readonly requestTimeout?: number | undefined;
}

/** Path prefixes of the API: the first of current servers, the second of older ones. */
export type ApiPrefix = '/api/agent-factory/v1' | '/api/agent-app/v1';

/** Members of `chat_option`. All of them are sent, because the service treats a missing one as false (Data Agent R7). */
export interface ChatOption {
  /** Whether earlier messages of the conversation are sent to the model. */
  readonly is_need_history: boolean;
  /** Whether retrieved documents are post-processed. The spelling is the service's. */
  readonly is_need_doc_retrival_post_process: boolean;
  /** Whether the answer contains its steps. */
  readonly is_need_progress: boolean;
  readonly enable_dependency_cache: boolean;
}

/** Settings of a message: the options and the context of its draft. For a setting that the draft lacks, the default of the backend applies. */
export interface DataAgentMessageOptions {
  /** Whether the agent's reasoning model answers. */
  readonly deepThinking?: boolean | undefined;
  /** Name of a model from the list in the onboarding. */
  readonly model?: string | undefined;
  /** Values of the inputs that the agent declares, by name. */
  readonly inputs?: { readonly [name: string]: Json } | undefined;
  /** Data of the host page that the message is about. */
  readonly context?: ApplicationContext | null | undefined;
}

/** Options of a Data Agent backend. */
export interface DataAgentBackendOptions {
  /**
   * Base URL of the platform; `/` by default, the origin of the page. If it ends with an API prefix, that prefix is used unless {@link
   * prefix} is set.
   */
  readonly baseUrl?: string | null | undefined;
  /** Key of the agent. Required: null throws `misuse`, so that an element without the attribute reports it. */
  readonly agentId: string | null;
  /** Version of the agent, for the onboarding, new conversations and questions; `latest` by default. */
  readonly agentVersion?: string | undefined;
  /** Version of the service's executor; `v2` by default. */
  readonly executorVersion?: string | undefined;
  /** The `x-business-domain` header of all requests; `bd_public` by default. */
  readonly businessDomain?: string | undefined;
  /** Path prefix of the API; `/api/agent-factory/v1` by default. After a 404, the other one is tried once, unless a response has confirmed this one. */
  readonly prefix?: ApiPrefix | undefined;
  /**
   * Sent as `x-language` with all requests: the language of texts that the service writes, such as its greeting and its error messages.
   * `zh-CN`, `zh-TW` or `en-US`; the service's own by default. A function, such as that of `<ubik-chat>`, returns any BCP 47 tag for each
   * request; the nearest of the three is sent.
   */
  readonly language?: string | (() => string) | undefined;
  /** Returns a token for the user of the page, with or without `Bearer` before it. */
  readonly getToken?: GetToken | null | undefined;
  /** Whether a response status means that the token has expired; 401 by default. `getToken` is then called once more. */
  readonly shouldRefreshToken?: ((status: number) => boolean) | undefined;
  /** Additional headers. */
  readonly headers?: ExtraHeaders | (() => ExtraHeaders | Promise<ExtraHeaders>) | undefined;
  readonly environment?: Environment | undefined;
  /** Defaults of the settings of a message, each for drafts without this setting. */
  readonly messageOptions?: DataAgentMessageOptions | undefined;
  /** Builds the question for a text with an application context; by default the text alone is sent. */
  readonly buildQuestion?: ((text: string, context: ApplicationContext) => string) | undefined;
  /** Members of `chat_option` to turn off; all are true by default. */
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
  'times',
];

/**
 * The data of the service that the controller needs before the code of the service is loaded. The service sends no heartbeat, and a tool may
 * run for two minutes without an event, so 150 s of silence count as a stall.
 */
export const DATA_AGENT_INFO: BackendInfo = {
  name: 'data-agent',
  capabilities: new Set(CAPABILITIES),
  idleTimeout: 150_000,
};

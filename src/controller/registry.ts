import type { Backend } from '../backends/backend.js';
import { UbikError } from '../errors.js';
import type { PartTree } from '../model/part.js';
import { createEnvironment, type Environment } from '../transport/environment.js';

/** Returns a token: for the first request (`connect`), or because the service has rejected the last one. Tokens are never stored. */
export type GetToken = (ask: {
  readonly reason: 'connect' | 'rejected';
}) => string | Promise<string>;

/** What a host page configures of a service. A backend uses the options that it knows. */
export interface BackendOptions {
  /** Address of the service; null: the default of the backend. */
  readonly baseUrl: string | null;
  /** Null while the host has not set it. */
  readonly getToken: GetToken | null;
  /** The assistant, where a service has several; null: the default of the service. */
  readonly agentId: string | null;
  /** Identifies the user. Without it nothing is shared with other tabs. */
  readonly userKey?: string | null | undefined;
  /** Returns the language of the interface, as a BCP 47 tag. It may change, so it is read with each request. */
  readonly language?: (() => string) | undefined;
  readonly environment: Environment;
}

/** Creates a backend for one controller. */
export type BackendFactory = (options: BackendOptions) => Backend;

/** Parses the stored messages of one service. */
export interface ContentFormat {
  /** The parts of a stored text. Never throws: what it does not recognize is text. */
  parse(text: string): readonly PartTree[];
  /** The same for a long text: awaits `pause` regularly, so that the page stays responsive. Without it a long text is parsed at once. */
  parseInSlices?(text: string, pause: () => Promise<void>): Promise<readonly PartTree[]>;
}

/** Loads a format when it is first needed. */
export type ContentFormatLoader = () => Promise<ContentFormat>;

const backends = new Map<string, BackendFactory>();
const formats = new Map<string, ContentFormat | ContentFormatLoader>();

/**
 * Registers a service under a name, for `<ubik-chat service="…">`. A registered name gets the new factory; existing connections are
 * unchanged.
 *
 * @example
 * registerBackend('my-service', (options) => new MyBackend(options));
 */
export function registerBackend(name: string, factory: BackendFactory): void {
  backends.set(name, factory);
}

/** Registers a format of stored messages under a name, for `<ubik-message format="…">`, or a function that loads it on demand. */
export function registerContentFormat(
  name: string,
  format: ContentFormat | ContentFormatLoader,
): void {
  formats.set(name, format);
}

/** Whether a service is registered. */
export function hasBackend(name: string): boolean {
  return backends.has(name);
}

/**
 * Creates a backend of a registered service. Default environment: that of the platform.
 *
 * @throws {UbikError} `misuse` when no service has that name
 */
export function createBackend(
  name: string,
  options: Omit<BackendOptions, 'environment'> & { readonly environment?: Environment },
): Backend {
  const factory = backends.get(name);
  if (factory) return factory({ environment: createEnvironment(), ...options });
  throw new UbikError(
    'misuse',
    `No service is registered as "${name}". Call registerBackend() first.`,
  );
}

/** A registered format, as a promise while it has to be loaded; undefined when there is none. A loader that failed is called again. */
export function findContentFormat(
  name: string,
): ContentFormat | Promise<ContentFormat> | undefined {
  const format = formats.get(name);
  if (typeof format !== 'function') return format;
  return format().then((loaded) => {
    if (formats.get(name) === format) formats.set(name, loaded);
    return loaded;
  });
}

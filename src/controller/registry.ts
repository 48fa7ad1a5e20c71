import type { Backend } from '../backends/backend.js';
import { UbikError } from '../errors.js';
import type { PartTree } from '../model/part.js';
import { createEnvironment, type Environment } from '../transport/environment.js';
import type { GetToken } from '../transport/token.js';

export type { GetToken } from '../transport/token.js';

/** The configuration of a service by the host page. A backend ignores options that it does not support. */
export interface BackendOptions {
  /** Address of the service; null for the default of the backend. */
  readonly baseUrl: string | null;
  /** Null while the host page has not set it. */
  readonly getToken: GetToken | null;
  /** The agent, if a service has several; null for the default of the service. */
  readonly agentId: string | null;
  /** Identifies the user. Without it, nothing is shared with other tabs. */
  readonly userKey?: string | null | undefined;
  /** Returns the language of the interface, as a BCP 47 tag. Called for each request, because the language can change. */
  readonly language?: (() => string) | undefined;
  readonly environment: Environment;
}

/** Creates a backend for one controller. */
export type BackendFactory = (options: BackendOptions) => Backend;

/** Parses the stored messages of one service. */
export interface ContentFormat {
  /** Returns the parts of a stored text. Never throws: unrecognized syntax is treated as text. */
  parse(text: string): readonly PartTree[];
  /** Parses a long text and awaits `yieldSlice` regularly, so that the page stays responsive. Optional: without it, `parse` is called. */
  parseInSlices?(text: string, yieldSlice: () => Promise<void>): Promise<readonly PartTree[]>;
}

/** Loads a format on demand. */
export type ContentFormatLoader = () => Promise<ContentFormat>;

const backends = new Map<string, BackendFactory>();
const formats = new Map<string, ContentFormat | Promise<ContentFormat> | ContentFormatLoader>();

/**
 * Registers a service under a name, for `<ubik-chat service="…">`. Registering a name again replaces its factory; existing backends are
 * not affected.
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
 * @throws {UbikError} `misuse` when no service has that name.
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

/** Returns a registered format, or a promise of it until it is loaded; undefined when there is none. A failed loader is called again. */
export function findContentFormat(
  name: string,
): ContentFormat | Promise<ContentFormat> | undefined {
  const format = formats.get(name);
  if (typeof format !== 'function') return format;
  // Not every promise is an instance of the global `Promise`: zone.js, for example, replaces it.
  const loading = Promise.resolve(format());
  const replace = (value: ContentFormat | ContentFormatLoader): void => {
    if (formats.get(name) === loading) formats.set(name, value);
  };
  formats.set(name, loading);
  loading.then(replace, () => {
    replace(format);
  });
  return loading;
}

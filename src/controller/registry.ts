import type { Backend } from '../backends/backend.js';
import { UbikError } from '../errors.js';
import type { PartTree } from '../model/part.js';
import { createEnvironment, type Environment } from '../transport/environment.js';

/** Asks the page for a token: before a connection, or because the service has refused the last one. Never stored. */
export type GetToken = (ask: {
  readonly reason: 'connect' | 'rejected';
}) => string | Promise<string>;

/** What a page says about a service; a backend takes what it knows. */
export interface BackendOptions {
  /** Address of the service; null: the backend's own default. */
  readonly baseUrl: string | null;
  /** Null while the page has given none. */
  readonly getToken: GetToken | null;
  /** The assistant to talk to, where a service has several. */
  readonly agentId: string | null;
  /** Whose data this is; without it nothing may be shared with other tabs. */
  readonly userKey?: string | null | undefined;
  readonly environment: Environment;
}

/** Makes a backend for one controller. */
export type BackendFactory = (options: BackendOptions) => Backend;

/** How stored messages of one service are read. */
export interface ContentFormat {
  /** The parts that a stored text says. Never throws: what it does not know is text. */
  parse(text: string): readonly PartTree[];
  /** The same for a long text: awaits `pause` now and then, so that the page can do other work. Without it a long text is read at once. */
  parseInSlices?(text: string, pause: () => Promise<void>): Promise<readonly PartTree[]>;
}

/** Fetches a format when it is first needed. */
export type ContentFormatLoader = () => Promise<ContentFormat>;

const backends = new Map<string, BackendFactory>();
const formats = new Map<string, ContentFormat | ContentFormatLoader>();

/**
 * Makes a service known by a name, for `<ubik-chat service="…">`. A name that is taken gets the new factory; what is connected
 * stays.
 *
 * @example
 * registerBackend('my-service', (options) => new MyBackend(options));
 */
export function registerBackend(name: string, factory: BackendFactory): void {
  backends.set(name, factory);
}

/** Makes a format of stored messages known by a name, for `<ubik-message format="…">`: at once, or fetched when it is needed. */
export function registerContentFormat(
  name: string,
  format: ContentFormat | ContentFormatLoader,
): void {
  formats.set(name, format);
}

/** Whether a service is known. */
export function hasBackend(name: string): boolean {
  return backends.has(name);
}

/** Makes a backend of a known service, in the page's own environment unless another is given; throws `misuse` for an unknown one. */
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

/** A known format, at once where it is there; undefined when there is none of that name. A loader that failed is asked again. */
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

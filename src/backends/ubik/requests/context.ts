import type { UbikError } from '../../../errors.js';
import type { Environment } from '../../../stream/environment.js';
import type { HttpClient } from '../../../stream/http.js';
import type { UbikLimits } from '../options.js';

/** What everything in this backend shares. */
export interface UbikContext {
  readonly http: HttpClient;
  readonly environment: Environment;
  readonly limits: UbikLimits;
  /** Name of the query parameter that carries the token of a stream; undefined for the header. */
  readonly tokenParameter: string | undefined;
  /** Tells the host of something odd that changes nothing. */
  report(error: UbikError): void;
}

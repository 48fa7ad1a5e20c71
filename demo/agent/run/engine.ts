import type { Clock } from '../clock.js';
import type { Database } from '../store/database.js';
import type { Deadlines } from './deadlines.js';
import type { Gate } from './gate.js';
import type { Pace } from './pace.js';
import type { Skill } from './skill.js';

/** Dependencies that all runs of a server share. */
export interface Engine {
  readonly database: Database;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly gate: Gate;
  readonly deadlines: Deadlines;
  /** Skills by name. */
  readonly skills: ReadonlyMap<string, Skill>;
  /** Called with unexpected errors, after the affected run has failed. */
  onError(error: unknown): void;
  /** Whether the server is closing. */
  readonly closed: boolean;
}

import type { Clock } from '../clock.js';
import type { Database } from '../store/database.js';
import type { Deadlines } from './deadlines.js';
import type { PausePoints } from './pause-points.js';
import type { Pace } from './pace.js';
import type { Skill } from './skill.js';

/** Dependencies that all runs of a server share. */
export interface RunContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly pausePoints: PausePoints;
  readonly deadlines: Deadlines;
  /** Skills by name. */
  readonly skills: ReadonlyMap<string, Skill>;
  /** Called with unexpected errors. The affected run fails without their message. */
  onError(error: unknown): void;
  /** Whether the server is closing. */
  readonly closed: boolean;
}

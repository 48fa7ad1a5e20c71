import type { Clock } from '../clock.js';
import type { Database } from '../store/database.js';
import type { Deadlines } from './deadlines.js';
import type { Gate } from './gate.js';
import type { Pace } from './pace.js';
import type { Skill } from './skill.js';

/** What every run of this server shares. */
export interface Engine {
  readonly database: Database;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly gate: Gate;
  readonly deadlines: Deadlines;
  /** What the agent can do, by name. */
  readonly skills: ReadonlyMap<string, Skill>;
  /** Hears of what should never happen; the run that it happened to has ended with an error. */
  onError(error: unknown): void;
  /** Whether the server is closing. */
  readonly closed: boolean;
}

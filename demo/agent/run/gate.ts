/** A point of a run at which a test may hold it. */
export type GatePoint = 'start' | 'step' | 'tool' | 'text' | 'end' | 'deadline';

/** Lets runs pass; a test may close it to look at a run in the middle of something. */
export interface Gate {
  /** Resolves when the run may go on. */
  pass(owner: string | null, point: GatePoint): Promise<void>;
}

/** A gate that is always open. */
export const OPEN_GATE: Gate = { pass: () => Promise.resolve() };

/** A point of a run at which a test can pause it. */
export type GatePoint = 'start' | 'step' | 'tool' | 'text' | 'end' | 'deadline';

/** Lets tests pause runs, to examine an unfinished run. */
export interface Gate {
  /** Called when a run reaches a point. Resolves when it may continue. */
  pass(owner: string | null, point: GatePoint): Promise<void>;
}

/** Never pauses a run. */
export const OPEN_GATE: Gate = { pass: () => Promise.resolve() };

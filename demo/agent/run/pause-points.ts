/** A point of a run at which a test can pause it. */
export type PausePoint = 'start' | 'step' | 'tool' | 'text' | 'end' | 'deadline';

/** Lets tests pause runs, to examine an unfinished run. */
export interface PausePoints {
  /** Called when a run reaches a point. Resolves when it may continue. `owner` is the user whose run it is; null without a user. */
  reach(owner: string | null, point: PausePoint): Promise<void>;
}

/** Never pauses a run. */
export const NO_PAUSE_POINTS: PausePoints = { reach: () => Promise.resolve() };

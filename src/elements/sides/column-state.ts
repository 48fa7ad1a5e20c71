/** A side of the messages, in the inline direction. */
export type Side = 'start' | 'end';

/** Both sides, in the order of the page. */
export const SIDES: readonly Side[] = ['start', 'end'];

/** Name of the stored record with the state of the columns at both sides. */
export const STORAGE_NAME = 'sides';

/** Minimum width of a column, in px. */
export const MIN_WIDTH = 160;

/** Width and visibility that the user has chosen for a column. */
export interface ColumnState {
  /** In px; undefined for the default width. */
  readonly width?: number;
  readonly isCollapsed?: boolean;
}

/** Reads the state of one column from the stored record, which may be invalid. */
export function readSideState(stored: unknown, side: Side): ColumnState {
  return readColumnState((stored as Readonly<Partial<Record<Side, unknown>>> | null)?.[side]);
}

/** Reads a stored state, which may be invalid. Ignores a width that is too small or implausibly large. */
export function readColumnState(stored: unknown): ColumnState {
  const { width, isCollapsed } = (stored ?? {}) as { width?: unknown; isCollapsed?: unknown };
  return {
    isCollapsed: isCollapsed === true,
    ...(typeof width === 'number' && width >= MIN_WIDTH && width < 10_000 && { width }),
  };
}

/** Gives a column the width and visibility of a state. */
export function applyColumnState(column: HTMLElement, state: ColumnState): void {
  column.classList.toggle('is-collapsed', state.isCollapsed === true);
  column.style.setProperty('--_side-width', state.width ? `${String(state.width)}px` : '');
}

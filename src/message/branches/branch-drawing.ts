import type { BranchPoint } from './branch-tree.js';

/** Columns that are drawn; what lies farther out shares the last one. */
const LANES = 8;
/** Width of a column, in units of the drawing. */
const LANE = 14;
/** Height of a row, in units of the drawing. */
export const ROW_HEIGHT = 44;

/** What is drawn before one point: lines as data of SVG paths. */
export interface BranchLines {
  readonly x: number;
  /** Lines of the way that is shown. */
  readonly active: string;
  readonly others: string;
}

/** Width of the drawing of some points. */
export function drawingWidth(points: readonly BranchPoint[]): number {
  return LANE * (Math.min(LANES - 1, Math.max(0, ...points.map(({ lane }) => lane))) + 1);
}

/** Where the lines of all that begins a conversation meet: in the first column, above none of them. */
const TRUNK = -1;

/** The lines before each point: from the point that it turns off from, and those that pass by. */
export function drawBranches(points: readonly BranchPoint[]): readonly BranchLines[] {
  const paths = points.map(() => ({ active: '', others: '' }));
  const xs = points.map(({ lane }) => LANE * Math.min(lane, LANES - 1) + LANE / 2);
  const add = (at: number, active: boolean, line: string): void => {
    const path = paths[at];
    if (path) path[active ? 'active' : 'others'] += line;
  };
  /** The last point that turns off from each, and the last of those that are shown: as far as its line goes down. */
  const ends = new Map<number, { all: number; active: number }>();
  for (const [at, { parent, active, kind }] of points.entries()) {
    const end = ends.get(parent) ?? { all: at, active: 0 };
    ends.set(parent, { all: at, active: active && kind === 'version' ? at : end.active });
    const from = xs[parent] ?? LANE / 2;
    const shown = active && points[parent]?.active === true && kind === 'version';
    add(at, shown, turnTo(xs[at] ?? 0, from, at === 0));
  }
  for (const [parent, { all, active }] of ends) {
    const x = xs[parent] ?? LANE / 2;
    if (parent !== TRUNK) add(parent, active > 0, `M${x} ${ROW_HEIGHT / 2}V${ROW_HEIGHT}`);
    for (let at = parent + 1; at < all; at += 1) {
      // A row of the same column has its own point on the line.
      if (parent !== TRUNK || at > 0)
        add(at, parent !== TRUNK && at < active, `M${x} 0V${ROW_HEIGHT}`);
    }
  }
  return paths.map((path, at) => ({ ...path, x: xs[at] ?? 0 }));
}

/** The line to a point. Nothing is above the first one: its line begins there and goes down. */
function turnTo(x: number, from: number, isFirst: boolean): string {
  if (isFirst)
    return x === from
      ? ''
      : `M${x} ${ROW_HEIGHT / 2}C${from} ${ROW_HEIGHT / 2} ${from} ${ROW_HEIGHT / 2} ${from} ${ROW_HEIGHT}`;
  if (x === from) return `M${from} 0V${ROW_HEIGHT / 2}`;
  return `M${from} 0C${from} ${ROW_HEIGHT / 2} ${from} ${ROW_HEIGHT / 2} ${x} ${ROW_HEIGHT / 2}`;
}

import type { BranchMapPoint } from './branch-tree.js';

/** Number of lanes that are drawn. Points in further lanes are drawn in the last one. */
const MAX_LANES = 8;
/** Width of a lane in SVG units. */
const LANE_WIDTH = 14;
/** Height of a row in SVG units. */
export const ROW_HEIGHT = 44;
/** The vertical center of a row, where its point is. */
const CENTER = ROW_HEIGHT / 2;

/** The lines in the row of one point, as SVG path data. */
export interface BranchLines {
  /** The horizontal position of the point. */
  readonly x: number;
  /** Lines of the shown branch. */
  readonly active: string;
  readonly others: string;
}

/** The width of the drawing in SVG units. */
export function drawingWidth(points: readonly BranchMapPoint[]): number {
  const lastLane = Math.max(0, ...points.map(({ lane }) => lane));
  return LANE_WIDTH * (Math.min(MAX_LANES - 1, lastLane) + 1);
}

/** Index of the trunk, the parent of the roots. It has no row; the lines of the roots meet in the first lane, below the first point. */
const TRUNK = -1;

/** Draws each row: the line from the parent to the point, and the lines between other points that cross the row. */
export function drawBranches(points: readonly BranchMapPoint[]): readonly BranchLines[] {
  const paths = points.map(() => ({ active: '', others: '' }));
  const xs = points.map(({ lane }) => LANE_WIDTH * (Math.min(lane, MAX_LANES - 1) + 0.5));
  // Does nothing for the trunk, which has no row of its own.
  const addLine = (index: number, active: boolean, line: string): void => {
    const path = paths[index];
    if (path) path[active ? 'active' : 'others'] += line;
  };
  /**
   * For each parent, `all`: the index of its last child, where its line ends; `active`: that of its last child on the shown branch, 0 for
   * none. Only the trunk, whose line is never drawn as active, has a child with the index 0.
   */
  const lastChildren = new Map<number, { all: number; active: number }>();
  for (const [index, { parent, active, kind }] of points.entries()) {
    const isActiveVersion = active && kind === 'version';
    const last = lastChildren.get(parent) ?? { all: index, active: 0 };
    lastChildren.set(parent, { all: index, active: isActiveVersion ? index : last.active });
    const isActiveLine = isActiveVersion && points[parent]?.active === true;
    addLine(
      index,
      isActiveLine,
      drawTurn(xs[parent] ?? LANE_WIDTH / 2, xs[index] ?? 0, index === 0),
    );
  }
  for (const [parent, { all, active }] of lastChildren) {
    const x = xs[parent] ?? LANE_WIDTH / 2;
    addLine(parent, active > 0, `M${x} ${CENTER}V${ROW_HEIGHT}`);
    for (let index = parent + 1; index < all; index += 1) {
      // The line of the trunk starts in the first row.
      if (parent === TRUNK && index === 0) continue;
      addLine(index, parent !== TRUNK && index < active, `M${x} 0V${ROW_HEIGHT}`);
    }
  }
  return paths.map((path, index) => ({ ...path, x: xs[index] ?? 0 }));
}

/** Draws the line from the lane of the parent to a point. The line of the first point starts at the point and leads down to the trunk. */
function drawTurn(from: number, x: number, isFirst: boolean): string {
  if (isFirst) {
    return x === from
      ? ''
      : `M${x} ${CENTER}C${from} ${CENTER} ${from} ${CENTER} ${from} ${ROW_HEIGHT}`;
  }
  if (x === from) return `M${from} 0V${CENTER}`;
  return `M${from} 0C${from} ${CENTER} ${from} ${CENTER} ${x} ${CENTER}`;
}

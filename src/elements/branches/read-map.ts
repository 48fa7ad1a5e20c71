import type { StreamController } from '../../controller/controller-types.js';
import {
  drawBranches,
  drawingWidth,
  type BranchLines,
} from '../../message/branches/branch-drawing.js';
import {
  listBranchPoints,
  siblingPositions,
  type SiblingPosition,
  type BranchPoint,
} from '../../message/branches/branch-tree.js';

/** The points of a conversation, and for each of them how it is drawn and where it stands. */
export interface BranchMap {
  readonly points: readonly BranchPoint[];
  readonly lines: readonly BranchLines[];
  readonly places: readonly SiblingPosition[];
  /** Width of the drawing. */
  readonly width: number;
}

/** Reads the map off what is known of a conversation. */
export function readMap(controller: StreamController | null): BranchMap {
  const points = controller?.thread ? listBranchPoints(controller.thread) : [];
  return {
    points,
    lines: drawBranches(points),
    places: siblingPositions(points),
    width: drawingWidth(points),
  };
}

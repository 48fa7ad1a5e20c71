import type { StreamController } from '../../controller/controller-types.js';
import { drawBranches, widthOf, type BranchLines } from '../../message/branches/branch-drawing.js';
import {
  listBranches,
  placesOf,
  type BranchPlace,
  type BranchPoint,
} from '../../message/branches/branch-tree.js';

/** The points of a conversation, and for each of them how it is drawn and where it stands. */
export interface BranchMap {
  readonly points: readonly BranchPoint[];
  readonly lines: readonly BranchLines[];
  readonly places: readonly BranchPlace[];
  /** Width of the drawing. */
  readonly width: number;
}

/** Reads the map off what is known of a conversation. */
export function readMap(controller: StreamController | null): BranchMap {
  const points = controller?.thread ? listBranches(controller.thread) : [];
  return {
    points,
    lines: drawBranches(points),
    places: placesOf(points),
    width: widthOf(points),
  };
}

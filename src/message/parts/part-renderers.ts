import type { PartKind } from '../../model/part.js';
import type { PartRenderer } from '../host-content.js';

const renderers = new Map<PartKind, PartRenderer>();

/**
 * Shows all parts of a kind through a renderer of the page instead of ours, from the next part on. Returns the way back.
 *
 * @example
 * registerPartRenderer('tool', {
 *   mount(box, part) {
 *     box.textContent = part.name;
 *     return { update: (changed) => (box.textContent = changed.name), unmount() {} };
 *   },
 * });
 */
export function registerPartRenderer<Kind extends PartKind>(
  kind: Kind,
  renderer: PartRenderer<Kind>,
): () => void {
  // The map is keyed by the kind that the renderer is for, which its type cannot say.
  const kept = renderer as unknown as PartRenderer;
  renderers.set(kind, kept);
  return () => {
    if (renderers.get(kind) === kept) renderers.delete(kind);
  };
}

/** The page's renderer for a kind of part. */
export function findPartRenderer(kind: PartKind): PartRenderer | undefined {
  return renderers.get(kind);
}

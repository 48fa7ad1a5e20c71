import type { PartKind } from '../../model/part.js';
import type { PartRenderer } from '../host-content.js';

const renderers = new Map<PartKind, PartRenderer>();

/**
 * Registers a renderer of the host page for all parts of a kind that are created later. Returns the function that unregisters it; parts
 * that it has rendered stay.
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
  // The key of the map is the kind of the renderer, which the type of a map cannot express.
  const registered = renderer as unknown as PartRenderer;
  renderers.set(kind, registered);
  return () => {
    if (renderers.get(kind) === registered) renderers.delete(kind);
  };
}

/** Returns the renderer of the host page for a kind of part. */
export function findPartRenderer(kind: PartKind): PartRenderer | undefined {
  return renderers.get(kind);
}

import type { PartKind } from '../../model/part.js';
import type { PartRenderer, RendererRule, ToolMatch, ToolRenderer } from './renderer-types.js';

/** The renderers of all chats, the one that was registered last first. */
const registered: RendererRule[] = [];

function register(rule: RendererRule): () => void {
  registered.unshift(rule);
  return () => {
    const at = registered.indexOf(rule);
    if (at >= 0) registered.splice(at, 1);
  };
}

/**
 * Registers a renderer of the host page for calls of some tools, in all chats. Applies to parts that are shown later; `renderers` of a chat
 * and renderers that are registered later take precedence. Returns the function that unregisters it; parts that it has rendered stay.
 *
 * @example
 * registerToolRenderer('get_weather', {
 *   mount(box, context) {
 *     const draw = ({ tool }) => (box.textContent = `${tool.name}: ${tool.state}`);
 *     draw(context);
 *     return { update: draw };
 *   },
 * });
 */
export function registerToolRenderer(match: ToolMatch, renderer: ToolRenderer): () => void {
  return register({ tool: match, renderer });
}

/**
 * Registers a renderer of the host page for a kind of part, in all chats. Applies to parts that are shown later; `renderers` of a chat
 * and renderers that are registered later take precedence. Returns the function that unregisters it; parts that it has rendered stay.
 *
 * @example
 * registerPartRenderer('table', {
 *   mount(box, { part }) {
 *     box.append(createGrid(part.columns, part.rows));
 *   },
 * });
 */
export function registerPartRenderer<Kind extends PartKind>(
  kind: Kind,
  renderer: PartRenderer<Kind>,
): () => void {
  // The kind of the rule is that of the renderer, which the type of a union cannot express.
  return register({ kind, renderer } as unknown as RendererRule);
}

/** Returns the renderers of a chat and those of all chats, in the order in which they are asked. */
export function listRenderers(own: readonly RendererRule[] | undefined): readonly RendererRule[] {
  return own?.length ? [...own, ...registered] : registered;
}

import type { Part, PartKind, PartOf } from '../model/part.js';
import { CheckpointView } from './checkpoint-view.js';
import { HostView, type PartRenderer } from './host-view.js';
import { ErrorView, PlainView } from './plain-views.js';
import type { MessageScope, PartView, PartViewFactory } from './part-view.js';
import { RequestView } from './request/request-view.js';
import { StepView } from './step-view.js';
import { TextView } from './text-view.js';
import { ThinkingView } from './thinking-view.js';
import { ToolView } from './tool/tool-view.js';

/** Our own looks, by kind of part. */
const TABLE: {
  readonly [Kind in PartKind]?: (part: PartOf<Kind>, scope: MessageScope) => PartView;
} = {
  text: (part, scope) => new TextView(part, scope),
  thinking: (part, scope) => new ThinkingView(part, scope),
  step: (part, scope) => new StepView(part, scope),
  tool: (part, scope) => new ToolView(part, scope),
  'tool-activity': (part, scope) => new ToolView(part, scope),
  checkpoint: (part, scope) => new CheckpointView(part, scope),
  'input-request': (part, scope) => new RequestView(part, scope),
  'request-activity': (part, scope) => new RequestView(part, scope),
  error: (part, scope) => new ErrorView(part, scope),
};

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

/** Makes the view of a part: the page's, else ours, else its plain text. */
export const createPartView: PartViewFactory = (part, scope) => {
  const renderer = renderers.get(part.kind);
  if (renderer) return new HostView(part, scope, renderer);
  // What a person wrote is shown as they wrote it.
  if (part.kind === 'text' && scope.message.role !== 'assistant') return new PlainView(part, scope);
  const create = TABLE[part.kind] as ((part: Part, scope: MessageScope) => PartView) | undefined;
  return create ? create(part, scope) : new PlainView(part, scope);
};

import type { Part, PartKind } from '../../model/part.js';
import { CheckpointView } from './checkpoint-view.js';
import { ErrorView } from './error-view.js';
import { IncompleteTextView } from './incomplete-text-view.js';
import { HostPartView } from './host-part-view.js';
import { findPartRenderer } from './part-renderers.js';
import type { MessageScope, PartView } from '../part-view.js';
import { RequestView } from '../request/request-view.js';
import { StepView } from './step-view.js';
import { PlainTextView, TextView } from './text-view.js';
import { ThinkingView } from './thinking-view.js';
import { ToolView } from '../tool/tool-view.js';

/** Our own looks, by kind of part; any other kind is plain text. */
const VIEWS: {
  readonly [Kind in PartKind]?: new (part: never, scope: MessageScope) => PartView;
} = {
  text: TextView,
  thinking: ThinkingView,
  step: StepView,
  'step-activity': StepView,
  tool: ToolView,
  'tool-activity': ToolView,
  checkpoint: CheckpointView,
  'input-request': RequestView,
  'request-activity': RequestView,
  'incomplete-activity': IncompleteTextView,
  error: ErrorView,
};

/** Makes the view of a part: the page's, else ours, else its plain text. */
export function createPartView(part: Part, scope: MessageScope): PartView {
  const renderer = findPartRenderer(part.kind);
  if (renderer) return new HostPartView(part, scope, renderer);
  // What a person wrote is shown as they wrote it.
  const isQuoted = part.kind === 'text' && scope.message.role !== 'assistant';
  const View = (!isQuoted && VIEWS[part.kind]) || PlainTextView;
  return new View(part as never, scope);
}

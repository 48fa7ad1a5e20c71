import type { CSSResult } from 'lit';
import type { Message } from '../../model/message.js';
import type {
  ActivityKind,
  ContentKind,
  DataKind,
  Part,
  PartKind,
  PartOf,
} from '../../model/part.js';
import { isContentPart } from '../../model/part-tree.js';
import { DataPartView } from '../data/data-part-view.js';
import { isDataPart } from '../message-formats.js';
import type { MessageScope, PartView } from '../part-view.js';
import { OnDemandRequestView } from '../request/lazy-request.js';
import { ToolView } from '../tool/tool-view.js';
import { CheckpointView } from './checkpoint-view.js';
import { ErrorView } from './error-view.js';
import { IncompleteTextView, isInterrupted } from './incomplete-text-view.js';
import { createHostPart } from './host-parts.js';
import {
  checkpointStyles,
  errorStyles,
  requestStyles,
  sharedPartStyles,
  stepStyles,
  toolStyles,
} from './part-styles.js';
import { StepView } from './step-view.js';
import { PlainTextView, TextView } from './text-view.js';
import { ThinkingView } from './thinking-view.js';

/** The view class of a kind. */
type ViewClass<Kind extends PartKind> = new (part: PartOf<Kind>, scope: MessageScope) => PartView;

/** A region at the end of a message for activity that no content part renders. */
export type ActivityRegion = 'activity' | 'request' | 'incomplete';

/** How activity without a content part is rendered. */
interface ActivityRendering<Kind extends ActivityKind> {
  readonly View: ViewClass<Kind>;
  /** The region of the view at the end of the message. */
  readonly region: ActivityRegion;
  readonly isVisible?: (part: PartOf<Kind>, message: Message) => boolean;
}

/** How one kind of content is rendered in an answer. */
interface ContentRendering<Kind extends ContentKind> {
  readonly View: ViewClass<Kind>;
  /** Style sheet of the view; null if the shared ones suffice. */
  readonly styles: CSSResult | null;
}

/** A kind whose view is loaded with the views of messages. */
type EagerKind = Exclude<ContentKind, DataKind>;

const CONTENT_RENDERINGS: { readonly [Kind in EagerKind]: ContentRendering<Kind> } = {
  text: { View: TextView, styles: null },
  thinking: { View: ThinkingView, styles: null },
  step: { View: StepView, styles: stepStyles },
  tool: { View: ToolView, styles: toolStyles },
  checkpoint: { View: CheckpointView, styles: checkpointStyles },
  'input-request': { View: OnDemandRequestView, styles: requestStyles },
  error: { View: ErrorView, styles: errorStyles },
  unknown: { View: PlainTextView, styles: null },
};

/** The style sheets of all kinds. Later ones take precedence. */
export const partStyles: readonly CSSResult[] = [
  sharedPartStyles,
  ...Object.values(CONTENT_RENDERINGS).flatMap(({ styles }) => styles ?? []),
];

/** Null for activity that is only rendered with other parts: phases and outputs with their tool, progress with the status. */
const ACTIVITY_RENDERINGS: { readonly [Kind in ActivityKind]: ActivityRendering<Kind> | null } = {
  'run-activity': null,
  'step-activity': { View: StepView, region: 'activity' },
  'tool-activity': { View: ToolView, region: 'activity' },
  'phase-activity': null,
  'output-activity': null,
  'incomplete-activity': {
    View: IncompleteTextView,
    region: 'incomplete',
    isVisible: (_part, message) => isInterrupted(message),
  },
  'request-activity': {
    View: OnDemandRequestView,
    region: 'request',
    isVisible: ({ state }) => state !== 'closed',
  },
};

/** Returns how a kind of activity is rendered without a content part; null when it never is. */
export function activityRenderingOf<Kind extends ActivityKind>(
  kind: Kind,
): ActivityRendering<Kind> | null {
  return ACTIVITY_RENDERINGS[kind];
}

function viewClassOf<Kind extends EagerKind>(kind: Kind): ViewClass<Kind> {
  return CONTENT_RENDERINGS[kind].View;
}

/** Creates the view of a part: with a renderer of the host page if there is one, else the built-in view. */
export function createPartView(part: Part, scope: MessageScope): PartView {
  return createHostPart(part, scope) ?? createStandardView(part, scope);
}

/** Creates the built-in view of a part. */
export function createStandardView(part: Part, scope: MessageScope): PartView {
  if (!isContentPart(part)) {
    const View = activityRenderingOf(part.kind)?.View ?? PlainTextView;
    return new View(part, scope);
  }
  if (isDataPart(part)) return new DataPartView(part, scope);
  // The text of a user is not Markdown.
  const isPlain = part.kind === 'text' && scope.message.role !== 'assistant';
  const View = isPlain ? PlainTextView : viewClassOf(part.kind);
  return new View(part, scope);
}

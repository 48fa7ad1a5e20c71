import type { UbikError } from '../../src/errors.js';
import { createManualFrameScheduler } from '../../src/dom/manual-frames.js';
import { addSheets } from '../../src/dom/sheets.js';
import { messageStyles } from '../../src/elements/styles/message.js';
import { styles } from '../../src/elements/styles/styles.js';
import { findLocale } from '../../src/locales/locale.js';
import type { Change } from '../../src/model/change.js';
import type { MessageFields } from '../../src/model/message.js';
import type { DataKind, PartFields } from '../../src/model/part.js';
import { CitationCard } from '../../src/message/citation-card.js';
import { lazyDataKinds } from '../../src/message/data/data-part-view.js';
import { MessageView } from '../../src/message/message-view.js';
import { partStyles } from '../../src/message/parts/part-views.js';
import type { ViewActions } from '../../src/message/part-view.js';
import { createMarkdownRenderer } from '../../src/message/markdown-renderer.js';
import '../helpers/load-lazy-modules.js';
import { setupMessage, ANSWER } from '../helpers/model-message.js';

/** Options of {@link setupMessageView}. */
export interface MessageViewOptions {
  readonly actions?: ViewActions;
  readonly fields?: Partial<MessageFields>;
  /** Whether the details of errors are shown. */
  readonly errorDetails?: boolean;
  /** Whether the style sheets of messages apply. */
  readonly styled?: boolean;
  readonly lang?: string;
  readonly dir?: 'rtl';
  /** Loads an optional module, such as that of charts. Without it, none is available. */
  readonly loadExtra?: (name: string) => Promise<unknown>;
}

/** A clock that the test advances. */
export class TestClock {
  time = 1_000_000;
  readonly listeners = new Set<() => void>();
  now(): number {
    return this.time;
  }
  everySecond(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
  /** Advances the clock and calls its listeners. */
  tick(seconds = 1): void {
    this.time += 1000 * seconds;
    for (const listener of [...this.listeners]) listener();
  }
}

/** Loads the view of a data kind, so that parts of that kind are rendered at once. */
export async function loadDataView(kind: DataKind): Promise<void> {
  const { loadView } = await lazyDataKinds.load();
  await loadView(kind);
}

let views = 0;

/** A message of a real model, rendered by a real view in a shadow root. The test runs the frames. */
export function setupMessageView(options: MessageViewOptions = {}) {
  const { message, run: applyChanges } = setupMessage();
  applyChanges({ type: 'message', message: 'm', value: { ...ANSWER, ...options.fields } });
  const host = document.createElement('div');
  document.body.append(host);
  host.dir = options.dir ?? '';
  const root = document.createElement('div');
  const shadowRoot = host.attachShadow({ mode: 'open' });
  shadowRoot.append(root);
  if (options.styled) {
    root.classList.add('ubik');
    addSheets(shadowRoot, [...styles, messageStyles, ...partStyles]);
  }
  const frames = createManualFrameScheduler();
  const clock = new TestClock();
  const errors: UbikError[] = [];
  let ids = 0;
  const prefix = `view-${(views += 1)}`;
  const createId = (): string => `${prefix}-${(ids += 1)}`;
  const context = {
    host,
    prefix,
    createId,
    locale: findLocale(options.lang ?? 'en'),
    frames,
    clock,
    actions: options.actions ?? {},
    errorDetails: options.errorDetails ?? false,
    ...(options.loadExtra && { loadExtra: options.loadExtra }),
    ...createMarkdownRenderer({
      frames,
      createId,
      locale: () => findLocale('en'),
      policy: () => ({}),
      shouldLoadImage: () => true,
    }),
    report: (error: UbikError) => void errors.push(error),
  };
  const view = new MessageView(message(), context);
  root.append(view.node);
  new CitationCard(root, () => context);
  const apply = (...changes: Change[]): void => {
    const { applied, rejected } = applyChanges(...changes);
    if (rejected.length > 0) throw new Error(`Rejected: ${JSON.stringify(rejected)}`);
    for (const change of applied) view.apply(change, message());
  };
  const run = (...changes: Change[]): void => {
    apply(...changes);
    frames.flush();
  };
  const query = <E extends HTMLElement = HTMLElement>(selector: string): E => {
    const found = root.querySelector<E>(selector);
    if (!found) throw new Error(`Nothing matches ${selector} in ${root.innerHTML}`);
    return found;
  };
  return {
    host,
    root,
    view,
    frames,
    clock,
    errors,
    context,
    /** Applies changes without running a frame. */
    apply,
    /** Applies changes and runs the frames until none is scheduled. */
    run,
    query,
    message,
    text: (selector = '.body') => query(selector).textContent.replace(/\s+/g, ' ').trim(),
    remove: () => {
      view.dispose();
      host.remove();
    },
  };
}

/** A change that adds a part or sets its fields. */
export const part = (
  key: string,
  value: PartFields,
  parent: string | null = null,
  before: string | null = null,
): Change => ({ type: 'part', message: 'm', part: key, parent, before, value });

/** A change that truncates a text to `at` and appends to it. */
export const text = (key: string, more: string, at = 0): Change => ({
  type: 'text',
  message: 'm',
  part: key,
  at,
  text: more,
});

/** A change of one field of a part, or of the message when the key is null. */
export const set = (key: string | null, name: string, value: string | number | null): Change => ({
  type: 'set',
  message: 'm',
  part: key,
  path: [name],
  value,
});

/** Fields of a running step. */
export const step = (number: number, title = `Title ${number}`): PartFields => ({
  kind: 'step',
  number,
  title,
  single: false,
  state: 'running',
});

/** Fields of a running tool. */
export const tool = (toolId: string, more: object = {}): PartFields => ({
  kind: 'tool',
  name: 'rag_search',
  toolId,
  state: 'running',
  input: null,
  result: null,
  ...more,
});

/** Fields of the activity of a tool; `bound` is the key of the part of its call, null without one. */
export const toolActivity = (
  toolId: string,
  bound: string | null,
  more: object = {},
): PartFields => ({
  kind: 'tool-activity',
  toolId,
  name: 'rag_search',
  part: bound,
  phase: '',
  status: '',
  message: '',
  data: null,
  state: 'running',
  reason: '',
  startedAt: null,
  endedAt: null,
  subSession: null,
  ...more,
});

/** Fields of a pending request; `bound` is the key of the part that shows it, null without one. */
export const request = (bound: string | null, more: object = {}): PartFields => ({
  kind: 'request-activity',
  level: 'agent',
  prompt: 'Which year?',
  inputTypes: ['text'],
  checkpointName: 'c',
  executionId: null,
  toolName: null,
  options: null,
  schema: null,
  deadline: null,
  part: bound,
  state: 'pending',
  ...more,
});

/** Fields of a phase of a tool call. */
export const phaseActivity = (phase: string, more: object = {}): PartFields => ({
  kind: 'phase-activity',
  phase,
  message: '',
  data: null,
  state: 'running',
  startedAt: null,
  endedAt: null,
  ...more,
});

/** Fields of the activity of a step. */
export const stepActivity = (number: number, more: object = {}): PartFields => ({
  kind: 'step-activity',
  number,
  title: `Title ${number}`,
  progress: null,
  status: '',
  results: null,
  state: 'running',
  startedAt: null,
  endedAt: null,
  ...more,
});

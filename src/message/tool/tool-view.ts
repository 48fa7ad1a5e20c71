import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import { isPrinting } from '../../dom/print.js';
import type { Key, Json } from '../../model/json.js';
import type { Part, PartOf } from '../../model/part.js';
import type { TextSource } from '../../model/text.js';
import { setLang, langOfContent, langOfInterface } from '../content-lang.js';
import { createLazyModule } from '../create-lazy-module.js';
import {
  createPayloadView,
  createTextBox,
  TEXT_PAGE_LENGTH,
  createDataDisclosure,
} from '../json-view.js';
import type { MessageScope, ViewContext } from '../part-view.js';
import { memoizeElement, memoizeLast } from '../parts/base-part-view.js';
import {
  contentText,
  DisclosureView,
  formatElapsed,
  type DisclosureSummary,
  renderStateIcon,
} from '../parts/disclosure.js';
import {
  isInterrupted,
  listIncompleteTexts,
  renderIncompleteMark,
} from '../parts/incomplete-text-view.js';
import { createSyncedTextNode } from '../text-sync.js';
import type * as ToolMedia from './tool-media.js';
import { findToolError, humanizeName, phaseLabel, summarizeInput, toolLabel } from './tool-text.js';
import type { Locale } from '../../locales/locale.js';

const STATE_STRINGS = {
  running: 'toolRunning',
  done: 'toolDone',
  failed: 'toolFailed',
  incomplete: 'toolIncomplete',
} as const;

/** The chunk that shows the files of a result. */
export const lazyToolMedia = createLazyModule(() => import('./tool-media.js'));

/** The element of an output that a tool streams. */
interface Output {
  readonly box: HTMLElement;
  readonly sync: (text: TextSource | null) => void;
}

/**
 * Renders a call of a tool: a summary with the tool's name, the gist of its input, its state, status and time; the content has
 * input, phases and result. Also renders the activity of a call that has no part in the content.
 */
export class ToolView extends DisclosureView<'tool' | 'tool-activity'> {
  readonly #payload = element('div', 'payload');
  readonly #mediaContainer: HTMLElement;
  readonly #abortController = new AbortController();
  readonly #outputs = new Map<Key, Output>();
  // Parsing large JSON is expensive: each payload is parsed once, not at every rendering.
  readonly #summarizeInput = memoizeLast(summarizeInput);
  readonly #findError = memoizeLast(findToolError);
  readonly #phases = new ToolPhases(this.context);
  readonly #createInput = memoizeElement(this.context, createPayloadView);
  readonly #createResult = memoizeElement(this.context, createPayloadView);
  readonly #createIncomplete = memoizeElement(this.context, createPayloadView);
  readonly #showMedia = memoizeLast((result: string | null): void => {
    const files = (result !== null && this.context.actions.findToolFiles?.(result)) || [];
    const show = ({ createMedia }: typeof ToolMedia): void => {
      const { signal } = this.#abortController;
      if (signal.aborted || result !== this.#payloads.result) return;
      this.#mediaContainer.replaceChildren(...createMedia(files, this.context, signal));
    };
    if (lazyToolMedia.value) show(lazyToolMedia.value);
    else if (files.length > 0) lazyToolMedia.load().then(show, this.context.report);
  });

  constructor(part: PartOf<'tool' | 'tool-activity'>, scope: MessageScope) {
    const mediaContainer = element('div', 'media');
    super(part, scope, 'tool', mediaContainer);
    this.#mediaContainer = mediaContainer;
    this.content.before(this.#payload);
    this.renderNow();
  }

  override update(part: Part, what?: 'text' | 'fields' | 'parts'): void {
    // A chunk of output is visible only while the disclosure is open.
    if (what !== 'text' || this.details.open) super.update(part);
  }

  override dispose(): void {
    super.dispose();
    this.#abortController.abort();
  }

  protected override summarize(): DisclosureSummary {
    const { part, scope } = this;
    const { locale } = this.context;
    const { input, result } = this.#payloads;
    const activity = this.findActivity('tool-activity');
    const error = activity?.state === 'failed' ? activity.reason : this.#findError(result);
    const isUnfinished = part.state === 'running' && !scope.live;
    const state = error !== null ? 'failed' : isUnfinished ? 'incomplete' : part.state;
    const progress = activity?.message || phaseLabel(activity?.phase ?? '', locale);
    const status = error ?? (state === 'running' ? progress : '');
    const stateText = this.text(STATE_STRINGS[state]);
    return {
      state,
      texts: {
        title: toolLabel(part.name, locale),
        essence: contentText(this.#summarizeInput(input), locale),
        ...(status || state === 'done'
          ? { hidden: stateText, status: contentText(status, locale) }
          : { status: stateText }),
      },
      meta: [formatElapsed(activity, locale)],
    };
  }

  protected override render(): void {
    super.render();
    const isVisible = this.details.open || isPrinting();
    render(isVisible ? this.#renderPayload() : nothing, this.#payload);
    this.#showMedia(this.#payloads.result);
  }

  get #payloads(): { readonly input: string | null; readonly result: string | null } {
    return this.part.kind === 'tool' ? this.part : { input: null, result: null };
  }

  #renderPayload(): unknown {
    const { input, result } = this.#payloads;
    const sections = [
      input && renderSection(this.text('toolInput'), this.#createInput(input)),
      ...this.#renderPhases(),
      ...(result === null ? this.#renderOutputs() : []),
      ...this.#renderIncompleteTexts(),
      result && renderSection(this.text('toolResult'), this.#createResult(result)),
    ].filter(Boolean);
    const isEmpty = sections.length === 0 && this.details.dataset['state'] !== 'running';
    return isEmpty ? this.text('toolNoResult') : sections;
  }

  /** The phases and outputs that events have reported. */
  #listUpdates(): readonly Part[] {
    const { parts } = this.scope.message;
    const activity = this.findActivity('tool-activity');
    const keys = activity ? parts.children(activity.key) : [];
    return keys.flatMap((key) => parts.get(key) ?? []);
  }

  #renderPhases(): unknown[] {
    const phases = this.#listUpdates().filter((part) => part.kind === 'phase-activity');
    if (phases.length === 0) return [];
    const list = this.#phases.render(phases, this.scope.live);
    return [renderSection(this.text('toolPhases'), list, 'phases')];
  }

  /** Renders the outputs that the tool streams. A chunk costs its own length. */
  #renderOutputs(): unknown[] {
    const outputs = this.#listUpdates().filter((part) => part.kind === 'output-activity');
    return outputs.map(({ key, outputKey, text }) => {
      const { box, sync } = this.#outputOf(key);
      setLang(box, this.context.locale.contentLang);
      sync(text);
      const title = humanizeName(outputKey) || this.text('toolOutput');
      return renderSection(title, box, 'output', this.#incompleteMark);
    });
  }

  #outputOf(key: Key): Output {
    let output = this.#outputs.get(key);
    if (!output) {
      const { node, sync } = createSyncedTextNode(TEXT_PAGE_LENGTH);
      this.#outputs.set(key, (output = { box: createTextBox(node), sync }));
    }
    return output;
  }

  /** Renders the input or result during which the stream broke off. */
  #renderIncompleteTexts(): unknown[] {
    const { part, scope } = this;
    const texts = listIncompleteTexts(scope.message).filter(({ tool }) => tool === part.key);
    return texts.map(({ payload, text }) =>
      renderSection(
        this.text(payload === 'input' ? 'toolInput' : 'toolResult'),
        this.#createIncomplete(text?.read() ?? ''),
        'incomplete-text',
        this.#incompleteMark,
      ),
    );
  }

  get #incompleteMark(): unknown {
    return isInterrupted(this.scope.message)
      ? html` ${renderIncompleteMark(this.context.locale)}`
      : nothing;
  }
}

function renderSection(
  title: string,
  content: Node,
  className = '',
  mark: unknown = nothing,
): TemplateResult {
  return html`<section class=${className}>
    <h3>${title}${mark}</h3>
    ${content}
  </section>`;
}

type Phase = PartOf<'phase-activity'>;

/** Renders the phases of a tool call in order, each with its name, state, message and time, and its data in a disclosure. */
class ToolPhases {
  readonly #node = element('ol');
  readonly #context: ViewContext;
  readonly #createData = new Map<Key, (data: Json) => HTMLElement>();

  constructor(context: ViewContext) {
    this.#context = context;
  }

  /** Updates and returns the list, which is always the same element. While `live`, a phase without an end is running. */
  render(phases: readonly Phase[], live: boolean): HTMLElement {
    render(
      phases.map((phase) => this.#renderPhase(phase, live)),
      this.#node,
    );
    return this.#node;
  }

  #renderPhase(phase: Phase, live: boolean): TemplateResult {
    const { locale } = this.#context;
    const { key, message, data } = phase;
    const isUnfinished = phase.state === 'running' && !live;
    const state = isUnfinished ? 'incomplete' : phase.state;
    const stateText = locale.text(STATE_STRINGS[state]);
    const name = phaseLabel(phase.phase, locale) || locale.text('toolUpdate');
    return html`<li data-state=${state}>
      <p class="line">
        ${renderStateIcon(state)}<bdi>${name}</bdi>
        <span class="hidden" lang=${langOfInterface(locale)}>${stateText}</span>
        ${message && html`<bdi class="status" lang=${langOfContent(locale)}>${message}</bdi>`}
        ${renderTime(phase.startedAt ?? phase.endedAt, locale)}
        <bdi class="meta">${formatElapsed(phase, locale)}</bdi>
      </p>
      ${data === null ? nothing : this.#dataOf(key, data)}
    </li>`;
  }

  #dataOf(key: Key, data: Json): HTMLElement {
    const create = this.#createData.get(key) ?? memoizeElement(this.#context, createDataDisclosure);
    this.#createData.set(key, create);
    return create(data);
  }
}

function renderTime(at: number | null, locale: Locale): unknown {
  if (at === null) return nothing;
  const time = new Date(at);
  return html`<time class="meta" datetime=${time.toISOString()}>${locale.timeOfDay(at)}</time>`;
}

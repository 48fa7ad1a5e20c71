import { css, html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import { findTabbable } from '../../dom/focusable.js';
import { addSheets } from '../../dom/sheets.js';
import { toolStrings } from '../../locales/en-tools.js';
import { addDefaultStrings, type Locale } from '../../locales/locale.js';
import type { Json, Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { ACTIVITY, isToolOpen, type Part, type PartOf, type ToolState } from '../../model/part.js';
import type { TextSource } from '../../model/text.js';
import { createButton } from '../buttons.js';
import { langOfContent, langOfInterface, setLang } from '../content-lang.js';
import {
  createDataDisclosure,
  createPayloadView,
  createTextBox,
  removeButton,
  TEXT_PAGE_LENGTH,
} from '../json-view.js';
import type { MessageScope, ViewContext } from '../part-view.js';
import { memoizeElement, memoizeLast } from '../parts/base-part-view.js';
import { formatElapsed, renderStateIcon } from '../parts/disclosure.js';
import { isInterrupted, renderIncompleteLabel } from '../parts/incomplete-text-view.js';
import { createSyncedTextNode } from '../text-sync.js';
import { TOOL_STATE_STRINGS } from './tool-state.js';
import { humanizeName, phaseLabel, summarizeInput, toolLabel, toSingleLine } from './tool-text.js';

// For `tool-view.ts`, which loads this file on demand.
export { createMedia } from './tool-media.js';

addDefaultStrings(toolStrings);

const styles = css`
  .payload {
    gap: calc(0.75 * var(--_ubik-rem));
    margin-block: calc(0.375 * var(--_ubik-rem));
    margin-inline-start: calc(1.4375 * var(--_ubik-rem));
    padding: calc(0.75 * var(--_ubik-rem));
    font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
    h3 {
      font-weight: 600;
      /* A badge in a title does not look like the title. */
      .meta {
        font-size: inherit;
        font-weight: 400;
      }
    }
  }
  .phases li + li {
    margin-block-start: calc(0.25 * var(--_ubik-rem));
  }
  .phases .line {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 calc(0.5 * var(--_ubik-rem));
    padding-inline-start: calc(1.5 * var(--_ubik-rem));
    .glyph {
      margin-inline-start: calc(-1.5 * var(--_ubik-rem));
    }
  }
  .phases .report {
    margin-inline-start: calc(1.5 * var(--_ubik-rem));
  }
  .open-details {
    justify-self: start;
    margin-block-end: calc(-0.375 * var(--_ubik-rem));
    margin-inline-start: calc(-0.75 * var(--_ubik-rem));
    border-color: transparent;
    color: var(--_muted);
    font-size: inherit;
  }
  @media (forced-colors: active) {
    .open-details {
      margin: 0;
    }
  }
  @media print {
    .open-details {
      display: none;
    }
  }
`;

/** The element of an output that a tool streams. */
interface Output {
  readonly box: HTMLElement;
  readonly update: (text: TextSource | null) => void;
}

/** A tool call with a content part, or one that only its activity reports. */
type ToolPart = PartOf<'tool' | 'tool-activity'>;

/**
 * Renders the content of a tool call: its input, its phases, its outputs while there is no result, and its result. If the element supports
 * it, a button opens the details of the call.
 */
export class ToolContent {
  readonly #node: HTMLElement;
  readonly #scope: MessageScope;
  readonly #context: ViewContext;
  readonly #outputs = new Map<Key, Output>();
  readonly #phases: ToolPhases;
  readonly #createInput: (raw: string) => HTMLElement;
  readonly #createResult: (raw: string) => HTMLElement;
  readonly #createIncomplete: (raw: string) => HTMLElement;
  // Parsing large JSON is expensive.
  readonly #summarizeInput = memoizeLast(summarizeInput);
  #hasStyles = false;

  /** Renders into `node`. */
  constructor(node: HTMLElement, scope: MessageScope) {
    const { context } = scope;
    this.#node = node;
    this.#scope = scope;
    this.#context = context;
    this.#phases = new ToolPhases(context);
    const create = (raw: string, locale: Locale): HTMLElement =>
      createPayloadView(raw, locale, context.actions.isInternalField);
    this.#createInput = memoizeElement(context, create);
    this.#createResult = memoizeElement(context, create);
    this.#createIncomplete = memoizeElement(context, create);
  }

  /** Renders the current state of a call; nothing for null. */
  render(part: ToolPart | null, state: ToolState): void {
    const hasFocus = [...this.#outputs.values()].some(({ box }) => box.matches(':focus-within'));
    render(part ? this.#renderPart(part, state) : nothing, this.#node);
    if (hasFocus && part && !this.#node.matches(':focus-within'))
      this.#focusResult(part.kind === 'tool' && !!part.result);
    const root = this.#node.getRootNode();
    if (this.#hasStyles || !('host' in root)) return;
    this.#hasStyles = true;
    addSheets(root as ShadowRoot, [styles]);
  }

  /** Focuses the result, which has replaced an output that had the focus; the whole content if there is none to show. */
  #focusResult(hasResult: boolean): void {
    const contents = this.#node.querySelectorAll<HTMLElement>(':scope > section > :last-child');
    const result = hasResult && [...contents].at(-1);
    const target = result ? (findTabbable(result) ?? result) : this.#node;
    if (target.tabIndex < 0) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }

  #renderPart(part: ToolPart, state: ToolState): unknown {
    const { input, result } = part.kind === 'tool' ? part : { input: null, result: null };
    const updates = this.#listUpdates(part);
    const sections = [
      input && renderSection(this.#text('toolInput'), this.#createInput(input)),
      ...this.#renderPhases(updates),
      ...(result === null ? this.#renderOutputs(updates) : []),
      ...this.#renderIncompleteTexts(part.key),
      result && renderSection(this.#text('toolResult'), this.#createResult(result)),
    ].filter(Boolean);
    const { message } = this.#scope;
    const hasContent = sections.length > 0 || message.parts.children(part.key).length > 0;
    const isEmpty =
      !hasContent && !isToolOpen(state) && listResultParts(message, part).length === 0;
    return [isEmpty ? this.#text('toolNoResult') : sections, this.#renderDetailsButton(part)];
  }

  /** Returns the phases and outputs that events have reported. */
  #listUpdates(part: ToolPart): readonly Part[] {
    const { parts } = this.#scope.message;
    const activity = part.kind === 'tool-activity' ? part : this.#scope.linkedPartOf(part);
    const keys = activity ? parts.children(activity.key) : [];
    return keys.flatMap((key) => parts.get(key) ?? []);
  }

  #renderPhases(updates: readonly Part[]): unknown[] {
    const phases = updates.filter((part) => part.kind === 'phase-activity');
    if (phases.length === 0) return [];
    const list = this.#phases.render(phases, this.#scope.live);
    return [renderSection(this.#text('toolPhases'), list, 'phases')];
  }

  /** Renders the outputs that the tool streams. A chunk takes time proportional to its own length. */
  #renderOutputs(updates: readonly Part[]): unknown[] {
    const outputs = updates.filter((part) => part.kind === 'output-activity');
    return outputs.map(({ key, outputKey, text }) => {
      const { box, update } = this.#outputOf(key);
      update(text);
      const title = humanizeName(outputKey) || this.#text('toolOutput');
      return renderSection(title, box, 'output', this.#incompleteLabel);
    });
  }

  #outputOf(key: Key): Output {
    const output = this.#outputs.get(key) ?? this.#createOutput();
    this.#outputs.set(key, output);
    return output;
  }

  #createOutput(): Output {
    const { node, sync, showMore } = createSyncedTextNode(TEXT_PAGE_LENGTH);
    const text = createTextBox(node);
    const box = element('div', 'long', text);
    let source: TextSource | null = null;
    const button = createButton('', () => {
      showMore(source);
      update(source);
    });
    const update = (next: TextSource | null): void => {
      const { locale } = this.#context;
      source = next;
      sync(next);
      const rest = (next?.length ?? 0) - node.length;
      if (rest === 0) removeButton(button, text);
      else {
        button.textContent = locale.text('moreText', { size: locale.size(rest) });
        if (!button.parentNode) box.append(button);
      }
      setLang(text, locale.contentLang);
      setLang(button, locale.uiLang);
    };
    return { box, update };
  }

  /** Renders the input or result during which the stream has broken off. */
  #renderIncompleteTexts(key: Key): unknown[] {
    const texts = listIncompleteTexts(this.#scope.message).filter(({ tool }) => tool === key);
    return texts.map(({ payload, text }) =>
      renderSection(
        this.#text(payload === 'input' ? 'toolInput' : 'toolResult'),
        this.#createIncomplete(text?.read() ?? ''),
        'incomplete-text',
        this.#incompleteLabel,
      ),
    );
  }

  #renderDetailsButton(part: ToolPart): TemplateResult | typeof nothing {
    const { actions, locale } = this.#context;
    const { openToolDetails } = actions;
    if (!openToolDetails || this.#scope.isExpanded) return nothing;
    const name = toolLabel(part.name, locale, part.toolType);
    const { title = '', input } = part.kind === 'tool' ? part : { input: null };
    const subject = toSingleLine(title) || this.#summarizeInput(input);
    const words = subject ? locale.text('colon', { name, words: subject }) : name;
    return html`<button
      class="quiet open-details"
      type="button"
      aria-label=${locale.text('toolDetailsOf', { name: words })}
      @click=${({ currentTarget }: Event) => {
        openToolDetails(this.#scope.message.key, part.key, currentTarget as HTMLElement);
      }}
    >
      ${locale.text('toolDetails')}
    </button>`;
  }

  get #incompleteLabel(): unknown {
    return isInterrupted(this.#scope.message)
      ? html` ${renderIncompleteLabel(this.#context.locale)}`
      : nothing;
  }

  get #text(): Locale['text'] {
    return this.#context.locale.text;
  }
}

/** Returns the keys of the parts beside a tool part that show its result. Takes time proportional to the number of its siblings. */
export function listResultParts({ parts }: Message, { key: tool, parent }: Part): Key[] {
  return parts.children(parent).filter((key) => {
    const part = parts.get(key);
    return part && 'tool' in part && part.tool === tool;
  });
}

/** Returns the texts that were incomplete when the message broke off; none while the stream may still be rejoined. */
function listIncompleteTexts(message: Message): readonly PartOf<'incomplete-activity'>[] {
  if (!isInterrupted(message)) return [];
  const { parts } = message;
  return parts.children(ACTIVITY).flatMap((key) => {
    const part = parts.get(key);
    return part?.kind === 'incomplete-activity' ? [part] : [];
  });
}

function renderSection(
  title: string,
  content: Node,
  className = '',
  badge: unknown = nothing,
): TemplateResult {
  return html`<section class=${className}>
    <h3>${title}${badge}</h3>
    ${content}
  </section>`;
}

type Phase = PartOf<'phase-activity'>;

/** Renders the phases of a tool call in order, each with its name, state, message and time, and with its data in a disclosure. */
class ToolPhases {
  readonly #node = element('ol');
  readonly #context: ViewContext;
  /** For each phase, the function that creates the view of its data. */
  readonly #dataCreators = new Map<Key, (data: Json) => HTMLElement>();

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
    const stateText = locale.text(TOOL_STATE_STRINGS[state]);
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
    const create =
      this.#dataCreators.get(key) ??
      memoizeElement(this.#context, (shown: Json, locale) =>
        createDataDisclosure(shown, locale, this.#context.actions.isInternalField),
      );
    this.#dataCreators.set(key, create);
    return create(data);
  }
}

/** Renders the time of day of an instant; nothing when it is null. */
export function renderTime(at: number | null, locale: Locale): unknown {
  if (at === null) return nothing;
  const time = new Date(at);
  return html`<time class="meta" datetime=${time.toISOString()}>${locale.timeOfDay(at)}</time>`;
}

import { css, html, nothing, render } from 'lit';
import { element } from '../../dom/element.js';
import { addSheets } from '../../dom/sheets.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Part, PartKind, PartOf } from '../../model/part.js';
import { isContentPart } from '../../model/part-tree.js';
import { langOfContent, setLang } from '../content-lang.js';
import type { MessageScope, PartView, ViewContext } from '../part-view.js';
import { memoizeLast } from '../parts/base-part-view.js';
import { formatElapsed, renderStateIcon } from '../parts/disclosure.js';
import { createPartView } from '../parts/part-views.js';
import { lastLeafKey } from '../part-selectors.js';
import { listResultParts, renderTime, ToolContent } from './tool-content.js';
import {
  describeToolState,
  findToolActivity,
  resolveToolState,
  TOOL_STATE_STRINGS,
} from './tool-state.js';
import { findToolError, summarizeInput, toolLabel, toSingleLine } from './tool-text.js';

const styles = css`
  .call-details {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(0.75 * var(--_ubik-rem));
    .subject:has(> :empty) {
      display: none;
    }
    .subject {
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
      overflow-wrap: anywhere;
    }
    .call-state {
      display: flex;
      align-items: baseline;
      gap: calc(0.375 * var(--_ubik-rem));
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
      &[data-state='done'] .glyph {
        color: var(--_success);
      }
      &[data-state='failed'] .glyph {
        color: var(--_danger);
      }
      &:is([data-state='running'], [data-state='waiting']) .glyph {
        color: var(--_accent);
      }
      > span:not(.glyph)::first-letter {
        text-transform: uppercase;
      }
    }
    .call-facts {
      display: grid;
      grid-template-columns: max-content minmax(0, 1fr);
      gap: calc(0.125 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem));
      margin: 0;
      font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
      dt {
        color: var(--_muted);
      }
      dd {
        margin: 0;
        overflow-wrap: anywhere;
      }
    }
    .payload {
      margin: 0;
      padding: 0;
      border: 0;
      background: none;
    }
    section:not(.phases) > h3 + * {
      padding: calc(0.5 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem));
      border: var(--_border);
      border-radius: var(--_radius);
      background: var(--_surface);
    }
    /* The area scrolls, not each box in it. */
    .raw,
    .data-scroller,
    .ubik-code pre {
      max-height: none;
    }
  }
`;

/** A tool call with a content part, or one that only its activity reports. */
type ToolPart = PartOf<'tool' | 'tool-activity'>;

/** The view of a part in the call. */
interface ShownPart {
  readonly kind: PartKind;
  readonly view: PartView;
}

/**
 * Renders the details of a tool call: its label and subject, its state, its name at the service, its times, its content, the parts in
 * it, and those beside it that show its result. Updates while the call is running.
 */
export class ToolDetailsView implements MessageScope {
  readonly node: HTMLElement;
  readonly context: ViewContext;
  readonly isExpanded = true;
  message: Message;
  /** Key of the part; key of the activity while the call has no part. */
  #tool: Key;
  readonly #subject = element('bdi');
  readonly #state = element('p', 'call-state');
  readonly #facts = element('dl', 'call-facts');
  readonly #payload = element('div', 'payload');
  readonly #body = element('div', 'body');
  readonly #content: ToolContent;
  readonly #views = new Map<Key, ShownPart>();
  /** Keys of parts whose views must be updated; null for all. */
  #changed: Set<Key> | null = null;
  /** Key of the last part of the message when the parts were rendered. It may have been growing, so the next change updates its view, too. */
  #lastLeaf: Key = '';
  readonly #findError = memoizeLast(findToolError);
  readonly #summarizeInput = memoizeLast(summarizeInput);

  /** @param tool key of a tool part, or of the activity of a call without a part */
  constructor(message: Message, tool: Key, context: ViewContext) {
    this.message = message;
    this.#tool = tool;
    this.context = context;
    this.#state.role = 'status';
    this.node = element(
      'div',
      'call-details',
      element('p', 'subject', this.#subject),
      this.#state,
      this.#facts,
      this.#payload,
      this.#body,
    );
    this.#content = new ToolContent(this.#payload, this);
    this.#render();
  }

  get live(): boolean {
    return ['streaming', 'waiting'].includes(this.message.status);
  }

  linkedPartOf(part: Part): Part | undefined {
    return part.kind === 'tool' ? findToolActivity(this.message, part) : undefined;
  }

  replaceView(key: Key): void {
    this.#removeView(key);
    this.context.frames.schedule(this.#render);
  }

  /** The label of the tool; empty if the message no longer contains the call. */
  get label(): string {
    const part = this.#part;
    return part ? toolLabel(part.name, this.context.locale, part.toolType) : '';
  }

  /** Applies a change of the message. Returns whether the message still contains the call. */
  apply(change: Change, message: Message): boolean {
    this.message = message;
    if (change.type === 'text') {
      const part = message.parts.get(change.part);
      if (part) this.#views.get(change.part)?.view.update(part, 'text');
      if (part?.kind !== 'output-activity') return true;
    } else if ('part' in change && change.part !== null)
      this.#changed?.add(change.part).add(this.#lastLeaf);
    else this.#changed = null;
    this.context.frames.schedule(this.#render);
    return this.#part !== undefined;
  }

  /** Renders all texts again, after the language has changed. */
  redraw(): void {
    this.#changed = null;
    for (const { view } of this.#views.values()) view.redraw?.();
    this.#render();
  }

  /** Adopts the style sheets. Must be called when the node is in the page. */
  adoptStyles(): void {
    addSheets(this.node.getRootNode() as ShadowRoot, [styles]);
  }

  dispose(): void {
    this.context.frames.cancel(this.#render);
    for (const { view } of this.#views.values()) view.dispose();
    this.#views.clear();
  }

  /** The part of the call; that of its activity only while there is no content part. */
  get #part(): ToolPart | undefined {
    const { parts } = this.message;
    const part = parts.get(this.#tool);
    if (part?.kind === 'tool') return part;
    if (part?.kind !== 'tool-activity') return undefined;
    const bound = parts.get(part.part ?? '');
    return bound?.kind === 'tool' ? bound : part;
  }

  readonly #render = (): void => {
    const part = this.#part;
    if (!part) return;
    this.#tool = part.key;
    const { locale } = this.context;
    const activity = part.kind === 'tool' ? findToolActivity(this.message, part) : part;
    const { title, input, result } =
      part.kind === 'tool' ? part : { title: undefined, input: null, result: null };
    const error = this.#findError(result);
    const shown = resolveToolState(part, activity, error, this.message.status);
    const { state } = shown;
    const detail = describeToolState(shown, activity, locale);
    this.#subject.textContent = toSingleLine(title) || this.#summarizeInput(input);
    setLang(this.#subject, locale.contentLang);
    this.#state.dataset['state'] = state;
    render(
      html`${renderStateIcon(state)}<span>${locale.text(TOOL_STATE_STRINGS[state])}</span>
        ${detail && html`<bdi lang=${langOfContent(locale)}>${detail}</bdi>`}`,
      this.#state,
    );
    render(this.#renderFacts(part, activity), this.#facts);
    this.#content.render(part, state);
    this.#updateViews(part);
  };

  #renderFacts(part: ToolPart, activity: PartOf<'tool-activity'> | undefined): unknown {
    const { locale } = this.context;
    const elapsed = formatElapsed(activity, locale);
    const facts: readonly (readonly [name: string, value: unknown])[] = [
      // The text for a tool without a name is "Tool".
      [locale.text('tool_unnamed'), part.name && html`<code translate="no">${part.name}</code>`],
      [locale.text('toolStarted'), activity && renderTime(activity.startedAt, locale)],
      [locale.text('toolDuration'), elapsed],
    ];
    return facts.map(([name, value]) =>
      value && value !== nothing
        ? html`<dt>${name}</dt>
            <dd><bdi>${value}</bdi></dd>`
        : nothing,
    );
  }

  #updateViews(tool: ToolPart): void {
    const { parts } = this.message;
    const shown = new Set<Key>();
    const update = (keys: readonly Key[], container: HTMLElement): void => {
      let next: Node | null = null;
      for (const key of [...keys].reverse()) {
        const part = parts.get(key);
        if (!part || !isContentPart(part)) continue;
        shown.add(key);
        const view = this.#viewOf(part);
        if (view.node.parentNode !== container) container.insertBefore(view.node, next);
        next = view.node;
        if (view.content) update(parts.children(key), view.content);
      }
    };
    update([...parts.children(tool.key), ...listResultParts(this.message, tool)], this.#body);
    for (const key of this.#views.keys()) if (!shown.has(key)) this.#removeView(key);
    this.#changed = new Set();
    this.#lastLeaf = lastLeafKey(parts);
  }

  #removeView(key: Key): void {
    const shown = this.#views.get(key);
    shown?.view.dispose();
    shown?.view.node.remove();
    this.#views.delete(key);
  }

  /** Returns the view of a part: updated if the part has changed, and a new view if its kind has changed. */
  #viewOf(part: Part): PartView {
    const known = this.#views.get(part.key);
    if (known?.kind === part.kind) {
      if (this.#changed?.has(part.key) !== false) known.view.update(part, 'fields');
      return known.view;
    }
    this.#removeView(part.key);
    const view = createPartView(part, this);
    this.#views.set(part.key, { kind: part.kind, view });
    return view;
  }
}

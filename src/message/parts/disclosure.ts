import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import { isPrinting, onPrintChange } from '../../dom/print.js';
import type { Locale } from '../../locales/locale.js';
import type { PartKind, PartOf } from '../../model/part.js';
import { renderIcon, type IconName } from '../icons.js';
import type { MessageScope } from '../part-view.js';
import { BasePartView } from './base-part-view.js';
import { expandForPrint } from './expand-for-print.js';

/** A text of the user, the agent or the service, with its `lang`. */
export interface ContentText {
  readonly text: string | Text;
  readonly lang: string | undefined;
}

/** The summary of a disclosure, and its default state. */
export interface DisclosureSummary {
  readonly state: string;
  /** Texts by their CSS class, in order (`number` is the class of any muted label). Empty texts are omitted. */
  readonly texts: Readonly<Record<string, string | ContentText>>;
  /** Short facts at the end of the line, such as times, percentages and counts. Empty ones are omitted. */
  readonly meta?: readonly string[];
  /** Whether the disclosure is open until the user toggles it; closed by default. */
  readonly open?: boolean;
}

/** Icons of states. Any other state has an empty ring. */
const STATE_ICONS: Readonly<Record<string, IconName>> = {
  running: 'dot',
  waiting: 'question',
  skipped: 'ban',
  cancelled: 'stop',
  done: 'check',
  completed: 'check',
  answered: 'check',
  failed: 'alert',
};

/** Selectors of content that has the focus, and of content with a control whose details are open, because the focus returns to that control. */
export const IN_USE = ':focus-within, :has([aria-expanded=true])';

/** Returns the icon of a state. */
export function iconOfState(state: string): IconName {
  return STATE_ICONS[state] ?? 'ring';
}

/** Renders the icon of a state. */
export function renderStateIcon(state: string): TemplateResult {
  return html`<span class="glyph">${renderIcon(iconOfState(state))}</span>`;
}

/** Renders the content of a `<summary>`. */
export function renderSummary({ state, texts, meta = [] }: DisclosureSummary): TemplateResult {
  return html`${renderStateIcon(state)}
    <span class="line"
      >${Object.entries(texts).map(([className, text]) => renderText(className, text))}</span
    >
    ${meta.map((text) => text && html`<bdi class="meta">${text}</bdi> `)}${renderIcon('chevron')}`;
}

function renderText(className: string, content: string | ContentText): unknown {
  const { text, lang } = typeof content === 'string' ? { text: content, lang: undefined } : content;
  return text && html`<bdi class=${className} lang=${lang ?? nothing}>${text}</bdi> `;
}

/** Returns a text of the user, the agent or the service with the language of the content. */
export function contentText(text: string | Text, { contentLang }: Locale): ContentText {
  return { text, lang: contentLang };
}

/**
 * A `<details>` element that opens and closes automatically until the user has toggled it. It never closes automatically while its content
 * is {@link IN_USE}.
 */
export class Disclosure {
  readonly node: HTMLDetailsElement;
  readonly content = element('div', 'content');
  readonly #summary = element('summary');
  #wasOpen = false;
  #isUserControlled = false;

  /** `onToggle` is called after the disclosure was opened or closed, and should call `render`. */
  constructor(className: string, onToggle: () => void) {
    this.node = element('details', `disclosure ${className}`, this.#summary, this.content);
    this.node.addEventListener('toggle', onToggle);
  }

  render(summary: DisclosureSummary): void {
    const { node, content } = this;
    render(renderSummary(summary), this.#summary);
    node.dataset['state'] = summary.state;
    // A state that was not set here comes from the user, or from the browser's find in page.
    this.#isUserControlled ||= node.open !== this.#wasOpen;
    if (!this.#isUserControlled) {
      node.open = (summary.open ?? false) || content.matches(`:is(${IN_USE})`);
    }
    this.#wasOpen = node.open;
    node.toggleAttribute('data-kept', this.#isUserControlled && node.open);
  }
}

/** A part that is rendered as a disclosure. When the page is printed, the style sheet shows it open and its JSON data is expanded. */
export abstract class DisclosureView<Kind extends PartKind> extends BasePartView<Kind> {
  override readonly content: HTMLElement;
  protected readonly details: HTMLDetailsElement;
  readonly #disclosure: Disclosure;
  readonly #stopPrintListener: () => void;
  #collapseData: (() => void) | null = null;

  /**
   * `name` is the class of the disclosure, and the CSS part of the view. `below` is an element under the disclosure that is also visible while
   * the disclosure is closed.
   */
  constructor(part: PartOf<Kind>, scope: MessageScope, name: string, below?: HTMLElement) {
    const disclosure = new Disclosure(name, () => {
      this.renderNow();
    });
    const { node } = disclosure;
    super(part, scope, below ? element('div', 'call', node, below) : node, name);
    this.#disclosure = disclosure;
    this.details = node;
    this.content = disclosure.content;
    this.#stopPrintListener = onPrintChange(() => {
      this.renderNow();
      this.#collapseData?.();
      this.#collapseData = isPrinting() ? expandForPrint(this.node) : null;
    });
  }

  override dispose(): void {
    super.dispose();
    this.#stopPrintListener();
  }

  protected abstract summarize(): DisclosureSummary;

  protected override render(): void {
    const summary = this.summarize();
    // With `assistive`, an open disclosure never closes automatically, because a screen reader may be reading it.
    const isKeptOpen =
      this.scope.isExpanded ||
      (this.details.open && (this.context.host as { assistive?: boolean }).assistive);
    this.#disclosure.render(isKeptOpen ? { ...summary, open: true } : summary);
  }
}

/** When a step or tool has started and ended; null while unknown. */
interface WorkTimes {
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/**
 * Formats the time that a step or tool has taken: while the message is written, and afterwards if the service stores it, so that a reload
 * changes nothing. Otherwise the text is empty.
 */
export function formatWorkTime(
  times: WorkTimes | undefined,
  { live, context }: MessageScope,
): string {
  return live || context.actions.storesTimes ? formatElapsed(times, context.locale) : '';
}

/** Shortest time that is shown, in ms: shorter ones would be rounded to 0 s. */
const MIN_ELAPSED = 50;

/** Returns the time between two instants as text; empty if either is unknown or the time is too short. */
export function formatElapsed(times: WorkTimes | undefined, locale: Locale): string {
  if (times?.startedAt == null || times.endedAt === null) return '';
  const elapsed = times.endedAt - times.startedAt;
  return elapsed < MIN_ELAPSED ? '' : locale.duration(elapsed);
}

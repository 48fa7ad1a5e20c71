import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Locale } from '../../locales/locale.js';
import { ROW_HEIGHT, type BranchLines } from '../../message/branches/branch-drawing.js';
import type { SiblingPosition, BranchPoint } from '../../message/branches/branch-tree.js';
import { messageExcerpt } from '../../message/branches/excerpt.js';
import { renderIcon } from '../../message/icons.js';
import { langOfContent } from '../../message/content-lang.js';

/** How one point of the map is shown. */
export interface RowOptions {
  readonly locale: Locale;
  readonly lines: BranchLines | undefined;
  readonly place: SiblingPosition | undefined;
  /** Width of the drawing. */
  readonly width: number;
  /** A run is on: nothing can be switched. */
  readonly busy: boolean;
  /** Whether Tab leads to it. */
  readonly tabbable: boolean;
  /** The id of the sentence that says what a choice does. */
  readonly note: string;
}

/** One point: its piece of the drawing, what it says and what is known of it. */
export function renderRow(point: BranchPoint, looks: RowOptions): TemplateResult {
  const { busy, tabbable, note, place, locale } = looks;
  const { key, kind, active, isHead: head, level } = point;
  const words = describeVersion(point, locale);
  const told = citationLabel(point, locale);
  return html`<div
    class="point ${active ? 'active' : ''} ${kind}"
    role="treeitem"
    part="point"
    data-key=${key}
    aria-label=${[
      told.who ? locale.text('colon', { name: told.who, words: told.text }) : told.text,
      words,
    ]
      .filter(Boolean)
      .join(' ')}
    aria-level=${level}
    aria-posinset=${place?.position ?? nothing}
    aria-setsize=${place?.size ?? nothing}
    aria-selected=${active}
    aria-current=${head ? 'true' : nothing}
    aria-disabled=${busy && !active}
    aria-describedby=${active ? nothing : note}
    tabindex=${tabbable ? 0 : -1}
  >
    ${renderLines(point, looks)}
    <span class="label">
      ${kind === 'checkpoint' ? renderIcon('flag') : nothing}<span
        class="said"
        dir="auto"
        lang=${told.who ? langOfContent(locale) : nothing}
        >${told.text}</span
      >
    </span>
    <bdi class="meta">${words}</bdi>
  </div>`;
}

/** Who says what there. */
function citationLabel(
  { kind, name, messages }: BranchPoint,
  { text }: Locale,
): { readonly who: string; readonly text: string } {
  const [first] = messages;
  if (kind === 'checkpoint') return { who: text('checkpointPlain'), text: name };
  if (!first) return { who: '', text: text('mapOtherVersion') };
  const who = text(first.role === 'user' ? 'you' : 'agent');
  const excerpt = messageExcerpt(first);
  return { who: excerpt ? who : '', text: excerpt || who };
}

/** Which version it is, and how much of it is known. */
function describeVersion(
  { kind, messages, number, count, active }: BranchPoint,
  { text }: Locale,
): string {
  const words: string[] = [];
  if (messages.length === 0) words.push(text('mapNotLoaded'));
  else if (number > 0 && count > 1) words.push(text('versionOf', { number, count }));
  // Said once for all: of those beside it, none has a number either.
  else if (count > 1 && active) words.push(text('versionCount', { count }));
  if (kind === 'version' && messages.length > 1) {
    words.push(text('mapMessages', { count: messages.length }));
  }
  return words.join(' · ');
}

function renderLines(
  { kind, messages }: BranchPoint,
  { lines = { x: 0, active: '', others: '' }, width }: RowOptions,
): TemplateResult {
  const { x, active, others } = lines;
  return html`<svg
    class="lines"
    viewBox="0 0 ${width} ${ROW_HEIGHT}"
    preserveAspectRatio="none"
    width="${width / 16}rem"
    aria-hidden="true"
  >
    ${svg`<path class="other-way" d=${others} /><path class="this-way" d=${active} />
      <circle class=${messages.length > 0 ? '' : 'stub'} cx=${x} cy=${ROW_HEIGHT / 2} r=${kind === 'checkpoint' ? 2.5 : 5} />`}
  </svg>`;
}

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Locale } from '../../locales/locale.js';
import { ROW_HEIGHT, type BranchLines } from '../../message/branches/branch-drawing.js';
import {
  type SiblingPosition,
  type BranchMapPoint,
  messageExcerpt,
} from '../../message/branches/branch-tree.js';
import { renderIcon } from '../../message/icons.js';
import { findCheckpointLabel } from '../../message/checkpoint-label.js';
import { langOfContent } from '../../message/content-lang.js';

/** Options for rendering a row of the map. */
export interface RowOptions {
  readonly locale: Locale;
  readonly lines: BranchLines | undefined;
  readonly position: SiblingPosition | undefined;
  /** Width of the drawing in SVG units. Its aspect ratio determines how wide it is shown, because the height of a row is fixed. */
  readonly width: number;
  /** Whether a run is in progress, so that the thread cannot be switched to another version. */
  readonly busy: boolean;
  /** Whether the row is in the tab order (roving tabindex). */
  readonly tabbable: boolean;
  /** Id of the element that describes the effect of selecting a version. */
  readonly noteId: string;
}

/** Renders a version or a checkpoint as a tree item: its part of the drawing, an excerpt, and its number. */
export function renderRow(point: BranchMapPoint, options: RowOptions): TemplateResult {
  const { busy, tabbable, noteId, position, locale } = options;
  const { key, kind, active, isHead, level } = point;
  const description = describeVersion(point, locale);
  const { author, text } = labelOf(point, locale);
  return html`<div
    class="point ${active ? 'active' : ''} ${kind}"
    role="treeitem"
    part="point"
    data-key=${key}
    aria-label=${[author ? locale.text('colon', { name: author, words: text }) : text, description]
      .filter(Boolean)
      .join(' ')}
    aria-level=${level}
    aria-posinset=${position?.position ?? nothing}
    aria-setsize=${position?.size ?? nothing}
    aria-selected=${active}
    aria-current=${isHead ? 'true' : nothing}
    aria-disabled=${busy && !active}
    aria-describedby=${active ? nothing : noteId}
    tabindex=${tabbable ? 0 : -1}
  >
    ${renderLines(point, options)}
    <span class="label">
      ${kind === 'checkpoint' ? renderIcon('flag') : nothing}<span
        class="excerpt"
        dir="auto"
        lang=${author ? langOfContent(locale) : nothing}
        >${text}</span
      >
    </span>
    <bdi class="meta">${description}</bdi>
  </div>`;
}

/**
 * Returns the author of a version and an excerpt of it as `text`. For a checkpoint, `author` is the word "checkpoint" and `text` its label.
 * For a version without an excerpt, `author` is empty, and `text` is the author or says that it is another version.
 */
function labelOf(
  { kind, name, messages }: BranchMapPoint,
  locale: Locale,
): { readonly author: string; readonly text: string } {
  const { text } = locale;
  const [first] = messages;
  if (kind === 'checkpoint') {
    return { author: text('checkpointPlain'), text: findCheckpointLabel(messages, name, locale) };
  }
  if (!first) return { author: '', text: text('mapOtherVersion') };
  const author = text(first.role === 'user' ? 'you' : 'agent');
  const excerpt = messageExcerpt(first);
  return { author: excerpt ? author : '', text: excerpt || author };
}

/** Returns the number of a version and the number of its messages, or says that the version is not loaded. */
function describeVersion(
  { kind, messages, number, count, active }: BranchMapPoint,
  { text }: Locale,
): string {
  const texts: string[] = [];
  if (messages.length === 0) texts.push(text('mapNotLoaded'));
  else if (number > 0 && count > 1) texts.push(text('versionOf', { number, count }));
  // While the number is unknown, only the shown version says how many versions there are.
  else if (count > 1 && active) texts.push(text('versionCount', { count }));
  if (kind === 'version' && messages.length > 1) {
    texts.push(text('mapMessages', { count: messages.length }));
  }
  return texts.join(' · ');
}

/** Renders the row's part of the drawing: the lines of the branches, and a circle for the point. */
function renderLines(
  { kind, messages }: BranchMapPoint,
  { lines = { x: 0, active: '', others: '' }, width }: RowOptions,
): TemplateResult {
  const { x, active, others } = lines;
  return html`<svg class="lines" viewBox="0 0 ${width} ${ROW_HEIGHT}" aria-hidden="true">
    ${svg`<path class="other-branches" d=${others} /><path class="active-branch" d=${active} />
      <circle class=${messages.length > 0 ? '' : 'not-loaded'} cx=${x} cy=${ROW_HEIGHT / 2} r=${kind === 'checkpoint' ? 2.5 : 5} />`}
  </svg>`;
}

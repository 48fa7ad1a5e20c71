import type { Locale } from '../locales/locale.js';
import type { Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import { fieldsOf, isContentPart } from '../model/part-tree.js';
import type { ContentKind, DataKind, Part, PartKind, PartOf } from '../model/part.js';
import { textWithCitations } from './citation.js';
import { closeFence } from './close-fence.js';
import { createContentText } from './content-lang.js';
import { listRenderers } from './parts/part-renderers.js';
import type { RendererRule } from './parts/renderer-types.js';
import { findToolActivity, resolveToolState } from './tool/tool-state.js';
import { findToolError, toolLabel } from './tool/tool-text.js';

/**
 * The formats of one kind of content outside its view. Each property is required, so that the compiler reports a missing one for a new
 * kind.
 */
interface ContentFormats<Kind extends ContentKind> {
  /**
   * Returns the part as Markdown for copied and exported answers; `'children'` stands for the Markdown of its child parts, null for none.
   */
  readonly markdown: ((part: PartOf<Kind>) => string) | 'children' | null;
  /**
   * Returns the paragraph that screen readers announce, and that the placeholder of a message far from the viewport contains. The paragraphs
   * of child parts follow automatically.
   */
  readonly plainText: ((part: PartOf<Kind>) => string) | null;
  /**
   * Returns the values that distinguish two parts when branches are compared; `'blocks'` stands for the rendered paragraphs, items and
   * rows.
   */
  readonly compare: ((part: PartOf<Kind>) => readonly unknown[]) | 'blocks';
}

const CONTENT_FORMATS: {
  readonly [Kind in Exclude<ContentKind, DataKind>]: ContentFormats<Kind>;
} = {
  text: {
    markdown: textWithCitations,
    plainText: textWithCitations,
    compare: 'blocks',
  },
  thinking: {
    markdown: null,
    plainText: null,
    compare: rawText,
  },
  step: {
    markdown: 'children',
    plainText: ({ title }) => title,
    compare: ({ number, title }) => [number, title],
  },
  tool: {
    markdown: null,
    plainText: null,
    compare: ({ name, input, result }) => [name, input, result],
  },
  checkpoint: {
    markdown: null,
    plainText: textWithCitations,
    compare: ({ name }) => [name],
  },
  'input-request': {
    markdown: null,
    plainText: ({ prompt }) => prompt,
    compare: ({ prompt, answer }) => [prompt, answer],
  },
  error: {
    markdown: null,
    plainText: ({ message, advice }) => [message, advice].filter(Boolean).join(' '),
    compare: ({ message }) => [message],
  },
  unknown: {
    markdown: null,
    plainText: textWithCitations,
    compare: rawText,
  },
};

/** The formats of data kinds, which are loaded with their views. */
export interface DataFormats {
  /** Returns a part as Markdown. */
  markdown(part: PartOf<DataKind>): string;
  /** Returns the subject of a part; may be empty. */
  title(part: PartOf<DataKind>): string;
  /** Returns the name of a part's kind, and the subject of the part. */
  label(part: PartOf<DataKind>, locale: Locale): string;
}

let dataFormats: DataFormats | null = null;

/** Sets the formats of data kinds. Until then, parts of these kinds have no Markdown, no plain text and no announcement. */
export function setDataFormats(formats: DataFormats): void {
  dataFormats = formats;
}

/** Returns a part with data as Markdown; empty until the formats of data kinds are set. */
export function dataMarkdown(part: PartOf<DataKind>): string {
  return dataFormats?.markdown(part) ?? '';
}

const DATA_FORMATS: ContentFormats<DataKind> = {
  markdown: dataMarkdown,
  plainText: (part) => dataFormats?.title(part) ?? '',
  compare: (part) => {
    // The key of the tool part differs between branches, even if the data is equal.
    const { tool: _tool, ...fields } = fieldsOf(part) as { readonly tool?: Key };
    return [fields];
  },
};

/** Returns a part in a format that its renderer of the host page defines; undefined when no renderer does. */
type HostFormat = (
  name: 'toMarkdown' | 'toText',
  part: Part,
  message: Message,
  rules: readonly RendererRule[],
) => string | undefined;

let formatHostPart: HostFormat | null = null;

/** Sets the function that returns parts in the formats of the host page. Until then, the built-in formats are used. */
export function setHostFormat(format: HostFormat): void {
  formatHostPart = format;
}

/**
 * Returns a part in a format that its renderer of the host page defines; undefined when no renderer does. `own` are the renderers of the chat,
 * which precede those for all chats.
 */
export function hostFormat(
  name: 'toMarkdown' | 'toText',
  part: Part,
  message: Message,
  own: readonly RendererRule[] | undefined,
): string | undefined {
  const rules = formatHostPart ? listRenderers(own) : [];
  return rules.length > 0 ? formatHostPart?.(name, part, message, rules) : undefined;
}

/** Whether a part shows data. */
export function isDataPart(part: Part): part is PartOf<DataKind> {
  return isContentPart(part) && !Object.hasOwn(CONTENT_FORMATS, part.kind);
}

function rawText({ text }: Part): readonly unknown[] {
  return [text?.read() ?? ''];
}

function formatsOf(part: PartOf<ContentKind>): ContentFormats<ContentKind> {
  const formats = isDataPart(part) ? DATA_FORMATS : CONTENT_FORMATS[part.kind];
  // The formats match the kind of the part, which a union of functions cannot express.
  return formats as ContentFormats<ContentKind>;
}

function contentParts({ parts }: Message, parent: Key | null): readonly PartOf<ContentKind>[] {
  return parts.children(parent).flatMap((key) => {
    const part = parts.get(key);
    return part && isContentPart(part) ? [part] : [];
  });
}

/** A part of a message as Markdown. */
interface PartMarkdown {
  readonly key: Key;
  readonly text: string;
  /** Whether a renderer of the host page has written the text. */
  readonly isHosted: boolean;
}

/**
 * Lists the parts of a message that have Markdown: its texts, with citations as `[label]`, and its data, also inside of steps. Empty texts are
 * omitted, and data until its formats are set. `own` are the renderers of the chat.
 */
export function listMarkdown(
  message: Message,
  own?: readonly RendererRule[],
): readonly PartMarkdown[] {
  const list = (parent: Key | null): readonly PartMarkdown[] =>
    contentParts(message, parent).flatMap((part) => {
      const { key } = part;
      const { markdown } = formatsOf(part);
      const hosted = hostFormat('toMarkdown', part, message, own);
      const text = (hosted ?? (typeof markdown === 'function' ? markdown(part) : '')).trim();
      const children = markdown === 'children' ? list(key) : [];
      return text ? [{ key, text, isHosted: hosted !== undefined }, ...children] : children;
    });
  return list(null);
}

/** Returns the Markdown of the parts that {@link listMarkdown} lists as one text; empty when there are none. */
export function messageMarkdown(message: Message, own?: readonly RendererRule[]): string {
  return listMarkdown(message, own)
    .map(({ text }, at, { length }) => (at < length - 1 ? closeFence(text) : text))
    .join('\n\n');
}

/**
 * Whether a message has text or data as Markdown. Only renderers of the host page may read texts for it, so the cost of all other parts is
 * proportional to their number. `own` are the renderers of the chat.
 */
export function hasMarkdown(message: Message, own?: readonly RendererRule[]): boolean {
  const hasText = (parent: Key | null): boolean =>
    contentParts(message, parent).some((part) => {
      const { markdown } = formatsOf(part);
      const hosted = hostFormat('toMarkdown', part, message, own);
      if (hosted?.trim()) return true;
      if (markdown === 'children') return hasText(part.key);
      if (hosted !== undefined) return false;
      return isDataPart(part) || (markdown && (part.text ? part.text.length > 0 : markdown(part)));
    });
  return hasText(null);
}

/**
 * Returns the message as plain paragraphs, for its placeholder while it is far from the viewport and for announcements of whole messages, without
 * thinking and without the data of tools. `own` are the renderers of the chat.
 */
export function messagePlainText(message: Message, own?: readonly RendererRule[]): string {
  const read = (parent: Key | null): readonly string[] =>
    contentParts(message, parent).flatMap((part) => {
      const hosted = hostFormat('toText', part, message, own);
      const text = (hosted ?? formatsOf(part).plainText?.(part) ?? '').trim();
      return [text, ...read(part.key)].filter(Boolean);
    });
  return read(null).join('\n\n');
}

/** Returns the values of a part that are compared between branches; null for activity, which is lost on reload. */
export function comparisonOf(part: Part): readonly unknown[] | 'blocks' | null {
  if (!isContentPart(part)) return null;
  const { compare } = formatsOf(part);
  return typeof compare === 'function' ? compare(part) : compare;
}

/** One announcement to a screen reader about a part. */
export interface PartAnnouncement {
  /** Identify the announcement, which is not made if the answer has already had one with any of these ids. Empty if the part identifies it. */
  readonly ids: readonly string[];
  readonly text: string | Node;
}

/** Returns the announcements about a part so far, `'sentences'` for the sentences of its text as they are completed, or null for none. */
type Announce<Kind extends PartKind> =
  | ((part: PartOf<Kind>, locale: Locale, message: Message) => readonly PartAnnouncement[])
  | 'sentences'
  | null;

const ANNOUNCEMENTS: { readonly [Kind in Exclude<PartKind, DataKind>]: Announce<Kind> } = {
  text: 'sentences',
  thinking: null,
  step: (part, locale) => (part.single ? [] : announceStep(part, locale)),
  tool: (part, locale, message) =>
    announceTool(part, findToolActivity(message, part), locale, message),
  checkpoint: null,
  'input-request': null,
  error: null,
  unknown: null,
  'run-activity': null,
  // The step part announces itself, unless it is a single one.
  'step-activity': (part, locale, message) =>
    contentParts(message, null).some((step) => step.kind === 'step' && step.number === part.number)
      ? []
      : announceStep(part, locale),
  'tool-activity': (activity, locale, message) => {
    const part = message.parts.get(activity.part ?? '');
    return announceTool(part?.kind === 'tool' ? part : activity, activity, locale, message);
  },
  'phase-activity': null,
  'output-activity': null,
  'incomplete-activity': null,
  'request-activity': null,
};

function announceOf<Kind extends Exclude<PartKind, DataKind>>(kind: Kind): Announce<Kind> {
  return ANNOUNCEMENTS[kind];
}

/**
 * Returns the announcements about a part so far, in order; `'sentences'` for a part whose text is announced sentence by sentence; null for
 * data whose formats are not set yet.
 */
export function announcementsOf(
  part: Part,
  locale: Locale,
  message: Message,
): readonly PartAnnouncement[] | 'sentences' | null {
  if (isDataPart(part)) {
    return dataFormats ? [{ ids: [], text: dataFormats.label(part, locale) }] : null;
  }
  const announce = announceOf(part.kind);
  return typeof announce === 'function' ? announce(part, locale, message) : (announce ?? []);
}

function announceStep(
  { number, title }: PartOf<'step' | 'step-activity'>,
  locale: Locale,
): readonly PartAnnouncement[] {
  if (number === null) return [{ ids: [], text: createContentText(title, locale) }];
  return [{ ids: [`step ${number}`], text: locale.text('announceStep', { number, title }) }];
}

/** Announces a tool call: its part, or its activity while it has no part. Both may have different ids (UBIK 5.1). */
function announceTool(
  part: PartOf<'tool' | 'tool-activity'>,
  activity: PartOf<'tool-activity'> | undefined,
  locale: Locale,
  { status }: Message,
): readonly PartAnnouncement[] {
  const ids = [part, activity ?? part].map(({ toolId, key }) => `tool ${toolId || key}`);
  const name = toolLabel(part.name, locale, part.toolType);
  const start = { ids, text: locale.text('announceTool', { name }) };
  const error = part.kind === 'tool' ? findToolError(part.result) : null;
  const { state, reason } = resolveToolState(part, activity, error, status);
  if (state !== 'failed') return [start];
  const text = locale.text('announceFailure', { name, reason });
  return [start, { ids: ids.map((id) => `${id} failed`), text }];
}

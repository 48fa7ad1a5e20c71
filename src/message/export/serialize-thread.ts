import { messageStrings } from '../../locales/en-messages.js';
import { loadLanguage } from '../../locales/languages.js';
import { addDefaultStrings, findLocale, type Locale } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import type { Message, PartIndex } from '../../model/message.js';
import { toPartTrees } from '../../model/part-tree.js';
import type { PartTree } from '../../model/part.js';
import type { Thread } from '../../model/thread.js';
import { closeFence } from '../close-fence.js';
import { toParagraph } from '../data/data-markdown.js';
import { isDataPart, messageMarkdown } from '../message-formats.js';
import type { RendererRule } from '../parts/renderer-types.js';
import { shownBranch } from '../thread-selectors.js';
import { separateLabels } from './separate-labels.js';
import { serializeThreadHtml } from './thread-html.js';

addDefaultStrings(messageStrings);

/** Formats in which a thread can be exported. */
export type ExportFormat = 'markdown' | 'json' | 'html';

/** Options of an export. */
export interface ExportOptions {
  /** Key of the last message; by default the head of the thread. */
  readonly head?: Key | null;
  /** Language of the labels, such as "You"; English by default. */
  readonly lang?: string;
  /** Language of the messages; by default that of the labels, empty when it is unknown. */
  readonly contentLang?: string;
  /** The `renderers` of the element whose messages are exported. Those that are registered for all elements always apply. */
  readonly renderers?: readonly RendererRule[];
}

/** A message in the JSON format. */
export interface ExportedMessage {
  readonly id: string | null;
  readonly role: Message['role'];
  readonly status: Message['status'];
  /** In ISO 8601; null when unknown. */
  readonly createdAt: string | null;
  readonly attachments: readonly string[];
  /** The texts and data of the message as Markdown, as copied. */
  readonly markdown: string;
  /** All content parts in order, without the details of errors. */
  readonly parts: readonly PartTree[];
}

/** A thread in the JSON format. */
export interface ExportedThread {
  readonly format: 'ubik-thread';
  readonly version: 1;
  readonly id: string | null;
  readonly title: string;
  readonly messages: readonly ExportedMessage[];
}

/** Serializes a thread. If the strings of the language cannot be loaded, the labels are English. */
export async function serializeThread(
  thread: Thread,
  format: ExportFormat,
  { head = null, lang = 'en', contentLang = lang, renderers = [] }: ExportOptions,
): Promise<string> {
  await loadLanguage(lang)?.catch(() => undefined);
  const messages = shownBranch(thread, head ?? thread.head);
  const locale = findLocale(lang, contentLang);
  if (format === 'markdown') return serializeMarkdown(thread, messages, locale, renderers);
  if (format === 'html') {
    return serializeThreadHtml(thread, messages, { locale, contentLang, renderers });
  }
  const { id, title } = thread;
  const exported: ExportedThread = {
    format: 'ubik-thread',
    version: 1,
    id,
    title,
    messages: messages.map((message) => exportMessage(message, renderers)),
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}

/** A lazy module that the export of a thread needs: the formats of data, or the labels of tools. */
type ExportModule = 'lazyDataKinds' | 'lazyToolContent';

/** Returns the modules that must be loaded before the export, for the parts of the exported branch. */
export function listModules(
  thread: Thread,
  { head = null }: ExportOptions,
): readonly ExportModule[] {
  const needed = new Set<ExportModule>();
  const addModules = (parts: PartIndex, parent: Key | null): void => {
    for (const key of parts.children(parent)) {
      const part = parts.get(key);
      if (part && isDataPart(part)) needed.add('lazyDataKinds');
      if (part?.kind === 'tool') needed.add('lazyToolContent');
      addModules(parts, key);
    }
  };
  for (const { parts } of shownBranch(thread, head ?? thread.head)) addModules(parts, null);
  return [...needed];
}

function exportMessage(message: Message, renderers: readonly RendererRule[]): ExportedMessage {
  const { id, role, status, createdAt, attachments } = message;
  return {
    id,
    role,
    status,
    createdAt: createdAt === null ? null : new Date(createdAt).toISOString(),
    attachments: attachments.map(({ name }) => name),
    markdown: messageMarkdown(message, renderers),
    parts: toPartTrees(message).map(omitErrorDetails),
  };
}

/** Removes the details of errors, because they contain server internals, which must not leave the page. */
function omitErrorDetails(part: PartTree): PartTree {
  const parts = part.parts && { parts: part.parts.map(omitErrorDetails) };
  return { ...part, ...(part.kind === 'error' && { details: null }), ...parts };
}

function serializeMarkdown(
  { title }: Thread,
  messages: readonly Message[],
  locale: Locale,
  renderers: readonly RendererRule[],
): string {
  const texts = separateLabels(messages.map((message) => messageMarkdown(message, renderers)));
  const sections = messages.map((message, at) => {
    const author = locale.text(message.role === 'user' ? 'you' : 'agent');
    const files = message.attachments.map(({ name }) => `- ${toParagraph(name)}`).join('\n');
    const text = closeFence(texts[at] ?? '');
    return [`## ${author}`, text, files].filter(Boolean).join('\n\n');
  });
  const heading = title ? [`# ${toParagraph(title)}`] : [];
  return `${[...heading, ...sections].join('\n\n')}\n`;
}

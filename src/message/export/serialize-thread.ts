import { messageStrings } from '../../locales/en-messages.js';
import { loadLanguage } from '../../locales/languages.js';
import { addDefaultStrings, findLocale, type Locale } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { toPartTrees } from '../../model/part-tree.js';
import type { PartTree } from '../../model/part.js';
import type { Thread } from '../../model/thread.js';
import { messageMarkdown } from '../message-formats.js';
import { visiblePath } from '../thread-selectors.js';
import { serializeThreadHtml } from './thread-html.js';

addDefaultStrings(messageStrings);

/** What a thread can be taken along as. */
export type ExportFormat = 'markdown' | 'json' | 'html';

/** What may be said about an export. */
export interface ExportOptions {
  /** The newest message, by our key; by default the thread's own head. */
  readonly head?: Key | null;
  /** Language of the words that are ours, such as "You"; English by default. */
  readonly lang?: string;
  /** Language of what was said, as far as it is known; by default that of the words that are ours. Empty: nobody knows. */
  readonly contentLang?: string;
}

/** A message as JSON tells it. */
export interface ExportedMessage {
  readonly id: string | null;
  readonly role: Message['role'];
  readonly status: Message['status'];
  /** ISO 8601; null while unknown. */
  readonly createdAt: string | null;
  readonly attachments: readonly string[];
  /** What it says, as Markdown. */
  readonly markdown: string;
  /** All of its content, in order. */
  readonly parts: readonly PartTree[];
}

/** A thread as JSON tells it. */
export interface ExportedThread {
  readonly format: 'ubik-thread';
  readonly version: 1;
  readonly id: string | null;
  readonly title: string;
  readonly messages: readonly ExportedMessage[];
}

/** Writes a thread in a format. */
export async function serializeThread(
  thread: Thread,
  format: ExportFormat,
  { head = null, lang = 'en', contentLang = lang }: ExportOptions,
): Promise<string> {
  // Without the words of the language, those of English are as good as for the chat itself.
  await loadLanguage(lang)?.catch(() => undefined);
  const messages = visiblePath(thread, head ?? thread.head);
  const locale = findLocale(lang, contentLang);
  if (format === 'markdown') return writeMarkdown(thread, messages, locale);
  if (format === 'html') return serializeThreadHtml(thread, messages, locale, contentLang);
  const { id, title } = thread;
  const exported: ExportedThread = {
    format: 'ubik-thread',
    version: 1,
    id,
    title,
    messages: messages.map(describe),
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}

function describe(message: Message): ExportedMessage {
  const { id, role, status, createdAt, attachments } = message;
  return {
    id,
    role,
    status,
    createdAt: createdAt === null ? null : new Date(createdAt).toISOString(),
    attachments: attachments.map(({ name }) => name),
    markdown: messageMarkdown(message),
    parts: toPartTrees(message).map(withoutDetails),
  };
}

/** Details of errors hold what is the server's own. */
function withoutDetails(part: PartTree): PartTree {
  const parts = part.parts && { parts: part.parts.map(withoutDetails) };
  return { ...part, ...(part.kind === 'error' && { details: null }), ...parts };
}

function writeMarkdown({ title }: Thread, messages: readonly Message[], locale: Locale): string {
  const told = messages.map((message) => {
    const who = locale.text(message.role === 'user' ? 'you' : 'agent');
    const files = message.attachments.map(({ name }) => `- ${escapeMarkdown(name)}`).join('\n');
    return [`## ${who}`, messageMarkdown(message), files].filter(Boolean).join('\n\n');
  });
  const heading = title ? [`# ${escapeMarkdown(title)}`] : [];
  return `${[...heading, ...told].join('\n\n')}\n`;
}

/** One line that says what it says, and nothing in Markdown. */
function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~!]/g, '\\$&');
}

import { unsafeCSS } from 'lit';
import { escapeHtml } from '../dom/escape-html.js';
import { listSheets } from '../elements/styles/styles.js';
import { messageStyles } from '../elements/styles/message.js';
import { printStyles } from '../elements/styles/print.js';
import { sizeUnitRule } from '../elements/styles/size-unit.js';
import { UbikError } from '../errors.js';
import { loadLanguage } from '../locales/languages.js';
import { addDefaultStrings, findLocale, type Locale } from '../locales/locale.js';
import { messageStrings } from '../locales/en-messages.js';
import { requestStrings } from '../locales/en-requests.js';
import { restoredStrings } from '../locales/en-restored.js';
import { lazyDataKinds } from '../message/data/data-part-view.js';
import { markdownCss } from '../message/markdown-renderer.js';
import { partStyles } from '../message/parts/part-views.js';
import { summaryStyles } from '../message/run-summary.js';
import { lazyToolContent } from '../message/tool/tool-view.js';
import { apply } from '../model/apply.js';
import type { Change } from '../model/change.js';
import type { Key } from '../model/json.js';
import { EMPTY_ANSWER, type Message, type MessageFields } from '../model/message.js';
import { ACTIVITY, type ActivityFields, type PartTree } from '../model/part.js';
import { createStore } from '../model/store.js';
import { StaticBuilder } from './static-builder.js';
import { printHtml } from './static-document.js';
import { renderStaticMessage } from './static-message.js';

addDefaultStrings({ ...messageStrings, ...requestStrings, ...restoredStrings });

/** A message of a static transcript. The stored messages of `backend.loadThread()` are such messages. */
export interface TranscriptMessage {
  /** The role, and what else is known; `complete` is the default of `status`. */
  readonly fields: Partial<MessageFields> & Pick<MessageFields, 'role'>;
  /** The content, in order. */
  readonly parts: readonly PartTree[];
  /** Data that the service stores about tools in addition to the content, such as their times. */
  readonly activity?: readonly { readonly key: Key; readonly fields: ActivityFields }[];
}

/** Options of {@link renderTranscript}. */
export interface TranscriptOptions {
  /** Language of the labels; English by default, and where its strings cannot be loaded. */
  readonly lang?: string;
  /** Language that the page declares for its content; by default that of the labels. */
  readonly contentLang?: string;
  /** Attribute `id` of the element. */
  readonly id?: string;
  /** Base URL of relative links in messages, as in the attribute `link-base`. Without it, they are not links. */
  readonly linkBase?: string;
  /** Nonce of the style elements, for pages whose Content-Security-Policy does not allow inline styles. */
  readonly nonce?: string;
}

/** Key of the only thread. */
const THREAD = 'static';

/**
 * Renders the messages of a finished conversation as HTML: a `<ubik-transcript>` with its content in a declarative shadow root, which is
 * styled and can be read without a script. Needs no DOM, so that it runs on a server. When the elements are defined and the transcript has
 * a controller that shows the thread, they replace the content with their own, at the same place and of the same size; without a controller,
 * the content stays.
 *
 * Texts are escaped, links are checked as in the elements, images are not loaded, and details of errors are omitted. Code is not
 * highlighted, formulas are shown as their source, and data is shown as tables and lists. Messages of the system are omitted. Requires a
 * parser of declarative shadow roots: the HTML has no effect when it is set as `innerHTML`.
 *
 * Throws a `UbikError` with the code `misuse` if a message has no role or no parts.
 *
 * @example
 * const { messages } = await backend.loadThread(id);
 * response.end(`<!doctype html><title>Support</title>${await renderTranscript(messages, { lang: 'fr' })}`);
 */
export async function renderTranscript(
  messages: readonly TranscriptMessage[],
  { lang = 'en', contentLang = lang, id, linkBase = '', nonce }: TranscriptOptions = {},
): Promise<string> {
  // Without the strings of a language, the labels are English, as in the elements.
  await loadLanguage(lang)?.catch(() => undefined);
  // These modules contain the formats of data parts and the titles of tools.
  await Promise.all([lazyDataKinds.load(), lazyToolContent.load()]);
  const locale = findLocale(lang, contentLang);
  const builder = new StaticBuilder(locale, linkBase);
  const shown = readMessages(messages);
  const articles = shown.map((message) => renderStaticMessage(message, shown, builder));
  const content = wrapMessages(articles, builder, locale);
  const attributes = [
    ...(id === undefined ? [] : [` id="${escapeHtml(id)}"`]),
    ...(linkBase === '' ? [] : [` link-base="${escapeHtml(linkBase)}"`]),
  ];
  const nonceAttribute = nonce === undefined ? '' : ` nonce="${escapeHtml(nonce)}"`;
  // The element inserts its content before the first node of the shadow root. That is an empty comment, which stays when the static content
  // is removed.
  const styles = `<style data-static${nonceAttribute}>${transcriptCss}</style>`;
  const shadow = `<template shadowrootmode="open"><!---->${styles}${printHtml(content)}</template>`;
  const unit = `<style${nonceAttribute}>${sizeUnitRule}</style>`;
  return `${unit}<ubik-transcript${attributes.join('')}>${shadow}</ubik-transcript>`;
}

/** Returns the messages as messages of the model, without those of the system. */
function readMessages(messages: readonly TranscriptMessage[]): readonly Message[] {
  const store = createStore();
  const changes = messages.flatMap((message, index): readonly Change[] => {
    const { fields, parts, activity = [] } = checkMessage(message, index);
    const key = String(index);
    const value = { ...EMPTY_ANSWER, status: 'complete', ...fields, parent: null } as const;
    return [
      { type: 'message', message: key, value },
      { type: 'content', message: key, parts },
      ...activity.map(({ key: part, fields: reported }): Change => ({
        ...{ type: 'part', message: key, part, parent: ACTIVITY, before: null },
        value: reported,
      })),
    ];
  });
  apply(store, { thread: THREAD, time: 0, changes });
  const records = store.threads.get(THREAD)?.messages.values() ?? [];
  return [...records].filter(({ role }) => role !== 'system');
}

/** Returns a message of the caller. Throws if it has no role or no parts. */
function checkMessage(
  message: Partial<TranscriptMessage> | null,
  index: number,
): TranscriptMessage {
  const { fields, parts, activity = [] } = message ?? {};
  if (fields?.role && Array.isArray(parts)) return { fields, parts, activity };
  throw new UbikError(
    'misuse',
    `renderTranscript: message ${String(index)} needs "fields" with a "role", and "parts". Pass the messages of backend.loadThread().`,
  );
}

/** Wraps messages in the elements of a transcript. */
function wrapMessages(
  articles: readonly HTMLElement[],
  builder: StaticBuilder,
  locale: Locale,
): HTMLElement {
  const label = (text: string): Readonly<Record<string, string>> => ({ 'aria-label': text });
  const group = builder.box('div', 'group', ...articles);
  const column = builder.create(
    'div',
    { class: 'column', role: 'feed', ...label(locale.text('messages')) },
    group,
  );
  const scroller = builder.create(
    'div',
    {
      class: 'scroller',
      part: 'transcript',
      role: 'region',
      tabindex: '0',
      ...label(locale.text('conversation')),
    },
    column,
  );
  return builder.create(
    'div',
    {
      class: 'ubik',
      part: 'base',
      'data-static': '',
      lang: locale.uiLang,
      dir: locale.isRightToLeft ? 'rtl' : undefined,
    },
    builder.box('div', 'transcript', scroller),
  );
}

/**
 * Styles of static content only. The element's own content is laid out invisibly over it until the element removes the static content.
 * The scroll position is at the end, as in the element. Buttons are hidden, because they have no effect without a script.
 */
const staticCss = `
.ubik:has(~ [data-static]) { position: absolute; inset: 0; visibility: hidden; }
@media screen { [data-static] .scroller { display: flex; flex-direction: column-reverse; } }
[data-static] .column { flex: none; }
[data-static] :is(.message-footer, .ubik-code-head button) { visibility: hidden; }
[data-static] .sources summary { width: fit-content; list-style: none; align-content: center; }
`;

/** The style sheets of a transcript. They are not escaped, because they are constants of this package. */
const transcriptCss = [
  ...listSheets({
    views: [messageStyles, ...partStyles, printStyles],
    markdown: [unsafeCSS(markdownCss)],
  }),
  summaryStyles,
  { cssText: staticCss },
]
  .map(({ cssText }) => cssText)
  .join('\n');

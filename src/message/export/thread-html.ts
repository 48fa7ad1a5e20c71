import { element } from '../../dom/element.js';
import type { Locale } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import {
  type CitationMark,
  type ContentKind,
  type DataKind,
  type Part,
  type PartOf,
} from '../../model/part.js';
import { isContentPart } from '../../model/part-tree.js';
import type { Thread } from '../../model/thread.js';
import { checkpointLabel } from '../checkpoint-label.js';
import { citationLabel } from '../citation.js';
import { setContentLocale, setLang } from '../content-lang.js';
import { explainCode } from '../explain-error.js';
import { createMarkdownRenderer } from '../markdown-renderer.js';
import { dataMarkdown, isDataPart, hostFormat } from '../message-formats.js';
import type { RendererRule } from '../parts/renderer-types.js';
import { describeAnswer, findRequestActivity } from '../request/request-view.js';
import { findToolActivity, resolveToolState, TOOL_STATE_STRINGS } from '../tool/tool-state.js';
import { findToolError, toolLabel } from '../tool/tool-text.js';
import { DetachedMarkdown } from './detached-markdown.js';
import { serializeHtml } from './serialize-html.js';

/** The file must neither load nor run anything, wherever it is opened. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** A kind with its own elements. Data kinds are rendered from their Markdown. */
type HtmlKind = Exclude<ContentKind, DataKind>;

/** Creates the elements of a part. `children` contains those of its child parts. */
type CreateHtml<Kind extends HtmlKind> = (
  part: PartOf<Kind>,
  children: readonly HTMLElement[],
  page: HtmlPageBuilder,
) => readonly HTMLElement[];

const CONTENT_HTML: { readonly [Kind in HtmlKind]: CreateHtml<Kind> } = {
  text: (part, _children, page) => [page.text(part)],
  thinking: (part, _children, { details, markdown, locale }) => [
    details(locale.text('thought'), markdown(part)),
  ],
  step: ({ number, title, single }, children, { locale, content }) => {
    if (single) return children;
    const step = number === null ? '' : locale.text('stepNumber', { number });
    const heading = element('h3', '', step, step && title ? ' · ' : '', content('span', title));
    return [element('section', '', heading, ...children)];
  },
  tool: (part, children, { details, data, toolSummary }) => [
    details(toolSummary(part), ...data(part.input), ...data(part.result), ...children),
  ],
  checkpoint: (part, _children, page) => [page.checkpoint(part)],
  'input-request': (part, _children, { content, answer }) => [
    element('div', 'box', content('p', part.prompt), ...answer(part)),
  ],
  error: ({ message, advice }, _children, { content, locale }) => {
    const sentences = [message || explainCode('run-failed', locale), advice].filter(Boolean);
    return [content('p', sentences.join(' '), 'error')];
  },
  unknown: (part, children, page) => (part.text ? [page.plain(part), ...children] : children),
};

function htmlOf<Kind extends HtmlKind>(kind: Kind): CreateHtml<Kind> {
  return CONTENT_HTML[kind];
}

/** Options of an exported page. */
interface PageOptions {
  readonly locale: Locale;
  /** The language of the messages. */
  readonly contentLang: string;
  /** The renderers of the element whose messages are exported. */
  readonly renderers: readonly RendererRule[];
}

/** Serializes messages as one self-contained HTML page. */
export function serializeThreadHtml(
  { title }: Thread,
  messages: readonly Message[],
  { locale, contentLang, renderers }: PageOptions,
): string {
  const builder = new HtmlPageBuilder(locale, renderers);
  const name = title || locale.text('conversation');
  const policy = element('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = POLICY;
  const charset = element('meta');
  charset.setAttribute('charset', 'utf-8');
  const viewport = element('meta');
  viewport.name = 'viewport';
  viewport.content = 'width=device-width';
  const head = element('head', '', charset, policy, viewport, element('title', '', name));
  const heading = element('h1', '', name);
  if (title) setLang(heading, locale.contentLang);
  const main = element('main', '', heading, ...messages.map(builder.article));
  main.dir = 'auto';
  // The style sheet is a constant of this file and must not be escaped.
  const start = serializeHtml(head).replace(/<\/head>$/, `<style>${pageCss}</style></head>`);
  const lang = locale.uiLang ?? contentLang;
  return `<!doctype html>\n<html lang="${lang.replace(/[^\w-]/g, '')}">\n${start}\n<body>\n${serializeHtml(main)}\n</body>\n</html>\n`;
}

/** Builds the elements of a page, one message after the other. */
class HtmlPageBuilder {
  readonly locale: Locale;
  readonly #hostRenderers: readonly RendererRule[];
  readonly #renderer: DetachedMarkdown;
  #isUserMessage = false;
  #message: Message | null = null;
  /** Cited sources of the current message, by label and source, because each text of an answer may number its sources from 1. */
  #sources = new Map<string, CitationMark>();

  constructor(locale: Locale, renderers: readonly RendererRule[]) {
    this.locale = locale;
    this.#hostRenderers = renderers;
    this.#renderer = new DetachedMarkdown(locale, createMarkdownRenderer);
  }

  /** Creates the article of a message: header, parts, attachments and sources. */
  readonly article = (message: Message): HTMLElement => {
    const { role, createdAt, attachments } = message;
    const { locale } = this;
    this.#isUserMessage = role === 'user';
    this.#message = message;
    this.#sources = new Map();
    const author = locale.text(this.#isUserMessage ? 'you' : 'agent');
    const header = element('header', '', element('h2', '', author));
    if (createdAt !== null) header.append(this.#time(createdAt));
    const node = element('article', role, header, ...this.#parts(message, null));
    if (attachments.length > 0) {
      const files = attachments.map(({ name }) => this.content('li', name));
      node.append(element('p', 'note', locale.text('attachments')), element('ul', '', ...files));
    }
    if (this.#sources.size > 0) node.append(this.#sourceList());
    return node;
  };

  /** Creates the element of a text: plain for the user, Markdown for the agent. */
  readonly text = (part: Part): HTMLElement =>
    this.#isUserMessage ? this.plain(part) : this.markdown(part);

  /** Renders the text of a part as Markdown, and collects the sources that it cites. */
  readonly markdown = (part: Part): HTMLElement => {
    const marks = new Map(Object.entries(('marks' in part && part.marks) || {}));
    return this.#renderer.render(part.text?.read() ?? '', (key) => {
      const mark = marks.get(key);
      if (!mark) return null;
      const { label, url, id, title } = mark;
      this.#sources.set(JSON.stringify([label, url ?? id ?? title]), mark);
      return element('sup', '', `[${citationLabel(mark)}]`);
    });
  };

  readonly plain = (part: Part): HTMLElement => {
    const node = element('div', 'plain', part.text?.read() ?? '');
    setContentLocale(node, this.locale);
    return node;
  };

  /** Creates an element with a text in the language of the messages and in its own direction. */
  readonly content = (
    tag: 'h1' | 'li' | 'p' | 'pre' | 'span' | 'a',
    text: string,
    className = '',
  ): HTMLElement => {
    const node = element(tag, className, text);
    setContentLocale(node, this.locale);
    return node;
  };

  /** Creates the element of a checkpoint with its name, as the message shows it. */
  readonly checkpoint = ({ key, name }: PartOf<'checkpoint'>): HTMLElement => {
    const { locale } = this;
    const label = this.#message ? checkpointLabel(this.#message.parts, key, locale) : name;
    return label && label === name
      ? this.content('p', name, 'note')
      : element('p', 'note', label || locale.text('checkpointPlain'));
  };

  /** Creates the element of an input or result; none when it is empty. */
  readonly data = (raw: string | null): readonly HTMLElement[] =>
    raw ? [this.content('pre', raw)] : [];

  /** Creates the element of the answer to a request, as the message shows it; none while there is no answer. */
  readonly answer = (part: PartOf<'input-request'>): readonly HTMLElement[] => {
    const { locale } = this;
    const message = this.#message;
    const request = message ? findRequestActivity(message, part) : undefined;
    if (part.answer === null && request?.state !== 'answered') return [];
    const { answer } = describeAnswer(part.answer, locale, request);
    if (typeof answer === 'string') return [element('p', 'note', answer)];
    const { text } = answer;
    return [this.content('p', typeof text === 'string' ? text : text.data, 'plain')];
  };

  /** Creates the summary of a tool: its label, the title of its call, and its state unless it is done. */
  readonly toolSummary = (tool: PartOf<'tool'>): HTMLElement => {
    const { locale } = this;
    const { name, toolType, title, result } = tool;
    const message = this.#message;
    const activity = message ? findToolActivity(message, tool) : undefined;
    const status = message?.status ?? 'complete';
    const { state } = resolveToolState(tool, activity, findToolError(result), status);
    return element(
      'span',
      '',
      toolLabel(name, locale, toolType),
      ...(title ? [' · ', this.content('span', title)] : []),
      ...(state === 'done' ? [] : [' · ', locale.text(TOOL_STATE_STRINGS[state])]),
    );
  };

  readonly details = (
    title: string | HTMLElement,
    ...content: readonly HTMLElement[]
  ): HTMLElement => element('details', '', element('summary', '', title), ...content);

  #parts(message: Message, parent: Key | null): readonly HTMLElement[] {
    return message.parts.children(parent).flatMap((key) => {
      const part = message.parts.get(key);
      if (!part || !isContentPart(part)) return [];
      const hosted = hostFormat('toMarkdown', part, message, this.#hostRenderers);
      if (hosted !== undefined) {
        return [this.#renderer.render(hosted), ...this.#parts(message, key)];
      }
      if (isDataPart(part)) {
        return [this.#renderer.render(dataMarkdown(part))];
      }
      return htmlOf(part.kind)(part, this.#parts(message, key), this);
    });
  }

  #sourceList(): HTMLElement {
    const { locale } = this;
    const rows = [...this.#sources.values()].map((mark) => {
      const checked = mark.url ? this.#renderer.checkLink(mark.url, mark.title) : null;
      const tag = checked ? 'a' : 'span';
      const link = mark.title
        ? this.content(tag, mark.title)
        : element(tag, '', checked?.href ?? locale.text('sourceUnnamed'));
      if (checked) link.setAttribute('href', checked.href);
      // A link without a title shows its URL, which is always laid out from left to right.
      link.toggleAttribute('data-bare', checked !== null && !mark.title);
      const row = element('li', '', `[${citationLabel(mark)}] `, link);
      if (checked?.notice) row.append(' · ', element('bdi', 'note', checked.notice));
      return row;
    });
    const heading = element('h3', '', locale.text('sources'));
    return element('footer', '', heading, element('ul', '', ...rows));
  }

  #time(ms: number): HTMLElement {
    const date = new Date(ms);
    const format = new Intl.DateTimeFormat(this.locale.lang, {
      dateStyle: 'long',
      timeStyle: 'short',
    });
    const node = element('time', '', format.format(date));
    node.dateTime = date.toISOString();
    return node;
  }
}

/** The style sheet of an exported page, for screen and print. It contains no character that HTML would require to be escaped. */
const pageCss = `
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
:is(p, li, h1, h2, h3, h4, h5, h6, th, td, summary, time) { unicode-bidi: plaintext; text-align: start; }
:is(code, kbd, a[data-bare]) { direction: ltr; unicode-bidi: isolate; }
pre { direction: ltr; text-align: start; }
h1 { font-size: 1.5rem; line-height: 1.3; }
article { margin-block: 1.5rem; }
article header { display: flex; gap: 0.75rem; align-items: baseline; font-size: 0.875rem; }
article header h2 { margin: 0; font-size: 1em; }
time, .note { color: color-mix(in srgb, currentColor 65%, transparent); }
.user { padding: 0.5rem 1rem; border-inline-start: 0.25rem solid #2b5fc4; }
.plain, pre { white-space: pre-wrap; }
pre, .box { padding: 0.75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 0.5rem; }
pre { overflow: auto; font-size: 0.875em; }
section, details { margin-block: 0.75rem; padding-inline-start: 1rem; border-inline-start: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
section h3, summary { font-size: 0.9375rem; font-weight: 600; }
table { border-collapse: collapse; }
th, td { padding: 0.25rem 0.75rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); text-align: start; }
.error { color: #b3261e; }
.ubik-alert { padding-inline-start: 1rem; border-inline-start: 0.25rem solid; }
.ubik-alert-title { font-weight: 600; }
@media print {
  body { max-width: none; margin: 0; }
  details::details-content { content-visibility: visible; block-size: auto; }
  h1, h2, h3, summary, header { break-after: avoid; }
  pre, tr, .box { break-inside: avoid; }
  a[href^='http']::after { content: ' (' attr(href) ')'; direction: ltr; unicode-bidi: isolate; font-size: 0.8em; }
}
`;

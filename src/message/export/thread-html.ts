import { element } from '../../dom/element.js';
import { createManualFrames, type ManualFrames } from '../../dom/frames.js';
import type { Locale } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Mark, Part } from '../../model/part.js';
import type { Thread } from '../../model/thread.js';
import { citationLabel } from '../citation.js';
import { setContentLocale, setLang } from '../content-lang.js';
import { createMarkdownRenderer } from '../markdown-renderer.js';
import type { MarkdownRenderer } from '../part-view.js';
import { toolLabel } from '../tool/tool-text.js';
import { serializeHtml } from './serialize-html.js';

/** Nothing may be loaded or run, whatever a later reader of the file makes of it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** Writes messages as one HTML page that needs nothing beside it; `said` is the language of what was said. */
export function serializeThreadHtml(
  { title }: Thread,
  messages: readonly Message[],
  locale: Locale,
  said: string,
): string {
  const writer = new HtmlPageWriter(locale);
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
  const main = element('main', '', heading, ...messages.map(writer.write));
  main.dir = 'auto';
  // The style sheet is our own text, and nothing in it is escaped.
  const start = serializeHtml(head).replace(/<\/head>$/, `<style>${pageCss}</style></head>`);
  const lang = locale.uiLang ?? said;
  return `<!doctype html>\n<html lang="${lang.replace(/[^\w-]/g, '')}">\n${start}\n<body>\n${serializeHtml(main)}\n</body>\n</html>\n`;
}

/** Makes the tree of a page, message by message. */
class HtmlPageWriter {
  readonly #locale: Locale;
  readonly #frames: ManualFrames = createManualFrames();
  readonly #kit: MarkdownRenderer;
  #ids = 0;
  /** Sources of the message that is being written. */
  #sources = new Map<string, Mark>();

  constructor(locale: Locale) {
    this.#locale = locale;
    this.#kit = createMarkdownRenderer({
      frames: this.#frames,
      createId: () => `part-${(this.#ids += 1)}`,
      locale: () => locale,
      policy: () => ({ imagePolicy: 'link' }),
      shouldLoadImage: () => false,
    });
  }

  readonly write = (message: Message): HTMLElement => {
    const { role, createdAt, attachments } = message;
    const header = element(
      'header',
      '',
      element('h2', '', this.#text(role === 'user' ? 'you' : 'agent')),
    );
    if (createdAt !== null) header.append(this.#time(createdAt));
    this.#sources = new Map();
    const node = element('article', role, header, ...this.#parts(message, null));
    if (attachments.length > 0) {
      const files = attachments.map(({ name }) => this.#contentElement('li', name));
      node.append(element('p', 'note', this.#text('attachments')), element('ul', '', ...files));
    }
    if (this.#sources.size > 0) node.append(this.#writeSources());
    return node;
  };

  #parts(message: Message, parent: Key | null): HTMLElement[] {
    return message.parts.children(parent).flatMap((key) => {
      const part = message.parts.get(key);
      return part ? this.#part(part, message) : [];
    });
  }

  #part(part: Part, message: Message): HTMLElement[] {
    const inner = this.#parts(message, part.key);
    switch (part.kind) {
      case 'text':
        return [message.role === 'user' ? this.#plain(part) : this.#markdown(part)];
      case 'thinking':
        return [fold(this.#text('thought'), this.#markdown(part))];
      case 'step':
        return part.single ? inner : [element('section', '', this.#stepTitle(part), ...inner)];
      case 'tool':
        return [
          fold(
            toolLabel(part.name, this.#locale),
            ...this.#data(part.input),
            ...this.#data(part.result),
            ...inner,
          ),
        ];
      case 'checkpoint':
        return [
          part.name
            ? this.#contentElement('p', part.name, 'note')
            : element('p', 'note', this.#text('checkpointPlain')),
        ];
      case 'input-request':
        return [
          element('div', 'box', this.#contentElement('p', part.prompt), ...this.#data(part.answer)),
        ];
      case 'error':
        return [this.#contentElement('p', part.message, 'error')];
      default:
        return part.text ? [this.#plain(part), ...inner] : inner;
    }
  }

  #stepTitle({ number, title }: Extract<Part, { kind: 'step' }>): HTMLElement {
    const step = number === null ? '' : this.#text('stepNumber', { number });
    const name = this.#contentElement('span', title);
    return element('h3', '', step, step && title ? ' · ' : '', name);
  }

  #markdown(part: Part): HTMLElement {
    const node = element('div');
    setLang(node, this.#locale.contentLang);
    const marks = new Map(Object.entries(('marks' in part && part.marks) || {}));
    const body = this.#kit.createMarkdown(node, (key) => {
      const mark = marks.get(key);
      if (!mark) return null;
      this.#sources.set(mark.label, mark);
      return element('sup', '', `[${citationLabel(mark)}]`);
    });
    body.append(part.text?.read() ?? '');
    void body.end();
    this.#frames.flush();
    body.dispose();
    return node;
  }

  #writeSources(): HTMLElement {
    const rows = [...this.#sources.values()].map((mark) => {
      const checked = mark.url ? this.#kit.checkLink(mark.url, mark.title) : null;
      const tag = checked ? 'a' : 'span';
      const link = mark.title
        ? this.#contentElement(tag, mark.title)
        : element(tag, '', checked?.href ?? this.#text('sourceUnnamed'));
      if (checked) link.setAttribute('href', checked.href);
      const row = element('li', '', `[${citationLabel(mark)}] `, link);
      if (checked?.notice) row.append(' · ', element('bdi', 'note', checked.notice));
      return row;
    });
    return element(
      'footer',
      '',
      element('h3', '', this.#text('sources')),
      element('ul', '', ...rows),
    );
  }

  #time(ms: number): HTMLElement {
    const date = new Date(ms);
    const format = new Intl.DateTimeFormat(this.#locale.lang, {
      dateStyle: 'long',
      timeStyle: 'short',
    });
    const node = element('time', '', format.format(date));
    node.dateTime = date.toISOString();
    return node;
  }

  /** A text as it was written. */
  #plain(part: Part): HTMLElement {
    const node = element('div', 'plain', part.text?.read() ?? '');
    setContentLocale(node, this.#locale);
    return node;
  }

  /** A text of others. */
  #contentElement(
    tag: 'h1' | 'li' | 'p' | 'pre' | 'span' | 'a',
    text: string,
    name = '',
  ): HTMLElement {
    const node = element(tag, name, text);
    setLang(node, this.#locale.contentLang);
    return node;
  }

  /** What a tool was given or gave. */
  #data(raw: string | null): HTMLElement[] {
    return raw ? [this.#contentElement('pre', raw)] : [];
  }

  readonly #text: Locale['text'] = (...ask) => this.#locale.text(...ask);
}

function fold(title: string, ...content: readonly HTMLElement[]): HTMLElement {
  return element('details', '', element('summary', '', title), ...content);
}

/** How an exported page looks, on a screen and on paper. It holds no character that HTML would read. */
export const pageCss = `
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
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
@media print {
  body { max-width: none; margin: 0; }
  details::details-content { content-visibility: visible; block-size: auto; }
  h1, h2, h3, summary, header { break-after: avoid; }
  pre, tr, .box { break-inside: avoid; }
  a[href^='http']::after { content: ' (' attr(href) ')'; font-size: 0.8em; }
}
`;

import { createManualFrameScheduler } from '../dom/manual-frames.js';
import type { Locale } from '../locales/locale.js';
import { createElement } from '../markdown/dom/render-context.js';
import { shortCitationLabel } from '../message/citation.js';
import { ICON_PATHS, type IconName } from '../message/icons.js';
import { createMarkdownRenderer } from '../message/markdown-renderer.js';
import type { MarkdownRenderer } from '../message/part-view.js';
import { iconOfState } from '../message/parts/disclosure.js';
import type { Part } from '../model/part.js';
import { createStaticDocument } from './static-document.js';

/** A child of an element. Empty strings and null are omitted. */
export type Content = Node | string | null;

/** The summary of a static disclosure. */
export interface StaticSummary {
  readonly state: string;
  /** Texts by their CSS class, in order, and whether they are content instead of labels. Empty texts are omitted. */
  readonly texts: readonly (readonly [className: string, text: string, isContent?: boolean])[];
  /** Texts at the end of the line. Empty ones are omitted. */
  readonly meta?: readonly string[];
  readonly open?: boolean;
}

/** Creates the elements of a static transcript, with the classes and the structure of the views, so that the same style sheets apply. */
export class StaticBuilder {
  readonly locale: Locale;
  readonly #document = createStaticDocument();
  readonly #frames = createManualFrameScheduler();
  readonly #renderer: MarkdownRenderer;
  #idCount = 0;

  constructor(locale: Locale, linkBase: string) {
    this.locale = locale;
    this.#renderer = createMarkdownRenderer({
      document: this.#document,
      frames: this.#frames,
      createId: () => `static-${String((this.#idCount += 1))}`,
      locale: () => locale,
      policy: () => ({ imagePolicy: 'link', linkBase }),
      shouldLoadImage: () => false,
    });
  }

  /** Creates an element. Attributes with the value undefined are omitted. */
  create(
    tag: string,
    attributes: Readonly<Record<string, string | undefined>>,
    ...content: readonly Content[]
  ): HTMLElement {
    const nodes = content.flatMap((child) => (child === null || child === '' ? [] : [child]));
    return createElement({ document: this.#document }, tag, attributes, ...nodes);
  }

  /** Creates an element with a class. */
  box(tag: string, className: string, ...content: readonly Content[]): HTMLElement {
    return this.create(tag, { class: className }, ...content);
  }

  /** Creates a text of the content, such as a name, whose writing direction does not affect the text around it. */
  contentText(text: string, className?: string): HTMLElement {
    return this.create('bdi', { class: className, lang: this.locale.contentLang }, text);
  }

  /** Creates a text that is shown unchanged, with content before and after it. */
  plain(part: Part, before: Content, after: Content): HTMLElement {
    const attributes = { class: 'plain', dir: 'auto', lang: this.locale.contentLang };
    return this.create('div', attributes, before, part.text?.read() ?? '', after);
  }

  /** Renders the Markdown text of a part into an element with a class. */
  markdown(part: Part, className: string, cssPart?: string): HTMLElement {
    const marks = new Map(Object.entries(('marks' in part && part.marks) || {}));
    return this.renderMarkdown(
      part.text?.read() ?? '',
      { class: className, part: cssPart },
      (key) => {
        const mark = marks.get(key);
        if (!mark) return null;
        const label = this.create('bdi', {}, shortCitationLabel(mark));
        return this.create('span', { class: 'cite', lang: this.locale.uiLang }, label);
      },
    );
  }

  /** Renders Markdown into an element. */
  renderMarkdown(
    source: string,
    attributes: Readonly<Record<string, string | undefined>>,
    createMark: (key: string) => Node | null = () => null,
  ): HTMLElement {
    const node = this.create('div', { ...attributes, dir: 'auto', lang: this.locale.contentLang });
    const body = this.#renderer.createMarkdown(node, createMark);
    // The frames run at once, because there is no layout to wait for.
    body.append(source);
    this.#frames.flush();
    void body.end();
    this.#frames.flush();
    body.dispose();
    return node;
  }

  /** Checks the URL of a source; null when the policy does not allow it. */
  checkLink(url: string): ReturnType<MarkdownRenderer['checkLink']> {
    return this.#renderer.checkLink(url);
  }

  /** Creates an icon. */
  icon(name: IconName): HTMLElement {
    return this.create(
      'svg',
      { class: `icon icon-${name}`, viewBox: '0 0 16 16', 'aria-hidden': 'true' },
      this.create('path', { d: ICON_PATHS[name] }),
    );
  }

  /** Creates the icon of a state. */
  glyph(name: IconName): HTMLElement {
    return this.box('span', 'glyph', this.icon(name));
  }

  /** Creates a `<details>` element with a summary. `className` is the class that the style sheet has for the kind of part. */
  disclosure(
    className: string,
    { state, texts, meta = [], open = false }: StaticSummary,
    ...content: readonly Content[]
  ): HTMLElement {
    const line = texts.flatMap(([name, text, isContent = false]) => {
      if (!text) return [];
      const lang = isContent ? this.locale.contentLang : undefined;
      return [this.create('bdi', { class: name, lang }, text), ' '];
    });
    const summary = this.create(
      'summary',
      {},
      this.glyph(iconOfState(state)),
      this.box('span', 'line', ...line),
      ...meta.flatMap((text) => (text ? [this.box('bdi', 'meta', text), ' '] : [])),
      this.icon('chevron'),
    );
    return this.create(
      'details',
      {
        class: `disclosure ${className}`.trim(),
        'data-state': state,
        open: open ? '' : undefined,
      },
      summary,
      ...content,
    );
  }
}

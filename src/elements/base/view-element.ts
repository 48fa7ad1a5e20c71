import {
  html,
  LitElement,
  nothing,
  type CSSResult,
  type CSSResultGroup,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { UbikLinkOpenEvent } from '../../events/index.js';
import { addSheets, rememberSheets, restoreSheets } from '../../dom/sheets.js';
import { onPageTurn } from '../../dom/next-macrotask.js';
import { loadLanguage } from '../../locales/languages.js';
import { findLocale, onLocaleChange, type Locale } from '../../locales/locale.js';
import type { RenderDiagram } from '../../markdown/options.js';
import { lazyMarkdown } from '../../message/lazy-markdown.js';
import type { MessageRenderer } from '../../message/host-slot.js';
import type { ViewActions } from '../../message/part-view.js';
import { dispatchMissingLanguage } from './controller-events.js';
import { registerTextUnit } from '../styles/text-size.js';
import { adoptSheets, markdownSheet, styles } from '../styles/styles.js';
import { deferredViews } from '../views/deferred-views.js';
import { languageOf, contentLanguageOf } from '../views/language-of.js';
import { createViewContext, turnOf, type ElementContext } from '../views/view-context.js';

/** What the page may change its mind about: what is shown by these rules is shown anew. */
const RULES = ['imagePolicy', 'linkBase', 'html'];

/** An element that shows something: cares for language, time, links and pictures of the views in it. */
export abstract class ViewElement extends LitElement {
  static override styles: CSSResultGroup = styles;
  static override properties: PropertyDeclarations = {
    imagePolicy: { attribute: 'image-policy' },
    linkBase: { attribute: 'link-base' },
    assetsUrl: { attribute: 'assets-url' },
    html: {},
    renderDiagram: { attribute: false },
    errorDetails: { attribute: 'error-details', type: Boolean },
    messageAvatar: { attribute: false },
    messageActions: { attribute: false },
  };

  /** What becomes of remote pictures: `link` (default), `data`, or `allow` and places such as `https://files.example/pictures/`. */
  imagePolicy = 'link';
  /** Where relative links of messages lead; by default nowhere. */
  linkBase = '';
  /** Where the optional parts of the bundle are; by default beside it. */
  assetsUrl = '';
  /** What becomes of raw HTML in messages: `text` (default) or `sanitized`. */
  html = 'text';
  /** Draws closed blocks of code in languages such as `mermaid`. */
  renderDiagram: RenderDiagram | undefined;
  /** Whether technical details of errors may be shown. */
  errorDetails = false;
  /** Draws a picture of who speaks beside each message that is shown from now on, in the page's own tree. */
  messageAvatar: MessageRenderer | undefined;
  /** Draws more of what can be done with a message, below each that is shown from now on, in the page's own tree. */
  messageActions: MessageRenderer | undefined;

  /** What the views in this element share. */
  protected readonly context: ElementContext = createViewContext(
    this,
    () => this.#findLocale(),
    this.acts,
  );
  #lang: string | undefined;
  /** What the page says of its language. */
  #said = '';
  #dir: 'rtl' | undefined;
  readonly #scheme = matchMedia('(prefers-color-scheme: dark)');
  #forget: readonly (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    registerTextUnit(this.ownerDocument);
    this.#lang = undefined;
    this.context.clock.run(true);
    this.#forget = [
      onLocaleChange(() => {
        this.relabel();
        // At once, so that whoever adds a language sees it.
        this.performUpdate();
      }),
      onPageTurn(() => {
        const isSame = this.#lang === languageOf(this) && this.#said === contentLanguageOf(this);
        if (!isSame || this.#dir !== this.#findTurn()) this.relabel();
      }),
    ];
    this.#scheme.addEventListener('change', this.readAccent);
  }

  /** Called by the browser when the element has come to another document. */
  adoptedCallback(): void {
    if (this.shadowRoot) restoreSheets(this.shadowRoot);
  }

  protected override createRenderRoot(): ShadowRoot {
    const { elementStyles, shadowRootOptions } = this.constructor as typeof LitElement;
    const root = this.shadowRoot ?? this.attachShadow(shadowRootOptions);
    addSheets(root, elementStyles as CSSResult[]);
    // The page and the optional parts of Markdown add sheets of their own.
    this.addController({
      hostUpdated: () => {
        rememberSheets(root);
      },
    });
    this.renderOptions.renderBefore ??= root.firstChild;
    return root;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (this.hasUpdated && RULES.some((name) => changed.has(name))) this.relabel();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.context.clock.run(false);
    for (const forget of this.#forget) forget();
    this.#scheme.removeEventListener('change', this.readAccent);
  }

  /** Takes the page's accent colour, which is no value that a style sheet could read. */
  protected readonly readAccent = (): void => {
    const { accentColor } = getComputedStyle(this);
    const root = this.renderRoot.querySelector<HTMLElement>('.ubik');
    if (accentColor && accentColor !== 'auto')
      root?.style.setProperty('--_page-accent', accentColor);
  };

  /** What views may ask for. Asked once, before the fields of a derived class are there. */
  protected get acts(): ViewActions {
    return {};
  }

  /** What stands in the element. */
  protected abstract renderContent(): unknown;

  /** Another language, or other rules: what is written is to be written again. */
  protected relabel(): void {
    this.#lang = undefined;
    this.requestUpdate();
  }

  protected override firstUpdated(): void {
    const root = this.renderRoot.querySelector<HTMLElement>('.ubik');
    if (!root) return;
    deferredViews.whenThere(({ sheets, CitationCard }) => {
      adoptSheets(this.renderRoot, sheets, 'views');
      new CitationCard(root, () => this.context);
    });
    lazyMarkdown.whenThere(({ markdownCss }) => {
      adoptSheets(this.renderRoot, [markdownSheet(markdownCss)], 'markdown');
    });
    root.addEventListener('click', this.#handleClick);
    this.readAccent();
  }

  protected override render(): TemplateResult {
    this.#dir = this.#findTurn();
    const { uiLang } = this.context.locale;
    return html`<div class="ubik" part="base" lang=${uiLang ?? nothing} dir=${this.#dir ?? nothing}>
      ${this.renderContent()}
    </div>`;
  }

  /** From right to left when the language is written so, unless the page has said a direction. */
  #findTurn(): 'rtl' | undefined {
    return turnOf(this, this.context.locale);
  }

  /** The words of the element's language; English as long as they are not there. */
  #findLocale(): Locale {
    if (this.#lang === undefined) {
      this.#lang = languageOf(this);
      this.#said = contentLanguageOf(this);
      if (this.isConnected) {
        loadLanguage(this.#lang)?.catch((cause: unknown) => {
          dispatchMissingLanguage(this, this.#lang, cause);
        });
      }
    }
    return findLocale(this.#lang, this.#said);
  }

  /** Tells the page that a link is about to be followed; the page may keep it. */
  readonly #handleClick = (event: Event): void => {
    const { target } = event;
    const link = target instanceof Element ? target.closest('a') : null;
    if (!link?.href || link.download || event.defaultPrevented) return;
    if (!this.dispatchEvent(new UbikLinkOpenEvent({ url: link.href }))) event.preventDefault();
  };
}

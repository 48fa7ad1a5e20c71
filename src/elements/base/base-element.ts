import {
  html,
  LitElement,
  nothing,
  type CSSResult,
  type CSSResultGroup,
  type PropertyDeclarations,
  type TemplateResult,
} from 'lit';
import {
  UbikImageLoadedEvent,
  UbikLinkOpenedEvent,
  UbikLinkOpenEvent,
} from '../../events/index.js';
import { elementOf, isContentOf } from '../../dom/event-target.js';
import { addSheets, recordSheets, restoreSheets } from '../../dom/sheets.js';
import { lazyMarkdown } from '../../message/lazy-markdown.js';
import { registerSizeUnit } from '../styles/size-unit.js';
import { adoptSheets, markdownSheet, styles } from '../styles/styles.js';
import { lazyViews } from '../transcript/lazy-views.js';
import { checkValues } from './check-values.js';
import { createViewContext, type ContentOptions, type ElementContext } from './view-context.js';
import { LocaleController } from './locale-controller.js';

/** Returns the address that a link opens; empty if it has none. The `href` of a link in an SVG is an object. */
function addressOf({ href }: HTMLAnchorElement | SVGAElement): string {
  if (typeof href === 'string') return href;
  return href.baseVal && Object.assign(document.createElement('a'), { href: href.baseVal }).href;
}

/** Elements whose accent colour is copied in the next frame. */
const staleAccents = new Set<BaseElement>();

/** Reads all accent colours before it writes one, because reading after a change computes the styles of the page again. */
function copyAccents(): void {
  const accents = Array.from(staleAccents, (element) => ({
    root: element.renderRoot.querySelector<HTMLElement>('.ubik'),
    accent: getComputedStyle(element).accentColor,
  }));
  staleAccents.clear();
  for (const { root, accent } of accents) {
    // Browsers without the property return undefined.
    root?.style.setProperty('--_page-accent', accent && accent !== 'auto' ? accent : '');
  }
}

/**
 * The base of all elements: a shadow root with the shared style sheets, the view context, locale and direction, and the accent colour of
 * the host page. Declares no property.
 */
export abstract class BaseElement extends LitElement {
  static override styles: CSSResultGroup = styles;

  /** Unlike in Lit by default, a removed attribute restores the default of its property, instead of setting it to null. */
  protected static override finalize(): void {
    // `BaseElement` itself declares no properties.
    const properties = this.properties as PropertyDeclarations | undefined;
    for (const options of Object.values(properties ?? {}))
      options.useDefault = options.attribute !== false;
    super.finalize();
  }

  readonly #localization = new LocaleController(this, (isRegistered) => {
    this.invalidateContent();
    // Strings that were just registered or loaded are shown synchronously.
    if (isRegistered) this.performUpdate();
  });
  readonly #colorScheme = matchMedia('(prefers-color-scheme: dark)');

  /** The context that all views of this element share. */
  protected readonly viewContext: ElementContext = createViewContext(
    this,
    () => this.#localization.locale,
  );

  override connectedCallback(): void {
    super.connectedCallback();
    registerSizeUnit(this.ownerDocument);
    this.viewContext.clock.setRunning(true);
    this.#colorScheme.addEventListener('change', this.updateAccent);
    // The element may have moved to a place with another accent colour. It is copied in the next frame, when the element is rendered.
    this.updateAccent();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.viewContext.clock.setRunning(false);
    this.#colorScheme.removeEventListener('change', this.updateAccent);
  }

  /** Called by the browser after the element was moved to another document. */
  adoptedCallback(): void {
    if (this.shadowRoot) restoreSheets(this.shadowRoot);
  }

  protected override createRenderRoot(): ShadowRoot {
    const { elementStyles, shadowRootOptions } = this.constructor as typeof LitElement;
    const root = this.shadowRoot ?? this.attachShadow(shadowRootOptions);
    addSheets(root, elementStyles as CSSResult[]);
    this.addController({
      hostUpdate: () => {
        checkValues(this);
      },
      // Recorded after each update, because the host page and the lazy-loaded Markdown modules also add sheets.
      hostUpdated: () => {
        recordSheets(root);
      },
    });
    this.renderOptions.renderBefore ??= root.firstChild;
    return root;
  }

  protected override firstUpdated(): void {
    const root = this.renderRoot.querySelector('.ubik') as HTMLElement;
    lazyViews.whenLoaded(({ sheets, observeCitations }) => {
      adoptSheets(this.renderRoot, sheets, 'views');
      observeCitations(root, () => this.viewContext);
    });
    lazyMarkdown.whenLoaded(({ markdownCss }) => {
      adoptSheets(this.renderRoot, [markdownSheet(markdownCss)], 'markdown');
    });
    root.addEventListener('click', this.#handleClick);
    // `load` does not bubble, so it is captured.
    root.addEventListener('load', this.#handleLoad, true);
  }

  protected override render(): TemplateResult {
    const { uiLang } = this.viewContext.locale;
    const dir = this.#localization.renderDir();
    return html`<div class="ubik" part="base" lang=${uiLang ?? nothing} dir=${dir ?? nothing}>
      ${this.renderContent()}
    </div>`;
  }

  /** Renders the content of the element. */
  protected abstract renderContent(): unknown;

  /** Called when the locale or a content option has changed, so that texts and content must be rendered again. */
  protected invalidateContent(): void {
    this.#localization.reset();
    this.requestUpdate();
  }

  /** Copies the `accent-color` of the host page to a custom property in the next frame, because a style sheet cannot read it. */
  protected readonly updateAccent = (): void => {
    staleAccents.add(this);
    this.viewContext.frames.schedule(copyAccents);
  };

  /**
   * Dispatches the events of a link that is followed; the host page may cancel the first one. If it does not, its `linkHandler` may follow
   * the link in place of the browser.
   */
  readonly #handleClick = (event: MouseEvent): void => {
    const link = elementOf(event)?.closest('a');
    const url = link ? addressOf(link) : '';
    if (!link || !url || link.download || event.defaultPrevented) return;
    if (!isContentOf(this, link)) return;
    const detail = { url };
    if (!this.dispatchEvent(new UbikLinkOpenEvent(detail))) return event.preventDefault();
    const { linkHandler }: HTMLElement & Partial<ContentOptions> = this;
    const isModified = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    const checked =
      linkHandler && !isModified ? this.viewContext.checkLink(url, link.textContent) : null;
    if (checked && linkHandler?.(checked, event) === true) event.preventDefault();
    this.dispatchEvent(new UbikLinkOpenedEvent(detail));
  };

  /** Dispatches `ubik-image-loaded` for a remote image in a message. Other images have `blob:` URLs of files or `data:` URLs of the text. */
  readonly #handleLoad = (event: Event): void => {
    const image = event.target as HTMLImageElement;
    const { currentSrc: url } = image;
    if (/^https?:/.test(url) && isContentOf(this, image))
      this.dispatchEvent(new UbikImageLoadedEvent({ url }));
  };
}

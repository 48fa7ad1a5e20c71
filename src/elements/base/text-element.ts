import type { PropertyDeclarations, PropertyValues } from 'lit';
import type { LinkHandler, RenderFence } from '../../markdown/options.js';
import { lazyMarkdown } from '../../message/lazy-markdown.js';
import { BaseElement } from './base-element.js';
import { dispatchDiagnostic } from './controller-events.js';
import type { ContentOptions, TextOptions } from './view-context.js';

/** Options whose change requires rendering the text again; so does `renderFence` when it is set or removed. */
const REDRAWING_OPTIONS = [
  'imagePolicy',
  'linkBase',
  'linkSchemes',
  'html',
  'markdownExtensions',
  'errorDetails',
] as const satisfies (keyof ContentOptions)[];

/** The base of the elements that show Markdown: declares the options for it. */
export abstract class TextElement extends BaseElement implements TextOptions {
  static override properties: PropertyDeclarations = {
    imagePolicy: { attribute: 'image-policy' },
    linkBase: { attribute: 'link-base' },
    linkSchemes: { attribute: false },
    linkHandler: { attribute: false },
    html: {},
    renderFence: { attribute: false },
    markdownExtensions: { attribute: false },
    assetsUrl: { attribute: 'assets-url' },
  };

  /**
   * The images that are loaded without a click: none (`link`, the default), `data:` images (`data`), or also those of the origins after
   * `allow`, such as `allow https://files.example/pictures/`.
   */
  imagePolicy: 'link' | 'data' | `allow${string}` = 'link';
  /** Base URL of relative links. Without it, relative links are shown as text. */
  linkBase = '';
  /**
   * Schemes of links besides `http`, `https`, `mailto` and `tel`. Those that run code or read data, such as `javascript`, are ignored, and
   * `ubik-diagnostic` is dispatched.
   */
  linkSchemes: readonly string[] | undefined;
  /** Called after `ubik-link-open`. Follows a link in place of the browser, for example with the router of the page; returns true when it has. */
  linkHandler: LinkHandler | undefined;
  /** Raw HTML: `text` (default) or `sanitized`. */
  html: 'text' | 'sanitized' = 'text';
  /** Draws fenced code blocks, such as diagrams, even while they are growing. */
  renderFence: RenderFence | undefined;
  /** Extensions of `marked`, which draw closed blocks of Markdown: `[markedAlert(), markedEmoji(…)]`. */
  markdownExtensions: readonly object[] | undefined;
  /** Folder of the optional modules (`charts.js` and others); by default `extras` beside the script. */
  assetsUrl = '';

  protected override willUpdate(changed: PropertyValues): void {
    // Replacing one function by another does not count, because frameworks create a new function in each rendering.
    const isDrawingChanged =
      changed.has('renderFence') && !(changed.get('renderFence') && this.renderFence);
    if (
      this.hasUpdated &&
      (isDrawingChanged || REDRAWING_OPTIONS.some((name) => changed.has(name)))
    )
      this.invalidateContent();
    if (changed.has('linkSchemes'))
      lazyMarkdown.whenLoaded(({ checkLinkSchemes }) =>
        checkLinkSchemes(this.linkSchemes, (error) => dispatchDiagnostic(this, error)),
      );
  }
}

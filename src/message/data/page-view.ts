import { css, html, nothing, render } from 'lit';
import { element } from '../../dom/element.js';
import { pageStrings } from '../../locales/en-page.js';
import { addDefaultStrings } from '../../locales/locale.js';
import type { PartOf } from '../../model/part.js';
import { truncate } from '../../dom/truncate.js';
import { renderContentText, setLang } from '../content-lang.js';
import type { MessageScope } from '../part-view.js';
import { BasePartView } from '../parts/base-part-view.js';

addDefaultStrings(pageStrings);

/** Maximum number of UTF-16 units of a title and of a URL that are shown. */
const MAX_TITLE_LENGTH = 200;
const MAX_SHOWN_URL_LENGTH = 300;

/**
 * Permissions of the frame. Never add `allow-same-origin` to `allow-scripts`, because a page of our own origin could then remove its
 * sandbox. Without it, the page has an opaque origin, and no access to cookies and storage of its site.
 */
const SANDBOX = 'allow-scripts allow-forms';

const styles = css`
  .embed {
    padding: calc(0.75 * var(--_ubik-rem)) var(--_ubik-rem);
    border: var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
    > .title {
      display: block;
    }
    > .buttons {
      margin-block-start: calc(0.5 * var(--_ubik-rem));
    }
    iframe {
      display: block;
      width: 100%;
      height: calc(26 * var(--_ubik-rem));
      min-height: 320px;
      max-height: 80vh;
      margin-block-start: calc(0.75 * var(--_ubik-rem));
      border: var(--_border);
      border-radius: var(--_control-radius);
      /* A page without a background of its own expects white below its text. */
      background: #fff;
      color-scheme: light;
      resize: vertical;
    }
    @media print {
      .buttons,
      iframe {
        display: none;
      }
    }
  }
`;

/**
 * Renders a web page as a card with its title and URL. The page is loaded in a sandboxed frame only when the user requests it. URLs other
 * than https, or http of the host page's origin, are shown as text only.
 */
export class PageView extends BasePartView<'page'> {
  static readonly styles = [styles];
  #frame: HTMLIFrameElement | null = null;
  /** The URL that the frame shows. */
  #loadedUrl = '';
  #isBlocked = false;

  constructor(part: PartOf<'page'>, scope: MessageScope) {
    super(part, scope, element('div', 'embed'));
    this.renderNow();
  }

  override dispose(): void {
    super.dispose();
    this.#unload();
  }

  protected override render(): void {
    const { locale } = this.context;
    const { title, url } = this.part;
    const link = isEmbeddable(url) ? this.context.checkLink(url) : null;
    // A new URL requires the user's consent again.
    if (this.#frame && link?.href !== this.#loadedUrl) this.#unload();
    const host = link?.host ?? '';
    const name = title || host;
    const toggle = this.text(this.#frame ? 'embedHide' : 'embedShow');
    const address = truncate(link?.href ?? url, MAX_SHOWN_URL_LENGTH);
    render(
      html`<span class="title">
          ${title ? renderContentText(truncate(title, MAX_TITLE_LENGTH), locale) : this.text('dataPage')}
        </span>
        <bdi class="meta" dir="ltr">${address}</bdi>
        ${
          link
            ? html`<div class="buttons">
                <button
                  class="quiet"
                  type="button"
                  aria-expanded=${this.#frame !== null}
                  aria-label="${toggle} ${name}"
                  @click=${this.#handleToggle}
                >
                  ${toggle}
                </button>
                <a
                  href=${link.href}
                  target="_blank"
                  rel="noopener noreferrer nofollow ugc"
                  aria-label="${this.text('embedOpen')} ${name}"
                  >${this.text('embedOpen')}</a
                >
              </div>`
            : nothing
        }
        ${this.#renderNote(host)} ${this.#frame ?? nothing}`,
      this.node,
    );
    if (this.#frame) {
      this.#frame.title = name;
      setLang(this.#frame, title ? locale.contentLang : undefined);
    }
  }

  #renderNote(host: string): unknown {
    if (this.#isBlocked) return html`<p class="note">${this.text('embedBlocked', { host })}</p>`;
    if (this.#frame) return nothing;
    return html`<p class="note">
      ${host ? this.text('embedSandbox', { host }) : this.text('embedRefused')}
    </p>`;
  }

  readonly #handleToggle = (): void => {
    if (this.#frame) this.#unload();
    else this.#load();
    this.renderNow();
  };

  #load(): void {
    const link = this.context.checkLink(this.part.url);
    if (!link) return;
    document.addEventListener('securitypolicyviolation', this.#handleViolation);
    this.#loadedUrl = link.href;
    this.#frame = element('iframe');
    this.#frame.setAttribute('sandbox', SANDBOX);
    this.#frame.setAttribute('referrerpolicy', 'no-referrer');
    this.#frame.src = link.href;
  }

  #unload(): void {
    document.removeEventListener('securitypolicyviolation', this.#handleViolation);
    this.#frame = null;
    this.#loadedUrl = '';
    this.#isBlocked = false;
  }

  /**
   * The browser shows an empty frame if `frame-src` of the host page does not list the origin. It reports the blocked URL without its
   * fragment, or only the origin of the URL.
   */
  readonly #handleViolation = (event: SecurityPolicyViolationEvent): void => {
    const { effectiveDirective, blockedURI, disposition } = event;
    const isFrame = /^(?:frame|child)-src$|^default-src$/.test(effectiveDirective);
    const url = new URL(this.#loadedUrl);
    url.hash = '';
    const isLoaded = [url.href, url.origin].includes(blockedURI);
    // A report-only policy blocks nothing.
    if (!isFrame || !isLoaded || disposition !== 'enforce') return;
    this.#isBlocked = true;
    this.scheduleRender();
  };
}

/** Whether a URL may be shown in a frame: https, or http of the host page's origin, such as that of a local server. */
function isEmbeddable(address: string): boolean {
  try {
    const { protocol, origin } = new URL(address);
    return protocol === 'https:' || (protocol === 'http:' && origin === window.location.origin);
  } catch {
    // An invalid or relative URL.
    return false;
  }
}

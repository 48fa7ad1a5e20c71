import { css, html, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import type { UbikDiagnosticEvent, UbikErrorEvent } from '../../events/index.js';
import { copyText } from '../../dom/copy-text.js';
import { debugStrings } from '../../locales/en-debug.js';
import { addDefaultStrings, type StringName } from '../../locales/locale.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { VERSION } from '../define-element.js';
import { adoptSheets } from '../styles/styles.js';

addDefaultStrings(debugStrings);

/** The properties of a chat that the panel reports. */
export interface DebuggedOptions {
  readonly debug: boolean;
  readonly service: string;
  readonly baseUrl: string;
  readonly backend: unknown;
  readonly controller: unknown;
  /** The panel only reads whether it is set, and never calls it. */
  readonly getToken: unknown;
}

/** The chat that the panel reports about. */
export type DebuggedHost = ConnectedHost<LitElement & DebuggedOptions>;

/** Number of errors that are shown. */
const MAX_ERRORS = 5;
/** Maximum number of policy violations that are shown. */
const MAX_VIOLATIONS = 10;

/** One entry of the panel: the string that labels it, and its values. */
type Line = readonly [name: StringName, ...values: string[]];

/**
 * The debug panel of a chat, for the developer of the host page: version, service, state of the token, findings about the
 * Content-Security-Policy and CORS, and the last errors. It only observes the events of the chat and the policy violations of the page. It
 * cannot reveal the token: it does not call `getToken`, and it shows URLs without their queries, which may contain a token.
 */
export class DebugPanel implements ReactiveController {
  readonly #host: DebuggedHost;
  readonly #violations = new Set<string>();
  #errors: readonly string[] = [];
  /** The last report that the browser has blocked a request to the service; empty when there is none. */
  #blocked = '';
  #tokenState: StringName = 'debugTokenUnused';

  constructor(host: DebuggedHost) {
    this.#host = host;
    const { element } = host;
    element.addEventListener('ubik-error', this.#handleError);
    element.addEventListener('ubik-diagnostic', this.#handleError);
    element.addEventListener('ubik-auth-required', () => {
      // This event also follows a failure of `getToken`; then the more precise state is kept.
      if (this.#tokenState !== 'debugTokenFailed') this.#setTokenState('debugTokenRejected');
    });
    const handleSuccess = (): void => {
      this.#setTokenState('debugTokenAccepted');
    };
    element.addEventListener('ubik-thread-created', handleSuccess);
    element.addEventListener('ubik-message-sent', handleSuccess);
    element.addEventListener('ubik-thread-opened', ({ detail }) => {
      // A new thread, which has no id, is opened without a request.
      if (detail.threadId !== null) handleSuccess();
    });
    adoptSheets(element.renderRoot, [debugStyles]);
    element.addController(this);
  }

  hostConnected(): void {
    const { ownerDocument } = this.#host.element;
    ownerDocument.addEventListener('securitypolicyviolation', this.#handleViolation);
  }

  hostDisconnected(): void {
    const { ownerDocument } = this.#host.element;
    ownerDocument.removeEventListener('securitypolicyviolation', this.#handleViolation);
  }

  /** Renders the panel. */
  render(): TemplateResult {
    const { locale } = this.#host.context;
    const { text } = locale;
    /* eslint-disable lit-a11y/accessible-name -- The label is set as a property, because a copy replaces the text of the button. */
    return html`<section class="debug" aria-label=${text('debug')}>
      <dl>
        ${this.#lines.map(
          ([name, ...values]) =>
            html`<dt>${text(name)}</dt>
              ${values.map((value) => html`<dd dir="auto">${value}</dd>`)}`,
        )}
      </dl>
      <button
        class="quiet"
        type="button"
        .textContent=${text('debugCopy')}
        @click=${this.#handleCopy}
      ></button>
    </section>`;
    /* eslint-enable */
  }

  get #lines(): readonly Line[] {
    const { text } = this.#host.context.locale;
    const none = text('debugNone');
    return [
      ['debugVersion', `ubik-elements ${VERSION}`],
      ['debugService', ...this.#describeService()],
      ['debugToken', ...this.#describeToken()],
      ['debugPolicy', ...listOr(this.#violations, text('debugNothingFound'))],
      ['debugCors', this.#describeCors()],
      ['debugErrors', ...listOr(this.#errors, none)],
    ];
  }

  #describeService(): readonly string[] {
    const { service, backend, controller } = this.#host.element;
    const { text } = this.#host.context.locale;
    if (controller || backend) return [text('debugByPage')];
    const address = this.#address;
    return [service, address ? withoutQuery(address) : text('debugDefault')];
  }

  #describeToken(): readonly string[] {
    const { getToken, backend, controller } = this.#host.element;
    const { text } = this.#host.context.locale;
    if (controller || backend) return [text('debugByPage')];
    const state = text(this.#tokenState);
    if (getToken) return [state];
    const isUnused = this.#tokenState === 'debugTokenUnused';
    return [text('debugTokenMissing'), ...(isUnused ? [] : [state])];
  }

  #describeCors(): string {
    const { text } = this.#host.context.locale;
    if (this.#blocked) return this.#blocked;
    const address = this.#address;
    const isSameOrigin = address && new URL(address).origin === location.origin;
    return text(isSameOrigin ? 'debugSameOrigin' : 'debugNothingFound');
  }

  /** The absolute base URL; empty when the page sets none, or an invalid one. */
  get #address(): string {
    const { baseUrl } = this.#host.element;
    const { baseURI } = document;
    return baseUrl && URL.canParse(baseUrl, baseURI) ? new URL(baseUrl, baseURI).href : '';
  }

  readonly #handleError = (event: UbikErrorEvent | UbikDiagnosticEvent): void => {
    const { code, message } = event.detail;
    const status = 'status' in event.detail ? event.detail.status : null;
    // HH:MM:SS in UTC.
    const time = new Date(this.#host.context.clock.now()).toISOString().slice(11, 19);
    const fields = [time, code, status, withoutQueries(message)];
    const line = fields.filter((field) => field !== null && field !== '').join(' ');
    this.#errors = [line, ...this.#errors].slice(0, MAX_ERRORS);
    if (code === 'blocked') this.#blocked = withoutQueries(message);
    // A failure of `getToken` is recognized by the beginning of its message, because other errors have the same code.
    if (message.startsWith('getToken ')) this.#setTokenState('debugTokenFailed');
    else if (code === 'unauthorized') this.#setTokenState('debugTokenRejected');
    this.#host.requestUpdate();
  };

  readonly #handleViolation = (event: SecurityPolicyViolationEvent): void => {
    if (this.#violations.size >= MAX_VIOLATIONS) return;
    const { effectiveDirective: directive, blockedURI } = event;
    const url = withoutQuery(blockedURI);
    this.#violations.add(this.#host.context.locale.text('debugBlocked', { directive, url }));
    this.#host.requestUpdate();
  };

  readonly #handleCopy = ({ currentTarget }: Event): void => {
    const { text } = this.#host.context.locale;
    const report = this.#lines.flatMap(([name, ...values]) => [text(name), ...values, '']);
    const strings = { copied: text('copied'), copyFailed: text('copyFailed') };
    copyText(currentTarget as Element, report.join('\n'), strings);
  };

  #setTokenState(state: StringName): void {
    this.#tokenState = state;
    this.#host.requestUpdate();
  }
}

function listOr(lines: Iterable<string>, fallback: string): readonly string[] {
  const all = [...lines];
  return all.length > 0 ? all : [fallback];
}

/** Returns a URL without user, query and fragment, which may contain credentials. Keywords such as `inline` are returned unchanged. */
function withoutQuery(address: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, host, pathname } = new URL(address);
  return host ? `${protocol}//${host}${pathname}` : `${protocol}${pathname}`;
}

/** Removes users, queries and fragments from the URLs in a text. */
function withoutQueries(text: string): string {
  return text.replace(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/gi, withoutQuery);
}

const debugStyles = css`
  .debug {
    flex: none;
    max-height: 40%;
    overflow: auto;
    margin: calc(0.5 * var(--_ubik-rem)) var(--_ubik-rem);
    padding: calc(0.5 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem));
    border: 1px dashed var(--_field-line);
    border-radius: var(--_radius);
    background: var(--_surface);
    font: 12px/1.5 var(--_mono);
  }
  .debug dl {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0 var(--_ubik-rem);
    margin: 0;
  }
  .debug dt {
    grid-column: 1;
    color: var(--_muted);
  }
  .debug dd {
    grid-column: 2;
    margin: 0;
  }
`;

import { css, html, nothing, render } from 'lit';
import { copyText } from '../dom/copy-text.js';
import { element } from '../dom/element.js';
import { addSheets } from '../dom/sheets.js';
import { errorStrings } from '../locales/en-errors.js';
import { addDefaultStrings } from '../locales/locale.js';
import type { ErrorFields } from '../model/part.js';
import { createButton } from './buttons.js';
import { explainCode } from './explain-error.js';
import { createPayloadView } from './json-view.js';
import type { ViewContext } from './part-view.js';
import { memoizeElement } from './parts/base-part-view.js';

addDefaultStrings(errorStrings);

const errorDetailsStyles = css`
  .error-details details,
  .error-details details > :not(summary) {
    margin-block-start: calc(0.375 * var(--_ubik-rem));
  }
`;

/** The fields of an error part or of a rejected request that its details show or copy. */
type ErrorReport = Pick<ErrorFields, 'message' | 'code' | 'advice' | 'details'>;

/** Ids by which the operators of the service find an error in their logs. They are copied, but not shown. */
interface ErrorSource {
  /** Id of the message. */
  readonly id?: string | null;
  readonly runId?: string | null;
}

/**
 * Credentials in error reports: a scheme with its value, and JSON Web Tokens. In JSON, the header may be a list or an entry with `value`. Before
 * a credential, and between a scheme and its value, there may be an escape of JSON or of a URL, whose last character may be a letter: `\n`,
 * `\u0022`, `%3D`. Also matches a word that begins like a token and has no dot, which is not redacted: a match skips the whole word, while a new
 * search at each of its hyphens would take quadratic time.
 */
const CREDENTIALS =
  /(authorization\W{1,40}(?:value\W{1,9})?)?(?:(?<![a-z])|(?<=\\[bfnrt]|\\u[\da-f]{4}|%[\da-f]{2}))(Bearer|Basic)(?:\s|\\[nrt]|\\u00(?:20|0[9ad])|%20|\+)+([\w.~+/=-][\w.~+/=|:%@$-]*)|(?:\b|(?<=\\[bfnrt]|\\u[\da-f]{4}|%[\da-f]{2}|_))eyJ[\w-]+(?:\.[\w-]+(?:\.[\w-]*)?)?/giu;

/** A word after "bearer" or "basic" in a sentence ("The basic plan."), or the first parameter of a challenge (`Bearer realm="…"`). */
const WORD = /^[A-Z]?[a-z]{0,15}[.=:]?$/;

/** Redacts what looks like a credential, because details are pasted into tickets and chats. */
export function redactCredentials(text: string): string {
  return text.replace(
    CREDENTIALS,
    (all: string, header: string | undefined, scheme: string | undefined, value: string) => {
      if (!scheme) return all.includes('.') ? '[token]' : all;
      return !header && WORD.test(value) ? all : `${header ?? ''}${scheme} [token]`;
    },
  );
}

/**
 * A disclosure below an error: the error code of the service, the details that the service has sent (if the host page allows them), and a button
 * that copies everything. Empty for an error without a code and without details to show.
 */
export class ErrorDetails {
  readonly node = element('div', 'error-details');
  readonly #context: ViewContext;
  readonly #copyButton: HTMLElement;
  readonly #payloadViewOf: (text: string) => HTMLElement;
  #report: ErrorReport = { message: '', details: null };
  #source: ErrorSource = {};

  constructor(context: ViewContext) {
    this.#context = context;
    this.#payloadViewOf = memoizeElement(context, createPayloadView);
    const { shadowRoot } = context.host;
    if (shadowRoot) addSheets(shadowRoot, [errorDetailsStyles]);
    this.#copyButton = createButton('', () => {
      const { text } = context.locale;
      const strings = { copied: text('copied'), copyFailed: text('copyFailed') };
      copyText(this.#copyButton, this.#toText(), strings);
    });
  }

  /** Renders the details of an error. Keeps the disclosure open or closed. */
  render(report: ErrorReport, source: ErrorSource = {}): void {
    this.#report = report;
    this.#source = source;
    const { text } = this.#context.locale;
    const { code } = report;
    const details = this.#allowedDetails;
    this.#copyButton.textContent = text('errorCopy');
    render(
      code || details
        ? html`<details>
            <summary>${text('errorDetails')}</summary>
            ${code ? html`<p>${text('errorCode', { code })}</p>` : nothing}
            ${details ? this.#payloadViewOf(details) : nothing} ${this.#copyButton}
          </details>`
        : nothing,
      this.node,
    );
  }

  get #allowedDetails(): string {
    return this.#context.errorDetails ? redactCredentials(this.#report.details ?? '') : '';
  }

  /** Returns the error as plain text for the operators of the service: the shown message, code and ids in logfmt, and the details. */
  #toText(): string {
    const { message, advice, code } = this.#report;
    const { runId: run, id } = this.#source;
    const reason = message || explainCode('run-failed', this.#context.locale);
    const values = Object.entries({ code, run, message: id });
    const ids = values.flatMap(([name, value]) => (value ? [`${name}=${value}`] : []));
    const lines = [[reason, advice].filter(Boolean).join(' '), ids.join(' ')];
    const text = redactCredentials(lines.filter(Boolean).join('\n'));
    return [text, this.#allowedDetails].filter(Boolean).join('\n\n');
  }
}

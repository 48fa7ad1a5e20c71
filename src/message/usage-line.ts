import { css } from 'lit';
import { addSheets } from '../dom/sheets.js';
import { element } from '../dom/element.js';
import { usageStrings } from '../locales/en-usage.js';
import { addDefaultStrings, type Locale } from '../locales/locale.js';
import type { MessageUsage } from '../model/message.js';
import type { ViewContext } from './part-view.js';

addDefaultStrings(usageStrings);

const usageStyles = css`
  .usage {
    overflow: hidden;
    min-width: 0;
    margin-inline-start: auto;
    padding-inline-start: calc(0.5 * var(--_ubik-rem));
    font-variant-numeric: tabular-nums;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`;

/** Returns the seconds and tokens of an answer as one line; empty when both are unknown. */
export function describeUsage({ seconds, tokens }: MessageUsage, locale: Locale): string {
  const values = [
    seconds === null ? '' : locale.duration(seconds * 1000),
    tokens === null ? '' : locale.text('usageTokens', { count: tokens }),
  ];
  return values.filter(Boolean).join(' · ');
}

/** The seconds and tokens of an answer, as small text at the end of its footer. */
export class UsageLine {
  readonly node = element('span', 'meta usage');
  readonly #context: ViewContext;

  constructor(context: ViewContext) {
    this.#context = context;
    const { shadowRoot } = context.host;
    if (shadowRoot) addSheets(shadowRoot, [usageStyles]);
  }

  /** Renders the values; hides the line when both are unknown. */
  render(usage: MessageUsage): void {
    const { locale } = this.#context;
    const text = describeUsage(usage, locale);
    this.node.hidden = text === '';
    if (this.node.textContent !== text) this.node.textContent = text;
  }
}

import { html, nothing, type TemplateResult } from 'lit';
import type { Locale } from '../../locales/locale.js';
import { explainCode } from '../../message/explain-error.js';
import type { ThreadPages } from './thread-pages.js';

/** What is at the end of the list. */
export interface ListEnd {
  readonly pages: ThreadPages;
  /** How many conversations were read. */
  readonly size: number;
  /** How many of them are shown. */
  readonly found: number;
  readonly isSearched: boolean;
}

/** What is said at the end of the list of conversations, with the way to more of them. */
export function renderFooter(
  { pages, size, found, isSearched }: ListEnd,
  locale: Locale,
  read: () => void,
): TemplateResult {
  const say = (words: string) => html`<p class="meta" dir="auto">${words}</p>`;
  const ask = (words: string, button: string) =>
    html`<p class="line">
      <span class="words" dir="auto">${words}</span>
      <button class="quiet" type="button" @click=${read}>${button}</button>
    </p>`;
  let line: unknown = nothing;
  if (pages.isLoading) line = say(locale.text('threadsLoading'));
  else if (pages.failure) line = ask(explainCode(pages.failure, locale), locale.text('retry'));
  else if (isSearched) {
    const words = locale.text('threadSearched', { count: size });
    line = pages.hasMore ? ask(words, locale.text('threadsMore')) : say(words);
  } else if (found === 0) line = say(locale.text('threadsNone'));
  const none = isSearched && found === 0 ? say(locale.text('threadsNotFound')) : nothing;
  return html`${none}${line}`;
}

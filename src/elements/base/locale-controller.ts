import type { LitElement, ReactiveController } from 'lit';
import { onLanguageChange, findContentLanguage, findLanguage } from '../../dom/language.js';
import { loadLanguage } from '../../locales/languages.js';
import { findLocale, onLocaleChange, type Locale } from '../../locales/locale.js';
import { resolveDir } from './view-context.js';
import { dispatchMissingLanguage } from './controller-events.js';

/**
 * The locale and writing direction of an element. Observes the nearest `lang` and `dir` attributes of the host page, and the locales that
 * are registered or loaded.
 */
export class LocaleController implements ReactiveController {
  readonly #element: LitElement;
  readonly #onChange: (isRegistered: boolean) => void;
  /** BCP 47 tag of the language of the interface; undefined before it is read, and after `reset`. */
  #lang: string | undefined;
  /** The locale of `#lang`; undefined before it is looked up, and after `reset`. Cached, because views read it in each frame. */
  #locale: Locale | undefined;
  /** The language that the host page declares for its content. */
  #contentLang = '';
  /** The `dir` that was rendered last. */
  #dir: 'rtl' | undefined;
  #stop: readonly (() => void)[] = [];

  /** `onChange` is called when rendered text is outdated; `isRegistered` is true when a locale was registered or has loaded. */
  constructor(element: LitElement, onChange: (isRegistered: boolean) => void) {
    this.#element = element;
    this.#onChange = onChange;
    element.addController(this);
  }

  /** The element's locale; English until its strings have loaded. */
  get locale(): Locale {
    if (this.#locale) return this.#locale;
    const element = this.#element;
    this.#lang = findLanguage(element);
    this.#contentLang = findContentLanguage(element);
    if (element.isConnected) {
      loadLanguage(this.#lang)?.catch((cause: unknown) => {
        dispatchMissingLanguage(element, this.#lang, cause);
      });
    }
    return (this.#locale = findLocale(this.#lang, this.#contentLang));
  }

  /** Invalidates the language, so that it is read again from the host page. */
  reset(): void {
    this.#lang = this.#locale = undefined;
  }

  /** Returns the `dir` to render: `rtl` for a right-to-left language, unless the host page declares a direction. */
  renderDir(): 'rtl' | undefined {
    return (this.#dir = resolveDir(this.#element, this.locale));
  }

  hostConnected(): void {
    // The element may have moved to a place with another language.
    const isMoved = this.#lang !== undefined && this.#isOutdated;
    this.reset();
    this.#stop = [
      onLocaleChange(() => {
        this.#onChange(true);
      }),
      onLanguageChange(this.#element, () => {
        if (this.#isOutdated) this.#onChange(false);
      }),
    ];
    if (isMoved) this.#onChange(false);
  }

  hostDisconnected(): void {
    for (const stop of this.#stop) stop();
  }

  /** Whether the host page declares another language or direction than the rendered one. */
  get #isOutdated(): boolean {
    return (
      this.#lang !== findLanguage(this.#element) ||
      this.#contentLang !== findContentLanguage(this.#element) ||
      this.#dir !== resolveDir(this.#element, this.locale)
    );
  }
}

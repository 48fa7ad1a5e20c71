import { element } from '../../dom/element.js';
import type { Locale } from '../../locales/locale.js';
import type { Message } from '../../model/message.js';
import { setContentLocale } from '../../message/content-lang.js';

/** What was asked last, as plain text: shown until what draws messages is there, however slow the network is. */
export class PlainQuestion {
  readonly node = element('p', 'asked');

  constructor() {
    this.node.hidden = true;
  }

  /** Writes the newest question of a way. */
  show(path: readonly Message[], locale: Locale): void {
    setContentLocale(this.node, locale);
    const parts = path.filter(({ role }) => role === 'user').at(-1)?.parts;
    const texts = parts?.children(null).map((key) => parts.get(key)?.text?.read() ?? '') ?? [];
    this.node.textContent = texts.join('\n');
    this.node.hidden = this.node.textContent === '';
  }
}

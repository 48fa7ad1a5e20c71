import { element } from '../internal/element.js';
import type { Message } from '../model/message.js';
import type { ViewContext } from './part-view.js';

/** What stands above a message: where a restored way began, and the files that went with a question. */
export function renderOrigin(message: Message, { locale }: ViewContext): readonly HTMLElement[] {
  const { origin, attachments } = message;
  const lines: HTMLElement[] = [];
  if (origin) {
    const words = [locale.text('startedFrom', { name: origin.checkpoint })];
    if (origin.hint) words.push(locale.text('startedHint', { hint: origin.hint }));
    lines.push(element('p', 'note', words.join(' ')));
  }
  if (attachments.length > 0) {
    const list = element('ul', 'chips');
    list.setAttribute('aria-label', locale.text('attachments'));
    list.append(...attachments.map(({ name }) => element('li', 'chip', element('bdi', '', name))));
    lines.push(list);
  }
  return lines;
}

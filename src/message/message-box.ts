import { element } from '../dom/element.js';
import type { Locale } from '../locales/locale.js';
import type { Message } from '../model/message.js';

/** The box of a message, as its view and its outline have it. */
export function createMessageElement(
  { role }: Message,
  locale: Locale,
  ...content: readonly (Node | string)[]
): HTMLElement {
  const isUser = role === 'user';
  const node = element('article', `message ${role}`, ...content);
  node.part.add('message', isUser ? 'question' : 'answer');
  node.ariaLabel = locale.text(isUser ? 'you' : 'agent');
  return node;
}

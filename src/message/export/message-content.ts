import { createLazyMarkdown } from '../lazy-markdown.js';
import { listMarkdown } from '../message-formats.js';
import { textKeys } from '../parts/text-view.js';
import type { MessageScope } from '../part-view.js';
import { DetachedMarkdown } from './detached-markdown.js';

/**
 * Returns elements with the content that is copied or read aloud: the texts and data that are part of the message's Markdown. Texts are the
 * elements shown in `node`; data, and parts that a renderer of the host page shows, are rendered from their Markdown.
 */
export function findContent(
  { message, context }: Pick<MessageScope, 'message' | 'context'>,
  node: Element | null,
): Element[] {
  const shown = new Map(
    [...(node?.querySelectorAll('.text') ?? [])].map((text) => [textKeys.get(text), text]),
  );
  const markdown = new DetachedMarkdown(context.locale, createLazyMarkdown);
  return listMarkdown(message, context.renderers).map(
    ({ key, text, isHosted }) => (isHosted ? undefined : shown.get(key)) ?? markdown.render(text),
  );
}

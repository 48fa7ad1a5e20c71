import { html, nothing, type TemplateResult } from 'lit';
import type { Locale } from '../../locales/locale.js';
import type { Message } from '../../model/message.js';
import { workDuration } from '../../message/work-duration.js';

/** What is known of a message: its exact time, and how long its steps and tools took. What is not known is not there. */
export function renderFacts(message: Message, locale: Locale): TemplateResult {
  const { createdAt } = message;
  const time = createdAt === null ? null : new Date(createdAt);
  const format = new Intl.DateTimeFormat(locale.lang, { dateStyle: 'full', timeStyle: 'medium' });
  const work = workDuration(message);
  return html`${time && html`<time datetime=${time.toISOString()}>${format.format(time)}</time>`}${
    work === null
      ? nothing
      : html`<span>${locale.text('menuWorkTime', { time: locale.duration(work) })}</span>`
  }`;
}

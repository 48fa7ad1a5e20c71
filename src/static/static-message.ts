import { findCheckpointLabel } from '../message/checkpoint-label.js';
import { MAX_TITLE_LENGTH, shortCitationLabel } from '../message/citation.js';
import { truncate } from '../dom/truncate.js';
import { hasMarkdown } from '../message/message-formats.js';
import { describeOutcome } from '../message/answer-status.js';
import { collectSources, INITIAL_SOURCES } from '../message/source-list.js';
import type { Message } from '../model/message.js';
import type { CitationMark } from '../model/part.js';
import type { StaticBuilder } from './static-builder.js';
import { renderContent } from './static-parts.js';

/** Renders a message of a transcript with the structure of `MessageView`. */
export function renderStaticMessage(
  message: Message,
  messages: readonly Message[],
  builder: StaticBuilder,
): HTMLElement {
  const { locale } = builder;
  const isUser = message.role === 'user';
  return builder.create(
    'article',
    {
      // In a chat, each message has a menu. With this class, the style sheet reserves space for it below the message.
      class: `message ${message.role} has-actions`,
      part: `message ${isUser ? 'question' : 'answer'}`,
      'aria-label': locale.text(isUser ? 'you' : 'agent'),
    },
    renderHeader(message, messages, builder),
    builder.box('div', 'body', ...renderContent(message, builder)),
    isUser ? null : renderStatus(message, builder),
    renderFooter(message, builder),
  );
}

function renderHeader(
  { restoredFrom, contextTitle, attachments }: Message,
  messages: readonly Message[],
  builder: StaticBuilder,
): HTMLElement {
  const { locale } = builder;
  const { text } = locale;
  const header = builder.box('div', 'message-header');
  if (restoredFrom) {
    const { checkpoint, hint } = restoredFrom;
    const name = findCheckpointLabel(messages, checkpoint, locale);
    const restored = `${text('restoredFrom', { name })} ${hint ? text('restoredHint', { hint }) : ''}`;
    header.append(builder.box('p', 'note', restored));
  }
  if (contextTitle) {
    const chip = builder.box('span', 'chip', builder.contentText(contextTitle));
    header.append(builder.box('p', 'chips', chip));
  }
  if (attachments.length > 0) {
    const files = attachments.map(({ name }) =>
      builder.box('li', 'chip', builder.contentText(name)),
    );
    const list = { class: 'chips', 'aria-label': text('attachments') };
    header.append(builder.create('ul', list, ...files));
  }
  return header;
}

function renderStatus(message: Message, builder: StaticBuilder): HTMLElement {
  const outcome = describeOutcome(message, builder.locale);
  const line =
    outcome &&
    builder.box(
      'p',
      `note ${outcome.className}`.trim(),
      builder.glyph(outcome.icon),
      `${outcome.text} `,
    );
  const end = builder.box('div', 'status-line', line, renderSources(message, builder));
  return builder.box('div', 'message-status', end);
}

/** Renders the sources: the first ones as in a chat, the others in a disclosure. */
function renderSources(message: Message, builder: StaticBuilder): HTMLElement | null {
  const sources = collectSources(message);
  if (sources.length === 0) return null;
  const { text } = builder.locale;
  const createList = (marks: readonly CitationMark[]): HTMLElement =>
    builder.create('ol', {}, ...marks.map((mark) => renderSource(mark, builder)));
  const others = sources.slice(INITIAL_SOURCES);
  const showAll = text('showAll', { count: sources.length });
  return builder.create(
    'section',
    { class: 'sources', part: 'sources' },
    builder.create('h3', {}, text('sources')),
    createList(sources.slice(0, INITIAL_SOURCES)),
    others.length === 0
      ? null
      : builder.create('details', {}, builder.box('summary', 'quiet', showAll), createList(others)),
  );
}

function renderSource(mark: CitationMark, builder: StaticBuilder): HTMLElement {
  const link = mark.url ? builder.checkLink(mark.url) : null;
  const host = link?.host ?? '';
  const title = mark.title ?? host;
  const name = title
    ? builder.contentText(truncate(title, MAX_TITLE_LENGTH))
    : builder.create('bdi', {}, builder.locale.text('sourceUnnamed'));
  const named = link
    ? builder.create(
        'a',
        {
          class: 'title',
          href: link.href,
          target: '_blank',
          rel: 'noopener noreferrer nofollow ugc',
        },
        name,
      )
    : builder.box('span', 'title', name);
  return builder.create(
    'li',
    {},
    builder.box('span', 'cite-label', shortCitationLabel(mark)),
    ' ',
    builder.box(
      'span',
      'source',
      named,
      ...(host && host !== title ? [' ', builder.box('bdi', 'meta', host)] : []),
    ),
  );
}

/** Renders the footer, which reserves the space of the buttons that appear with the script. The style sheet makes the footer invisible. */
function renderFooter(message: Message, builder: StaticBuilder): HTMLElement {
  const canCopy = message.role === 'assistant' && hasMarkdown(message);
  const copy = canCopy ? builder.box('span', 'bare copy') : null;
  return builder.create('div', { class: 'message-footer', 'aria-hidden': 'true' }, copy);
}

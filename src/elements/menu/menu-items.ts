import { UbikError } from '../../errors.js';
import { messageMarkdown } from '../../message/message-text.js';
import { serializeHtml } from '../../message/export/serialize-html.js';
import { copyAs } from './copy-as.js';
import type { Feedback } from './feedback.js';
import type { MessageMenu } from './message-menu.js';
import { printPlain } from './plain-text.js';
import { canRead, isReading, readAloud, stopReading } from './read-aloud.js';
import { saveThread } from './save-thread.js';

/** One thing that can be done. Its words, and whether it is chosen, are asked for whenever the menu is drawn. */
export interface MenuItem {
  readonly words: () => string;
  /** Whether it holds; undefined when it is nothing that holds. */
  readonly checked?: () => boolean;
  readonly act: () => void;
}

/** Items that belong together. */
export interface MenuGroup {
  /** Empty when they need no name. */
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** What can be done with a message: what the browser, the page or the message does not allow is not there. */
export function listItems(menu: MessageMenu, feedback: Feedback): MenuGroup[] {
  const isAnswer = menu.message.role === 'assistant';
  const texts = textsOf(menu);
  const groups = [
    { label: '', items: [...listCopies(menu, texts), ...listLink(menu)] },
    { label: '', items: isAnswer ? listFeedback(menu, feedback) : [] },
    { label: '', items: isAnswer && canRead() && texts.length > 0 ? [readItem(menu, texts)] : [] },
    saveGroup(menu),
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/** The boxes of what was said, as they are drawn: not what was thought, nor what tools were given and gave. */
function textsOf({ button }: MessageMenu): Element[] {
  const body = button.closest('.message')?.querySelector('.body');
  return [...(body?.querySelectorAll('.text, :scope > .plain') ?? [])];
}

function listCopies(menu: MessageMenu, texts: readonly Element[]): MenuItem[] {
  const { locale } = menu.host.context;
  const markdown = messageMarkdown(menu.message);
  const plain = (): string => texts.map(printPlain).join('\n\n');
  const rich = (): string => texts.map(serializeHtml).join('');
  if (!markdown) return [];
  const copy = (words: () => string, act: () => Promise<boolean>): MenuItem => ({
    words,
    act: () => void tellOf(menu, act()),
  });
  if (menu.message.role === 'user') {
    return [
      copy(
        () => locale.text('menuCopyPlain'),
        () => copyAs({ plain: markdown }),
      ),
    ];
  }
  return [
    copy(
      () => locale.text('menuCopyMarkdown'),
      () => copyAs({ plain: markdown }),
    ),
    copy(
      () => locale.text('menuCopyRich'),
      () => copyAs({ plain: plain(), html: rich() }),
    ),
    copy(
      () => locale.text('menuCopyPlain'),
      () => copyAs({ plain: plain() }),
    ),
  ];
}

function listLink(menu: MessageMenu): MenuItem[] {
  const { host, message } = menu;
  const { messageLink } = host.element as { messageLink?: (one: typeof message) => unknown };
  let link: unknown;
  try {
    link = messageLink?.(message);
  } catch (cause) {
    host.context.report(new UbikError('renderer', { offender: 'messageLink', cause }));
  }
  if (typeof link !== 'string' || !link) return [];
  const plain = link;
  return [
    {
      words: () => host.context.locale.text('menuCopyLink'),
      act: () => void tellOf(menu, copyAs({ plain })),
    },
  ];
}

/** Says whether the clipboard has taken it. */
async function tellOf(menu: MessageMenu, copied: Promise<boolean>): Promise<void> {
  menu.tell('');
  const done = await copied;
  menu.tell(menu.host.context.locale.text(done ? 'menuCopied' : 'menuCopyFailed'));
}

function listFeedback({ host }: MessageMenu, feedback: Feedback): MenuItem[] {
  const { locale } = host.context;
  return (['up', 'down'] as const).map((rating) => ({
    words: () => locale.text(rating === 'up' ? 'menuGood' : 'menuBad'),
    checked: () => feedback.rating === rating,
    act: () => {
      feedback.choose(rating);
    },
  }));
}

function readItem(menu: MessageMenu, texts: readonly Element[]): MenuItem {
  const { host, message } = menu;
  return {
    words: () =>
      host.context.locale.text(isReading(message.key) ? 'menuStopReading' : 'menuReadAloud'),
    act: () => {
      if (isReading(message.key)) stopReading();
      else readAloud(message.key, texts, host.context.locale.lang);
      menu.close();
    },
  };
}

/** The whole conversation can be taken along at its end. */
function saveGroup(menu: MessageMenu): MenuGroup {
  const { host } = menu;
  const { locale } = host.context;
  const { head } = host.element as { head?: string | null };
  const isLast = [...host.element.renderRoot.querySelectorAll('.message')]
    .at(-1)
    ?.contains(menu.button);
  const formats = [
    ['markdown', 'menuExportMarkdown'],
    ['html', 'menuExportHtml'],
    ['json', 'menuExportJson'],
  ] as const;
  const items = formats.map(([format, name]) => ({
    words: () => locale.text(name),
    act: () => {
      saveThread(host, format, head ?? null).then(
        () => {
          menu.close();
        },
        () => {
          menu.tell(locale.text('menuExportFailed'));
        },
      );
    },
  }));
  return { label: locale.text('menuExport'), items: isLast ? items : [] };
}

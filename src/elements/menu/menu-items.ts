import { saveFile } from '../../dom/save-file.js';
import { UbikError } from '../../errors.js';
import { serializeHtml } from '../../message/export/serialize-html.js';
import { messageMarkdown } from '../../message/message-formats.js';
import type { Key } from '../../model/json.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { exportThread } from './export-thread.js';
import type { MessageFeedback } from './feedback.js';
import type { MessageMenu } from './message-menu.js';
import { printText } from './print-text.js';
import { canReadAloud, isReading, readAloud, stopReading } from './read-aloud.js';

/** One thing that can be done. Its words, and whether it is chosen, are asked for whenever the menu is drawn. */
export interface MenuItem {
  readonly label: () => string;
  /** Whether it holds; undefined when it is nothing that holds. */
  readonly checked?: () => boolean;
  readonly select: () => void;
}

/** Items that belong together. */
export interface MenuGroup {
  /** Empty when they need no name. */
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** What can be done with a message: what the browser, the page or the message does not allow is not there. */
export function createMenuGroups(menu: MessageMenu, feedback: MessageFeedback): MenuGroup[] {
  const isAnswer = menu.message.role === 'assistant';
  const texts = findTextNodes(menu);
  const groups = [
    { label: '', items: [...createCopyItems(menu, texts), ...createLinkItems(menu)] },
    { label: '', items: isAnswer ? createFeedbackItems(menu, feedback) : [] },
    {
      label: '',
      items:
        isAnswer && canReadAloud() && texts.length > 0 ? [createReadAloudItem(menu, texts)] : [],
    },
    createExportGroup(menu),
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/** The boxes of what was said, as they are drawn: not what was thought, nor what tools were given and gave. */
function findTextNodes({ button }: MessageMenu): Element[] {
  const body = button.closest('.message')?.querySelector('.body');
  return [...(body?.querySelectorAll('.text, :scope > .plain') ?? [])];
}

function createCopyItems(menu: MessageMenu, texts: readonly Element[]): MenuItem[] {
  const { locale } = menu.host.context;
  const markdown = messageMarkdown(menu.message);
  const plain = (): string => texts.map(printText).join('\n\n');
  const rich = (): string => texts.map(serializeHtml).join('');
  if (!markdown) return [];
  const copy = (words: () => string, act: () => Promise<boolean>): MenuItem => ({
    label: words,
    select: () => void showCopyResult(menu, act()),
  });
  if (menu.message.role === 'user') {
    return [
      copy(
        () => locale.text('menuCopyPlain'),
        () => writeClipboard({ plain: markdown }),
      ),
    ];
  }
  return [
    copy(
      () => locale.text('menuCopyMarkdown'),
      () => writeClipboard({ plain: markdown }),
    ),
    copy(
      () => locale.text('menuCopyRich'),
      () => writeClipboard({ plain: plain(), html: rich() }),
    ),
    copy(
      () => locale.text('menuCopyPlain'),
      () => writeClipboard({ plain: plain() }),
    ),
  ];
}

function createLinkItems(menu: MessageMenu): MenuItem[] {
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
      label: () => host.context.locale.text('menuCopyLink'),
      select: () => void showCopyResult(menu, writeClipboard({ plain })),
    },
  ];
}

/** Says whether the clipboard has taken it. */
async function showCopyResult(menu: MessageMenu, copied: Promise<boolean>): Promise<void> {
  menu.showStatus('');
  const done = await copied;
  menu.showStatus(menu.host.context.locale.text(done ? 'menuCopied' : 'menuCopyFailed'));
}

function createFeedbackItems({ host }: MessageMenu, feedback: MessageFeedback): MenuItem[] {
  const { locale } = host.context;
  return (['up', 'down'] as const).map((rating) => ({
    label: () => locale.text(rating === 'up' ? 'menuGood' : 'menuBad'),
    checked: () => feedback.rating === rating,
    select: () => {
      feedback.choose(rating);
    },
  }));
}

function createReadAloudItem(menu: MessageMenu, texts: readonly Element[]): MenuItem {
  const { host, message } = menu;
  return {
    label: () =>
      host.context.locale.text(isReading(message.key) ? 'menuStopReading' : 'menuReadAloud'),
    select: () => {
      if (isReading(message.key)) stopReading();
      else readAloud(message.key, texts, host.context.locale.lang);
      menu.close();
    },
  };
}

/** The whole conversation can be taken along at its end. */
function createExportGroup(menu: MessageMenu): MenuGroup {
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
    label: () => locale.text(name),
    select: () => {
      saveThread(host, format, head ?? null).then(
        () => {
          menu.close();
        },
        () => {
          menu.showStatus(locale.text('menuExportFailed'));
        },
      );
    },
  }));
  return { label: locale.text('menuExport'), items: isLast ? items : [] };
}

/** Writes to the clipboard, as plain text and, where it is given, as HTML. False when the browser does not allow it. */
export async function writeClipboard({
  plain,
  html,
}: {
  plain: string;
  html?: string;
}): Promise<boolean> {
  const { clipboard } = navigator;
  try {
    if (html === undefined) await clipboard.writeText(plain);
    else {
      const blob = (text: string, type: string): Blob => new Blob([text], { type });
      const item = new ClipboardItem({
        'text/html': blob(html, 'text/html'),
        'text/plain': blob(plain, 'text/plain'),
      });
      await clipboard.write([item]);
    }
    return true;
  } catch {
    // No right, no focus, no secure page, or no such clipboard: for the person it is the same.
    return false;
  }
}

const FILE_TYPES = {
  markdown: ['md', 'text/markdown'],
  html: ['html', 'text/html'],
  json: ['json', 'application/json'],
} as const;

/** Writes the conversation that is shown to a file of the person's. Rejects when it cannot be written. */
export async function saveThread(
  { controller, context }: ConnectedHost,
  format: keyof typeof FILE_TYPES,
  head: Key | null,
): Promise<void> {
  if (!controller) return;
  const { lang, contentLang = lang } = context.locale;
  const title = controller.thread?.title ?? '';
  const text = await exportThread(controller, format, { head, lang, contentLang });
  const [ending, type] = FILE_TYPES[format];
  const file = new Blob([text], { type: `${type};charset=utf-8` });
  saveFile(file, `${toFileName(title) || 'conversation'}.${ending}`, context.clock);
}

/** A title as the name of a file, on every system. */
function toFileName(title: string): string {
  return title
    .replace(/[\p{Cc}\p{Cf}\\/:*?"<>|.]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
    .trim();
}

import { saveFile } from '../../dom/save-file.js';
import { UbikError } from '../../errors.js';
import { serializeHtml } from '../../message/export/serialize-html.js';
import { messageMarkdown } from '../../message/message-formats.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { exportThread } from './export-thread.js';
import type { MessageFeedback } from './feedback.js';
import type { MessageMenu } from './message-menu.js';
import { readRenderedText } from './rendered-text.js';
import { canReadAloud, isReading, readAloud, stopReading } from './read-aloud.js';

/** An item of the menu. Its label and checked state are read at each rendering. */
export interface MenuItem {
  readonly label: () => string;
  /** Whether a checkbox item is checked; undefined for an ordinary item. */
  readonly checked?: () => boolean;
  readonly select: () => void;
}

/** A group of items. */
export interface MenuGroup {
  /** Empty if the group has no label. */
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** Creates the items for a message, without those that the browser, the host page or the message does not allow. */
export function createMenuGroups(menu: MessageMenu, feedback: MessageFeedback): MenuGroup[] {
  const isAnswer = menu.message.role === 'assistant';
  const textNodes = findTextNodes(menu);
  const groups = [
    { label: '', items: [...createCopyItems(menu, textNodes), ...createLinkItems(menu)] },
    { label: '', items: isAnswer ? createFeedbackItems(menu, feedback) : [] },
    {
      label: '',
      items:
        isAnswer && canReadAloud() && textNodes.length > 0
          ? [createReadAloudItem(menu, textNodes)]
          : [],
    },
    createExportGroup(menu),
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/** Returns the rendered texts of a message, without thinking and tools. */
function findTextNodes({ button }: MessageMenu): Element[] {
  const body = button.closest('.message')?.querySelector('.body');
  return [...(body?.querySelectorAll('.text, :scope > .plain') ?? [])];
}

function createCopyItems(menu: MessageMenu, textNodes: readonly Element[]): MenuItem[] {
  const { locale } = menu.host.context;
  const markdown = messageMarkdown(menu.message);
  const plain = (): string => textNodes.map(readRenderedText).join('\n\n');
  const createHtml = (): string => textNodes.map(serializeHtml).join('');
  if (!markdown) return [];
  const createItem = (label: () => string, copy: () => Promise<boolean>): MenuItem => ({
    label,
    select: () => void showCopyResult(menu, copy()),
  });
  if (menu.message.role === 'user') {
    return [
      createItem(
        () => locale.text('menuCopyPlain'),
        () => writeClipboard({ plain: markdown }),
      ),
    ];
  }
  return [
    createItem(
      () => locale.text('menuCopyMarkdown'),
      () => writeClipboard({ plain: markdown }),
    ),
    createItem(
      () => locale.text('menuCopyRich'),
      () => writeClipboard({ plain: plain(), html: createHtml() }),
    ),
    createItem(
      () => locale.text('menuCopyPlain'),
      () => writeClipboard({ plain: plain() }),
    ),
  ];
}

function createLinkItems(menu: MessageMenu): MenuItem[] {
  const { host, message } = menu;
  const { messageLink } = host.element as { messageLink?: (message: Message) => unknown };
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

/** Shows whether copying succeeded. */
async function showCopyResult(menu: MessageMenu, copied: Promise<boolean>): Promise<void> {
  menu.showStatus('');
  const isCopied = await copied;
  menu.showStatus(menu.host.context.locale.text(isCopied ? 'menuCopied' : 'menuCopyFailed'));
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

function createReadAloudItem(menu: MessageMenu, textNodes: readonly Element[]): MenuItem {
  const { host, message } = menu;
  return {
    label: () =>
      host.context.locale.text(isReading(message.key) ? 'menuStopReading' : 'menuReadAloud'),
    select: () => {
      if (isReading(message.key)) stopReading();
      else readAloud(message.key, textNodes, host.context.locale.lang);
      menu.close();
    },
  };
}

/** Creates the export items, which only the last message of the thread has. */
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

/** Writes plain text and optionally HTML to the clipboard. Returns false if the browser does not allow it. */
async function writeClipboard({ plain, html }: { plain: string; html?: string }): Promise<boolean> {
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
    // No permission, no focus, no secure context, or no clipboard API: all have the same message for the user.
    return false;
  }
}

const FILE_TYPES = {
  markdown: ['md', 'text/markdown'],
  html: ['html', 'text/html'],
  json: ['json', 'application/json'],
} as const;

/** Saves the shown branch as a file. Rejects if it cannot be exported. */
export async function saveThread(
  { controller, context }: ConnectedHost,
  format: keyof typeof FILE_TYPES,
  head: Key | null,
): Promise<void> {
  if (!controller) return;
  const { lang, contentLang = lang } = context.locale;
  const title = controller.thread?.title ?? '';
  const text = await exportThread(controller, format, { head, lang, contentLang });
  const [extension, type] = FILE_TYPES[format];
  const file = new Blob([text], { type: `${type};charset=utf-8` });
  saveFile(file, `${toFileName(title) || 'conversation'}.${extension}`, context.clock);
}

/** Converts a title to a file name that is valid on every platform. */
function toFileName(title: string): string {
  return title
    .replace(/[\p{Cc}\p{Cf}\\/:*?"<>|.]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
    .trim();
}

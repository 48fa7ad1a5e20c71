import { saveFile, toFileName } from '../../dom/save-file.js';
import { UbikError } from '../../errors.js';
import { findContent } from '../../message/export/message-content.js';
import { serializeHtml } from '../../message/export/serialize-html.js';
import type { StringName } from '../../locales/locale.js';
import { messageMarkdown } from '../../message/message-formats.js';
import { readRenderedText } from '../../message/rendered-text.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { lazyShortcutsDialog } from '../keyboard/lazy-keyboard.js';
import { exportThread } from './export-thread.js';
import type { MessageMenu } from './message-menu.js';

/** An item of the menu. */
export interface MenuItem {
  readonly label: string;
  readonly select: () => void;
}

/** A group of items. */
export interface MenuGroup {
  /** Empty if the group has no label. */
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** Creates the groups of items for a message, without items that the browser, the host page or the message does not allow. */
export function createMenuGroups(menu: MessageMenu): MenuGroup[] {
  const groups = [
    { label: '', items: [...createCopyItems(menu), ...createLinkItems(menu)] },
    createCheckpointGroup(menu),
    createExportGroup(menu),
    { label: '', items: createHelpItems(menu) },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

function createCopyItems(menu: MessageMenu): MenuItem[] {
  const { message } = menu;
  const { context } = menu.host;
  const { locale, renderers } = context;
  const markdown = messageMarkdown(message, renderers);
  const find = (): Element[] => findContent({ message, context }, menu.button.closest('.message'));
  const plain = (): string => find().map(readRenderedText).join('\n\n');
  const createHtml = (): string => find().map(serializeHtml).join('');
  if (!markdown) return [];
  const createItem = (name: StringName, copy: () => Promise<boolean>): MenuItem => ({
    label: locale.text(name),
    select: () => void copyMessage(menu, copy()),
  });
  if (message.role === 'user') {
    return [createItem('menuCopyPlain', () => writeClipboard({ plain: markdown }))];
  }
  return [
    createItem('menuCopyMarkdown', () => writeClipboard({ plain: markdown })),
    createItem('menuCopyRich', () => writeClipboard({ plain: plain(), html: createHtml() })),
    createItem('menuCopyPlain', () => writeClipboard({ plain: plain() })),
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
      label: host.context.locale.text('menuCopyLink'),
      select: () => void showCopyResult(menu, writeClipboard({ plain })),
    },
  ];
}

/** Shows whether copying the message has succeeded. If it has, dispatches `ubik-message-copied`. */
async function copyMessage(menu: MessageMenu, copied: Promise<boolean>): Promise<void> {
  await showCopyResult(menu, copied);
  if (await copied) menu.host.context.actions.reportCopied?.(menu.message.key);
}

/** Shows whether copying succeeded. */
async function showCopyResult(menu: MessageMenu, copied: Promise<boolean>): Promise<void> {
  menu.showStatus('');
  const isCopied = await copied;
  menu.showStatus(menu.host.context.locale.text(isCopied ? 'menuCopied' : 'copyFailed'));
}

/** Creates the items that press the Restore buttons of the checkpoints in the message. The buttons may be hidden in collapsed steps. */
function createCheckpointGroup({ host, button, close }: MessageMenu): MenuGroup {
  const buttons = button.closest('.message')?.querySelectorAll<HTMLElement>('.checkpoint button');
  const items = [...(buttons ?? [])].map((restore) => ({
    label: restore.title,
    select: () => {
      close();
      restore.click();
    },
  }));
  return { label: host.context.locale.text('menuRestore'), items };
}

/** Creates the export items, which only the last message in the element has. */
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
    label: locale.text(name),
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

/**
 * Creates the item that lists the keyboard shortcuts. Elements other than a whole chat have only the shortcut F6, and devices with only a
 * touch screen have no keyboard.
 */
function createHelpItems(menu: MessageMenu): MenuItem[] {
  const { host } = menu;
  const isChat = 'layout' in host.element;
  if (!isChat || matchMedia('(hover: none) and (pointer: coarse)').matches) return [];
  const open = async (): Promise<void> => {
    const { openShortcutsDialog } = await lazyShortcutsDialog.load();
    // The menu was closed while the code was loading, by the user or by an earlier press.
    if (!menu.isOpen) return;
    menu.close();
    openShortcutsDialog(host);
  };
  return [
    {
      label: host.context.locale.text('keysTitle'),
      select: () => void host.attempt(open()),
    },
  ];
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

/** File extension and media type of each export format. */
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
  const { renderers = [] } = context;
  const options = { head, lang, contentLang, renderers };
  const text = await exportThread(controller, format, options);
  const [extension, type] = FILE_TYPES[format];
  const file = new Blob([text], { type: `${type};charset=utf-8` });
  saveFile(file, `${toFileName(title) || 'conversation'}.${extension}`);
}

import { css, html, render } from 'lit';
import { shortcutStrings } from '../../locales/en-shortcuts.js';
import { addDefaultStrings, type Locale, type StringName } from '../../locales/locale.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { openModal, type Modal } from '../base/modal.js';
import { adoptSheets } from '../styles/styles.js';

addDefaultStrings(shortcutStrings);

/** A description with its keys; `+` joins keys that are pressed together. */
type Shortcut = readonly [StringName, ...keys: readonly string[]];

/** The main shortcuts, with English key names. `docs/keyboard.md` has all. */
export const SHORTCUTS: readonly (readonly [title: StringName, shortcuts: readonly Shortcut[]])[] =
  [
    [
      'keysAnywhere',
      [
        ['keyNextRegion', 'F6'],
        ['keyPreviousRegion', 'Shift+F6'],
        ['keyReadAgain', 'F8'],
        ['keyHelp', '?'],
        ['keyClose', 'Esc'],
      ],
    ],
    [
      'keysMessages',
      [
        ['keyMessage', '↑', '↓'],
        ['keyFirstOrNewest', 'Home', 'End'],
        ['keyEnterMessage', 'Enter'],
        ['keyLeaveMessage', 'Esc'],
      ],
    ],
    [
      'keysWriting',
      [
        ['keySend', 'Enter'],
        ['keyNewLine', 'Shift+Enter'],
        ['keyPreviousQuestion', '↑'],
      ],
    ],
    [
      'keysThreads',
      [
        ['keyThread', '↑', '↓'],
        ['keyRename', 'F2'],
        ['keyDelete', 'Delete'],
      ],
    ],
  ];

/** Strings for keys that are labelled with a word. */
const KEY_NAMES: ReadonlyMap<string, StringName> = new Map([
  ['Shift', 'capShift'],
  ['Enter', 'capEnter'],
  ['Esc', 'capEscape'],
  ['Home', 'capHome'],
  ['End', 'capEnd'],
  ['Delete', 'capDelete'],
]);

const shortcutsStyles = css`
  .shortcuts {
    table {
      width: 100%;
      margin-block-start: calc(0.75 * var(--_ubik-rem));
      border-collapse: collapse;
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    }
    caption {
      padding-block-end: calc(0.25 * var(--_ubik-rem));
      color: var(--_muted);
      font-size: max(12px, calc(0.75 * var(--_ubik-rem)));
      font-weight: 600;
      text-align: start;
    }
    th {
      padding: calc(0.375 * var(--_ubik-rem)) 0;
      font-weight: inherit;
      text-align: start;
    }
    td {
      padding-inline-start: var(--_ubik-rem);
      text-align: end;
      white-space: nowrap;
    }
    tr {
      border-block-start: var(--_border);
    }
    kbd {
      display: inline-block;
      min-width: calc(1.5 * var(--_ubik-rem));
      padding: calc(0.0625 * var(--_ubik-rem)) calc(0.375 * var(--_ubik-rem));
      border: var(--_border);
      border-radius: var(--_control-radius);
      background: var(--_surface);
      font-family: inherit;
      font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
      text-align: center;
    }
  }
`;

/** Opens the list of keyboard shortcuts as a modal dialog. */
export function openShortcutsDialog(host: ConnectedHost): void {
  const id = host.context.createId();
  const redraw = (): void => {
    renderShortcuts(modal, id, host.context.locale);
  };
  const modal = openModal(host, 'shortcuts', redraw);
  adoptSheets(host.element.renderRoot, [shortcutsStyles]);
  modal.node.setAttribute('aria-labelledby', id);
  redraw();
  modal.node.querySelector('button')?.focus();
}

function renderShortcuts({ node, close }: Modal, id: string, { text }: Locale): void {
  render(
    html`<header class="buttons">
        <h2 id=${id}>${text('keysTitle')}</h2>
        <button class="quiet" type="button" @click=${close}>${text('close')}</button>
      </header>
      ${SHORTCUTS.map(
        ([title, shortcuts]) =>
          html`<table>
            <caption>
              ${text(title)}
            </caption>
            ${shortcuts.map(([name, ...keys]) => renderShortcut(text(name), keys, text))}
          </table>`,
      )}`,
    node,
  );
}

function renderShortcut(
  description: string,
  keys: readonly string[],
  text: Locale['text'],
): unknown {
  const renderKey = (key: string): unknown => {
    const name = KEY_NAMES.get(key);
    return html`<kbd>${name ? text(name) : key}</kbd>`;
  };
  const renderCombination = (combination: string): unknown =>
    html`<bdi
      >${combination.split('+').map((key, at) => html`${at ? '+' : ''}${renderKey(key)}`)}</bdi
    >`;
  return html`<tr>
    <th scope="row" dir="auto">${description}</th>
    <td>${keys.map((key, at) => html`${at ? ' ' : ''}${renderCombination(key)}`)}</td>
  </tr>`;
}

import { element } from '../../dom/element.js';
import { branchStrings } from '../../locales/en-branches.js';
import { addDefaultStrings } from '../../locales/locale.js';
import { createButton } from '../../message/buttons.js';
import type { Key } from '../../model/json.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { openModal } from '../base/modal.js';
import { UbikBranchMap } from '../ubik-branch-map.js';

addDefaultStrings(branchStrings);

/**
 * Opens the map of branches in a dialog, which closes when the thread has switched to another version, or before a message of the shown branch
 * is revealed. `reveal` scrolls to that message and focuses it.
 */
export function openBranchMap(host: ConnectedHost, reveal: (message: Key) => void): void {
  const { context } = host;
  const map = new UbikBranchMap();
  const title = element('h2');
  const redraw = (): void => {
    title.textContent = context.locale.text('branchMap');
    close.textContent = context.locale.text('close');
  };
  const modal = openModal(host, 'map', redraw);
  title.id = context.createId();
  modal.node.setAttribute('aria-labelledby', title.id);
  map.controller = host.controller;
  map.reveal = (message) => {
    modal.close();
    reveal(message);
  };
  map.addEventListener('ubik-branch-switched', modal.close);
  const close = createButton('', modal.close);
  redraw();
  modal.node.append(element('header', 'buttons', title, close), map);
  close.focus();
}

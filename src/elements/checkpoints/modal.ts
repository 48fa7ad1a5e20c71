import { element } from '../../dom/element.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { adoptSheets } from '../styles/styles.js';
import { modalStyles } from './modal-styles.js';

/** A dialog over the page, in the root of an element. */
export interface Modal {
  readonly node: HTMLDialogElement;
  /** Closes it; the focus goes back to where it came from, or to the messages when that is gone. */
  close(): void;
}

/** Opens a dialog. `onClosed` is told once, however it is closed. */
export function openModal(host: ConnectedHost, name: string, onClosed: () => void): Modal {
  const node = element('dialog', `modal ${name}`);
  node.part.add('dialog');
  adoptSheets(host.element.renderRoot, [modalStyles]);
  const root = host.element.renderRoot.querySelector('.ubik');
  const from = (host.element.renderRoot as ShadowRoot).activeElement;
  root?.append(node);
  node.addEventListener('close', () => {
    node.remove();
    onClosed();
    if (from?.isConnected) return;
    const next = root?.querySelector<HTMLElement>('.scroller') ?? root?.querySelector('button');
    next?.focus({ preventScroll: true });
  });
  node.showModal();
  return {
    node,
    close: () => {
      node.close();
    },
  };
}

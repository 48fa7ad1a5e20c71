import { css } from 'lit';
import { element } from '../../dom/element.js';
import { isFocusLost } from '../../dom/focusable.js';
import { showModal } from '../../dom/modal.js';
import { adoptSheets } from '../styles/styles.js';
import { floatingFieldStyles } from '../styles/floating-field.js';
import { ConnectedElements } from './connected-elements.js';
import type { ConnectedHost } from './connected-host.js';
import { focusMessages } from './focus-messages.js';

const modalStyles = css`
  .modal {
    width: min(calc(34 * var(--_ubik-rem)), 100vw - calc(2 * var(--_ubik-rem)));
    max-height: min(calc(44 * var(--_ubik-rem)), 100dvh - calc(2 * var(--_ubik-rem)));
    margin: auto;
    padding: calc(1.25 * var(--_ubik-rem));
    border: var(--_border);
    border-radius: var(--_radius);
    background: var(--_background);
    color: var(--_text);
    box-shadow: 0 calc(0.5 * var(--_ubik-rem)) calc(2 * var(--_ubik-rem)) rgb(0 0 0 / 22%);
    overflow: auto;
    overscroll-behavior: contain;
    &::backdrop {
      background: rgb(0 0 0 / 45%);
    }
    h2 {
      margin: 0;
      font-size: calc(1.0625 * var(--_ubik-rem));
    }
    header {
      justify-content: space-between;
    }
    /* The headings of the dialog, not those in messages. */
    :is(section, .branch) > h3 {
      font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
    }
    /* Only the map scrolls, not the header. */
    &.map {
      display: flex;
      flex-direction: column;
      gap: calc(0.75 * var(--_ubik-rem));
      overflow: hidden;
    }
    ubik-branch-map {
      display: flex;
      flex-direction: column;
      min-height: 0;
    }
    section > ul {
      padding-inline-start: calc(1.25 * var(--_ubik-rem));
      list-style: disc;
    }
    form,
    section {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: calc(0.25 * var(--_ubik-rem));
    }
    form {
      gap: calc(0.875 * var(--_ubik-rem));
    }
    textarea {
      ${floatingFieldStyles}
    }
  }
  @media (forced-colors: active) {
    .modal {
      border: 2px solid CanvasText;
    }
  }
  @media (pointer: coarse) {
    .modal :is(.primary, .quiet) {
      min-height: calc(2.75 * var(--_ubik-rem));
    }
  }
`;

/** A modal dialog in the shadow root of an element. */
export interface Modal {
  readonly node: HTMLDialogElement;
  /**
   * Closes the dialog. The focus returns to the element that had it before; if that is no longer shown, to the newest message or the empty list
   * of messages, else, without a list, to the first button.
   */
  close(): void;
}

/**
 * Opens a modal dialog with `name` as its class. The dialog closes when the element is removed from the document or shows another thread.
 * `redraw` is called when the language changes, `onClosed` once, however the dialog is closed.
 */
export function openModal(
  host: ConnectedHost,
  name: string,
  redraw: () => void,
  onClosed?: () => void,
): Modal {
  const node = element('dialog', `modal ${name}`);
  node.part.add('dialog');
  adoptSheets(host.element.renderRoot, [modalStyles]);
  const root = host.element.renderRoot.querySelector('.ubik');
  const thread = host.controller?.thread;
  let { locale } = host.context;
  const close = (): void => {
    node.close();
  };
  const watcher = {
    // A dialog that returns to the document with its element is no longer modal.
    hostDisconnected: close,
    hostUpdated: () => {
      if (thread && host.controller?.thread !== thread) close();
      if (locale === host.context.locale) return;
      ({ locale } = host.context);
      redraw();
    },
  };
  host.element.addController(watcher);
  root?.append(node);
  // The live regions of all connected elements are moved into the dialog, because those outside of it are not announced.
  showModal(node, host.controller ? ConnectedElements.of(host.controller).elements : []);
  node.addEventListener('close', () => {
    host.element.removeController(watcher);
    node.remove();
    onClosed?.();
    // The browser has already returned the focus if that was possible.
    if (!root || !isFocusLost(root)) return;
    if (!focusMessages(root)) root.querySelector('button')?.focus({ preventScroll: true });
  });
  return { node, close };
}

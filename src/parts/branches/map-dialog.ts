import { element } from '../../internal/element.js';
import { createButton } from '../buttons.js';
import type { ViewContext } from '../part-view.js';

/** Shows all versions of a conversation in a dialog, which gives the focus back when it closes. */
export function openBranchMap({ host, locale, createId }: ViewContext, map: HTMLElement): void {
  const dialog = element('dialog', 'map-dialog');
  const title = element('h2', '', locale.text('branchMap'));
  title.id = createId();
  dialog.setAttribute('aria-labelledby', title.id);
  const close = createButton(locale.text('close'), () => dialog.close());
  dialog.append(element('header', '', title, close), map);
  const root = host.shadowRoot;
  const scroller = root?.querySelector<HTMLElement>('.scroller');
  dialog.addEventListener('close', () => {
    dialog.remove();
    // A step to another version may have taken away what opened it.
    if (!root?.activeElement) scroller?.focus({ preventScroll: true });
  });
  root?.querySelector('.ubik')?.append(dialog);
  dialog.showModal();
}

import type { PropertyDeclarations } from 'lit';
import type { Key } from '../model/json.js';
import { createLazyModule } from '../message/create-lazy-module.js';
import { PanelElement } from './base/panel-element.js';

const file = createLazyModule(() => import('./branches/branch-map-panel.js'));

/**
 * All versions of a conversation that are known, as a drawn tree: what is shown, its other versions, what this page has opened, and
 * the checkpoints. A choice of what is not shown asks the service to switch to it; nothing is switched by looking.
 *
 * It takes the conversation of its `controller`, else of the element around it. Arrow keys go through the tree.
 *
 * @example
 * <ubik-branch-map></ubik-branch-map>
 *
 * @tagname ubik-branch-map
 * @fires {UbikBranchNavigateEvent} ubik-branch-navigate - before another version is shown; cancelable
 * @fires {UbikBranchNavigatedEvent} ubik-branch-navigated - another version is shown
 * @fires {UbikErrorEvent} ubik-error - something went wrong, and the person was told
 * @csspart base - the whole
 * @csspart point - a version or a checkpoint
 */
export class UbikBranchMap extends PanelElement {
  static override properties: PropertyDeclarations = { reveal: { attribute: false } };

  /** Leads to a message that is shown, by our key of it; by default the chat around does. */
  reveal: ((message: Key) => void) | null = null;

  protected override readonly file = file;
}

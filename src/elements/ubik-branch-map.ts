import type { PropertyDeclarations } from 'lit';
import type { StreamController } from '../controller/controller-types.js';
import type { Key } from '../model/json.js';
import { createLazyModule } from '../message/create-lazy-module.js';
import { BaseElement } from './base/base-element.js';
import { PanelController } from './base/panel-controller.js';

const panelModule = createLazyModule(() => import('./branches/branch-map-panel.js'));

/**
 * A tree of all known versions of a thread: the shown branch, its other versions, those that this page has opened, and the checkpoints.
 * Selecting a version that is not shown switches the thread to it, at the service; browsing the tree switches nothing.
 *
 * It connects to its `controller`, else to that of the enclosing element. Arrow keys move in the tree.
 *
 * @example
 * <ubik-branch-map></ubik-branch-map>
 *
 * @tagname ubik-branch-map
 * @fires {UbikBranchSwitchEvent} ubik-branch-switch - before another version is shown; cancelable
 * @fires {UbikBranchSwitchedEvent} ubik-branch-switched - another version is shown
 * @fires {UbikErrorEvent} ubik-error - an error that is shown to the user
 * @csspart base - container of all content
 * @csspart point - a version or a checkpoint
 */
export class UbikBranchMap extends BaseElement {
  static override properties: PropertyDeclarations = {
    controller: { attribute: false },
    reveal: { attribute: false },
  };

  /** The controller; by default that of the enclosing element. */
  controller: StreamController | null = null;
  /** Called to show a message of the shown branch, by its key; by default the enclosing chat scrolls to it. */
  reveal: ((message: Key) => void) | null = null;

  readonly #content = new PanelController(this, this.viewContext, panelModule);

  protected override renderContent(): unknown {
    return this.#content.render();
  }
}

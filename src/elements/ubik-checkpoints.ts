import type { PropertyDeclarations } from 'lit';
import type { StreamController } from '../controller/controller-types.js';
import { createLazyModule } from '../message/create-lazy-module.js';
import { BaseElement } from './base/base-element.js';
import { PanelController } from './base/panel-controller.js';

const panelModule = createLazyModule(() => import('./checkpoints/checkpoints-panel.js'));

/**
 * A timeline of the checkpoints of a thread: the step that set each one, its age, and what follows it. Before a checkpoint is restored,
 * a dialog shows what would be left behind and takes a hint about what should change.
 *
 * It connects to its `controller`, else to that of the enclosing element. Shows nothing when the service does not support checkpoints.
 *
 * @example
 * <ubik-chat base-url="/api/ubik"><ubik-checkpoints slot="end"></ubik-checkpoints></ubik-chat>
 *
 * @tagname ubik-checkpoints
 * @fires {UbikCheckpointRestoreEvent} ubik-checkpoint-restore - before a checkpoint is restored; cancelable, the hint can be changed
 * @fires {UbikCheckpointRestoredEvent} ubik-checkpoint-restored - a checkpoint was restored, the agent continues from it
 * @fires {UbikErrorEvent} ubik-error - an error that is shown to the user
 * @csspart base - container of all content
 * @csspart dialog - dialog for restoring a checkpoint
 */
export class UbikCheckpoints extends BaseElement {
  static override properties: PropertyDeclarations = { controller: { attribute: false } };

  /** The controller; by default that of the enclosing element. */
  controller: StreamController | null = null;

  readonly #content = new PanelController(this, this.viewContext, panelModule);

  protected override renderContent(): unknown {
    return this.#content.render();
  }
}

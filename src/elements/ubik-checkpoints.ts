import type { PropertyDeclarations } from 'lit';
import type { StreamController } from '../controller/controller-types.js';
import { createLazyModule } from '../message/create-lazy-module.js';
import { BaseElement } from './base/base-element.js';
import { PanelController } from './base/panel-controller.js';

const panelModule = createLazyModule(() => import('./checkpoints/checkpoints-panel.js'));

/**
 * The checkpoints of a conversation on a line of time: which step set each of them, how long ago, and what stands after it. A
 * choice tells what going back would leave behind, and takes a hint for what is to come out differently.
 *
 * It takes the conversation of its `controller`, else of the element around it. Shows nothing where the service has no checkpoints.
 *
 * @example
 * <ubik-chat base-url="/api/ubik"><ubik-checkpoints slot="end"></ubik-checkpoints></ubik-chat>
 *
 * @tagname ubik-checkpoints
 * @fires {UbikCheckpointNavigateEvent} ubik-checkpoint-navigate - before going back to a checkpoint; cancelable, the hint can be changed
 * @fires {UbikCheckpointNavigatedEvent} ubik-checkpoint-navigated - the agent goes on from a checkpoint
 * @fires {UbikErrorEvent} ubik-error - something went wrong, and the person was told
 * @csspart base - the whole
 * @csspart dialog - the question of the way back
 */
export class UbikCheckpoints extends BaseElement {
  static override properties: PropertyDeclarations = { controller: { attribute: false } };

  /** The controller; by default that of the element around. */
  controller: StreamController | null = null;

  readonly #content = new PanelController(this, this.context, panelModule);

  protected override renderContent(): unknown {
    return this.#content.render();
  }
}

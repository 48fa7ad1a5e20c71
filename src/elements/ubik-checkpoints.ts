import type { PropertyDeclarations } from 'lit';
import type { StreamController } from '../controller/controller-types.js';
import { createLazyModule } from '../message/create-lazy-module.js';
import { BaseElement } from './base/base-element.js';
import { PanelController } from './base/panel-controller.js';

const panelModule = createLazyModule(() => import('./checkpoints/checkpoints-panel.js'));

/**
 * A timeline of the checkpoints of a thread: each with its name or the step before it, its age, and what follows it. Before a checkpoint is
 * restored, a dialog shows what would be left behind and takes a hint about what should change.
 *
 * It connects to its `controller`, else to that of the enclosing element. Shows nothing when the service does not support checkpoints.
 *
 * @example
 * <ubik-chat base-url="/api/ubik"><ubik-checkpoints slot="end"></ubik-checkpoints></ubik-chat>
 *
 * @tagname ubik-checkpoints
 * @fires {UbikMessageSentEvent} ubik-message-sent - the service accepted a message
 * @fires {UbikRunStartedEvent} ubik-run-started - a run has started, or this page joined a run in progress
 * @fires {UbikStepCompletedEvent} ubik-step-completed - a step was completed
 * @fires {UbikRunCompletedEvent} ubik-run-completed - the answer is complete
 * @fires {UbikRunPausedEvent} ubik-run-paused - the run waits for an answer of the user
 * @fires {UbikRunStoppedEvent} ubik-run-stopped - the run was stopped on request
 * @fires {UbikRunFailedEvent} ubik-run-failed - the run failed
 * @fires {UbikRunInterruptedEvent} ubik-run-interrupted - automatic rejoining was given up, or the user stopped waiting
 * @fires {UbikInputRequiredEvent} ubik-input-required - the agent or a tool requests input; cancelable: then the host page answers
 * @fires {UbikInputProvidedEvent} ubik-input-provided - the service accepted the answer
 * @fires {UbikCheckpointRestoreEvent} ubik-checkpoint-restore - before a checkpoint is restored; cancelable, the hint can be changed
 * @fires {UbikCheckpointRestoredEvent} ubik-checkpoint-restored - a checkpoint was restored, the agent continues from it
 * @fires {UbikThreadOpenedEvent} ubik-thread-opened - the messages of a thread were loaded
 * @fires {UbikThreadCreatedEvent} ubik-thread-created - the service created a thread
 * @fires {UbikAuthRequiredEvent} ubik-auth-required - the service requires authentication
 * @fires {UbikErrorEvent} ubik-error - an error that is shown to the user
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - a problem that is not shown to the user
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

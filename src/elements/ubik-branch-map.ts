import type { PropertyDeclarations } from 'lit';
import type { StreamController } from '../controller/controller-types.js';
import type { Key } from '../model/json.js';
import { createLazyModule } from '../message/create-lazy-module.js';
import { BaseElement } from './base/base-element.js';
import { PanelController } from './base/panel-controller.js';

const panelModule = createLazyModule(() => import('./branches/branch-map-panel.js'));

/**
 * A tree of all known versions of the messages of a thread, with the checkpoints: the shown branch, the alternatives to its messages, and
 * the other versions that this page has loaded. Selecting a version that is not shown switches the thread to it, at the service; browsing
 * the tree switches nothing.
 *
 * It connects to its `controller`, else to that of the enclosing element. Arrow keys move in the tree.
 *
 * @example
 * <ubik-branch-map></ubik-branch-map>
 *
 * @tagname ubik-branch-map
 * @fires {UbikMessageSentEvent} ubik-message-sent - the service accepted a message
 * @fires {UbikBranchSwitchEvent} ubik-branch-switch - before another version is shown; cancelable
 * @fires {UbikBranchSwitchedEvent} ubik-branch-switched - another version is shown
 * @fires {UbikRunStartedEvent} ubik-run-started - a run has started, or this page joined a run in progress
 * @fires {UbikStepCompletedEvent} ubik-step-completed - a step was completed
 * @fires {UbikRunCompletedEvent} ubik-run-completed - the answer is complete
 * @fires {UbikRunPausedEvent} ubik-run-paused - the run waits for an answer of the user
 * @fires {UbikRunStoppedEvent} ubik-run-stopped - the run was stopped on request
 * @fires {UbikRunFailedEvent} ubik-run-failed - the run failed
 * @fires {UbikRunInterruptedEvent} ubik-run-interrupted - automatic rejoining was given up, or the user stopped waiting
 * @fires {UbikInputRequiredEvent} ubik-input-required - the agent or a tool requests input; cancelable: then the host page answers
 * @fires {UbikInputProvidedEvent} ubik-input-provided - the service accepted the answer
 * @fires {UbikThreadOpenedEvent} ubik-thread-opened - the messages of a thread were loaded
 * @fires {UbikThreadCreatedEvent} ubik-thread-created - the service created a thread
 * @fires {UbikAuthRequiredEvent} ubik-auth-required - the service requires authentication
 * @fires {UbikErrorEvent} ubik-error - an error that is shown to the user
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - a problem that is not shown to the user
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

import type { Backend, Capability, CheckpointInfo } from '../../backends/backend.js';
import {
  UbikBranchSwitchedEvent,
  UbikBranchSwitchEvent,
  UbikCheckpointRestoredEvent,
  UbikCheckpointRestoreEvent,
  UbikMessageEditedEvent,
  UbikMessageEditEvent,
  UbikMessageRegeneratedEvent,
  UbikMessageRegenerateEvent,
} from '../../events/index.js';
import type { Key } from '../../model/json.js';
import type { Thread } from '../../model/thread.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { RestorePoint, ViewActions } from '../../message/part-view.js';
import { getMessageSettings } from '../composer/draft.js';
import type { ConnectedHost } from './connected-host.js';
import { describeMessage, describeThread } from './controller-events.js';

const lazyBranchMap = createLazyModule(() => import('../branches/branch-map-dialog.js'));
const lazyComparison = createLazyModule(() => import('../checkpoints/compare-dialog.js'));
const lazyMessageMenu = createLazyModule(() => import('../menu/message-menu.js'));
const lazyToolPanel = createLazyModule(() => import('../sides/tool-panel.js'));
const lazyCheckpoints = createLazyModule(() => import('../checkpoints/checkpoints-panel.js'));

/**
 * The actions that views can perform through a connected element. An action that the backend does not support is undefined, so that no view
 * renders a control for it.
 */
export class ElementActions implements ViewActions {
  readonly #host: ConnectedHost;

  constructor(host: ConnectedHost) {
    this.#host = host;
  }

  get thread(): Thread | null {
    return this.#host.controller?.thread ?? null;
  }

  get provideInput(): ViewActions['provideInput'] {
    return this.#supporting('input') && this.#provideInput;
  }

  get restore(): ViewActions['restore'] {
    return this.#supporting('checkpoints') && this.#restore;
  }

  get edit(): ViewActions['edit'] {
    return this.#supporting('edit') && this.#edit;
  }

  get regenerate(): ViewActions['regenerate'] {
    return this.#supporting('regenerate') && this.#regenerate;
  }

  get switchBranch(): ViewActions['switchBranch'] {
    return this.#supporting('branches') && this.#switchBranch;
  }

  get openBranchMap(): ViewActions['openBranchMap'] {
    return this.#supporting('branches') && this.#openBranchMap;
  }

  get compareBranches(): ViewActions['compareBranches'] {
    return this.#supporting('branches') && this.#compareBranches;
  }

  get loadVersion(): ViewActions['loadVersion'] {
    return this.#supporting('branches')?.loadMessage && this.#host.controller?.loadVersion;
  }

  get findToolFiles(): ViewActions['findToolFiles'] {
    const backend = this.#host.controller?.backend;
    return backend?.findToolFiles?.bind(backend);
  }

  get loadToolFile(): ViewActions['loadToolFile'] {
    const backend = this.#supporting('tool-files');
    return backend?.loadToolFile?.bind(backend);
  }

  get loadPassage(): ViewActions['loadPassage'] {
    const backend = this.#supporting('citations');
    return backend?.loadPassage?.bind(backend);
  }

  readonly isHandledByPage = (message: Key, request: Key): boolean =>
    this.#host.isHandledByPage(message, request);
  readonly validateMessage = (text: string): string => this.#host.validateMessage(text);
  readonly openMenu = (message: Key, button: HTMLElement): void =>
    this.#attempt(openMenu(this.#host, message, button));
  readonly #provideInput: Action<'provideInput'> = (...answer) =>
    this.#host.provideInput(...answer);
  readonly #restore: Action<'restore'> = (point) =>
    this.#attempt(openRestoreDialog(this.#host, point));
  readonly #edit: Action<'edit'> = (...version) => editMessage(this.#host, ...version);
  readonly #regenerate: Action<'regenerate'> = (message) => regenerateMessage(this.#host, message);
  readonly #switchBranch: Action<'switchBranch'> = (id) => switchBranch(this.#host, id);
  readonly openToolDetails: Action<'openToolDetails'> = (...call) =>
    this.#attempt(openToolDetails(this.#host, ...call));
  readonly #openBranchMap = (): void => this.#attempt(openBranchMap(this.#host));
  readonly #compareBranches: Action<'compareBranches'> = (message) =>
    this.#attempt(openCompareDialog(this.#host, message));

  /** Returns the backend if it supports the capability. */
  #supporting(capability: Capability): Backend | undefined {
    const backend = this.#host.controller?.backend;
    return backend?.capabilities.has(capability) ? backend : undefined;
  }

  #attempt(action: Promise<unknown>): void {
    void this.#host.attempt(action);
  }
}

/** The type of an action that is supported. */
type Action<Name extends keyof ViewActions> = NonNullable<ViewActions[Name]>;

/** Opens the map of branches. */
function openBranchMap(host: ConnectedHost): Promise<boolean> {
  return host.performAction([], async () => {
    const { openBranchMap } = await lazyBranchMap.load();
    openBranchMap(host, (message) => {
      host.focusMessage(message);
    });
  });
}

/** Opens the details of a tool call beside the messages. */
function openToolDetails(
  host: ConnectedHost,
  ...call: Parameters<Action<'openToolDetails'>>
): Promise<boolean> {
  return host.performAction([], async () => {
    const { openToolPanel } = await lazyToolPanel.load();
    await openToolPanel(host, ...call);
  });
}

/** Opens the dialog that shows what restoring a checkpoint leaves out; restores it when the user confirms. */
function openRestoreDialog(host: ConnectedHost, point: RestorePoint): Promise<boolean> {
  return host.performAction([], async () => {
    const { openRestoreDialog } = await lazyCheckpoints.load();
    openRestoreDialog(host, point, (...checkpoint) => restoreCheckpoint(host, ...checkpoint));
  });
}

/** Opens the menu of a message next to its button. */
function openMenu(host: ConnectedHost, message: Key, button: HTMLElement): Promise<boolean> {
  return host.performAction([], async () => {
    const { openMessageMenu } = await lazyMessageMenu.load();
    openMessageMenu(host, message, button);
  });
}

/** Opens the dialog that shows two branches side by side; switches to the one that the user chooses. */
function openCompareDialog(host: ConnectedHost, message: Key): Promise<boolean> {
  return host.performAction([], async () => {
    const { openCompareDialog } = await lazyComparison.load();
    openCompareDialog(host, message, (id) => switchBranch(host, id));
  });
}

/** Restores a checkpoint; the host page may change the hint. */
function restoreCheckpoint(
  host: ConnectedHost,
  checkpoint: CheckpointInfo,
  hint: string | null,
): Promise<boolean> {
  const { controller } = host;
  const detail = { ...describeThread(controller), checkpoint: checkpoint.name };
  const event = new UbikCheckpointRestoreEvent(detail, hint);
  return host.performAction(
    [event],
    async () => controller?.restoreCheckpoint(checkpoint, event.hint),
    () => new UbikCheckpointRestoredEvent({ ...detail, hint: event.hint }),
  );
}

/** Sends another version of a user message. */
function editMessage(host: ConnectedHost, message: Key, text: string): Promise<boolean> {
  const { controller } = host;
  const detail = { ...describeMessage(controller, message), text };
  return host.performAction(
    [new UbikMessageEditEvent(detail)],
    async () =>
      controller?.edit(message, { text, attachments: [], ...getMessageSettings(controller) }),
    () => new UbikMessageEditedEvent(detail),
  );
}

/** Requests another version of an answer. */
function regenerateMessage(host: ConnectedHost, message: Key): Promise<boolean> {
  const { controller } = host;
  const detail = describeMessage(controller, message);
  return host.performAction(
    [new UbikMessageRegenerateEvent(detail)],
    async () => controller?.regenerate(message, getMessageSettings(controller)),
    () => new UbikMessageRegeneratedEvent(detail),
  );
}

/** Switches to another version of a message, by the service's id of it. */
function switchBranch(host: ConnectedHost, messageId: string): Promise<boolean> {
  const { controller } = host;
  const detail = { ...describeThread(controller), messageId };
  return host.performAction(
    [new UbikBranchSwitchEvent(detail)],
    async () => controller?.switchBranch(messageId),
    () => new UbikBranchSwitchedEvent(detail),
  );
}

import type { Backend, Capability } from '../../backends/backend.js';
import {
  UbikBranchSwitchedEvent,
  UbikBranchSwitchEvent,
  UbikMessageCopiedEvent,
  UbikMessageEditedEvent,
  UbikMessageEditEvent,
  UbikMessageRegeneratedEvent,
  UbikMessageRegenerateEvent,
} from '../../events/index.js';
import type { Key } from '../../model/json.js';
import type { Thread } from '../../model/thread.js';
import type { LazyModule } from '../../dom/lazy-module.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { ViewActions } from '../../message/part-view.js';
import { loadMessageSettings } from '../composer/draft.js';
import type { ConnectedHost } from './connected-host.js';
import { describeMessage, describeThread } from './controller-events.js';

const lazyBranchMap = createLazyModule(() => import('../branches/branch-map-dialog.js'));
const lazyComparison = createLazyModule(() => import('../checkpoints/compare-dialog.js'));
const lazyMessageMenu = createLazyModule(() => import('../menu/message-menu.js'));
const lazyToolDetails = createLazyModule(() => import('../sides/tool-details.js'));
const lazyCheckpoints = createLazyModule(() => import('../checkpoints/checkpoints-panel.js'));

/**
 * The actions that views can perform through a connected element. An action that the backend does not support is undefined, so that no view
 * renders a control for it.
 */
export class ElementActions implements ViewActions {
  readonly #host: ConnectedHost;
  /** The callback of the last call of `#open`. An earlier call whose module is still loading then opens nothing. */
  #requested: unknown;

  constructor(host: ConnectedHost) {
    this.#host = host;
  }

  get thread(): Thread | null {
    return this.#host.controller?.thread ?? null;
  }

  get storesTimes(): boolean {
    return this.#backendWith('times') !== undefined;
  }

  get provideInput(): ViewActions['provideInput'] {
    // A renderer may answer after the element was connected to another controller, whose messages can have the same keys.
    const { controller } = this.#host;
    const provideInput: Action<'provideInput'> = async (...args) => {
      await this.#host.provideInput(...args, controller);
    };
    return this.#backendWith('input') && provideInput;
  }

  get restore(): ViewActions['restore'] {
    return this.#backendWith('checkpoints') && this.#restore;
  }

  get edit(): ViewActions['edit'] {
    return this.#backendWith('edit') && this.#edit;
  }

  get regenerate(): ViewActions['regenerate'] {
    return this.#backendWith('regenerate') && this.#regenerate;
  }

  get switchBranch(): ViewActions['switchBranch'] {
    return this.#backendWith('branches') && this.#switchBranch;
  }

  get openBranchMap(): ViewActions['openBranchMap'] {
    return this.#backendWith('branches') && this.#openBranchMap;
  }

  get compareBranches(): ViewActions['compareBranches'] {
    return this.#backendWith('branches') && this.#compareBranches;
  }

  get loadVersion(): ViewActions['loadVersion'] {
    return this.#backendWith('branches')?.loadMessage && this.#host.controller?.loadVersion;
  }

  get findToolFiles(): ViewActions['findToolFiles'] {
    const backend = this.#host.controller?.backend;
    return backend?.findToolFiles?.bind(backend);
  }

  get isInternalField(): ViewActions['isInternalField'] {
    const backend = this.#host.controller?.backend;
    return backend?.isInternalField?.bind(backend);
  }

  get loadToolFile(): ViewActions['loadToolFile'] {
    const backend = this.#backendWith('tool-files');
    return backend?.loadToolFile?.bind(backend);
  }

  get loadPassage(): ViewActions['loadPassage'] {
    const backend = this.#backendWith('citations');
    return backend?.loadPassage?.bind(backend);
  }

  readonly isHandledByPage = (message: Key, request: Key): boolean =>
    this.#host.isHandledByPage(message, request);
  readonly reportCopied = (message: Key): void => {
    const { element, controller } = this.#host;
    element.dispatchEvent(new UbikMessageCopiedEvent(describeMessage(controller, message)));
  };
  readonly validateMessage = (text: string): string => this.#host.validateMessage(text);
  readonly openMenu: Action<'openMenu'> = (...args) =>
    this.#open(lazyMessageMenu, ({ openMessageMenu }) => openMessageMenu(this.#host, ...args));
  readonly openToolDetails: Action<'openToolDetails'> = (...args) =>
    this.#open(lazyToolDetails, ({ openToolDetails }) => openToolDetails(this.#host, ...args));
  /** Opens the dialog that shows what restoring a checkpoint leaves behind; restores it when the user confirms. */
  readonly #restore: Action<'restore'> = (point) =>
    this.#open(lazyCheckpoints, ({ openRestoreDialog }) => openRestoreDialog(this.#host, point));
  readonly #edit: Action<'edit'> = (...args) => editMessage(this.#host, ...args);
  readonly #regenerate: Action<'regenerate'> = (message) => regenerateMessage(this.#host, message);
  readonly #switchBranch: Action<'switchBranch'> = (id) => switchBranch(this.#host, id);
  readonly #openBranchMap: Action<'openBranchMap'> = () =>
    this.#open(lazyBranchMap, ({ openBranchMap }) =>
      openBranchMap(this.#host, (message) => this.#host.focusMessage(message)),
    );
  /** Opens the dialog that shows two branches side by side; switches to the one that the user chooses. */
  readonly #compareBranches: Action<'compareBranches'> = (message) =>
    this.#open(lazyComparison, ({ openCompareDialog }) =>
      openCompareDialog(this.#host, message, this.#switchBranch),
    );

  /** Returns the backend if it supports the capability. */
  #backendWith(capability: Capability): Backend | undefined {
    const backend = this.#host.controller?.backend;
    return backend?.capabilities.has(capability) ? backend : undefined;
  }

  /**
   * Loads a module and calls `show` with it. Does not call it when, meanwhile, another thread or a gate is shown, or `#open` was called again: a
   * second press must neither open a second dialog nor close the menu that the first one has opened. A failure dispatches `ubik-error`.
   */
  #open<M>(module: LazyModule<M>, show: (loaded: M) => unknown): void {
    const host = this.#host;
    const { thread } = this;
    this.#requested = show;
    const open = async (): Promise<void> => {
      const loaded = await module.load();
      const isWanted = this.#requested === show && this.thread === thread;
      const isGated = host.element.renderRoot.querySelector('[data-gated]') !== null;
      if (isWanted && host.element.isConnected && !isGated) await show(loaded);
    };
    void host.attempt(host.performAction([], open));
  }
}

/** The type of an action that is supported. */
type Action<Name extends keyof ViewActions> = NonNullable<ViewActions[Name]>;

/** Sends another version of a user message, with the same files. */
function editMessage(host: ConnectedHost, message: Key, text: string): Promise<boolean> {
  const { controller } = host;
  const { attachments = [] } = controller?.thread?.messages.get(message) ?? {};
  const detail = { ...describeMessage(controller, message), text };
  return host.performAction(
    [new UbikMessageEditEvent(detail)],
    async () => {
      const settings = controller && (await loadMessageSettings(controller));
      await controller?.edit(message, { text, attachments, ...settings });
    },
    () => new UbikMessageEditedEvent(detail),
  );
}

/** Requests another version of an answer. */
function regenerateMessage(host: ConnectedHost, message: Key): Promise<boolean> {
  const { controller } = host;
  const detail = describeMessage(controller, message);
  return host.performAction(
    [new UbikMessageRegenerateEvent(detail)],
    async () => controller?.regenerate(message, await loadMessageSettings(controller)),
    () => new UbikMessageRegeneratedEvent(detail),
  );
}

/** Switches to another version of a message. `messageId` is the service's id of that version. */
function switchBranch(host: ConnectedHost, messageId: string): Promise<boolean> {
  const { controller } = host;
  const detail = { ...describeThread(controller), messageId };
  return host.performAction(
    [new UbikBranchSwitchEvent(detail)],
    async () => controller?.switchBranch(messageId),
    () => new UbikBranchSwitchedEvent(detail),
  );
}

import type { Backend, Capability } from '../../backends/backend.js';
import {
  UbikBranchNavigatedEvent,
  UbikBranchNavigateEvent,
  UbikCheckpointNavigatedEvent,
  UbikCheckpointNavigateEvent,
  UbikMessageEditedEvent,
  UbikMessageEditEvent,
  UbikMessageRegeneratedEvent,
  UbikMessageRegenerateEvent,
} from '../../events/index.js';
import type { Key } from '../../model/json.js';
import type { Thread } from '../../model/thread.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { RestorePoint, ViewActions } from '../../message/part-view.js';
import { describeMessage, describeThread } from './controller-events.js';
import type { ConnectedHost } from './connected-host.js';

const branchMap = createLazyModule(() => import('../branches/branch-map-dialog.js'));
const comparison = createLazyModule(() => import('../checkpoints/compare-dialog.js'));
const messageMenu = createLazyModule(() => import('../menu/message-menu.js'));
const checkpoints = createLazyModule(() => import('../checkpoints/checkpoints-panel.js'));

/** What views may ask of an element at a conversation. What its service cannot do is not there: no view shows a control for it. */
export class ConversationActions implements ViewActions {
  readonly #host: ConnectedHost;

  constructor(host: ConnectedHost) {
    this.#host = host;
  }

  get thread(): Thread | null {
    return this.#host.controller?.thread ?? null;
  }

  get provideInput(): ViewActions['provideInput'] {
    return this.#able('input') && this.#provideInput;
  }

  get restore(): ViewActions['restore'] {
    return this.#able('checkpoints') && this.#restore;
  }

  get edit(): ViewActions['edit'] {
    return this.#able('edit') && this.#edit;
  }

  get regenerate(): ViewActions['regenerate'] {
    return this.#able('regenerate') && this.#regenerate;
  }

  get switchBranch(): ViewActions['switchBranch'] {
    return this.#able('branches') && this.#navigate;
  }

  get openBranchMap(): ViewActions['openBranchMap'] {
    return this.#able('branches') && this.#openBranchMap;
  }

  get compareBranches(): ViewActions['compareBranches'] {
    return this.#able('branches') && this.#compare;
  }

  get loadVersion(): ViewActions['loadVersion'] {
    return this.#able('branches')?.loadMessage && this.#host.controller?.readVersion;
  }

  get findToolFiles(): ViewActions['findToolFiles'] {
    const backend = this.#host.controller?.backend;
    return backend?.findToolFiles?.bind(backend);
  }

  get loadToolFile(): ViewActions['loadToolFile'] {
    const backend = this.#able('tool-files');
    return backend?.loadToolFile?.bind(backend);
  }

  get loadPassage(): ViewActions['loadPassage'] {
    const backend = this.#able('citations');
    return backend?.loadPassage?.bind(backend);
  }

  readonly isHandledByPage = (message: Key, request: Key): boolean =>
    this.#host.isHandledByPage(message, request);
  readonly validateMessage = (text: string): string => this.#host.validateMessage(text);
  readonly openMenu = (message: Key, button: HTMLElement): void =>
    this.#try(showMenu(this.#host, message, button));
  readonly #provideInput: Act<'provideInput'> = (...answer) => this.#host.provideInput(...answer);
  readonly #restore: Act<'restore'> = (point) => this.#try(askBack(this.#host, point));
  readonly #edit: Act<'edit'> = (...version) => editMessage(this.#host, ...version);
  readonly #regenerate: Act<'regenerate'> = (message) => regenerateMessage(this.#host, message);
  readonly #navigate: Act<'switchBranch'> = (id) => navigateTo(this.#host, id);
  readonly #openBranchMap = (): void => this.#try(showMap(this.#host));
  readonly #compare: Act<'compareBranches'> = (message) => this.#try(showBoth(this.#host, message));

  /** The service, when it can do that. */
  #able(capability: Capability): Backend | undefined {
    const backend = this.#host.controller?.backend;
    return backend?.capabilities.has(capability) ? backend : undefined;
  }

  #try(act: Promise<unknown>): void {
    void this.#host.attempt(act);
  }
}

/** An act that views may or may not find. */
type Act<Name extends keyof ViewActions> = NonNullable<ViewActions[Name]>;

/** Shows the map of versions. */
function showMap(host: ConnectedHost): Promise<boolean> {
  return host.performAction([], async () =>
    (await branchMap.load()).openBranchMap(host, host.focusMessage),
  );
}

/** Shows what going back to a checkpoint would leave behind, and goes when the person wants it. */
function askBack(host: ConnectedHost, point: RestorePoint): Promise<boolean> {
  return host.performAction([], async () => {
    const { openRestoreDialog } = await checkpoints.load();
    openRestoreDialog(host, point, (...way) => goBack(host, ...way));
  });
}

/** Shows what else can be done with a message, at its button. */
function showMenu(host: ConnectedHost, message: Key, button: HTMLElement): Promise<boolean> {
  return host.performAction([], async () => {
    (await messageMenu.load()).openMessageMenu(host, message, button);
  });
}

/** Shows two ways side by side, of which the person may choose one. */
function showBoth(host: ConnectedHost, message: Key): Promise<boolean> {
  return host.performAction([], async () => {
    const { openCompareDialog } = await comparison.load();
    openCompareDialog(host, message, (id) => navigateTo(host, id));
  });
}

/** Goes back to a checkpoint; the page may change the hint. */
function goBack(
  { controller, performAction: act }: ConnectedHost,
  checkpoint: string,
  hint: string | null,
): Promise<boolean> {
  const detail = { ...describeThread(controller), checkpoint };
  const event = new UbikCheckpointNavigateEvent(detail, hint);
  return act(
    [event],
    async () => controller?.restore(checkpoint, event.hint),
    () => new UbikCheckpointNavigatedEvent({ ...detail, hint: event.hint }),
  );
}

/** Sends another version of a question. */
function editMessage(
  { controller, performAction: act }: ConnectedHost,
  message: Key,
  text: string,
): Promise<boolean> {
  const detail = { ...describeMessage(controller, message), text };
  return act(
    [new UbikMessageEditEvent(detail)],
    async () => controller?.edit(message, { text, attachments: [] }),
    () => new UbikMessageEditedEvent(detail),
  );
}

/** Asks for another answer. */
function regenerateMessage(
  { controller, performAction: act }: ConnectedHost,
  message: Key,
): Promise<boolean> {
  const detail = describeMessage(controller, message);
  return act(
    [new UbikMessageRegenerateEvent(detail)],
    async () => controller?.regenerate(message),
    () => new UbikMessageRegeneratedEvent(detail),
  );
}

/** Shows another version of a message, by the server's id of it. */
function navigateTo(
  { controller, performAction: act }: ConnectedHost,
  messageId: string,
): Promise<boolean> {
  const detail = { ...describeThread(controller), messageId };
  return act(
    [new UbikBranchNavigateEvent(detail)],
    async () => controller?.navigate(messageId),
    () => new UbikBranchNavigatedEvent(detail),
  );
}

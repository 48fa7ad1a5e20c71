import type { LitElement, PropertyValues } from 'lit';
import type { Onboarding } from '../../backends/backend.js';
import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import { readUserKey } from '../../controller/shared-controllers.js';
import { isUbikError, type UbikError } from '../../errors.js';
import { UbikThreadOpenEvent } from '../../events/index.js';
import { findLanguage } from '../../dom/language.js';
import { haveScriptsRun, whenScriptsHaveRun } from '../../dom/page-scripts.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { provideController } from '../base/context-protocol.js';
import { dispatchError } from '../base/controller-events.js';
import { listConflicts, prepareService, type ServiceOptions } from './open-service.js';
import { StorageKey, type StorageOptions } from './storage-key.js';

/** The properties of a chat that its service controller reads. */
export type ServiceElement = LitElement &
  ServiceOptions &
  StorageOptions & {
    readonly controller: StreamController | null;
    readonly messageId: string;
  };

/** Properties that select the controller. When one of them changes, the controller is selected again. */
const SERVICE_PROPERTIES = [
  'controller',
  'backend',
  'service',
  'baseUrl',
  'agentId',
  'userKey',
  'storageKey',
] as const satisfies (keyof ServiceElement)[];

/**
 * Selects the controller and the thread of a chat by its properties. The controller is `controller`, else one for `backend`, `service` and so
 * on. Its thread is that of `thread-id`, else the one that was opened last; a controller of the host page keeps its own thread until `thread-id`
 * changes. Provides the controller to the elements inside the chat.
 *
 * The chat calls `willUpdate`, `find` and `updated` in this order during its update: `willUpdate` invalidates the selection, `find` returns the
 * controller to connect to, and `updated` loads the thread of the connected controller.
 */
export class ServiceController {
  /** `loading` while the thread is loading, the error when the thread or the service is not available, else empty. */
  loadState: UbikError | 'loading' | '' = '';
  /** Greeting and starters of the service; null until they are loaded. */
  onboarding: Onboarding | null = null;
  /** Whether the service requires authentication. */
  isAuthRequired = false;
  /**
   * Whether the rejected requests were repeated with a new `getToken`, and none has succeeded since. They are then not repeated when another
   * function is set as `getToken`, because a page may set a new one on each render.
   */
  #wereRequestsRepeated = false;

  readonly #host: ConnectedHost<ServiceElement>;
  readonly #onThreadShown: () => void;
  readonly #provide: (controller: StreamController) => void;
  readonly #storageKey: StorageKey;

  /** Opens the selected controller; undefined when a controller has yet to be selected. */
  #openController: ((last: StreamController | null) => StreamController | null) | undefined;
  /** The connected controller at the last update; undefined before there was one. */
  #knownController: StreamController | undefined;
  /** Resolves at the first update with a controller, when the load of its thread has started, if there is one to load. */
  readonly #firstLoadStarted: Promise<void>;
  #setFirstLoadStarted: () => void = () => undefined;

  /** The last load of a thread. Does not reject. */
  #lastLoad: Promise<void> = Promise.resolve();
  /** Number of loads so far. Only the result of the last load is used. */
  #loadCount = 0;
  /**
   * The service's id of the thread that was requested last, which `retry` loads again; empty for the one that was opened last; undefined before
   * the first request to the controller.
   */
  #requestedId: string | undefined;
  /** The service's id of the thread that is being loaded, until a thread is shown; empty when there is none. */
  #loadingId = '';
  /** The language of the interface in which the onboarding was requested. */
  #language = '';

  /** `onThreadShown` is called when a thread is shown, and when `message-id` has changed. */
  constructor(host: ConnectedHost<ServiceElement>, onThreadShown: () => void) {
    this.#host = host;
    this.#onThreadShown = onThreadShown;
    this.#provide = provideController(host.element);
    this.#storageKey = new StorageKey(host.element);
    this.#firstLoadStarted = new Promise((resolve) => (this.#setFirstLoadStarted = resolve));
  }

  /** Resolves when the chat is connected and the thread to open is loaded, or has failed to load. */
  async whenReady(): Promise<void> {
    // A property that the host page has just set may open another thread during the pending update.
    await this.#host.element.updateComplete;
    await this.#firstLoadStarted;
    for (let load; load !== this.#lastLoad;) await (load = this.#lastLoad);
  }

  /**
   * Reserves the storage key, so that chats are numbered in the order in which they were added to the page, whether or not their windows are
   * open. Drops the token when the user may have changed. Invalidates an outdated selection.
   */
  willUpdate(changed: PropertyValues<ServiceElement>): void {
    const { element } = this.#host;
    if (element.isConnected && !element.controller) this.#storageKey.acquire();
    // Another function may return the token of another user. All functions of one `userKey` return tokens of that user.
    const isSameUser = element.getToken && readUserKey(element.userKey) !== null;
    if (changed.has('getToken') && !isSameUser) this.#host.controller?.backend.forgetToken?.();
    // A controller that was opened without `getToken` never gets a token, so the first function opens another controller.
    const isFirstGetToken = changed.has('getToken') && !changed.get('getToken');
    const { controller } = this.#host;
    if (
      isFirstGetToken ||
      SERVICE_PROPERTIES.some((name) => changed.has(name)) ||
      // When chats share a controller, only the chat whose changed property now conflicts with the others opens another one.
      (controller &&
        (changed.has('threadId') || changed.has('getToken')) &&
        listConflicts(element, controller).some((name) => changed.has(name)))
    ) {
      this.#openController = undefined;
    }
  }

  /** Returns the controller to connect to; null while there is none. Dispatches `ubik-error` when the properties are invalid. */
  find(): StreamController | null {
    const { element, controller, isRetained, requestUpdate } = this.#host;
    if (this.#isTokenExpected) {
      void whenScriptsHaveRun().then(requestUpdate);
      return null;
    }
    if (this.#openController) return isRetained ? controller : this.#openController(controller);
    const provided = element.controller;
    try {
      this.#openController = provided
        ? () => provided
        : prepareService(element, this.acquireStorageKey);
      const found = this.#openController(controller);
      // The previous selection had failed, and its error is still shown.
      if (this.loadState && this.#requestedId === undefined) this.#setLoadState('');
      return found;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      this.#openController = () => null;
      this.#requestedId = undefined;
      dispatchError(element, error);
      this.#setLoadState(error);
      return null;
    }
  }

  /**
   * Loads the thread for a newly connected controller, unless the controller already shows one or is that of the host page; loads another thread
   * when `thread-id` has changed. Loads the onboarding of a new controller, and again in another language. Repeats the rejected requests after
   * `getToken` was set.
   */
  updated(changed: PropertyValues<ServiceElement>): void {
    const { controller, element } = this.#host;
    if (!controller) return;
    const threadId = element.threadId || '';
    const isNew = controller !== this.#knownController;
    const language = findLanguage(element);
    // The language of a removed element is not that of the page.
    if (isNew || (element.isConnected && language !== this.#language)) {
      this.#language = language;
      void this.#loadOnboarding(controller, !isNew);
    }
    if (isNew) {
      // Resets the state that belongs to the previous controller, and ignores the result of a load that it has not finished.
      this.#knownController = controller;
      this.#loadCount += 1;
      this.#requestedId = undefined;
      this.#loadingId = '';
      this.loadState = '';
      this.isAuthRequired = false;
      this.#wereRequestsRepeated = false;
      this.#provide(controller);
      if (controller.thread) this.#onThreadShown();
      else if (!element.controller) void this.#load(threadId);
      this.#setFirstLoadStarted();
    } else if (
      changed.has('threadId') &&
      threadId !== (this.#loadingId || controller.thread?.id || '')
    ) {
      void this.#load(threadId);
    } else if (
      this.isAuthRequired &&
      changed.has('getToken') &&
      element.getToken &&
      !(this.#wereRequestsRepeated && changed.get('getToken'))
    ) {
      // The rejected requests are repeated with the new token.
      this.#wereRequestsRepeated = true;
      this.isAuthRequired = false;
      this.#host.requestUpdate();
      const repeated = [this.#loadOnboarding(controller, false)];
      if (this.loadState) repeated.push(this.retry());
      else if (this.canRejoin && controller.thread?.run.state === 'interrupted')
        repeated.push(this.rejoin());
      void Promise.all(repeated).then(() => (this.#wereRequestsRepeated = this.isAuthRequired));
    } else if (changed.has('messageId')) this.#onThreadShown();
  }

  /** Handles a notice of the controller. */
  handleNotice({ type }: ControllerNotice): void {
    if (type === 'thread-changed') {
      this.#loadingId = '';
      // The failed load no longer matters: the user has opened another thread, or a new one.
      if (isUbikError(this.loadState) && this.#requestedId !== undefined) {
        this.#requestedId = this.#host.controller?.thread?.id ?? '';
        this.#setLoadState('');
      }
    }
    if (type === 'auth-required') this.isAuthRequired = true;
    else if (type === 'run-started' || type === 'thread-opened') {
      this.isAuthRequired = false;
      this.#wereRequestsRepeated = false;
    }
  }

  /** Shows another thread, by the service's id. */
  async openThread(id: string): Promise<void> {
    await this.waitForToken();
    if (!this.#host.controller) return;
    await this.#host.performAction([new UbikThreadOpenEvent({ threadId: id })], () =>
      this.#load(id),
    );
  }

  /** Loads the thread again after a failure; if the controller could not be opened, opens it again. */
  async retry(): Promise<void> {
    if (this.#host.controller && this.#requestedId !== undefined)
      await this.#load(this.#requestedId);
    else {
      this.#openController = undefined;
      this.#host.requestUpdate();
    }
  }

  /** Whether the service can rejoin an interrupted run. */
  get canRejoin(): boolean {
    return this.#host.controller?.backend.capabilities.has('rejoin') ?? false;
  }

  /** Rejoins an interrupted run. */
  async rejoin(): Promise<void> {
    this.isAuthRequired = false;
    await this.#host.attempt(this.#host.controller?.rejoin());
  }

  /** Resolves when the chat no longer waits for `getToken` to be set: at the latest when the scripts of the host page have run. */
  async waitForToken(): Promise<void> {
    if (!this.#isTokenExpected) return;
    await whenScriptsHaveRun();
    await this.#host.element.updateComplete;
  }

  /** Reserves and returns the key under which the chat stores its thread, its drafts, and that its gate was passed. */
  readonly acquireStorageKey = (): string => this.#storageKey.acquire();

  /** Whether a script of the host page may still set `getToken`, without which requests would be rejected. */
  get #isTokenExpected(): boolean {
    const { getToken, backend, controller } = this.#host.element;
    return !(getToken ?? backend ?? controller) && !this.#host.controller && !haveScriptsRun();
  }

  async #loadOnboarding(controller: StreamController, reload: boolean): Promise<void> {
    const language = this.#language;
    const loading = controller.loadOnboarding(reload).then((onboarding) => {
      if (controller !== this.#knownController || language !== this.#language) return;
      this.onboarding = onboarding;
      this.#host.requestUpdate();
    });
    // When it cannot be loaded, the previous or the default greeting is shown, so the error is ignored.
    await this.#host.attempt(loading, () => undefined);
  }

  /** Opens a thread by the service's id; without one, the thread that was opened last. */
  #load(id: string): Promise<void> {
    return (this.#lastLoad = this.#loadThread(id));
  }

  async #loadThread(id: string): Promise<void> {
    const host = this.#host;
    const { controller } = host;
    if (!controller) return;
    this.#requestedId = id;
    this.isAuthRequired = false;
    const number = (this.#loadCount += 1);
    this.#setLoadState('loading');
    let failure: UbikError | '' = '';
    const loading = host.performAction([], () => {
      this.#loadingId = id;
      return id ? controller.openThread(id) : controller.openLastThread();
    });
    await host.attempt(loading, (error) => (failure = error));
    if (this.#loadingId === id) this.#loadingId = '';
    if (number !== this.#loadCount) return;
    if (!failure) this.#onThreadShown();
    this.#setLoadState(failure);
  }

  #setLoadState(state: ServiceController['loadState']): void {
    this.loadState = state;
    this.#host.requestUpdate();
  }
}

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
 * Selects the controller and the thread of a chat by its properties: `controller`, else a controller for `backend`, `service` and so on;
 * then the thread of `thread-id`, else the one that was opened last. Provides the controller to the elements inside the chat.
 *
 * The chat calls `willUpdate`, `find` and `updated` in this order during its update.
 */
export class ServiceController {
  /** `loading` while the thread is loading, the error when the thread or the service is not available, else empty. */
  loadState: UbikError | 'loading' | '' = '';
  /** Whether the service requires authentication. */
  isAuthRequired = false;
  /**
   * Whether the rejected requests were repeated with a new token, and none has succeeded since. They are not repeated with each further function,
   * because a page may replace `getToken` on each render.
   */
  #isRepeated = false;
  /** Greeting and starters of the service; null until they are loaded. */
  onboarding: Onboarding | null = null;
  readonly #host: ConnectedHost<ServiceElement>;
  readonly #onThreadShown: () => void;
  readonly #provide: (controller: StreamController) => void;
  readonly #storageKey: StorageKey;
  /** Opens the selected controller; undefined when a controller has yet to be selected. */
  #open: ((last: StreamController | null) => StreamController | null) | undefined;
  /** Resolves when the chat is connected and has started its first load, if there is anything to load. */
  readonly #started: Promise<void>;
  #setStarted: () => void = () => undefined;
  /** The last load of a thread. Does not reject. */
  #lastLoad: Promise<void> = Promise.resolve();
  /** The connected controller at the last update; undefined before there was one. */
  #shown: StreamController | undefined;
  /** The language of the interface in which the onboarding was requested. */
  #language = '';
  /** Number of loads so far. Only the result of the last load is used. */
  #loadCount = 0;
  /** The service's id of the thread that was requested last; empty for the one that was opened last; undefined before the first request. */
  #requested: string | undefined;
  /** The service's id of the thread that is being loaded, until a thread is shown; empty when there is none. */
  #loading = '';

  /** `onThreadShown` is called when a thread is shown, and when `message-id` has changed. */
  constructor(host: ConnectedHost<ServiceElement>, onThreadShown: () => void) {
    this.#host = host;
    this.#onThreadShown = onThreadShown;
    this.#provide = provideController(host.element);
    this.#storageKey = new StorageKey(host.element);
    this.#started = new Promise((resolve) => (this.#setStarted = resolve));
  }

  /** Resolves when the chat is connected and the thread to open is loaded, or has failed to load. */
  async whenReady(): Promise<void> {
    // A property that the host page has just set may open another thread during the pending update.
    await this.#host.element.updateComplete;
    await this.#started;
    for (let load; load !== this.#lastLoad;) await (load = this.#lastLoad);
  }

  /**
   * Reserves the storage key, also for a chat whose window is closed, so that chats are numbered in document order. Drops the token when the
   * user may have changed. Invalidates an outdated selection.
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
      this.#open = undefined;
    }
  }

  /** Returns the controller to connect to; null while there is none. Dispatches `ubik-error` when the properties are invalid. */
  find(): StreamController | null {
    const { element, controller, isRetained, requestUpdate } = this.#host;
    if (this.#isTokenExpected) {
      void whenScriptsHaveRun().then(requestUpdate);
      return null;
    }
    if (this.#open) return isRetained ? controller : this.#open(controller);
    const provided = element.controller;
    try {
      this.#open = provided ? () => provided : prepareService(element, this.acquireStorageKey);
      const found = this.#open(controller);
      // The previous selection had failed, and its error is still shown.
      if (this.loadState && this.#requested === undefined) this.#setLoadState('');
      return found;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      this.#open = () => null;
      this.#requested = undefined;
      dispatchError(element, error);
      this.#setLoadState(error);
      return null;
    }
  }

  /** Opens the thread of a newly connected controller, or the thread of a changed `thread-id`. */
  updated(changed: PropertyValues<ServiceElement>): void {
    const { controller, element } = this.#host;
    if (!controller) return;
    const threadId = element.threadId || '';
    const isNew = controller !== this.#shown;
    const language = findLanguage(element);
    // The language of a removed element is not that of the page.
    if (isNew || (element.isConnected && language !== this.#language)) {
      this.#language = language;
      void this.#loadOnboarding(controller, !isNew);
    }
    if (isNew) {
      this.#shown = controller;
      // The result of a load of the previous controller no longer matters.
      this.#loadCount += 1;
      this.#requested = undefined;
      this.#loading = '';
      this.loadState = '';
      this.isAuthRequired = false;
      this.#isRepeated = false;
      this.#provide(controller);
      if (!controller.thread && !element.controller) void this.#load(threadId);
      else if (controller.thread) this.#onThreadShown();
      this.#setStarted();
    } else if (
      changed.has('threadId') &&
      threadId !== (this.#loading || controller.thread?.id || '')
    ) {
      void this.#load(threadId);
    } else if (
      this.isAuthRequired &&
      changed.has('getToken') &&
      element.getToken &&
      !(this.#isRepeated && changed.get('getToken'))
    ) {
      // The rejected requests are repeated with the new token.
      this.#isRepeated = true;
      this.isAuthRequired = false;
      this.#host.requestUpdate();
      const repeated = [this.#loadOnboarding(controller, false)];
      if (this.loadState) repeated.push(this.retry());
      else if (this.canRejoin && controller.thread?.run.state === 'interrupted')
        repeated.push(this.rejoin());
      void Promise.all(repeated).then(() => (this.#isRepeated = this.isAuthRequired));
    } else if (changed.has('messageId')) this.#onThreadShown();
  }

  /** Handles a notice of the controller. */
  handleNotice({ type }: ControllerNotice): void {
    if (type === 'thread-changed') {
      this.#loading = '';
      // The failed load no longer matters: the user has opened another thread, or a new one.
      if (isUbikError(this.loadState) && this.#requested !== undefined) {
        this.#requested = this.#host.controller?.thread?.id ?? '';
        this.#setLoadState('');
      }
    }
    if (type === 'auth-required') this.isAuthRequired = true;
    else if (type === 'run-started' || type === 'thread-opened') {
      this.isAuthRequired = false;
      this.#isRepeated = false;
    }
  }

  /** Shows another thread, by the service's id. */
  async openThread(id: string): Promise<void> {
    await this.whenStarted();
    if (!this.#host.controller) return;
    await this.#host.performAction([new UbikThreadOpenEvent({ threadId: id })], () =>
      this.#load(id),
    );
  }

  /** Loads the thread again after a failure; if the controller could not be opened, opens it again. */
  async retry(): Promise<void> {
    if (this.#host.controller && this.#requested !== undefined) await this.#load(this.#requested);
    else {
      this.#open = undefined;
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
  async whenStarted(): Promise<void> {
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
      if (controller !== this.#shown || language !== this.#language) return;
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
    this.#requested = id;
    this.isAuthRequired = false;
    const number = (this.#loadCount += 1);
    this.#setLoadState('loading');
    let failure: UbikError | '' = '';
    const loading = host.performAction([], () => {
      this.#loading = id;
      return id ? controller.openThread(id) : controller.openLastThread();
    });
    await host.attempt(loading, (error) => (failure = error));
    if (this.#loading === id) this.#loading = '';
    if (number !== this.#loadCount) return;
    if (!failure) this.#onThreadShown();
    this.#setLoadState(failure);
  }

  #setLoadState(state: ServiceController['loadState']): void {
    this.loadState = state;
    this.#host.requestUpdate();
  }
}

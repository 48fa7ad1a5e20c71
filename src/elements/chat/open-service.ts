import type { Backend, NewThread } from '../../backends/backend.js';
import type { StreamController, PageState } from '../../controller/controller-types.js';
import { createStreamController } from '../../controller/controller.js';
import { createBackend, type GetToken } from '../../controller/registry.js';
import { findOwner, readUserKey, shareController } from '../../controller/shared-controllers.js';
import { findLanguage } from '../../dom/language.js';
import { UbikError } from '../../errors.js';
import { ConnectedElements } from '../base/connected-elements.js';
import { findStorageScope } from './storage-key.js';

/** Properties of a chat, set by the host page, that select the service and the thread. */
export interface ServiceOptions {
  /** The service; by default the one that is registered as `service`. */
  readonly backend: Backend | null;
  readonly service: string;
  readonly baseUrl: string;
  readonly threadId: string;
  readonly agentId: string;
  /** Not validated; may be empty. */
  readonly userKey: unknown;
  readonly getToken: GetToken | null;
  readonly newThread: NewThread | null;
  /** Not validated. */
  readonly drafts: string;
}

/** Unique names of backends that the host page has created: two backends with one `name` must not share a controller. */
const backendNames = new WeakMap<Backend, string>();
let backendCount = 0;

function nameOf(backend: Backend): string {
  const name = backendNames.get(backend) ?? `${backend.name}#${(backendCount += 1)}`;
  backendNames.set(backend, name);
  return name;
}

function resolveBaseUrl(baseUrl: string): string | null {
  try {
    return baseUrl ? new URL(baseUrl, document.baseURI).href : null;
  } catch (cause) {
    throw new UbikError('misuse', `Invalid base URL "${baseUrl}".`, { cause });
  }
}

/**
 * Returns a function that opens the controller for the current properties of an element: the one that it shares with another element (see
 * {@link shareController}), else a new one. The controller closes when the last element releases it. The returned function gets the last
 * controller of the element. It may return that one even if it shows another thread by now, so that an element that was moved shows the same
 * thread as before. It never returns a controller to which a chat is connected that conflicts with the element (see {@link listConflicts}).
 *
 * Throws `misuse` when the base URL is invalid. The returned function throws when the service is not registered.
 *
 * @param getStorageKey returns the storage key of the element; called each time the controller is opened
 */
export function prepareService(
  element: HTMLElement & ServiceOptions,
  getStorageKey: () => string,
): (last: StreamController | null) => StreamController {
  const { backend, getToken, newThread } = element;
  const service = element.service || 'ubik';
  const userKey = readUserKey(element.userKey);
  const persistDrafts = element.drafts !== 'off';
  const storageScope = findStorageScope(element);
  const baseUrl = resolveBaseUrl(element.baseUrl);
  const threadId = element.threadId || null;
  const agentId = element.agentId || null;
  const name = backend ? nameOf(backend) : service;
  const create = (storageKey: string): StreamController => {
    // Null while the backend is created, which may already call `getCurrentToken` and `language`.
    let controller: StreamController | null = null;
    // Calls the current function of a connected chat: the chat that has opened the controller may be removed, and a framework may set a new
    // function with each render.
    const getCurrentToken: GetToken | null =
      getToken &&
      ((request) => {
        const chats = listChats(controller);
        // When no connected chat has a function, the user has signed out.
        const { getToken: current } = chats.find((chat) => chat.getToken) ?? chats[0] ?? element;
        return current?.(request) ?? '';
      });
    const language = (): string => {
      // The language of the element while it is connected, else that of another connected element, if there is one.
      const [first = element] = element.isConnected ? [] : listElements(controller);
      return findLanguage(first);
    };
    controller = createStreamController({
      backend:
        backend ??
        createBackend(service, { baseUrl, agentId, userKey, getToken: getCurrentToken, language }),
      storageScope,
      storageKey,
      userKey,
      persistDrafts,
      page: pageState,
      keepAlive: false,
      reportError: (error) => {
        reportError(error);
      },
      ...(newThread && { newThread }),
    });
    return controller;
  };
  return (last) => {
    const storageKey = getStorageKey();
    const options = { service: name, baseUrl, threadId, storageKey, agentId };
    return shareController(
      { ...options, userKey, getToken, persistDrafts },
      () => create(storageKey),
      (known) =>
        (known === last || isThreadOf(element, known)) &&
        listConflicts(element, known).length === 0,
    );
  };
}

/** Whether a controller shows the thread that an element opens, or none yet. */
function isThreadOf({ threadId }: ServiceOptions, { thread }: StreamController): boolean {
  return !threadId || !thread || thread.id === threadId;
}

/**
 * Returns the properties in which a chat that is connected to a controller differs from `element`: it opens another thread, or its tokens may
 * be those of another user.
 */
export function listConflicts(
  element: ServiceOptions,
  controller: StreamController,
): ('threadId' | 'getToken')[] {
  const userKey = readUserKey(element.userKey);
  const owner = findOwner(element.getToken, userKey);
  return listChats(controller).flatMap(({ threadId, getToken }) => [
    ...((threadId || '') === (element.threadId || '') ? [] : ['threadId' as const]),
    ...(findOwner(getToken, userKey) === owner ? [] : ['getToken' as const]),
  ]);
}

/** Returns the elements that are connected to a controller. */
function listElements(controller: StreamController | null): readonly HTMLElement[] {
  return controller ? [...ConnectedElements.of(controller).elements] : [];
}

/** Returns the chats that are connected to a controller. */
function listChats(controller: StreamController | null): readonly ServiceOptions[] {
  const elements = listElements(controller) as readonly (HTMLElement | ServiceOptions)[];
  return elements.filter((element) => 'getToken' in element);
}

/** Visibility and network state of this browser page, for controllers. */
const pageState: PageState = {
  get visible() {
    return !document.hidden;
  },
  get online() {
    return navigator.onLine;
  },
  onWake(listener) {
    return listen({
      visibilitychange: () => {
        if (pageState.visible) listener('visible');
      },
      resume: () => {
        listener('resume');
      },
      online: () => {
        listener('online');
      },
      // Only a page that is restored from the back/forward cache has a run to rejoin.
      pageshow: (event) => {
        if ((event as PageTransitionEvent).persisted) listener('pageshow');
      },
    });
  },
  onHide(listener) {
    return listen({ pagehide: listener });
  },
};

/** Adds listeners to the window, where all these events are dispatched or pass in the capture phase. Returns the function that removes them. */
function listen(listeners: Readonly<Record<string, (event: Event) => void>>): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  for (const [type, listener] of Object.entries(listeners)) {
    window.addEventListener(type, listener, { signal, capture: true });
  }
  return () => {
    abort.abort();
  };
}

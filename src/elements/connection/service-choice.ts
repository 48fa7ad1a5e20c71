import type { PropertyValues } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import { isUbikError } from '../../errors.js';
import { prepareService, type ServiceRequest } from './open-service.js';

/** What decides about the conversation. */
const SERVICE = [
  'controller',
  'backend',
  'service',
  'baseUrl',
  'agentId',
  'userKey',
  'storageKey',
] as const;

/** What a page says about the conversation of its chat. */
export interface ChosenService extends ServiceRequest {
  readonly controller: StreamController | null;
}

/** Which conversation a page has chosen for its chat: the one it gave, else that of the service it named. */
export class ServiceChoice {
  #way: (() => StreamController | null) | undefined;

  /** Whether what was chosen still stands; a token that comes later is another choice too. */
  stands(changed: PropertyValues): boolean {
    const token = changed.has('getToken') && !changed.get('getToken');
    return this.#way !== undefined && !token && !SERVICE.some((name) => changed.has(name));
  }

  /** The conversation that was chosen. */
  find(): StreamController | null {
    return this.#way?.() ?? null;
  }

  /** Chooses anew. Throws a `UbikError` when what the page gave cannot be used: then nothing is chosen. */
  choose(chat: ChosenService, placeOf: () => string): StreamController | null {
    const { controller } = chat;
    try {
      this.#way = controller ? () => controller : prepareService(chat, placeOf);
      return this.#way();
    } catch (error) {
      if (isUbikError(error)) this.#way = () => null;
      throw error;
    }
  }

  /** Nothing is chosen any more: the page is asked again. */
  forget(): void {
    this.#way = undefined;
  }
}

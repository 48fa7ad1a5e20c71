import { readUserKey } from '../../controller/shared-controllers.js';

/** Properties that identify a chat among those of the page. */
export interface StorageOptions {
  readonly isConnected: boolean;
  readonly id: string;
  readonly storageKey: string;
  readonly service: string;
  readonly baseUrl: string;
  readonly agentId: string;
  readonly userKey: unknown;
}

/** The unnamed chats of this page by service, base URL, agent and user. The index in the array is the number of the chat. */
const groups = new Map<string, (StorageKey | undefined)[]>();

/**
 * The storage key of a chat, which lets each chat of a page restore its own thread and drafts. A chat without `storage-key` and `id` is
 * identified by its number among those with the same service, base URL, agent and user, in the order of their connection. It keeps the
 * number after it was disconnected, until another chat reuses it.
 */
export class StorageKey {
  readonly #options: StorageOptions;
  #group: (StorageKey | undefined)[] | undefined;

  /** The options may change and are read at each acquisition. */
  constructor(options: StorageOptions) {
    this.#options = options;
  }

  /** Returns the key, and reserves it while the chat is connected; empty for the first unnamed chat if it has no `agent-id`. */
  acquire(): string {
    const { id, storageKey, agentId } = this.#options;
    const name = storageKey || id;
    const number = this.#joinGroup(name ? undefined : this.#findGroup());
    return name || number || agentId ? JSON.stringify([agentId, name || number]) : '';
  }

  #findGroup(): (StorageKey | undefined)[] {
    const { service, agentId } = this.#options;
    const userKey = readUserKey(this.#options.userKey);
    const name = JSON.stringify([service, findStorageScope(this.#options), agentId, userKey]);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    return group;
  }

  /**
   * Returns the number of the chat in a group; 0 without a group. Releases its number in another group, because the host page may change the
   * options after the chat was connected.
   */
  #joinGroup(group: (StorageKey | undefined)[] | undefined): number {
    const known = this.#group?.indexOf(this) ?? -1;
    if (group === this.#group && known >= 0) return known;
    if (this.#group && known >= 0) this.#group[known] = undefined;
    this.#group = group;
    if (!group) return 0;
    const free = group.findIndex((other) => other === undefined || !other.#options.isConnected);
    const number = free < 0 ? group.length : free;
    group[number] = this;
    return number;
  }
}

/** The scope of what a chat stores: the absolute base URL of its service, else the name of the service. */
export function findStorageScope({
  service,
  baseUrl,
}: Pick<StorageOptions, 'service' | 'baseUrl'>): string {
  const { baseURI } = document;
  return baseUrl && URL.canParse(baseUrl, baseURI) ? new URL(baseUrl, baseURI).href : service;
}

import { readUserKey } from '../../controller/user-key.js';

/** What tells the chats of a page apart. */
export interface PlacedChat {
  readonly id: string;
  readonly storageKey: string;
  readonly service: string;
  readonly baseUrl: string;
  readonly agentId: string;
  readonly userKey: unknown;
}

/** The chats without a name by their numbers, by service, assistant and person. */
const groups = new Map<string, (ChatPlace | undefined)[]>();

/**
 * Which chat of a page a chat is, so that each remembers its own conversation. One without a name is known by its number among those
 * of the same service, assistant and person, in the order in which they came into the page. It keeps that number until another chat
 * comes while it is out of the page.
 */
export class ChatPlace {
  readonly #chat: PlacedChat;
  #isPresent = false;
  #group: (ChatPlace | undefined)[] | undefined;

  constructor(chat: PlacedChat) {
    this.#chat = chat;
  }

  /** The chat is in the page. Returns the key under which it stores what belongs to it alone; empty for the only or first chat. */
  claim(): string {
    this.#isPresent = true;
    const { id, storageKey, agentId } = this.#chat;
    const name = storageKey || id;
    const number = this.#joinGroup(name ? undefined : this.#findGroup());
    return name || number || agentId ? JSON.stringify([agentId, name || number]) : '';
  }

  /** The chat has left the page: another one may take its number. */
  release(): void {
    this.#isPresent = false;
  }

  #findGroup(): (ChatPlace | undefined)[] {
    const { service, baseUrl, agentId } = this.#chat;
    const userKey = readUserKey(this.#chat.userKey);
    const name = JSON.stringify([service, resolve(baseUrl), agentId, userKey]);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    return group;
  }

  /** Takes a number in a group, and gives back that in another one: the page may say more of a chat after it came. */
  #joinGroup(group: (ChatPlace | undefined)[] | undefined): number {
    const known = this.#group?.indexOf(this) ?? -1;
    if (group === this.#group && known >= 0) return known;
    if (this.#group && known >= 0) this.#group[known] = undefined;
    this.#group = group;
    if (!group) return 0;
    const free = group.findIndex((place) => place === undefined || !place.#isPresent);
    const number = free < 0 ? group.length : free;
    group[number] = this;
    return number;
  }
}

/** Two spellings of one address are one service; what is no address is itself. */
function resolve(baseUrl: string): string {
  const { baseURI } = document;
  return URL.canParse(baseUrl, baseURI) ? new URL(baseUrl, baseURI).href : baseUrl;
}

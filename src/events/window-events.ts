import { after, before } from './event.js';

/** Before a chat in a window of its own is opened. */
export class UbikChatOpenEvent extends before<null>('ubik-chat-open') {}

/** A chat in a window of its own is open. */
export class UbikChatOpenedEvent extends after<null>('ubik-chat-opened') {}

/** Before a chat in a window of its own is closed. */
export class UbikChatCloseEvent extends before<null>('ubik-chat-close') {}

/** A chat in a window of its own is closed. */
export class UbikChatClosedEvent extends after<null>('ubik-chat-closed') {}

import type { AddressDetail } from './details.js';
import { before } from './event.js';

/** Before a link of a message is followed. */
export class UbikLinkOpenEvent extends before<AddressDetail>('ubik-link-open') {}

/** Before a remote picture is loaded, which the person asked for. */
export class UbikImageLoadEvent extends before<AddressDetail>('ubik-image-load') {}

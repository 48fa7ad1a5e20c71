/**
 * For the Node server of a page: a route that gives tokens, and a proxy to the service on the page's own origin. Only
 * Node's own modules are used, and nothing is kept.
 *
 * @module
 */
export type { GetUser } from './handler-options.js';
export {
  createTokenHandler,
  type TokenHandler,
  type TokenHandlerOptions,
} from './token-handler.js';
export {
  createUbikProxy,
  type BeforeForward,
  type ForwardCall,
  type ForwardRefusal,
  type UbikProxy,
  type UbikProxyOptions,
} from './proxy.js';

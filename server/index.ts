/**
 * The server kit for Node: a route that issues tokens, and a proxy to the service on the origin of the page. It uses only Node's own
 * modules, and has no state.
 *
 * @module
 */
export type { GetUser, OnError, UserId } from './handler-options.js';
export {
  createTokenHandler,
  type TokenHandler,
  type TokenHandlerOptions,
} from './token-handler.js';
export {
  createUbikProxy,
  type BeforeForward,
  type ForwardCall,
  type ForwardRejection,
  type UbikProxy,
  type UbikProxyOptions,
} from './proxy.js';

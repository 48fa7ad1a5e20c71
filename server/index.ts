/**
 * For the Node server of a page: a route that issues tokens, and a proxy to the service on the origin of the page. It uses the modules
 * of Node only, and has no state.
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
  type ForwardRejection,
  type UbikProxy,
  type UbikProxyOptions,
} from './proxy.js';

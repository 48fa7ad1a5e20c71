/**
 * Delays responses of the servers in a Node process, as a slow line does: files that pages load on demand, and reads of a service. Loaded
 * with `--import` into each process of a test run when the environment variable `SLOW_FILES` is set, whose value is the seed of the delays.
 * Tests must also pass with these delays: they must wait for what is shown.
 */
import { createHash } from 'node:crypto';
import { Server } from 'node:http';

/** Maximum delay of a response in ms. */
const LONGEST = 1500;

/** Paths of files that are loaded on demand. */
const LAZY_FILE = /\/(?:parts|extras)\/.*\.js$/;

/** Paths of the services, without those of streams, whose timing the tests control. */
const SERVICE = /^\/(?:open-)?api\/(?!.*\/stream$)/;

/** Numbers of requests so far, by path without ids and hashes, so that the delays of a seed do not depend on those. @type {Map<string, number>} */
const counts = new Map();

/** @param {string} path @returns {number} the delay in ms */
function chooseDelay(path) {
  const name = path.replaceAll(/[\da-f-]{16,}|-\w{8}(?=\.js$)/g, '');
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  const hash = createHash('sha256').update(`${process.env['SLOW_FILES'] ?? ''} ${name} ${count}`);
  return (hash.digest().readUInt32BE() / 2 ** 32) * LONGEST;
}

const { emit } = Server.prototype;

/** @this {Server} @param {string} name @param {...any} values */
Server.prototype.emit = function delayRequest(name, ...values) {
  const [request] = values;
  const path = name === 'request' && request.method === 'GET' ? request.url.split('?', 1)[0] : '';
  const proceed = () => Reflect.apply(emit, this, [name, ...values]);
  if (!LAZY_FILE.test(path) && !SERVICE.test(path)) return proceed();
  setTimeout(() => {
    if (!request.socket.destroyed) proceed();
  }, chooseDelay(path));
  return true;
};

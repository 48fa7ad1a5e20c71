/** Installs packages from the registry for suites that are left out where it cannot be reached. */
import { basename } from 'node:path';
import { runCommand } from './run-command.mjs';

/** npm's error codes when the registry does not respond; a package or version that does not exist has other ones. */
const UNREACHABLE =
  /^npm (?:error|ERR!) code (?:EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTCACHED|ENOTFOUND|ERR_SOCKET_TIMEOUT|ETIMEDOUT)$/m;

/** The registry cannot be reached. */
export class UnreachableRegistryError extends Error {}

/**
 * Runs npm in a folder.
 *
 * @param {string} cwd
 * @param {readonly string[]} words
 * @throws {UnreachableRegistryError} if the registry does not respond
 * @throws {Error} with the output, if npm fails for another reason
 */
export async function runNpm(cwd, ...words) {
  const { code, output } = await runCommand(['npm', ...words], { cwd, seconds: 600 });
  if (code === 0) return;
  const message = `npm ${words.join(' ')} failed in ${basename(cwd)}:\n${output}`;
  throw UNREACHABLE.test(output)
    ? new UnreachableRegistryError(`The registry of npm cannot be reached. ${message}`)
    : new Error(message);
}

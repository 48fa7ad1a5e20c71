/** Packs the package as it would be published, from the current `dist/`. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './run-command.mjs';

/**
 * @typedef {object} Packed
 * @property {string} file absolute path of the tarball
 * @property {number} size in bytes
 * @property {readonly string[]} paths of the files in it
 */

/**
 * Runs `npm pack` without the script `prepack`, which would build again. Overwrites the tarball of an earlier call.
 *
 * @param {string} [folder] from the root of the repository
 * @returns {Promise<Packed>}
 */
export async function packPackage(folder = '.cache/package') {
  const destination = join(ROOT, folder);
  await mkdir(destination, { recursive: true });
  const { stdout } = await promisify(execFile)(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', destination],
    { cwd: ROOT, maxBuffer: 2 ** 26 },
  );
  /** @type {[{ filename: string, size: number, files: { path: string }[] }]} */
  const [packed] = JSON.parse(stdout);
  return {
    file: join(destination, packed.filename),
    size: packed.size,
    paths: packed.files.map(({ path }) => path),
  };
}

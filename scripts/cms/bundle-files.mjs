/** The files that each CMS integration contains in addition to those in its folder. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { ROOT } from '../run-command.mjs';

const BUNDLE = join(ROOT, 'dist/bundle');

/**
 * Reads all files of a folder.
 *
 * @param {string} folder
 * @returns {Map<string, Buffer>} by path with slashes
 */
export function readFolder(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(
    files.map((name) => [name.split(sep).join('/'), readFileSync(join(folder, name))]),
  );
}

/**
 * Returns the built elements, the script that places them, and the licences.
 *
 * @param {string} assets folder of the scripts in the integration, with a trailing slash
 * @returns {Map<string, Buffer>}
 */
export function readSharedFiles(assets) {
  const bundle = [...readFolder(BUNDLE)].filter(([name]) => /\.(?:m?js|css)$/.test(name));
  if (bundle.length === 0) throw new Error('dist/bundle is empty. Run `npm run build` first.');
  return new Map([
    ...bundle.map(
      ([name, content]) => /** @type {const} */ ([`${assets}elements/${name}`, content]),
    ),
    ...[...readFolder(join(ROOT, 'integrations/cms'))].map(
      ([name, content]) => /** @type {const} */ ([`${assets}${name}`, content]),
    ),
    ['LICENSE', readFileSync(join(ROOT, 'LICENSE'))],
    ['THIRD-PARTY-NOTICES.txt', readFileSync(join(ROOT, 'dist/bundle/THIRD-PARTY-NOTICES.txt'))],
  ]);
}

/**
 * Returns the time of the last commit, so that the same sources give the same bytes. Without git, returns the time of a file, which is that of
 * the commit in an archive of the repository. From the time of the packed files, servers derive how long browsers may use them, and whether
 * they have changed.
 */
export function readSourceDate() {
  try {
    const words = ['log', '-1', '--format=%ct'];
    const seconds = execFileSync('git', words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] });
    return new Date(Number(seconds) * 1000);
  } catch {
    return statSync(join(ROOT, 'package.json')).mtime;
  }
}

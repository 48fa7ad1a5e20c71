import { extraFiles, ownExtras } from './extra-files.js';

/**
 * Loads an optional module by name: with the libraries of the app if it has chosen so, else from `assetsUrl` if given, else as a chunk of
 * the app, else from the folder `extras` beside the script. Rejects if it is missing.
 */
export function loadExtra(name: string, assetsUrl = ''): Promise<unknown> {
  const importFile = ownExtras?.get(name) ?? (assetsUrl ? undefined : extraFiles?.get(name));
  if (importFile) return importFile();
  const folder = assetsUrl && new URL(assetsUrl.replace(/\/?$/, '/'), document.baseURI).href;
  // Bundlers must ignore this import, because they would try to bundle every file that it can match.
  const url = `${folder || './extras/'}${name}.js`;
  return import(/* webpackIgnore: true */ /* @vite-ignore */ url);
}

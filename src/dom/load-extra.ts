import { extraFiles } from './extra-files.js';

/**
 * Loads an optional part by its name, a file that needs nothing else: from the folder that the page names, else as a file of the
 * app, else from the folder `extras` beside the script that asks. Rejects when it is not there.
 */
export function loadExtra(name: string, assetsUrl = ''): Promise<unknown> {
  const file = extraFiles?.get(name);
  if (!assetsUrl && file) return file();
  const folder = assetsUrl && new URL(assetsUrl.replace(/\/?$/, '/'), document.baseURI).href;
  // Bundlers of an app must leave it alone: they would look for every file that it could mean.
  const address = `${folder || './extras/'}${name}.js`;
  return import(/* webpackIgnore: true */ /* @vite-ignore */ address);
}

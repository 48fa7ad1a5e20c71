/**
 * Loads an optional part by its name: a file that needs nothing else, in the folder `extras` beside the script that asks, or
 * in the one that the page names. Rejects when it is not there.
 */
export function loadExtra(name: string, assetsUrl = ''): Promise<unknown> {
  const folder = assetsUrl && new URL(assetsUrl.replace(/\/?$/, '/'), document.baseURI).href;
  // Bundlers of an app must leave it alone: they would look for every file that it could mean.
  const address = `${folder || './extras/'}${name}.js`;
  return import(/* webpackIgnore: true */ /* @vite-ignore */ address);
}

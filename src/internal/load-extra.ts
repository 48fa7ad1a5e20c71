/**
 * Loads an optional part by its name: a file that needs nothing else, beside the script that asks, or below the address that the
 * page gives. Rejects when it is not there.
 */
export function loadExtra(name: string, assetsUrl = ''): Promise<unknown> {
  const file = `${name}.js`;
  if (!assetsUrl) return import(/* @vite-ignore */ `./${file}`);
  const folder = new URL(assetsUrl.replace(/\/?$/, '/'), document.baseURI);
  return import(/* @vite-ignore */ new URL(file, folder).href);
}

/**
 * Loads an optional part by its name: a file that needs nothing else, beside the script that asks, or below the address that the
 * page gives. Rejects when it is not there.
 */
export function loadExtra(name: string, assetsUrl = ''): Promise<unknown> {
  const file = `${name}.js`;
  if (!assetsUrl) return import(/* @vite-ignore */ `./${file}`);
  return import(/* @vite-ignore */ new URL(file, new URL(`${assetsUrl}/`, document.baseURI)).href);
}

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The scripts of other renderers, by their names. Their packages are installed in `bench/peers`. */
const SCRIPTS = new Map([['streamdown', new URL('peers/streamdown.mjs', import.meta.url)]]);

/** Returns the path of the script that registers a subject; undefined for one that is part of the page. */
export function findScript(subject: string): string | undefined {
  const script = SCRIPTS.get(subject);
  return script && fileURLToPath(script);
}

/** Whether the packages of a subject are installed. */
export function isInstalled(subject: string): boolean {
  const script = SCRIPTS.get(subject);
  return !script || existsSync(new URL(`node_modules/${subject}/package.json`, script));
}

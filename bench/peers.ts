import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Other renderers whose packages are those of `bench/peers`, with their scripts. */
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

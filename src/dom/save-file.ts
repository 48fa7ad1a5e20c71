import type { Clock } from './clock.js';
import { element } from './element.js';

/** How long the bytes of a file stay at hand, in seconds. */
const REVOKE_AFTER = 60;

/**
 * Hands a file to the person. Its address holds for a minute of the clock: a slow browser, or one that asks where to put it, reads the
 * bytes only after the click.
 */
export function saveFile(file: Blob, name: string, clock: Clock): void {
  const link = element('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  let seconds = 0;
  const stop = clock.everySecond(() => {
    if ((seconds += 1) < REVOKE_AFTER) return;
    stop();
    URL.revokeObjectURL(link.href);
  });
}

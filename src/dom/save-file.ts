import { ElementClock, type ClockWindow } from './clock.js';
import { element } from './element.js';

/** Time until the object URL is revoked, in seconds. */
const REVOKE_AFTER = 60;

/**
 * Downloads a file. Its object URL is revoked after a minute, because browsers that are slow, or ask for a location, read the bytes long after
 * the click. The minute is measured by a separate clock, because the clock of an element stops when the element is removed. `page` is the
 * window whose timers this clock uses.
 */
export function saveFile(file: Blob, name: string, page: ClockWindow = window): void {
  const link = element('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  const clock = new ElementClock(page);
  clock.setRunning(true);
  let seconds = 0;
  const stop = clock.everySecond(() => {
    if ((seconds += 1) < REVOKE_AFTER) return;
    stop();
    URL.revokeObjectURL(link.href);
  });
}

/**
 * Converts a title to a file name without extension, of up to 80 characters, without characters that a platform forbids. Words before a slash
 * are kept, since a slash in a title does not separate folders. Returns '' when nothing remains.
 */
export function toFileName(title: string): string {
  // Removes what Windows forbids, dots (which could hide the file or change its type), and invisible characters except joiners.
  const words = title.replace(/(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\s\\/:*?"<>|.])+/gu, ' ').trim();
  return /^.{0,80}/u.exec(words)?.[0].trim() ?? '';
}

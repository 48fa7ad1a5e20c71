/** What the buttons of a message need when they are pressed. */
import type { Key } from '../../model/json.js';
import { readAloud } from '../read-aloud.js';
import { findTextElements } from '../rendered-text.js';

export { renderEditForm } from './edit-form.js';
export { isReading, stopReading } from '../read-aloud.js';

/** Reads the texts of a message aloud, see `readAloud`. */
export function readMessageAloud(
  key: Key,
  message: Element,
  lang: string,
  onEnd: () => void,
): void {
  readAloud(key, findTextElements(message), lang, onEnd);
}

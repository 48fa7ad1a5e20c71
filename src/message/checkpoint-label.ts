import type { Locale } from '../locales/locale.js';
import type { Key } from '../model/json.js';
import type { Message, PartIndex } from '../model/message.js';

/** A name that a service has generated, such as `run-1-step-2`: ASCII without spaces, possibly empty. */
const GENERATED_NAME = /^[!-~]*$/;

/**
 * Returns the name of a checkpoint for the user: a generated name is replaced by the last numbered step before the checkpoint, if there is
 * one. `key` is the key of a checkpoint in `parts`.
 */
export function checkpointLabel(parts: PartIndex, key: Key, locale: Locale): string {
  const part = parts.get(key);
  const name = part?.kind === 'checkpoint' ? part.name : '';
  const siblings = parts.children(part?.parent ?? null);
  for (let at = siblings.indexOf(key) - 1; at >= 0; at -= 1) {
    const step = parts.get(siblings[at] ?? '');
    if (step?.kind !== 'step' || step.number === null) continue;
    return labelAfterStep(name, step.number, step.title, locale);
  }
  return name;
}

/** Returns the name of a checkpoint after a step, whose number or title may be unknown: a generated name is replaced by that step. */
export function labelAfterStep(
  name: string,
  number: number | null,
  title: string,
  locale: Locale,
): string {
  if (!GENERATED_NAME.test(name)) return name;
  if (number === null) return title || name;
  const after = locale.text('afterStep', { number });
  return title ? locale.text('colon', { name: after, words: title }) : after;
}

/** Returns the label of the first checkpoint with this name in the messages; the name if there is none. */
export function findCheckpointLabel(
  messages: Iterable<Message>,
  name: string,
  locale: Locale,
): string {
  for (const { parts } of messages) {
    for (const key of parts.children(null)) {
      const part = parts.get(key);
      if (part?.kind === 'checkpoint' && part.name === name) {
        return checkpointLabel(parts, key, locale);
      }
    }
  }
  return name;
}

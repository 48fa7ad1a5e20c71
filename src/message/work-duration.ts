import type { Message } from '../model/message.js';
import { ACTIVITY } from '../model/part.js';

/** From the first beginning to the last end that events have told, in ms. */
export function workDuration({ parts }: Message): number | null {
  let start = Infinity;
  let end = -Infinity;
  for (const key of parts.children(ACTIVITY)) {
    const part = parts.get(key);
    if (part?.kind !== 'step-activity' && part?.kind !== 'tool-activity') continue;
    // One that has not told its times could have been before the first or after the last.
    if (part.startedAt === null || part.endedAt === null) return null;
    start = Math.min(start, part.startedAt);
    end = Math.max(end, part.endedAt);
  }
  return end > start ? end - start : null;
}

import type { Message } from '../model/message.js';
import { ACTIVITY } from '../model/part.js';

/** Returns the time from the first start to the last end of the steps and tools of a message, in ms; null if it is not known. */
export function workDuration({ parts }: Message): number | null {
  let start = Infinity;
  let end = -Infinity;
  for (const key of parts.children(ACTIVITY)) {
    const part = parts.get(key);
    if (part?.kind !== 'step-activity' && part?.kind !== 'tool-activity') continue;
    // This step or tool, whose times are unknown, may be the first or the last one.
    if (part.startedAt === null || part.endedAt === null) return null;
    start = Math.min(start, part.startedAt);
    end = Math.max(end, part.endedAt);
  }
  return end > start ? end - start : null;
}

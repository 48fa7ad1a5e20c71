import type { RunLookups, StreamedRun } from '../../../src/backends/event-stream/streamed-run.js';
import type { Change } from '../../../src/model/change.js';
import { createFieldChange } from '../../../src/model/change.js';
import type { ServerSentEvent } from '../../../src/transport/sse.js';

/** Prints a server-sent event with this data. */
export const printEvent = (data: string): string => `data: ${data}\n\n`;

/**
 * A run whose events are single words: `end` ends the run, `wait` makes it wait for input, `late` is an event out of order, `throw`
 * throws, and any other word is a change of the message.
 */
export class ScriptedRun implements StreamedRun {
  isEnded = false;
  isWaiting = false;
  isDirty = false;
  /** Whether a stream without an end event ends the run. */
  isStopped = false;
  lookups: RunLookups | undefined = undefined;
  /** The calls in order, except those of `drainChanges` and `repeatStatus`. */
  readonly calls: string[] = [];
  #changes: Change[] = [];
  #late: Change[] = [];

  apply({ data }: ServerSentEvent): void {
    this.calls.push(`apply ${data}`);
    if (data === 'throw') throw new Error('broken');
    if (data === 'late') {
      this.isDirty = true;
      this.#late.push(createFieldChange('a', 'p', 'word', data));
    } else if (data === 'end' || data === 'wait') {
      if (data === 'end') this.isEnded = true;
      else this.isWaiting = true;
      this.repeatStatus();
    } else this.#changes.push(createFieldChange('a', 'p', 'word', data));
  }

  onStreamClosed(): void {
    this.calls.push('onStreamClosed');
  }

  tryEndWithoutEvent(): boolean {
    this.calls.push('tryEndWithoutEvent');
    return this.isStopped;
  }

  drainChanges(sortLate: boolean): Change[] {
    const changes = sortLate ? [...this.#changes, ...this.#late] : this.#changes;
    if (sortLate) {
      this.#late = [];
      this.isDirty = false;
    }
    this.#changes = [];
    return changes;
  }

  repeatStatus(): void {
    const state = this.isEnded ? 'complete' : this.isWaiting ? 'waiting' : 'streaming';
    this.#changes.push({ type: 'thread', set: { run: { state } } });
  }

  onEnd(): void {
    this.calls.push('onEnd');
  }

  loadFinalChanges(): Promise<Change[]> {
    this.calls.push('loadFinalChanges');
    return Promise.resolve([createFieldChange('a', null, 'id', 'm1')]);
  }
}

/** Names a change: its value, `run:` with the state of the run, `id:` with the id of the message, or the type of any other change. */
export function nameChange(change: Change): string {
  if (change.type === 'thread') return `run:${change.set.run?.state ?? ''}`;
  if (change.type !== 'set') return change.type;
  const value = typeof change.value === 'string' ? change.value : '';
  return change.part === null ? `id:${value}` : value;
}

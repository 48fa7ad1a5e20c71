import type { Json } from '../json.js';

/** An event of a task in its stored form: flat, with its type. Each connection encodes it in its own dialect. */
export interface SessionEvent {
  readonly type: string;
  readonly [field: string]: Json | undefined;
}

/** Whether an event ends its task. */
export function isEnd(event: SessionEvent): boolean {
  return event.type === 'agent_processing_complete' || event.type === 'agent_processing_error';
}

import type { Json } from '../json.js';

/** One event of a task as it is stored: flat, with its type. How it looks on the wire is decided per connection. */
export interface SessionEvent {
  readonly type: string;
  readonly [field: string]: Json | undefined;
}

/** The types after which a task is over. */
export function isEnd(event: SessionEvent): boolean {
  return event.type === 'agent_processing_complete' || event.type === 'agent_processing_error';
}

import type { Key } from '../../model/json.js';
import type { ViewContext } from '../part-view.js';
import type { MessageActions } from './message-actions.js';

/** What the acts of messages must not lose when the messages are drawn anew, as every act makes happen. */
export interface ActMemory {
  /** The acts that are shown, by message. */
  readonly shown: Map<Key, MessageActions>;
  /** Texts that were begun and are not sent, by message. */
  readonly edits: Map<Key, string>;
  /** Code of what went wrong last, by message. */
  readonly failures: Map<Key, string>;
  /** Where the focus was when an act replaced its message: the message before, and the control. */
  focus: { readonly place: Key | null; readonly control: string } | null;
}

const memories = new WeakMap<ViewContext, ActMemory>();

/** The memory that all messages of one element share. */
export function memoryOf(context: ViewContext): ActMemory {
  const memory = memories.get(context) ?? {
    shown: new Map(),
    edits: new Map(),
    failures: new Map(),
    focus: null,
  };
  memories.set(context, memory);
  return memory;
}

import type { Key } from '../../model/json.js';
import type { ViewContext } from '../part-view.js';
import type { MessageActions } from './message-actions.js';

/** What the acts of messages must not lose when the messages are drawn anew, as every act makes happen. */
export interface ActionState {
  /** The acts that are shown, by message. */
  readonly mounted: Map<Key, MessageActions>;
  /** Texts that were begun and are not sent, by message. */
  readonly drafts: Map<Key, string>;
  /** Code of what went wrong last, by message. */
  readonly errorCodes: Map<Key, string>;
  /** Where the focus was when an act replaced its message: the message before, and the control. */
  focus: { readonly place: Key | null; readonly control: string } | null;
}

const memories = new WeakMap<ViewContext, ActionState>();

/** The memory that all messages of one element share. */
export function actionStateOf(context: ViewContext): ActionState {
  const memory = memories.get(context) ?? {
    mounted: new Map(),
    drafts: new Map(),
    errorCodes: new Map(),
    focus: null,
  };
  memories.set(context, memory);
  return memory;
}

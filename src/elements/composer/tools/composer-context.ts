import type { MessageField } from '../message-field.js';
import type { WritingHost } from '../writing-options.js';

/** Where somebody writes. */
export interface ComposerContext {
  readonly host: WritingHost;
  readonly field: MessageField;
  /** Says something to people who do not see the screen. */
  readonly say: (words: string) => void;
}

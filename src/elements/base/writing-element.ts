import type { PropertyDeclarations } from 'lit';
import type { UploadLimits } from '../../backends/backend.js';
import type { FollowUps, SuggestionSource } from '../composer/writing-options.js';
import { ConversationElement } from './conversation-element.js';

/** An element in which messages are written, as far as the page has a say in it. */
export abstract class WritingElement extends ConversationElement {
  static override properties: PropertyDeclarations = {
    uploadLimits: { attribute: false },
    whileRunning: { attribute: 'while-running' },
    maxLength: { attribute: 'max-length', type: Number },
    longPaste: { attribute: 'long-paste', type: Number },
    speech: { type: Boolean },
    commands: { attribute: false },
    mentions: { attribute: false },
    followUps: { attribute: false },
  };

  /** What may be uploaded; by default what the service says, else the service decides file by file. */
  uploadLimits: UploadLimits | null = null;
  /** What Enter does while the agent works: `queue` (default) sends afterwards, `stop` stops it and sends, `draft` keeps the text. */
  whileRunning = '';
  /** Longest message that a person may send, in characters; 0 (default): any. A longer one is not cut, it stays in the field. */
  maxLength = 0;
  /** Pasted text that is longer than this, in characters, is attached as a document; 0 (default): none. */
  longPaste = 0;
  /** Whether a message can be dictated, where the browser can write what it hears; most of them send the sound to a service of their own. */
  speech = false;
  /** What is offered after `/` at the beginning of a message. */
  commands: SuggestionSource | null = null;
  /** What is offered after `@`. */
  mentions: SuggestionSource | null = null;
  /** Up to four questions that are offered under a complete answer. */
  followUps: FollowUps | null = null;
}

import { baseStyles } from './base.js';
import { composerStyles, transcriptStyles } from './chat.js';
import { markdownStyles } from './markdown.js';
import { messageStyles } from './message.js';
import { partStyles } from './parts.js';
import { standAloneStyles } from './stand-alone.js';

/** All elements share the same sheets, which a browser reads once. */
export const styles = [
  baseStyles,
  messageStyles,
  partStyles,
  transcriptStyles,
  composerStyles,
  standAloneStyles,
  markdownStyles,
];

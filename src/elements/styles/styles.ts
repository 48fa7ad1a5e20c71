import { css, unsafeCSS } from 'lit';
import { markdownCss } from '../../markdown/markdown-css.js';
import { baseStyles } from './base.js';
import { frameStyles } from './chat.js';
import { messageStyles } from './message.js';
import { partStyles } from './parts.js';
import { tokenStyles } from './tokens.js';

/** Our colours, handed on to the style sheet of Markdown. */
const markdownStyles = css`
  .text,
  .thinking > .content {
    --ubik-accent: var(--_accent);
    --ubik-muted: var(--_muted);
    --ubik-line: var(--_line);
    --ubik-surface: var(--_surface);
    --ubik-radius-card: var(--_radius);
    --ubik-radius-control: var(--_control);
  }
  .ubik-markdown ul {
    list-style: disc;
  }
  .ubik-markdown ol {
    list-style: decimal;
  }
`;

/** All elements share the same sheets, which a browser reads once. */
export const styles = [
  tokenStyles,
  baseStyles,
  messageStyles,
  partStyles,
  frameStyles,
  // The text is our own, from the room beside; nothing of the network is in it.
  unsafeCSS(markdownCss),
  markdownStyles,
];

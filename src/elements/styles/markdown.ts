import { css, unsafeCSS } from 'lit';
import { markdownCss } from '../../markdown/markdown-css.js';

/** Markdown inside our elements: its own style sheet, with our colours handed on to it. */
export const markdownStyles = [
  // The text is our own, from the room beside; nothing of the network is in it.
  unsafeCSS(markdownCss),
  css`
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
  `,
];

import { css } from 'lit';

/**
 * Print styles: nothing scrolls or can be pressed, and no message is skipped. Disclosures are printed with their content, lists and texts that
 * grow by a button as far as they are shown. What the chat hides as a whole (a closed window, a chat behind a gate) is not printed.
 */
export const printStyles = css`
  @media print {
    /* Paper is light, whatever the colour scheme. */
    :host {
      color-scheme: light !important;
    }
    :host,
    .ubik,
    .main,
    .transcript,
    .scroller,
    .column {
      position: static !important;
      height: auto !important;
      min-height: 0 !important;
      max-height: none !important;
      overflow: visible !important;
      contain: none !important;
    }
    /* Without !important, so that the rules by which a closed window or a gate hides these boxes still apply. */
    :host :is(.ubik, .main, .transcript, .scroller, .column) {
      display: block;
    }
    :is(
      .window-head,
      .composer,
      .status-bar,
      .scroll-to-end,
      .message-footer,
      .side,
      .backdrop,
      .side-toggles > button,
      .checkpoint button
    ) {
      display: none !important;
    }
    .skippable {
      content-visibility: visible !important;
    }
    .disclosure::details-content {
      block-size: auto;
      content-visibility: visible;
    }
    /* Chevrons have no meaning on paper. */
    .disclosure .icon-chevron {
      display: none;
    }
    :is(.tree, .report) summary {
      list-style: none;
      &::-webkit-details-marker {
        display: none;
      }
    }
    :is(summary, h3) {
      break-after: avoid;
    }
    .payload {
      box-decoration-break: clone;
      -webkit-box-decoration-break: clone;
    }
    :is(.sources li, .line, .error) {
      break-inside: avoid;
    }
    .source a {
      &::after {
        content: ' (' attr(href) ')';
        direction: ltr;
        unicode-bidi: isolate;
        overflow-wrap: anywhere;
      }
      ~ .meta {
        display: none;
      }
    }
    /* The full text of a passage is printed instead of its beginning. */
    :is(
      blockquote:has(+ .whole[open]),
      .whole > summary,
      :is(.long, .sources, .found-list) > button
    ) {
      display: none;
    }
    :is(.disclosure, .whole) :is(.raw, pre) {
      max-height: none;
      overflow: visible;
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    .message.user {
      border: var(--_border);
      break-inside: avoid;
    }
  }
`;

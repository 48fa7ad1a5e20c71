import { css } from 'lit';

/** Styles of plain elements, buttons, boxes and lines, wherever they are used. */
export const baseStyles = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :host([hidden]),
  [hidden],
  :is(.error-text, .payload, .message-status):empty {
    display: none !important;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  p,
  h3,
  ul,
  ol,
  figure,
  fieldset,
  legend,
  button,
  input,
  textarea {
    margin: 0;
    font: inherit;
    list-style: none;
  }
  ul,
  ol,
  fieldset,
  legend,
  button {
    padding: 0;
    border: 0;
  }
  a {
    color: var(--_accent);
    text-underline-offset: 0.15em;
  }
  button,
  input,
  textarea {
    color: inherit;
  }
  textarea[data-secret] {
    -webkit-text-security: disc;
  }
  button {
    background: none;
    text-align: start;
  }
  button,
  summary,
  .choice {
    cursor: pointer;
  }
  button:disabled,
  [aria-disabled='true'] {
    cursor: default;
    opacity: 0.5;
  }

  /* Buttons */
  .chip,
  .primary,
  .quiet,
  .scroll-to-end {
    border: var(--_border);
    border-radius: var(--_control-radius);
  }
  .primary,
  .quiet,
  .scroll-to-end {
    min-height: calc(2 * var(--_ubik-rem));
    padding: calc(0.25 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem));
    font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    &:active {
      translate: 0 1px;
    }
  }
  .primary {
    border-color: transparent;
    background: var(--_accent);
    color: var(--_on-accent);
    font-weight: 600;
    &:hover {
      background: color-mix(in oklab, var(--_accent), var(--_text) 14%);
    }
  }
  :is(.quiet, .starter, .disclosure > summary):hover {
    background: var(--_hover);
  }

  /* Boxes */
  .payload,
  .card,
  .request:not([data-state='answered']),
  .request form,
  .entry,
  label {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(0.375 * var(--_ubik-rem));
  }
  .payload,
  .card,
  .request:not([data-state='answered']) {
    gap: calc(0.5 * var(--_ubik-rem));
    padding: calc(0.875 * var(--_ubik-rem)) var(--_ubik-rem);
    background: var(--_surface);
  }
  .payload,
  .card,
  .request:not([data-state='answered']),
  .starter,
  .error,
  .cite-card,
  .request-bar {
    border: var(--_border);
    border-radius: var(--_radius);
  }
  .request textarea,
  .entry label:not(.choice) > input,
  .card input {
    border: 1px solid var(--_field-line);
    border-radius: var(--_control-radius);
  }

  /* Lines */
  .disclosure > summary,
  .status-bar .line,
  .request-bar,
  .request > .meta,
  .choice,
  .divider,
  .buttons,
  .media,
  .chips,
  .note,
  .sources li,
  .error-text {
    display: flex;
    align-items: center;
    gap: calc(0.5 * var(--_ubik-rem));
  }
  .buttons,
  .media,
  .chips {
    flex-wrap: wrap;
  }
  form > .buttons {
    margin-block-start: calc(0.375 * var(--_ubik-rem));
  }
  .note,
  .sources li,
  .error-text {
    align-items: start;
  }

  /* Invisible, but read by screen readers. */
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .icon {
    flex: none;
    width: 1em;
    height: 1em;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.6;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  /* As high as the first line of the text beside it. */
  .glyph,
  :is(.error, .error-text) .icon {
    height: 1.55em;
  }
  @media (forced-colors: active) {
    .message.user,
    .ubik-markdown .cite,
    .primary,
    .send {
      border: 1px solid ButtonText;
    }
    .disclosure > summary {
      color: ButtonText;
    }
  }
  /* Preserves line breaks; also used before other styles are loaded. */
  .plain {
    white-space: pre-wrap;
    unicode-bidi: plaintext;
  }
`;

/** Secondary text, wherever it is used. */
export const textStyles = css`
  .meta,
  .note,
  .status-bar .line,
  .error-details,
  label,
  legend,
  .error-text {
    color: var(--_muted);
    font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
  }
  /* Avoids a last line of one character; breaks Japanese between phrases. */
  .meta,
  .note,
  .error-text,
  .words,
  .request-bar span,
  label,
  :is(dialog, dialog section) > p,
  th[scope='row'] {
    text-wrap-style: pretty;
    word-break: auto-phrase;
  }
  .payload h3,
  .divider,
  .sources h3,
  .below .meta {
    font-size: max(12px, calc(0.75 * var(--_ubik-rem)));
  }
  .number,
  .topic,
  .status,
  .activity,
  .glyph,
  .icon-chevron,
  .key,
  .cite-label,
  .payload h3,
  .rows th,
  .sources h3,
  ::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  /* An empty field has no text that could determine its direction. */
  :placeholder-shown {
    direction: inherit;
  }
  .number,
  .cite,
  .cite-label,
  summary .meta {
    font-variant-numeric: tabular-nums;
  }
  .error-text,
  :is(.error, .failure) .icon,
  [data-state='failed'] > summary .glyph {
    color: var(--_danger);
  }
`;

import { css } from 'lit';

/** Styles that several kinds and the surrounding message use: JSON data, citations and sources, and attachments. */
export const sharedPartStyles = css`
  /* Disclosures of data in the format of the service, and of queries */
  .report {
    font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
    > summary {
      width: fit-content;
      min-height: calc(1.5 * var(--_ubik-rem));
      color: var(--_muted);
    }
  }
  .tree .tree {
    margin-inline-start: calc(0.375 * var(--_ubik-rem));
    padding-inline-start: calc(0.75 * var(--_ubik-rem));
    border-inline-start: var(--_border);
  }
  .key::after {
    content: ':';
  }
  .value:not(.string) {
    color: var(--_accent);
  }
  .rows {
    overflow-x: auto;
    overflow-wrap: normal;
    table {
      border-collapse: collapse;
    }
    :is(th, td) {
      padding-block: calc(0.125 * var(--_ubik-rem));
      padding-inline: 0 var(--_ubik-rem);
      border-block-end: var(--_border);
      text-align: start;
      vertical-align: top;
      max-width: calc(20 * var(--_ubik-rem));
    }
    th {
      font-weight: inherit;
      white-space: nowrap;
    }
  }
  .raw {
    margin: 0;
    max-height: calc(20 * var(--_ubik-rem));
    overflow: auto;
    font: max(12px, 0.9em)/1.5 var(--_mono);
    white-space: pre-wrap;
    unicode-bidi: plaintext;
    /* Like the shorter texts of the table. */
    .rows & {
      font: inherit;
    }
  }

  /* Citations and sources */
  /* Needs a higher specificity than the buttons of Markdown. */
  .ubik-markdown .cite {
    display: inline-block;
    min-height: 0;
    min-width: 1.4em;
    margin-inline: 0.125em;
    padding: 0 0.3em;
    border-radius: 0.7em;
    background: var(--_tint);
    color: var(--_accent);
    font-size: 0.7em;
    line-height: 1.5;
    text-align: center;
    vertical-align: 0.25em;
    &:hover {
      background: var(--_accent);
      color: var(--_on-accent);
    }
  }
  .sources li {
    padding-block: calc(0.125 * var(--_ubik-rem));
    font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
  }
  .cite-label {
    min-width: 1.25em;
  }
  .chips {
    margin-block-end: calc(0.375 * var(--_ubik-rem));
  }
  .chip {
    padding: calc(0.0625 * var(--_ubik-rem)) calc(0.5 * var(--_ubik-rem));
    font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
  }
`;

/** Styles of steps. Those of their disclosure are shared. */
export const stepStyles = css`
  .results .report {
    margin-block: calc(0.375 * var(--_ubik-rem));
    margin-inline-start: calc(1.4375 * var(--_ubik-rem));
  }
  .single > .results {
    display: none;
  }
`;

/** Styles of tool calls. Those of their content are loaded with it; those of their disclosure and of JSON data are shared. */
export const toolStyles = css`
  .media:not(:empty) {
    margin-block: calc(0.5 * var(--_ubik-rem));
    margin-inline-start: calc(1.4375 * var(--_ubik-rem));
  }
  .media img {
    display: block;
    max-width: min(100%, calc(24 * var(--_ubik-rem)));
    border-radius: var(--_radius);
  }
`;

/** Styles of checkpoints, which must not look like content: a flag at the end of a step, otherwise a divider with a name. */
export const checkpointStyles = css`
  .divider {
    min-height: calc(1.5 * var(--_ubik-rem));
    color: var(--_muted);
    &::before,
    &::after {
      content: '';
      flex: 1;
      border-block-start: var(--_border);
    }
    &::before {
      flex: 0 0 var(--_ubik-rem);
    }
    bdi {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    > :where(.quiet) {
      flex: none;
      min-height: calc(1.5 * var(--_ubik-rem));
      padding: 0 calc(0.5 * var(--_ubik-rem));
      border-color: transparent;
      font-size: inherit;
    }
    .quiet > .icon {
      display: none;
    }
    @media (hover: hover) {
      &:not(:hover) .quiet:not(:focus-visible, [aria-expanded='true']) {
        opacity: 0;
      }
    }
  }
  .step:not(.single) + .checkpoint {
    position: relative;
    height: 0;
    margin-block: 0;
    /* Beside the chevron of the step, or the last line of an open one. */
    > .divider {
      position: absolute;
      inset-block-end: 0;
      inset-inline-end: calc(1.125 * var(--_ubik-rem));
      min-height: calc(1.75 * var(--_ubik-rem));
      &::before,
      &::after,
      > :is(.icon, bdi),
      .quiet > span {
        display: none;
      }
      .quiet {
        display: inline-grid;
        place-items: center;
        min-width: calc(1.75 * var(--_ubik-rem));
        min-height: calc(1.75 * var(--_ubik-rem));
        padding: 0;
        > .icon {
          display: block;
        }
        @media (pointer: coarse) {
          min-width: calc(2.75 * var(--_ubik-rem));
          min-height: calc(2.75 * var(--_ubik-rem));
        }
      }
    }
  }
  .step[open] + .checkpoint > .divider {
    inset-inline-end: 0;
  }
  /* Space for the flag. */
  .step:has(+ .checkpoint button) {
    --_flag: calc(1.75 * var(--_ubik-rem));
    @media (pointer: coarse) {
      --_flag: calc(2.75 * var(--_ubik-rem));
    }
    &:not([open]) > summary > .icon-chevron {
      margin-inline-start: calc(var(--_flag) - 0.25 * var(--_ubik-rem));
    }
    > .content {
      padding-inline-end: var(--_flag);
    }
  }
  @media (hover: hover) {
    .step:hover + .checkpoint .quiet.quiet {
      opacity: 1;
    }
  }
`;

/** Styles of input requests. */
export const requestStyles = css`
  .request {
    --_edge: calc(0.1875 * var(--_ubik-rem));
    &:dir(rtl) {
      --_edge: calc(-0.1875 * var(--_ubik-rem));
    }
    &[data-state='pending'] {
      border-color: var(--_accent);
      box-shadow: inset var(--_edge) 0 0 var(--_accent);
    }
  }
  h3 {
    font-weight: 600;
    white-space: pre-line;
  }
  .request form > .buttons > .quiet {
    border-color: transparent;
    color: var(--_muted);
    /* Below choices, the text of the button is aligned with the choices. */
    &:first-child {
      margin-inline-start: calc(-0.75 * var(--_ubik-rem));
    }
  }
  /* Field names and descriptions align with the fields, whatever their direction. */
  .request :is(label > bdi, .entry .meta) {
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  .request textarea,
  .entry label:not(.choice) > input {
    width: 100%;
    padding: calc(0.5 * var(--_ubik-rem)) calc(0.625 * var(--_ubik-rem));
    background: var(--_background);
    color: var(--_text);
    font-size: max(calc(0.9375 * var(--_ubik-rem)), 16px);
    resize: vertical;
  }
  .request .code {
    font-family: var(--_mono);
    font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
  }
  [aria-invalid='true'] {
    border-color: var(--_danger) !important;
  }
  .entry label:not(.choice) > input {
    max-width: calc(20 * var(--_ubik-rem));
  }
  .entry {
    overflow-wrap: anywhere;
    .meta {
      white-space: pre-line;
    }
  }
  fieldset {
    max-height: calc(20 * var(--_ubik-rem));
    overflow: auto;
  }
  .choice {
    padding-block: calc(0.25 * var(--_ubik-rem));
    color: var(--_text);
    font-size: calc(0.9375 * var(--_ubik-rem));
  }
`;

/** Styles of errors. */
export const errorStyles = css`
  .error {
    padding: calc(0.625 * var(--_ubik-rem)) calc(0.875 * var(--_ubik-rem));
    border-color: color-mix(in oklab, var(--_danger) 45%, transparent);
    > p {
      display: grid;
      grid-template-columns: auto minmax(0, 1fr);
      gap: 0 calc(0.5 * var(--_ubik-rem));
    }
    > p > :is(bdi, span) {
      grid-column: 2;
    }
  }
`;

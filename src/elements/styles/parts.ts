import { css } from 'lit';

/** What is inside the parts: payloads, forms, cards, citations. */
export const partStyles = css`
  /* Tool */
  .payload {
    gap: 0.75rem;
    margin-block: 0.375rem;
    margin-inline-start: 1.4375rem;
    padding: 0.75rem;
    font-size: 0.8125rem;
    h3 {
      font-weight: 600;
    }
  }
  .tree .tree {
    margin-inline-start: 0.375rem;
    padding-inline-start: 0.75rem;
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
      padding: 0.125rem 1rem 0.125rem 0;
      border-block-end: var(--_border);
      text-align: start;
      vertical-align: top;
      max-width: 20rem;
    }
    th {
      font-weight: inherit;
      white-space: nowrap;
    }
  }
  .raw {
    margin: 0;
    max-height: 20rem;
    overflow: auto;
    font: 0.9em/1.5 var(--_mono);
    white-space: pre-wrap;
    unicode-bidi: plaintext;
  }
  .media:not(:empty) {
    margin-block: 0.5rem;
    margin-inline-start: 1.4375rem;
  }
  .media img {
    display: block;
    max-width: min(100%, 24rem);
    border-radius: var(--_radius);
  }

  /* Checkpoint: must not look like content */
  .divider {
    min-height: 1.5rem;
    color: var(--_muted);
    &::before,
    &::after {
      content: '';
      flex: 1;
      border-block-start: var(--_border);
    }
    &::before {
      flex: 0 0 1rem;
    }
    bdi {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    > :where(.quiet) {
      flex: none;
      min-height: 1.5rem;
      padding: 0 0.5rem;
      border-color: transparent;
      font-size: inherit;
    }
    @media (hover: hover) {
      &:not(:hover) .quiet:not(:focus-visible, [aria-expanded='true']) {
        opacity: 0;
      }
    }
  }

  /* The way back, a request */
  .card {
    margin-block: 0.5rem 0.75rem;
    font-size: 0.875rem;
  }
  .request {
    --_edge: 0.1875rem;
    &:dir(rtl) {
      --_edge: -0.1875rem;
    }
    &[data-state='armed'] {
      border-color: var(--_accent);
      box-shadow: inset var(--_edge) 0 0 var(--_accent);
    }
  }
  h3 {
    font-weight: 600;
    white-space: pre-line;
  }
  /* Names of fields, and what is said of them, stand where the fields begin, in whatever script they are. */
  .request :is(label > bdi, .entry .meta) {
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  .request textarea,
  .entry label:not(.choice) > input,
  .card input {
    width: 100%;
    padding: 0.5rem 0.625rem;
    background: var(--_background);
    color: var(--_text);
    font-size: max(0.9375rem, 16px);
    resize: vertical;
  }
  .request .code {
    font-family: var(--_mono);
    font-size: 0.875rem;
  }
  [aria-invalid='true'] {
    border-color: var(--_danger) !important;
  }
  .entry label:not(.choice) > input {
    max-width: 20rem;
  }
  .entry {
    overflow-wrap: anywhere;
    .meta {
      white-space: pre-line;
    }
  }
  fieldset {
    max-height: 20rem;
    overflow: auto;
  }
  .choice {
    padding-block: 0.25rem;
    color: var(--_text);
    font-size: 0.9375rem;
  }

  /* What went wrong */
  .error {
    padding: 0.625rem 0.875rem;
    border-color: color-mix(in oklab, var(--_danger) 45%, transparent);
    p {
      display: grid;
      grid-template-columns: auto minmax(0, 1fr);
      gap: 0 0.5rem;
    }
    bdi {
      grid-column: 2;
    }
    details {
      margin-block-start: 0.375rem;
    }
  }

  /* Citations and sources */
  /* As strong as a button of Markdown, and stronger. */
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
  .cite-card {
    position: fixed;
    inset: auto;
    width: max-content;
    margin: 0;
    max-width: min(20rem, 100vw - 1rem);
    padding: 0.625rem 0.75rem;
    background: var(--_background);
    color: var(--_text);
    box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 18%);
    font-size: 0.8125rem;
    .source {
      display: grid;
    }
    blockquote {
      max-height: 12rem;
      margin: 0.375rem 0 0;
      overflow: auto;
      padding-inline-start: 0.625rem;
      border-inline-start: 2px solid var(--_line);
      white-space: pre-line;
      unicode-bidi: plaintext;
    }
  }
  .sources li {
    padding-block: 0.125rem;
    font-size: 0.8125rem;
  }
  .copy {
    margin-inline-start: -0.75rem;
  }
  :is(.copy, .more) {
    border-color: transparent;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .more {
    display: inline-grid;
    place-items: center;
    min-width: 1.75rem;
    padding-inline: 0;
    font-size: 1rem;
    &:first-child {
      margin-inline-start: -0.375rem;
    }
  }
  .cite-label {
    min-width: 1.25em;
  }
  .chips {
    margin-block-end: 0.375rem;
  }
  .chip {
    padding: 0.0625rem 0.5rem;
    font-size: 0.8125rem;
  }
`;

import { css } from 'lit';

/** What is inside the parts: payloads, forms, cards, citations. */
export const partStyles = css`
  /* Tool */
  .payload {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
    margin-block: 0.375rem;
    margin-inline-start: 1.4375rem;
    padding: 0.75rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    font-size: 0.8125rem;
  }
  .payload:empty {
    display: none;
  }
  .payload section {
    min-inline-size: 0;
  }
  .payload h4 {
    color: var(--_muted);
    font-weight: 600;
    font-size: 0.75rem;
  }
  .tree .tree {
    margin-inline-start: 0.375rem;
    padding-inline-start: 0.75rem;
    border-inline-start: 1px solid var(--_line);
  }
  .tree summary {
    cursor: pointer;
    border-radius: var(--_control);
  }
  @media (pointer: coarse) {
    .tree summary {
      padding-block: 0.75rem;
    }
  }
  .key {
    color: var(--_muted);
  }
  .key::after {
    content: ':';
  }
  .value.number,
  .value.boolean,
  .value.null {
    color: var(--_accent);
  }
  .rows {
    overflow-x: auto;
    overflow-wrap: normal;
  }
  .rows table {
    border-collapse: collapse;
  }
  .rows :is(th, td) {
    padding: 0.125rem 1rem 0.125rem 0;
    border-block-end: 1px solid var(--_line);
    text-align: start;
    vertical-align: top;
    max-inline-size: 20rem;
  }
  .rows th {
    color: var(--_muted);
    font-weight: inherit;
    white-space: nowrap;
  }
  .raw {
    margin: 0;
    max-block-size: 20rem;
    overflow: auto;
    font:
      0.9em/1.5 ui-monospace,
      'SF Mono',
      Menlo,
      Consolas,
      monospace;
    white-space: pre-wrap;
  }
  .media {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  .media img {
    display: block;
    max-inline-size: min(100%, 24rem);
    border-radius: var(--_radius);
  }

  /* Checkpoint: must not look like content */
  .divider {
    display: flex;
    align-items: center;
    gap: 0.375rem;
    min-block-size: 1.5rem;
    color: var(--_muted);
    font-size: 0.75rem;
  }
  .divider::before,
  .divider::after {
    content: '';
    flex: 1;
    border-block-start: 1px solid var(--_line);
  }
  .divider::before {
    flex: 0 0 1rem;
  }
  .divider bdi {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .divider .quiet {
    flex: none;
    min-block-size: 1.5rem;
    padding: 0 0.5rem;
    border-color: transparent;
    font-size: 0.75rem;
    opacity: 0;
  }
  .divider:hover .quiet,
  .divider .quiet:focus-visible,
  .divider .quiet[aria-expanded='true'] {
    opacity: 1;
  }
  @media (hover: none) {
    .divider .quiet {
      opacity: 1;
    }
  }

  /* Cards: the way back, a request */
  .card,
  .request:not([data-state='answered']) {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.5rem;
    padding: 0.875rem 1rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .card {
    margin-block-start: 0.5rem;
    font-size: 0.875rem;
  }
  .request[data-state='armed'] {
    border-color: var(--_accent);
    box-shadow: inset 0.1875rem 0 0 var(--_accent);
  }
  :dir(rtl) .request[data-state='armed'] {
    box-shadow: inset -0.1875rem 0 0 var(--_accent);
  }
  .request + .request {
    margin-block-start: 0.75rem;
  }
  .request form,
  .card label {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.375rem;
  }
  .request > .meta {
    display: flex;
    align-items: center;
    gap: 0.375rem;
  }
  h3 {
    font-weight: 600;
    white-space: pre-line;
  }
  label,
  legend {
    color: var(--_muted);
    font-size: 0.8125rem;
    padding: 0;
  }
  .request textarea,
  .card input {
    inline-size: 100%;
    padding: 0.5rem 0.625rem;
    border: 1px solid var(--_line);
    border-radius: var(--_control);
    background: var(--_background);
    color: var(--_text);
    font-size: max(0.9375rem, 16px);
    resize: vertical;
  }
  .request textarea.code {
    font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace;
    font-size: 0.875rem;
  }
  [aria-invalid='true'] {
    border-color: var(--_danger) !important;
  }
  .choice {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    padding-block: 0.25rem;
    color: var(--_text);
    font-size: 0.9375rem;
    cursor: pointer;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }

  /* What went wrong, notes, sources */
  .error {
    padding: 0.625rem 0.875rem;
    border: 1px solid color-mix(in oklab, var(--_danger) 45%, transparent);
    border-radius: var(--_radius);
  }
  .error .icon,
  .failure .icon {
    color: var(--_danger);
  }
  .error p {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0 0.5rem;
  }
  .error bdi {
    grid-column: 2;
  }
  .error .icon {
    block-size: 1.55em;
  }
  .error details {
    margin-block-start: 0.375rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .note {
    display: flex;
    align-items: start;
    gap: 0.5rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .working,
  .busy {
    animation: appear 1ms 300ms backwards;
  }
  .note .icon {
    block-size: 1.55em;
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  .cite {
    display: inline-block;
    min-block-size: 0;
    min-inline-size: 1.4em;
    margin-inline: 0.125em;
    padding-inline: 0.3em;
    border-radius: 0.7em;
    background: var(--_tint);
    color: var(--_accent);
    font-size: 0.7em;
    line-height: 1.5;
    text-align: center;
    vertical-align: 0.35em;
    font-variant-numeric: tabular-nums;
  }
  .cite:hover {
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .cite-card {
    position: fixed;
    inset: auto;
    margin: 0;
    max-inline-size: min(20rem, 100vw - 1rem);
    padding: 0.625rem 0.75rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_background);
    color: var(--_text);
    box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 18%);
    font-size: 0.8125rem;
  }
  .cite-card .source {
    display: grid;
  }
  .cite-card blockquote {
    max-block-size: 12rem;
    margin: 0.375rem 0 0;
    overflow: auto;
    padding-inline-start: 0.625rem;
    border-inline-start: 2px solid var(--_line);
    white-space: pre-line;
    unicode-bidi: plaintext;
  }
  .sources h3 {
    color: var(--_muted);
    font-size: 0.75rem;
  }
  .sources li {
    display: flex;
    gap: 0.5rem;
    padding-block: 0.125rem;
    font-size: 0.8125rem;
  }
  .cite-label {
    color: var(--_muted);
    min-inline-size: 1.25em;
    font-variant-numeric: tabular-nums;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
    margin-block-end: 0.375rem;
  }
  .chip {
    padding: 0.0625rem 0.5rem;
    border: 1px solid var(--_line);
    border-radius: var(--_control);
    font-size: 0.8125rem;
  }
  @media (forced-colors: active) {
    .message.user,
    .cite {
      border: 1px solid;
    }
    .primary {
      border-color: ButtonText;
    }
  }
`;

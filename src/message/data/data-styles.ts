import { css } from 'lit';

/** Styles that all data kinds share, and styles of tables, which several kinds show. */
export const dataStyles = css`
  .data,
  .data > figure,
  .data-table {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(0.5 * var(--_ubik-rem));
  }
  .data[aria-busy='true'] {
    min-height: calc(3 * var(--_ubik-rem));
  }
  .data figcaption > p {
    unicode-bidi: plaintext;
    text-align: start;
  }
  .data-title {
    font-weight: 600;
  }
  .data-description {
    color: var(--_muted);
    font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
  }
  .data-scroller {
    max-height: calc(24 * var(--_ubik-rem));
    overflow: auto;
    border: var(--_border);
    border-radius: var(--_radius);
    overflow-wrap: normal;
    table {
      width: max-content;
      min-width: 100%;
      /* With collapsed borders, those of a sticky header scroll away. */
      border-collapse: separate;
      border-spacing: 0;
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    }
    :is(th, td) {
      max-width: calc(20 * var(--_ubik-rem));
      padding: calc(0.3125 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem));
      overflow-wrap: break-word;
      text-align: start;
      vertical-align: top;
      border-block-end: var(--_border);
    }
    tbody > :last-child > td {
      border-block-end: 0;
    }
    th {
      position: sticky;
      inset-block-start: 0;
      padding: 0;
      /* The surface may be translucent. */
      background: linear-gradient(var(--_surface), var(--_surface)) var(--_background);
      font-weight: 600;
      white-space: nowrap;
    }
    .numeric {
      text-align: end;
      font-variant-numeric: tabular-nums;
    }
    .unbroken {
      white-space: nowrap;
    }
    .null {
      color: var(--_muted);
    }
  }
  .sort {
    display: flex;
    align-items: center;
    gap: calc(0.25 * var(--_ubik-rem));
    width: 100%;
    min-height: calc(2 * var(--_ubik-rem));
    padding: calc(0.3125 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem));
    outline-offset: -2px;
    bdi {
      overflow: hidden;
      text-overflow: ellipsis;
    }
    &::after {
      /* With the variation selector of text, because some systems show an emoji for this arrow. */
      content: '↕\\fe0e' / '';
      color: var(--_muted);
      font-size: 0.75em;
      opacity: 0;
    }
    &:is(:hover, :focus-visible)::after,
    [aria-sort] > &::after {
      opacity: 1;
    }
    [aria-sort='ascending'] > &::after {
      content: '↑' / '';
    }
    [aria-sort='descending'] > &::after {
      content: '↓' / '';
    }
    .numeric > & {
      flex-direction: row-reverse;
    }
    @media (pointer: coarse) {
      min-height: calc(2.75 * var(--_ubik-rem));
      &::after {
        opacity: 1;
      }
    }
  }
  .data-footer,
  .data-pager,
  .data-actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: calc(0.25 * var(--_ubik-rem)) calc(0.5 * var(--_ubik-rem));
  }
  .data-code > .data-footer {
    margin-inline-start: calc(-0.75 * var(--_ubik-rem));
    &:has([hidden]) {
      display: none;
    }
  }
  .data-actions {
    gap: 0;
    margin-inline: auto calc(-0.75 * var(--_ubik-rem));
  }
  :is(.data-actions, .data-code > .data-footer) {
    .quiet {
      border-color: transparent;
      color: var(--_muted);
      font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
    }
    [aria-pressed='true'] {
      text-decoration: underline;
    }
  }
  @media (forced-colors: active) {
    .data-actions {
      gap: calc(0.5 * var(--_ubik-rem));
      margin-inline-end: 0;
    }
  }
  .data-pager {
    gap: 0;
    button {
      display: inline-grid;
      place-items: center;
      min-width: calc(1.75 * var(--_ubik-rem));
      min-height: calc(1.75 * var(--_ubik-rem));
      border-radius: var(--_control-radius);
      &:hover {
        background: var(--_hover);
      }
      @media (pointer: coarse) {
        min-width: calc(2.75 * var(--_ubik-rem));
        min-height: calc(2.75 * var(--_ubik-rem));
      }
    }
    .previous .icon-chevron {
      scale: -1 1;
    }
  }
  /* A long block scrolls in its own box. */
  .data .ubik-code pre {
    max-height: calc(24 * var(--_ubik-rem));
    overflow: auto;
  }
  .data-execution {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(0.5 * var(--_ubik-rem));
    h3 {
      display: flex;
      align-items: center;
      gap: calc(0.375 * var(--_ubik-rem));
    }
    .raw {
      padding: calc(0.5 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem));
      border: var(--_border);
      border-radius: var(--_radius);
    }
  }
  @media print {
    .data-scroller {
      max-height: none;
      overflow: visible;
      th {
        position: static;
      }
      :is(th, td) {
        white-space: normal;
        overflow-wrap: anywhere;
      }
    }
    :is(.data-pager, .data-actions, .sort::after) {
      display: none;
    }
  }
`;

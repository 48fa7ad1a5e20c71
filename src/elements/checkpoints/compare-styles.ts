import { css } from 'lit';

/** Styles of the compare dialog: two branches side by side, one at a time in a narrow window. */
export const compareStyles = css`
  .modal.compare {
    width: 100vw;
    max-width: min(calc(90 * var(--_ubik-rem)), 100vw - var(--_ubik-rem));
    height: calc(100dvh - var(--_ubik-rem));
    max-height: none;
    padding: calc(0.75 * var(--_ubik-rem)) var(--_ubik-rem);
    &[open] {
      display: flex;
      flex-direction: column;
      gap: calc(0.5 * var(--_ubik-rem));
    }
    header {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: calc(0.25 * var(--_ubik-rem)) var(--_ubik-rem);
      > .quiet {
        margin-inline-start: auto;
      }
    }
    .sides {
      display: none;
      gap: calc(0.25 * var(--_ubik-rem));
    }
    .sides button {
      overflow-wrap: break-word;
    }
    .sides [aria-pressed='true'] {
      border-color: var(--_accent);
      box-shadow: inset 0 -2px 0 var(--_accent);
    }
    .branches {
      flex: 1;
      min-height: 0;
      display: grid;
      grid-template: minmax(0, 1fr) / repeat(2, minmax(0, 1fr));
      gap: var(--_ubik-rem);
    }
    .branch {
      display: flex;
      flex-direction: column;
      gap: calc(0.375 * var(--_ubik-rem));
      min-height: 0;
      > :is(.primary, .quiet) {
        align-self: start;
      }
    }
    .branch + .branch {
      padding-inline-start: var(--_ubik-rem);
      border-inline-start: var(--_border);
    }
    select {
      padding: calc(0.25 * var(--_ubik-rem));
      border: 1px solid var(--_field-line);
      border-radius: var(--_control);
      background: var(--_background);
      color: var(--_text);
      font: inherit;
    }
    /* A bar and a label, because colour alone is not enough (WCAG 1.4.1). */
    [data-only] {
      position: relative;
      box-shadow: inset calc(0.1875 * var(--_ubik-rem)) 0 0 var(--_accent);
      background: var(--_tint);
      &:dir(rtl) {
        box-shadow: inset calc(-0.1875 * var(--_ubik-rem)) 0 0 var(--_accent);
      }
    }
    [data-only]:not(summary, tr) {
      padding-inline-start: calc(0.625 * var(--_ubik-rem));
    }
    [data-only]:not([data-only=''])::before {
      content: attr(data-only);
      display: block;
      color: var(--_accent);
      font-size: max(12px, calc(0.6875 * var(--_ubik-rem)));
      font-weight: 600;
    }
    tr[data-only]:not([data-only=''])::before {
      display: table-cell;
    }
    summary[data-only]:not([data-only=''])::before {
      margin-inline-start: calc(0.25 * var(--_ubik-rem));
      white-space: nowrap;
    }
    @media (width < 48rem) {
      /* The heading takes two lines, so that the button stays beside it. */
      h2 {
        flex: 1 1 0;
      }
      header > .meta {
        order: 1;
        width: 100%;
      }
      .sides {
        display: flex;
        order: 2;
        width: 100%;
      }
      .branches {
        grid-template-columns: minmax(0, 1fr);
      }
      .branches[data-side='left'] > .branch + .branch,
      .branches[data-side='right'] > .branch:first-child,
      .branch > h3 {
        display: none;
      }
      .branch + .branch {
        padding-inline-start: 0;
        border: 0;
      }
    }
    @media (forced-colors: active) {
      [data-only] {
        border-inline-start: calc(0.1875 * var(--_ubik-rem)) solid Highlight;
      }
    }
  }
`;

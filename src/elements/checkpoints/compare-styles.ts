import { css } from 'lit';

/** Two ways beside one another; one at a time where there is room for one alone. */
export const compareStyles = css`
  .modal.compare {
    width: 100vw;
    max-width: min(90rem, 100vw - 1rem);
    height: calc(100dvh - 1rem);
    max-height: none;
    padding: 0.75rem 1rem;
    &[open] {
      display: flex;
      flex-direction: column;
      gap: 0.5rem;
    }
    header {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0.25rem 1rem;
      > .quiet {
        margin-inline-start: auto;
      }
    }
    .sides {
      display: none;
      gap: 0.25rem;
    }
    .sides button {
      overflow-wrap: break-word;
    }
    .sides [aria-pressed='true'] {
      border-color: var(--_accent);
      box-shadow: inset 0 -2px 0 var(--_accent);
    }
    .ways {
      flex: 1;
      min-height: 0;
      display: grid;
      grid-template: minmax(0, 1fr) / repeat(2, minmax(0, 1fr));
      gap: 1rem;
    }
    .way {
      display: flex;
      flex-direction: column;
      gap: 0.375rem;
      min-height: 0;
      > :is(.primary, .quiet) {
        align-self: start;
      }
    }
    .way + .way {
      padding-inline-start: 1rem;
      border-inline-start: var(--_border);
    }
    select {
      padding: 0.25rem;
      border: 1px solid var(--_field-line);
      border-radius: var(--_control);
      background: var(--_background);
      color: var(--_text);
      font: inherit;
    }
    /* A bar and a word: more than a colour. */
    [data-only] {
      position: relative;
      box-shadow: inset 0.1875rem 0 0 var(--_accent);
      background: var(--_tint);
      &:dir(rtl) {
        box-shadow: inset -0.1875rem 0 0 var(--_accent);
      }
    }
    [data-only]:not(summary, tr) {
      padding-inline-start: 0.625rem;
    }
    [data-only]:not([data-only=''])::before {
      content: attr(data-only);
      display: block;
      color: var(--_accent);
      font-size: 0.6875rem;
      font-weight: 600;
    }
    tr[data-only]:not([data-only=''])::before {
      display: table-cell;
    }
    summary[data-only]:not([data-only=''])::before {
      margin-inline-start: 0.25rem;
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
      .ways {
        grid-template-columns: minmax(0, 1fr);
      }
      .ways[data-side='left'] > .way + .way,
      .ways[data-side='right'] > .way:first-child,
      .way > h3 {
        display: none;
      }
      .way + .way {
        padding-inline-start: 0;
        border: 0;
      }
    }
    @media (forced-colors: active) {
      [data-only] {
        border-inline-start: 0.1875rem solid Highlight;
      }
    }
  }
`;

import { css } from 'lit';

/** What helps somebody who writes: the count, what could be asked next, what can be chosen, room for the keyboard. */
export const writingStyles = css`
  .ubik {
    padding-block-end: var(--_keyboard, 0);
  }
  .count {
    float: inline-end;
    margin-inline-start: 0.5rem;
    font-variant-numeric: tabular-nums;
    &:empty {
      display: none;
    }
    &[data-state='over'] {
      color: var(--_danger);
      font-weight: 600;
    }
  }
  /* Too narrow beside the count, it goes below it. */
  .count ~ .complaint {
    min-inline-size: min(16rem, 100%);
  }
  .follow-ups {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
    padding-block-end: 0.5rem;
    .quiet {
      text-align: start;
    }
  }
  .suggestions {
    position: fixed;
    inset: auto;
    margin: 0;
    padding: 0.25rem;
    overflow: hidden auto;
    overscroll-behavior: contain;
    border: var(--_border);
    border-radius: var(--_radius);
    background: var(--_background);
    color: var(--_text);
    box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 16%);
    font-size: 0.875rem;
    > .meta {
      padding: 0.375rem 0.625rem;
    }
  }
  [role='option'] {
    display: flex;
    flex-wrap: wrap;
    align-content: center;
    align-items: baseline;
    gap: 0 0.75rem;
    min-height: 2rem;
    padding: 0.25rem 0.625rem;
    border-radius: var(--_control);
    cursor: pointer;
    &:hover {
      background: var(--_hover);
    }
    &[aria-selected='true'] {
      background: var(--_tint);
      box-shadow: inset 0.1875rem 0 var(--_accent);
    }
    &[aria-selected='true']:dir(rtl) {
      box-shadow: inset -0.1875rem 0 var(--_accent);
    }
    .name {
      font-weight: 600;
    }
    .meta {
      min-width: 0;
    }
  }
  .beside:empty {
    display: none;
  }
  .beside button {
    color: var(--_muted);
    &[aria-pressed='true'] {
      background: var(--_tint);
      color: var(--_danger);
    }
  }
  @media (pointer: coarse) {
    [role='option'] {
      min-height: 2.75rem;
    }
  }
  @media (forced-colors: active) {
    [role='option'][aria-selected='true'] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;

import { css } from 'lit';

/** Styles of the composer tools: character counter, follow-up questions, suggestions, inset for the virtual keyboard. */
export const composerToolsStyles = css`
  .ubik {
    padding-block-end: var(--_keyboard, 0);
  }
  .count {
    float: inline-end;
    margin-inline-start: calc(0.5 * var(--_ubik-rem));
    font-variant-numeric: tabular-nums;
    &:empty {
      display: none;
    }
    &[data-state='over'] {
      color: var(--_danger);
      font-weight: 600;
    }
  }
  /* An error that is too wide for the rest of the line wraps below the counter. */
  .count ~ .complaint {
    min-inline-size: min(calc(16 * var(--_ubik-rem)), 100%);
  }
  .follow-ups {
    display: flex;
    flex-wrap: wrap;
    gap: calc(0.375 * var(--_ubik-rem));
    padding-block-end: calc(0.5 * var(--_ubik-rem));
    .quiet {
      text-align: start;
    }
  }
  .suggestions {
    position: fixed;
    inset: auto;
    margin: 0;
    padding: calc(0.25 * var(--_ubik-rem));
    overflow: hidden auto;
    overscroll-behavior: contain;
    border: var(--_border);
    border-radius: var(--_radius);
    background: var(--_background);
    color: var(--_text);
    box-shadow: 0 calc(0.25 * var(--_ubik-rem)) var(--_ubik-rem) rgb(0 0 0 / 16%);
    font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    > .meta {
      padding: calc(0.375 * var(--_ubik-rem)) calc(0.625 * var(--_ubik-rem));
    }
  }
  [role='option'] {
    display: flex;
    flex-wrap: wrap;
    align-content: center;
    align-items: baseline;
    gap: 0 calc(0.75 * var(--_ubik-rem));
    min-height: calc(2 * var(--_ubik-rem));
    padding: calc(0.25 * var(--_ubik-rem)) calc(0.625 * var(--_ubik-rem));
    border-radius: var(--_control);
    cursor: pointer;
    &:hover {
      background: var(--_hover);
    }
    &[aria-selected='true'] {
      background: var(--_tint);
      box-shadow: inset calc(0.1875 * var(--_ubik-rem)) 0 var(--_accent);
    }
    &[aria-selected='true']:dir(rtl) {
      box-shadow: inset calc(-0.1875 * var(--_ubik-rem)) 0 var(--_accent);
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
      min-height: calc(2.75 * var(--_ubik-rem));
    }
  }
  @media (forced-colors: active) {
    [role='option'][aria-selected='true'] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;

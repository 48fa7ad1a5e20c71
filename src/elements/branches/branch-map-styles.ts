import { css } from 'lit';

/** Styles of `<ubik-branch-map>`. */
export const branchMapStyles = css`
  .ubik {
    min-height: 0;
  }
  .branch-map {
    display: flex;
    flex: 1;
    flex-direction: column;
    gap: calc(0.5 * var(--_ubik-rem));
    min-height: 0;
    container: map / inline-size;
    > .ask {
      align-self: start;
    }
  }
  .points {
    position: relative;
    max-height: 100dvh;
    min-height: 0;
    overflow: hidden auto;
    overscroll-behavior: contain;
  }
  .point {
    display: flex;
    align-items: center;
    gap: calc(0.5 * var(--_ubik-rem));
    height: calc(2.75 * var(--_ubik-rem));
    /* Whole pixels, so that the lines of neighbours meet. */
    height: round(up, calc(2.75 * var(--_ubik-rem)), 1px);
    content-visibility: auto;
    padding-inline-end: calc(0.5 * var(--_ubik-rem));
    border-radius: var(--_control-radius);
    cursor: pointer;
    font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    white-space: nowrap;
    &:hover:not([aria-disabled='true']) {
      background: var(--_hover);
    }
    &:focus-visible {
      outline-offset: -2px;
    }
    &:not(.active) .label {
      color: var(--_muted);
    }
    &.checkpoint {
      font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
    }
    &[aria-current] .label {
      font-weight: 600;
    }
    &[aria-disabled='true'] {
      opacity: 1;
      .label,
      .meta {
        opacity: 0.5;
      }
    }
    > .label {
      display: flex;
      flex: 1;
      align-items: center;
      gap: calc(0.375 * var(--_ubik-rem));
      min-width: 0;
    }
    /* Text of the other direction is truncated at its own end and aligned like the other rows. */
    .excerpt {
      flex: 1;
      min-width: 0;
      overflow: hidden;
      text-align: -webkit-match-parent;
      text-align: match-parent;
      text-overflow: ellipsis;
    }
    > .meta {
      flex: none;
      max-width: 50%;
      overflow: hidden;
      text-overflow: ellipsis;
    }
  }
  /* In a narrow map, the details of a row are below its label. An em is 0.9375 of the unit of sizes (size-unit.ts): 27.74em are 26 units. */
  @container map (max-width: 27.74em) {
    .point {
      display: grid;
      grid-template-columns: auto minmax(0, 1fr);
      align-content: center;
      gap: 0 calc(0.5 * var(--_ubik-rem));
      line-height: 1.3;
      > .lines {
        grid-row: 1 / 3;
      }
      > .meta {
        max-width: none;
        font-size: max(12px, calc(0.75 * var(--_ubik-rem)));
        &:empty {
          display: none;
        }
      }
      > .label:has(+ :empty) {
        grid-row: 1 / 3;
        align-self: center;
      }
    }
  }
  .lines {
    flex: none;
    height: calc(2.75 * var(--_ubik-rem));
    height: round(up, calc(2.75 * var(--_ubik-rem)), 1px);
    fill: none;
    stroke-width: 1.5;
    &:dir(rtl) {
      scale: -1 1;
    }
    .other-branches {
      stroke: color-mix(in oklab, var(--_text) 40%, var(--_background));
    }
    .active-branch {
      stroke: var(--_accent);
      stroke-width: 2.5;
    }
    circle {
      fill: var(--_background);
      stroke: color-mix(in oklab, var(--_text) 55%, var(--_background));
    }
    .not-loaded {
      stroke-dasharray: 2 2;
    }
    .active & circle {
      fill: var(--_accent);
      stroke: var(--_accent);
    }
  }
  @media (forced-colors: active) {
    .lines {
      .other-branches,
      circle {
        stroke: CanvasText;
      }
      .active-branch,
      .active & circle {
        stroke: Highlight;
      }
    }
  }
`;

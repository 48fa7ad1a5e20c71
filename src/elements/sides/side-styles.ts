import { css } from 'lit';
import { panelLayoutStyles } from '../styles/fragments.js';

/** A side panel as a column. */
const column = css`
  position: relative;
  display: flex;
  flex: none;
  flex-direction: column;
  box-shadow: none;
  > .side-edge {
    display: block;
  }
  > .side-fold {
    display: grid;
  }
`;

/** Styles of the side panels: columns in a wide chat, else drawers. */
export const sidePanelStyles = css`
  .ubik {
    ${panelLayoutStyles}
  }
  .side {
    border: 0 solid var(--_line);
  }
  .side.open {
    position: absolute;
    inset-block: 0;
    z-index: 3;
    display: flex;
    flex-direction: column;
    width: min(calc(20 * var(--_ubik-rem)), 100% - calc(3 * var(--_ubik-rem)));
    background: var(--_background);
    box-shadow: 0 0 calc(2 * var(--_ubik-rem)) rgb(0 0 0 / 24%);
    outline: 0;
  }
  .start {
    inset-inline-start: 0;
  }
  .end {
    inset-inline-end: 0;
  }
  .shade.open {
    position: absolute;
    inset: 0;
    z-index: 2;
    background: rgb(0 0 0 / 40%);
  }
  .side ::slotted(*) {
    flex: 1;
    min-height: 0;
  }
  .side-close {
    align-self: end;
    margin: calc(0.5 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem)) 0;
  }
  .sides-bar {
    display: flex;
    padding: calc(0.375 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem));
    border-block-end: var(--_border);
    .quiet {
      display: flex;
      align-items: center;
      gap: calc(0.5 * var(--_ubik-rem));
      min-width: 0;
      border-color: transparent;
    }
    /* A long name is cut, never broken in the middle of a word. */
    span {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
  }
  .to-end {
    margin-inline-start: auto;
  }
  /* The splitter is wider than the line, so that it can be grabbed. */
  .side-edge {
    position: absolute;
    inset-block: 0;
    z-index: 1;
    display: none;
    width: calc(0.5625 * var(--_ubik-rem));
    cursor: ew-resize;
    touch-action: none;
    &:is(:hover, :focus-visible) {
      outline: 0;
      background: color-mix(in oklab, var(--_accent) 40%, transparent);
    }
    &:is(:hover, :focus-visible) + .side-fold,
    + .side-fold:is(:hover, :focus-visible) {
      opacity: 1;
    }
  }
  .start > .side-edge {
    inset-inline-end: calc(-0.3125 * var(--_ubik-rem));
    + .side-fold {
      inset-inline-end: 0;
    }
  }
  .end > .side-edge {
    inset-inline-start: calc(-0.3125 * var(--_ubik-rem));
    + .side-fold {
      inset-inline-start: 0;
    }
  }
  .side-fold {
    position: absolute;
    inset-block-start: 50%;
    z-index: 1;
    display: none;
    place-items: center;
    width: calc(1.5 * var(--_ubik-rem));
    height: calc(2.5 * var(--_ubik-rem));
    min-height: 0;
    padding: 0;
    background: var(--_background);
    opacity: 0;
    translate: 50% -50%;
    &:dir(rtl) {
      translate: -50% -50%;
    }
    &::before {
      width: calc(0.4375 * var(--_ubik-rem));
      height: calc(0.4375 * var(--_ubik-rem));
      border: 0 solid currentColor;
      border-block-start-width: 2px;
      border-inline-start-width: 2px;
      rotate: -45deg;
      content: '';
    }
    &:dir(rtl)::before {
      rotate: 45deg;
    }
  }
  .end > .side-fold {
    translate: -50% -50%;
    &:dir(rtl) {
      translate: 50% -50%;
    }
  }
  .end > .side-fold::before {
    rotate: 135deg;
  }
  .end > .side-fold:dir(rtl)::before {
    rotate: -135deg;
  }
  @media (pointer: coarse) {
    .side-fold {
      width: calc(1.75 * var(--_ubik-rem));
      opacity: 1;
    }
  }
  @container ubik (min-width: 51.2em) {
    .start.filled:not(.folded),
    :not(.both) > .end.filled:not(.folded) {
      ${column}
    }
    .start.filled:not(.folded) {
      width: var(--_side-width, calc(16 * var(--_ubik-rem)));
      border-inline-end-width: 1px;
    }
    .end.filled:not(.folded) {
      width: var(--_side-width, calc(20 * var(--_ubik-rem)));
      border-inline-start-width: 1px;
    }
    .sides-bar > .to-start:not(.folds),
    :not(.both) > .main > .sides-bar:not(.folds) {
      display: none;
    }
  }
  @container ubik (min-width: 72.54em) {
    .end.filled:not(.folded) {
      ${column}
      border-inline-start-width: 1px;
    }
    .sides-bar > .quiet:not(.folds),
    .sides-bar:not(.folds) {
      display: none;
    }
  }
`;

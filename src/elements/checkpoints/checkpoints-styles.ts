import { css } from 'lit';

/** Styles of `<ubik-checkpoints>`: a timeline with a dot for each checkpoint. */
export const checkpointsStyles = css`
  .checkpoints {
    height: 100%;
    padding: calc(0.75 * var(--_ubik-rem)) var(--_ubik-rem);
    overflow: hidden auto;
    overscroll-behavior: contain;
    h3 {
      margin-block-end: calc(0.375 * var(--_ubik-rem));
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
      font-weight: 600;
      display: -webkit-box;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 2;
      overflow: hidden;
    }
    .line {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: calc(0.5 * var(--_ubik-rem));
    }
  }
  .tasks {
    display: grid;
    gap: var(--_ubik-rem);
  }
  .point {
    --_rail: calc(0.3125 * var(--_ubik-rem));
    position: relative;
    padding-inline-start: calc(1.5 * var(--_ubik-rem));
    padding-block-end: calc(0.875 * var(--_ubik-rem));
    &::before {
      content: '';
      position: absolute;
      inset-block: calc(0.5 * var(--_ubik-rem)) calc(-0.5 * var(--_ubik-rem));
      inset-inline-start: var(--_rail);
      border-inline-start: 2px solid var(--_line);
    }
    &:last-child::before {
      display: none;
    }
    /* Hollow: the checkpoint is on another branch. */
    &::after {
      content: '';
      position: absolute;
      inset-block-start: calc(0.375 * var(--_ubik-rem));
      inset-inline-start: 0;
      width: calc(0.75 * var(--_ubik-rem));
      height: calc(0.75 * var(--_ubik-rem));
      border: 2px solid var(--_muted);
      border-radius: 50%;
      background: var(--_background);
    }
    &.shown::after {
      border-color: var(--_accent);
      background: var(--_accent);
    }
    /* The styles of messages are not loaded here. */
    .title {
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
      font-weight: 550;
    }
    .quiet {
      margin-block-start: calc(0.25 * var(--_ubik-rem));
      min-height: calc(1.75 * var(--_ubik-rem));
      font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
    }
  }
  @media (pointer: coarse) {
    .point .quiet {
      min-height: calc(2.75 * var(--_ubik-rem));
    }
  }
  @media (forced-colors: active) {
    .point.shown::after {
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`;

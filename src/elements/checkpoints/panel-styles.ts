import { css } from 'lit';

/** The line of time: a rail at the start, a point on it for each checkpoint. */
export const panelStyles = css`
  .checkpoints {
    height: 100%;
    padding: 0.75rem 1rem;
    overflow: hidden auto;
    overscroll-behavior: contain;
    h3 {
      margin-block-end: 0.375rem;
      font-size: 0.875rem;
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
      gap: 0.5rem;
    }
  }
  .tasks {
    display: grid;
    gap: 1rem;
  }
  .point {
    --_rail: 0.3125rem;
    position: relative;
    padding-inline-start: 1.5rem;
    padding-block-end: 0.875rem;
    &::before {
      content: '';
      position: absolute;
      inset-block: 0.5rem -0.5rem;
      inset-inline-start: var(--_rail);
      border-inline-start: 2px solid var(--_line);
    }
    &:last-child::before {
      display: none;
    }
    /* Hollow: it stands on another way. */
    &::after {
      content: '';
      position: absolute;
      inset-block-start: 0.375rem;
      inset-inline-start: 0;
      width: 0.75rem;
      height: 0.75rem;
      border: 2px solid var(--_muted);
      border-radius: 50%;
      background: var(--_background);
    }
    &.shown::after {
      border-color: var(--_accent);
      background: var(--_accent);
    }
    /* Also where the sheet of messages is not there. */
    .title {
      font-size: 0.875rem;
      font-weight: 550;
    }
    .quiet {
      margin-block-start: 0.25rem;
      min-height: 1.75rem;
      font-size: 0.8125rem;
    }
  }
  @media (pointer: coarse) {
    .point .quiet {
      min-height: 2.75rem;
    }
  }
  @media (forced-colors: active) {
    .point.shown::after {
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`;

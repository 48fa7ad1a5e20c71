import { css } from 'lit';
import { rowStyles } from './row.js';

/** A side that has room of its own. */
const column = css`
  position: static;
  display: flex;
  flex: none;
  flex-direction: column;
  border: 0 solid var(--_line);
  box-shadow: none;
`;

/** What stands beside the messages: columns where the chat is wide enough, else drawers. */
export const sidesStyles = css`
  .ubik {
    ${rowStyles}
  }
  .side.open {
    position: absolute;
    inset-block: 0;
    z-index: 3;
    display: flex;
    flex-direction: column;
    width: min(20rem, 100% - 3rem);
    background: var(--_background);
    box-shadow: 0 0 2rem rgb(0 0 0 / 24%);
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
    margin: 0.5rem 0.75rem 0;
  }
  .sides-bar {
    display: flex;
    padding: 0.375rem 0.75rem;
    border-block-end: var(--_border);
    .quiet {
      display: flex;
      align-items: center;
      gap: 0.5rem;
      border-color: transparent;
    }
  }
  .to-end {
    margin-inline-start: auto;
  }
  @container ubik (min-width: 48rem) {
    .start.filled,
    :not(.both) > .end.filled {
      ${column}
    }
    .start.filled {
      width: 16rem;
      border-inline-end-width: 1px;
    }
    .end.filled {
      width: 20rem;
      border-inline-start-width: 1px;
    }
    .sides-bar > .to-start,
    :not(.both) > .main > .sides-bar {
      display: none;
    }
  }
  @container ubik (min-width: 68rem) {
    .end.filled {
      ${column}
      border-inline-start-width: 1px;
    }
    .sides-bar {
      display: none;
    }
  }
`;

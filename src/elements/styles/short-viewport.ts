import { css } from 'lit';

const less = css`
  .column {
    padding-block-start: calc(0.5 * var(--_ubik-rem));
  }
  .sides-bar {
    padding-block: 0;
  }
  .greeting {
    font-size: calc(1.0625 * var(--_ubik-rem));
  }
  .keys {
    display: none;
  }
`;

/** What gives way where little height is left, in a window that is low or zoomed much, or above the keyboard of the screen: the messages do not. */
export const lowStyles = css`
  @media (max-height: 30rem) {
    .ubik {
      ${less}
    }
  }
  [data-keyboard] {
    ${less}
    .sides-bar,
    .to-keys {
      display: none;
    }
    .below {
      min-height: 0;
    }
  }
`;

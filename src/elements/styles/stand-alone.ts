import { css } from 'lit';

/** A part of a chat that stands alone takes the height that the page gives it. */
export const standAloneStyles = css`
  :host {
    contain: layout style;
  }
  .ubik {
    display: flex;
    flex-direction: column;
    block-size: 100%;
    background: none;
  }
`;
